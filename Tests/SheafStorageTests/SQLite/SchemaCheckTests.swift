import CSQLite
import Foundation
import SheafList
import SheafTestSupport
import Swidux
import Testing

@testable import SheafStorage

/// Lists with changed tables.
@Suite("The tables of a list")
struct SchemaCheckTests: SQLiteSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let wipe = "CREATE TRIGGER t AFTER INSERT ON items BEGIN DELETE FROM items; END;"

    private static func rewritten(_ text: String, _ other: String) -> String {
        "PRAGMA writable_schema = ON;"
            + "UPDATE sqlite_schema SET sql = replace(sql, '\(text)', '\(other)');"
    }

    @Test(
        "what runs by itself, stands in for rows or decides on them makes a list another program's",
        arguments: [
            (wipe, "a trigger, \"t\""),
            ("CREATE VIEW v AS SELECT * FROM items", "a view, \"v\""),
            ("CREATE VIRTUAL TABLE r USING rtree (a, b, c)", "a virtual table, \"r\""),
            ("ALTER TABLE items ADD COLUMN x TEXT AS (name || id)", "is generated"),
            ("ALTER TABLE items ADD COLUMN rowid INTEGER DEFAULT 7", "SQLite reserves"),
            ("CREATE UNIQUE INDEX u ON items (name)", "different unique keys"),
            ("CREATE UNIQUE INDEX u ON items (name) WHERE name > 'n'", "different unique keys"),
            ("ALTER TABLE items ADD COLUMN p TEXT REFERENCES p ON DELETE CASCADE", "foreign keys"),
            ("CREATE TABLE p (i TEXT REFERENCES items (id))", "refers to the list's tables"),
            (rewritten("note TEXT NOT NULL,", "note TEXT NOT NULL, x INT NOT NULL,"), "a value"),
            (rewritten("rank TEXT NOT NULL", "rank TEXT COLLATE NOCASE NOT NULL"), "items.rank"),
            (rewritten("done_at INTEGER", "done_at INTEGER NOT NULL"), "items.done_at"),
            (rewritten("tags (id) ON DELETE CASCADE", "tags (id)"), "different foreign keys"),
        ])
    func foreign(_ sql: String, _ words: String) async throws {
        try await makeStore()
        try shell(sql + ";")
        let bytes = try folder.bytes(of: "list.sqlite")
        for mode in [OpenMode.readWrite, .readOnly] {
            let error = await storageError { try open(mode: mode) }
            #expect(error?.code == .foreign, "\(error as Any)")
            #expect(error?.reason.contains(words) == true, "\(error as Any)")
            #expect(error?.advice?.contains("--recover") == true)
        }
        #expect(try folder.bytes(of: "list.sqlite") == bytes)
        let list = StoreURL(.sqlite, path: path)
        let diagnosis = Doctor.examine(list, environment: [:])
        #expect(diagnosis.refusal == .foreign)
        let target = StoreURL(.sqlite, path: folder.file("other.sqlite"))
        #expect(await storageError { try Restore.run(path, to: target.location) }?.code == .foreign)
        #expect(try folder.names == ["list.sqlite"])
    }

    @Test("a new list's tables are word for word those that are not judged closely")
    func verbatim() async throws {
        try await makeStore()
        let rows = try SQLiteConnection.with(
            path: path, flags: SQLITE_OPEN_READONLY, location: path
        ) { connection in
            let rows = try connection.statement(
                "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema ORDER BY rowid")
            var found: [SchemaRow] = []
            while try rows.step() {
                found.append(
                    SchemaRow(
                        type: rows.text(0), name: rows.text(1), table: rows.text(2),
                        sql: rows.text(3)))
            }
            return found
        }
        #expect(rows == Schema.current.rows)
    }

    @Test("what is refused for what it brings along is brought into a new list")
    func wayOut() async throws {
        try await makeStore()
        try shell(Self.wipe)
        let saved = StoreURL(.sqlite, path: folder.file("saved.sqlite"))
        let recovery = try await Recovery.run(StoreURL(.sqlite, path: path).location, to: saved)
        #expect(recovery.items == 1)
        #expect(try await open("saved.sqlite").allItems() == [Fixtures.item(1)])
    }

    @Test(
        "columns, tables and indexes that a hand added are left in peace",
        arguments: [
            "ANALYZE", "CREATE INDEX i ON items (name)", "ALTER TABLE tags ADD COLUMN mood TEXT",
            "CREATE TABLE own (a INTEGER PRIMARY KEY AUTOINCREMENT, b UNIQUE, c AS (b))",
            "CREATE INDEX i ON items (lower(name)) WHERE done_at IS NULL",
            "CREATE TABLE a (b TEXT PRIMARY KEY) WITHOUT ROWID", "DROP INDEX items_by_rank",
        ])
    func allowed(_ sql: String) async throws {
        try await makeStore()
        try shell(sql)
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(2)]))
        #expect(try await storage.allItems() == [Fixtures.item(1), Fixtures.item(2)])
        let list = StoreURL(.sqlite, path: path)
        #expect(Doctor.examine(list, environment: [:]).severity < .damage)
    }

    @Test(
        "a trigger that comes while a list is open deletes nothing, and stops saving until it goes")
    func whileOpen() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        try shell(Self.wipe)
        let changes = StorageChanges(items: [Fixtures.item(2)])
        #expect(await storageError { try await storage.commit(changes) }?.code == .foreign)
        #expect(await storageError { try await storage.allItems() }?.code == .foreign)
        #expect(try shell("SELECT count(*) FROM items") == "1")
        try shell("DROP TRIGGER t")
        _ = try await storage.commit(changes)
        #expect(try await storage.itemCount() == 2)
    }

    @Test("no clause of a key deletes the row that is in the way")
    func replacingKey() async throws {
        try await makeStore()
        let rank = Rank.between(nil, nil).text
        try shell(
            """
            INSERT INTO tags (id, name, folded_name, color, rank)
            VALUES ('x', 'one', 'one', 'red', '\(rank)')
            """)
        try shell(
            Self.rewritten(
                "name TEXT NOT NULL UNIQUE", "name TEXT NOT NULL UNIQUE ON CONFLICT REPLACE"))
        let storage = try open()
        let result = try await storage.commit(StorageChanges(tags: [Fixtures.tag(1, "one")]))
        #expect(result.refused.count == 1)
        #expect(try shell("SELECT id FROM tags") == "x")
    }

    // MARK: Work without an end

    @Test("tables that are views without an end are not read", .timeLimit(.minutes(1)))
    func endlessView() async throws {
        try await makeStore()
        try shell(
            """
            ALTER TABLE items RENAME TO it;
            CREATE VIEW items AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT i AS rowid, it.id, name, note, rank, done_at, created_at, updated_at, extras,
              commit_number FROM n, it;
            """)
        try await expectAnEnd()
    }

    @Test("pages that lead to each other without an end are not followed", .timeLimit(.minutes(1)))
    func endlessPages() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(1_000)))
        await storage.close()
        var bytes = Array(try folder.bytes(of: "list.sqlite"))
        func integer(_ offset: Int, _ length: Int) -> Int {
            bytes[offset..<offset + length].reduce(0) { $0 << 8 | Int($1) }
        }
        let root = try #require(
            try shell("SELECT rootpage FROM sqlite_schema WHERE name = 'items'").flatMap(Int.init))
        let start = (root - 1) * 4096
        var next = integer(start + integer(start + 12, 2), 4)
        // Each of these pages has the next one for all of its 300 children, the last one a page of
        // items.
        let last = bytes.count / 4096
        for page in Array(last - 15..<last) + [root] {
            bytes.replaceSubrange((page - 1) * 4096..<page * 4096, with: Self.page(leadingTo: next))
            next = page
        }
        try folder.write(bytes, to: "list.sqlite")
        try await expectSalvageEnds()
        // Ten seconds. `endlessView` shows that an examination ends, too.
        if Torture.isOn { try await expectAnEnd() }
    }

    /// An interior page of a table, by SQLite's file format.
    private static func page(leadingTo child: Int) -> [UInt8] {
        func bytes(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        var page: [UInt8] = [5, 0, 0] + bytes(300, 2) + bytes(4096 - 300 * 6, 2) + [0]
        page += bytes(child, 4)
        for cell in 0..<300 { page += bytes(4096 - (cell + 1) * 6, 2) }
        page += [UInt8](repeating: 0, count: 4096 - 300 * 6 - page.count)
        for cell in (0..<300).reversed() {
            page += bytes(child, 4) + [0x81 + UInt8(cell >> 7), UInt8(cell & 0x7F)]
        }
        return page
    }

    /// Examines, recovers and restores the list. Each finds it damaged or foreign, or reports the
    /// saved parts.
    private func expectAnEnd() async throws {
        let list = StoreURL(.sqlite, path: path)
        #expect(Doctor.examine(list, environment: [:]).severity == .damage)
        try await expectSalvageEnds()
    }

    /// Restores and recovers the list.
    private func expectSalvageEnds() async throws {
        let list = StoreURL(.sqlite, path: path)
        let target = StoreURL(.sqlite, path: folder.file("other.sqlite"))
        #expect(await storageError { try Restore.run(path, to: target.location) } != nil)
        _ = await storageError { try await Recovery.run(list.location, to: target) }
    }
}
