import CSQLite
import Foundation
import SheafList
import SheafTestSupport
import Swidux
import Testing

@testable import SheafFormats
@testable import SheafStorage

/// Stores in places that cannot be written to, and stores of older versions.
@Suite("Read-only and older SQLite stores")
struct SQLiteUpgradeTests: SQLiteSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // MARK: Read-only places

    @Test(
        "a store whose file or folder cannot be written to opens read-only",
        .enabled(if: Immutable.isPossible), arguments: ["list.sqlite", ""])
    func readOnlyPlaces(_ name: String) async throws {
        try await makeStore()
        let target = name.isEmpty ? folder.path : folder.file(name)
        try await Immutable.during(target) {
            let before = try folder.bytes(of: "list.sqlite")
            let storage = try open()
            let reason = try #require(storage.readOnlyReason)
            #expect(reason.hasPrefix(name.isEmpty ? "The folder is" : "The file is"))
            let items = try await storage.allItems()
            #expect(items == [Fixtures.item(1)])
            let error = await storageError {
                try await storage.commit(StorageChanges(items: [Fixtures.item(2)]))
            }
            #expect(error?.code == .readOnly)
            let bytes = try folder.bytes(of: "list.sqlite")
            #expect(bytes == before)
            await storage.close()
        }
    }

    @Test(
        "a folder that becomes unwritable fails a commit, and the next one succeeds once it is not",
        .enabled(if: Immutable.isPossible))
    func becomingReadOnly() async throws {
        let storage = try open()
        try await Immutable.during(folder.path) {
            let error = await storageError {
                try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
            }
            #expect(error?.code == .readOnly)
            #expect(error?.reason == "read-only")
        }
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        #expect(try await storage.itemCount() == 1)
    }

    @Test(
        "a list that becomes unwritable can be read by others all the same",
        .enabled(if: Immutable.isPossible))
    func readableByOthers() async throws {
        try await makeStore()
        let storage = try open()
        try await Immutable.during(folder.file("list.sqlite")) {
            let error = await storageError {
                try await storage.commit(StorageChanges(items: [Fixtures.item(2)]))
            }
            #expect(error?.code == .readOnly)
            #expect(try folder.names == ["list.sqlite"])
            let other = try open()
            #expect(try await other.itemCount() == 1)
            await other.close()
        }
        await storage.close()
    }

    // MARK: Migration

    private static let next = Schema(
        migrations: Schema.current.migrations + ["CREATE TABLE more (a INTEGER) STRICT"])

    @Test("an older store is upgraded, with a backup beside it")
    func upgrade() async throws {
        try await makeStore()
        let before = try folder.bytes(of: "list.sqlite")
        let backupName = "list.sqlite.backup-v\(Schema.current.version)"
        try folder.write([1], to: backupName)
        let storage = try SQLiteStorage(
            path: path, mode: .readWrite, busyTimeout: .zero, schema: Self.next)
        #expect(try await storage.allItems() == [Fixtures.item(1)])
        #expect(try Shell.run("PRAGMA user_version", on: path) == "\(Self.next.version)")
        #expect(
            try folder.names == ["list.sqlite", backupName, "\(backupName)-2"])
        #expect(try status(of: folder.file("\(backupName)-2")).st_mode & 0o777 == 0o600)
        let backup = try open("\(backupName)-2", mode: .readWrite)
        #expect(try await backup.allItems() == [Fixtures.item(1)])
        await backup.close()
        #expect(try folder.bytes(of: "\(backupName)-2").count == before.count)
        #expect(await storageError { try open() }?.code == .newer)
    }

    @Test("a store of the first version keeps its rows, and is watched from then on")
    func firstUpgrade() async throws {
        try Shell.run(Schema.script(version: 1), on: path)
        try Shell.run(
            """
            INSERT INTO items VALUES ('\(Fixtures.item(1).id.uuidString.lowercased())', 'old', '',
              'a0', NULL, 0, 0, '[]')
            """, on: path)
        let storage = try open()
        #expect(try await storage.allItems().map(\.name) == ["old"])
        let other = try open()
        _ = try await other.commit(StorageChanges(items: [Fixtures.item(2)]))
        let fetched = try await storage.externalChanges { StorageChanges() }
        #expect(fetched.changes.items.upserts == [Fixtures.item(2)])
        #expect(try folder.names == ["list.sqlite", "list.sqlite.backup-v1"])
    }

    @Test("a store of the version before views keeps its rows and deletions, and takes views")
    func viewUpgrade() async throws {
        try Shell.run(Schema.script(version: 2), on: path)
        let id = { (id: UUID) in id.uuidString.lowercased() }
        try Shell.run(
            """
            INSERT INTO tags VALUES ('\(id(Fixtures.tagID(1)))', 'book', 'book', 'red', 'b01', 1);
            INSERT INTO items VALUES ('\(id(Fixtures.itemID(1)))', 'old', '', 'b01', NULL, 0, 0,
              '[]', 1);
            INSERT INTO item_tags VALUES ('\(id(Fixtures.itemID(1)))', '\(id(Fixtures.tagID(1)))');
            INSERT INTO tombstones VALUES ('\(id(Fixtures.itemID(2)))', 0, 2);
            INSERT INTO tombstones VALUES ('\(id(Fixtures.tagID(2)))', 1, 2);
            UPDATE commits SET last_number = 2
            """, on: path)
        let storage = try open()
        #expect(try await storage.loadTags().map(\.name) == ["book"])
        #expect(try await storage.loadViews().isEmpty)
        #expect(try await storage.allItems().map(\.tags) == [[Fixtures.tagID(1)]])
        #expect(
            try Shell.run("SELECT group_concat(kind) FROM tombstones", on: path) == "0,1")
        let view = Fixtures.view(1, choice: .tag(Fixtures.tagID(1)))
        let other = try open()
        _ = try await other.commit(StorageChanges(views: [view]))
        let fetched = try await storage.externalChanges { StorageChanges() }
        #expect(fetched.changes.views.upserts == [view])
        #expect(try folder.names == ["list.sqlite", "list.sqlite.backup-v2"])
        #expect(await storageError { try SQLiteStorage(path: path, mode: .readWrite) } == nil)
    }

    @Test("days, repeats and priorities that were extras are fields, and an export is the same")
    func dayUpgrade() async throws {
        try Shell.run(Schema.script(version: 3), on: path)
        let extras = [
            #"[["pri", "A"], ["due", "2026-03-06"], ["t", "2026-03-01"], ["rec", "+1m"]]"#,
            #"[["key", "value"], ["due", "soon"], ["due", "2026-03-06"], ["rec", "0d"]]"#,
            #"[["key", "due"]]"#, "not JSON, with due",
        ]
        let id = { (id: UUID) in id.uuidString.lowercased() }
        for (number, extras) in extras.enumerated() {
            try Shell.run(
                """
                INSERT INTO items VALUES ('\(id(Fixtures.itemID(number)))', 'item \(number)', '',
                  'b0\(number)', NULL, 0, 0, '\(extras)', 1)
                """, on: path)
        }
        try Shell.run(
            """
            INSERT INTO tags VALUES ('\(id(Fixtures.tagID(1)))', 'book', 'book', 'red', 'b01', 1);
            INSERT INTO item_tags VALUES ('\(id(Fixtures.itemID(1)))', '\(id(Fixtures.tagID(1)))')
            """, on: path)
        let storage = try open()
        let items = try await storage.allItems()
        #expect(
            items.map(\.due) == [CalendarDay("2026-03-06"), CalendarDay("2026-03-06"), nil, nil])
        #expect(items.map(\.scheduled) == [CalendarDay("2026-03-01"), nil, nil, nil])
        #expect(items.map(\.repeat) == [Repeat("+1m"), nil, nil, nil])
        #expect(items.map(\.priority) == [.a, nil, nil, nil])
        let line =
            "1970-01-01 item 1 @book extra:key=value extra:due=soon due:2026-03-06 extra:rec=0d"
        #expect(items[0].extras == [])
        #expect(items[1].extras.map(\.value) == ["value", "soon", "0d", line])
        #expect(items[2].extras.map(\.value) == ["due"])
        #expect(items[3].extras.map(\.value) == ["not JSON, with due"])
        var written: [UInt8] = []
        var writer = ListWriter(.todotxt, tags: try await storage.loadTags()) { written += $0 }
        try writer.write(items[...1])
        try writer.finish()
        #expect(
            String(decoding: written, as: UTF8.self)
                == "(A) 1970-01-01 item 0 due:2026-03-06 t:2026-03-01 rec:+1m\n\(line)\n")
        await storage.close()
        #expect(try Shell.run("SELECT due FROM items WHERE rank = 'b00'", on: path) == "2026-03-06")
    }

    @Test("a name gets its tags back from the imported line that still describes the item")
    func nameUpgrade() async throws {
        let storage = try open()
        _ = try await storage.commit(FormerNames.rows)
        await storage.close()
        try Shell.run("PRAGMA user_version = 4", on: path)
        let upgraded = try open()
        #expect(try await upgraded.allItems() == FormerNames.restored)
        #expect(try folder.names == ["list.sqlite", "list.sqlite.backup-v4"])
        // It happens once: the user may want the shorter name.
        var shorter = FormerNames.restored[0]
        shorter.name = FormerNames.rows.items.upserts[0].name
        _ = try await upgraded.commit(StorageChanges(items: [shorter]))
        await upgraded.close()
        #expect(try await open().allItems()[0] == shorter)
    }

    @Test("what a hand made no day of is kept, and does not make the list unreadable")
    func unreadableDay() async throws {
        try await makeStore()
        try Shell.run("UPDATE items SET due = 'soon', priority = 'A', repeat = '999999y'", on: path)
        let storage = try open()
        let item = try #require(try await storage.allItems().first)
        #expect((item.due, item.repeat, item.priority) == (nil, nil, .a))
        #expect(item.extras.map(\.value) == ["soon", "999999y"])
        var edited = item
        edited.name = "edited"
        _ = try await storage.commit(StorageChanges(items: [edited]))
        #expect(try await storage.allItems() == [edited])
    }

    @Test("a field takes the place of the extra that earlier versions kept it in")
    func formerExtra() async throws {
        var (first, second) = (Fixtures.item(1), Fixtures.item(2))
        first.extras = [.init(key: "a", value: "b"), .init(key: "memo", value: "said")]
        second.extras = [.init(key: "a", value: "memo")]
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: [first, second]))
        await storage.close()
        let next = Schema(
            migrations: Self.next.migrations,
            formerExtras: [FormerExtra("memo", field: "note", since: Self.next.version)])
        let upgraded = try SQLiteStorage(
            path: path, mode: .readWrite, busyTimeout: .zero, schema: next)
        first.note = "said"
        first.extras.removeLast()
        #expect(try await upgraded.allItems() == [first, second])
    }

    /// The value of every later column was an extra before.
    @Test("each column that came later says which extra it was, and since when")
    func formerExtras() throws {
        let versions = try (1...Schema.current.version).map {
            try #require(try Schema.current.shape(version: $0).tables["items"]).columns
        }
        for field in Item.fields where field.isColumn && versions[0][field.column] == nil {
            let since = versions.firstIndex { $0[field.column] != nil }.map { Int64($0 + 1) }
            let former = FormerExtra.all.filter { $0.field == field.name }
            #expect(!former.isEmpty, "\(field.name)")
            #expect(former.allSatisfy { $0.version == since }, "\(field.name)")
        }
    }

    @Test("the newest tables and the newest step agree, and new columns raise each format")
    func versions() throws {
        #expect(FormatVersions.current.tables == Schema.current.version)
        func columns(_ step: FormatVersions) throws -> Set<String> {
            let tables = try Schema.current.shape(version: step.tables).tables
            return Set(
                ["items", "tags", "views"].flatMap { table in
                    (tables[table]?.columns.keys.sorted() ?? []).map { "\(table).\($0)" }
                })
        }
        for (old, new) in zip(FormatVersions.all, FormatVersions.all.dropFirst()) {
            let steps = [
                new.tables - old.tables, new.logs - old.logs, Int64(new.json - old.json),
                Int64(new.server - old.server),
            ]
            #expect(steps.allSatisfy { $0 >= 0 } && steps.contains { $0 > 0 }, "\(new)")
            // Servers came after saved views.
            guard old.tables >= 4, try columns(new) != columns(old) else { continue }
            #expect(new.logs > old.logs && new.server > old.server, "\(new)")
        }
    }

    @Test("a migration ends its own statements: a comment at its end does not swallow the next one")
    func comments() throws {
        for migration in Schema.current.migrations {
            #expect(sqlite3_complete(migration) == 1, "\(migration)")
        }
        let schema = Schema(
            migrations: ["CREATE TABLE a (b); -- one", "CREATE TABLE c (d);\n-- two"])
        try Shell.run(schema.migrations.joined() + "CREATE TABLE e (f);", on: path)
        let names = "SELECT group_concat(name) FROM sqlite_schema"
        #expect(try Shell.run(names, on: path) == "a,c,e")
        #expect(schema.rows.map(\.name) == ["a", "c"])
    }

    @Test("an upgrade that fails leaves the store as it was")
    func failingUpgrade() async throws {
        try await makeStore()
        let before = try folder.bytes(of: "list.sqlite")
        let broken = Schema(
            migrations: Schema.current.migrations + ["CREATE TABLE more (a); CREATE TABLE more (a)"]
        )
        #expect(
            await storageError {
                try SQLiteStorage(path: path, mode: .readWrite, busyTimeout: .zero, schema: broken)
            }
                != nil)
        #expect(try folder.bytes(of: "list.sqlite") == before)
        #expect(try await open().allItems() == [Fixtures.item(1)])
    }

    @Test(
        "a table or a column of one's own that has the name of a new one is named, and stays",
        arguments: [
            ("CREATE TABLE more (a)", "a table more"),
            ("ALTER TABLE items ADD COLUMN Extent TEXT", "a column extent in items"),
        ])
    func takenNames(sql: String, named: String) async throws {
        try await makeStore()
        try Shell.run(sql, on: path)
        let before = try folder.bytes(of: "list.sqlite")
        let wider = Schema(
            migrations: Self.next.migrations + ["ALTER TABLE items ADD COLUMN extent TEXT"])
        let error = await storageError {
            try SQLiteStorage(path: path, mode: .readWrite, busyTimeout: .zero, schema: wider)
        }
        #expect(error?.code == .foreign)
        #expect(error?.reason.contains(named) == true)
        #expect(try folder.names == ["list.sqlite"])
        #expect(try folder.bytes(of: "list.sqlite") == before)
    }

    @Test("an older store in a read-only place says that it has to be upgraded")
    func readOnlyUpgrade() async throws {
        try await makeStore()
        let error = await storageError {
            try SQLiteStorage(path: path, mode: .readOnly, busyTimeout: .zero, schema: Self.next)
        }
        #expect(error?.code == .readOnly)
        #expect(error?.reason.hasPrefix("an older version of the program wrote this list") == true)
        #expect(try folder.names == ["list.sqlite"])
    }
}
