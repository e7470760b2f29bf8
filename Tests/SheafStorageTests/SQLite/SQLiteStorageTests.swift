import Foundation
import SheafFormats
import SheafList
import SheafTestSupport
import Swidux
import Testing

@testable import SheafStorage

/// SQLite's storage beyond the contract: writing, locks, rows of other programs, failures.
@Suite("SQLite storage")
struct SQLiteStorageTests: SQLiteSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // MARK: Writing

    @Test("the settings that keep data safe are on")
    func settings() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        #expect(try shell("PRAGMA journal_mode") == "delete")
        #expect(try shell("PRAGMA application_id") == "1397245254")
        #expect(try shell("PRAGMA user_version") == "\(FormatVersions.current.tables)")
        #expect(try folder.names == ["list.sqlite"])
        #expect(try await storage.pragma("synchronous") == 3)
        #expect(try await storage.pragma("foreign_keys") == 1)
    }

    @Test("rows can be read with the sqlite3 shell")
    func readableRows() async throws {
        var item = Fixtures.item(1, "name", tags: [Fixtures.tagID(2)])
        item.doneAt = Fixtures.now
        item.extras = [.init(key: "k", value: "\u{1B}\"é")]
        _ = try await open().commit(StorageChanges(tags: [Fixtures.tag(2, "Tag")], items: [item]))
        #expect(
            try shell(
                "SELECT id||'|'||name||'|'||note||'|'||rank||'|'||done_at||'|'||extras FROM items")
                == "a0000000-0000-4000-8000-000000000001|name||b01|1700000000123|[[\"k\", \"\\u001b\\\"é\"]]"
        )
        #expect(
            try shell("SELECT id||'|'||name||'|'||folded_name||'|'||color||'|'||rank FROM tags")
                == "b0000000-0000-4000-8000-000000000002|Tag|tag|blue|b02")
        #expect(try shell("SELECT item_id||tag_id FROM item_tags")?.count == 72)
    }

    @Test("rows of tags that stay are not written again")
    func tagRowsStay() async throws {
        let storage = try open()
        let tags = [Fixtures.tag(1, "one"), Fixtures.tag(2, "two"), Fixtures.tag(3, "three")]
        var item = Fixtures.item(1, tags: [tags[0].id, tags[1].id])
        _ = try await storage.commit(StorageChanges(tags: tags, items: [item]))
        // Rows that are written again have the default.
        try shell("ALTER TABLE item_tags ADD COLUMN mark TEXT DEFAULT 'new'")
        try shell("UPDATE item_tags SET mark = 'old'")
        func commit(_ change: (inout Item) -> Void) async throws {
            var changes = StorageChanges()
            let base = item
            change(&item)
            changes.items.replace(base, with: item)
            _ = try await storage.commit(changes)
        }
        try await commit { $0.name = "renamed" }
        #expect(try shell("SELECT group_concat(mark) FROM item_tags") == "old,old")
        try await commit { $0.tags = [tags[1].id, tags[2].id] }
        #expect(
            try shell("SELECT group_concat(mark) FROM (SELECT mark FROM item_tags ORDER BY tag_id)")
                == "old,new")
    }

    @Test("a row that the store refuses is set aside whole, and the rest commits")
    func refusedRow() async throws {
        let storage = try open()
        let tags = [Fixtures.tag(1, "one"), Fixtures.tag(2, "bad")]
        _ = try await storage.commit(
            StorageChanges(tags: tags, items: [Fixtures.item(9), Fixtures.item(8)]))
        try Shell.require(
            "tag_id NOT LIKE '%2'", of: "item_tags", orSay: "not this tag", on: path)
        // The ids of the list and of processes, which are random, lie there too.
        try Shell.require("id NOT LIKE '%00009'", of: "tombstones", orSay: "keep it", on: path)
        let result = try await storage.commit(
            StorageChanges(
                items: [
                    Fixtures.item(1, tags: [tags[0].id]), Fixtures.item(2, tags: [tags[1].id]),
                    Fixtures.item(3),
                ], deletingItems: [Fixtures.itemID(9), Fixtures.itemID(8)]))
        #expect(
            result.refused.compactMap { $0.id.value(as: UUID.self) } == [
                Fixtures.itemID(2), Fixtures.itemID(9),
            ])
        #expect(
            result.refused.map(\.reason) == [
                "CHECK constraint failed: not this tag",
                "CHECK constraint failed: keep it",
            ])
        #expect(try await storage.allItems().map(\.id) == [1, 3, 9].map(Fixtures.itemID))
    }

    // MARK: Locks and failures

    @Test("a lock is reported as busy, and the next commit succeeds once it is gone")
    func busy() async throws {
        let storage = try open()
        let changes = StorageChanges(items: [Fixtures.item(1)])
        try await Shell.holding("BEGIN IMMEDIATE", on: path) {
            let error = await storageError { try await storage.commit(changes) }
            #expect(error?.code == .busy)
            #expect(error?.reason == "locked by another process")
            // A reader is not in the way of this lock.
            let count = try await storage.itemCount()
            #expect(count == 0)
        }
        // This one lets the transaction begin, and stops it at its commit.
        try await Shell.holding("BEGIN; SELECT * FROM items", on: path) {
            #expect(await storageError { try await storage.commit(changes) }?.code == .busy)
        }
        try await Shell.holding("BEGIN EXCLUSIVE", on: path) {
            #expect(await storageError { try await storage.itemCount() }?.code == .busy)
        }
        #expect(try await storage.itemCount() == 0)
        _ = try await storage.commit(changes)
        #expect(try await storage.allItems() == changes.items.upserts)
    }

    @Test(
        "a full disk is reported and commits nothing, and the next commit succeeds once there is room"
    )
    func full() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        let before = try folder.bytes(of: "list.sqlite")
        var big = Fixtures.item(2)
        big.note = String(repeating: "x", count: 200_000)
        try await storage.limitPages(to: 20)
        let error = await storageError {
            try await storage.commit(StorageChanges(items: [Fixtures.item(3), big]))
        }
        #expect(error?.code == .full)
        #expect(error?.reason == "disk full")
        #expect(try folder.bytes(of: "list.sqlite") == before)
        #expect(try folder.names == ["list.sqlite"])
        try await storage.limitPages(to: 1_000_000)
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(3), big]))
        #expect(try await storage.itemCount() == 3)
    }

    @Test(
        "a disk that is really full leaves the old list, and takes the next commit once there is room",
        .enabled(if: TinyDisk.isPossible), arguments: [0, 4096, 12_288, 20_480])
    func fullDisk(_ spare: Int) async throws {
        let disk = folder.file("disk")
        try await TinyDisk.during(disk) {
            let storage = try SQLiteStorage(path: disk + "/list.sqlite", mode: .readWriteCreate)
            _ = try await storage.commit(StorageChanges(items: Fixtures.items(20)))
            try TinyDisk.fill(disk + "/filler", spare: spare)
            var big = Fixtures.item(99)
            big.note = String(repeating: "x", count: 60_000)
            let changes = StorageChanges(items: [big], deletingItems: [Fixtures.itemID(1)])
            let error = await storageError { try await storage.commit(changes) }
            #expect(error?.code == .full)
            #expect(error?.reason == "disk full")
            let kept = try await storage.allItems()
            #expect(kept == Fixtures.items(20))
            try FileManager.default.removeItem(atPath: disk + "/filler")
            _ = try await storage.commit(changes)
            let items = try await storage.allItems()
            #expect(items == Fixtures.items(20).dropFirst() + [big])
            await storage.close()
        }
    }

    @Test("a store that is deleted, moved or replaced meanwhile is not written to")
    func moved() async throws {
        let storage = try open()
        let changes = StorageChanges(items: [Fixtures.item(1)])
        try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
        let error = await storageError { try await storage.commit(changes) }
        #expect(error?.code == .io)
        #expect(error?.reason == "the file was deleted, moved or replaced")
        try folder.write([1, 2, 3], to: "list.sqlite")
        #expect(await storageError { try await storage.commit(changes) }?.code == .foreign)
        #expect(try folder.bytes(of: "list.sqlite") == Data([1, 2, 3]))
        #expect(try folder.names == ["list.sqlite", "list.sqlite.away"])
        // Put back, it is written to again.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
        _ = try await storage.commit(changes)
        #expect(try await storage.itemCount() == 1)
    }

    @Test("a store opened to be read only is read and says why it is not written to")
    func readOnlyMode() async throws {
        _ = try await open().commit(StorageChanges(items: [Fixtures.item(1)]))
        let before = try folder.bytes(of: "list.sqlite")
        let storage = try open(mode: .readOnly)
        #expect(storage.readOnlyReason == "It was opened with --read-only.")
        #expect(try await storage.allItems() == [Fixtures.item(1)])
        let error = await storageError {
            try await storage.commit(StorageChanges(items: [Fixtures.item(2)]))
        }
        #expect(error?.code == .readOnly)
        #expect(try folder.bytes(of: "list.sqlite") == before)
    }

    @Test("a transaction that a crash cut off is undone when the store opens")
    func hotJournal() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(3)))
        await storage.close()
        // The result of a crash: some pages are written, and the journal holds their earlier
        // contents.
        try Shell.copyMidTransaction(
            "PRAGMA cache_spill = 1; PRAGMA cache_size = 1; BEGIN; UPDATE items SET name = 'lost', note = hex(zeroblob(9000))",
            of: path, to: folder.file("crashed.sqlite"))
        #expect(try folder.names.contains("crashed.sqlite-journal"))
        let crashed = try SQLiteStorage(path: folder.file("crashed.sqlite"), mode: .readWrite)
        #expect(try await crashed.allItems() == Fixtures.items(3))
        #expect(try !folder.names.contains("crashed.sqlite-journal"))
    }

    /// Makes a version of the list with one more commit, of as many items, and puts it in the place
    /// of the list that a crash left, before which or after which it was made.
    private func replaceCrashed(_ sql: String, adding count: Int, isOlder: Bool) async throws
        -> String
    {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(3)))
        await storage.close()
        let (crashed, version) = (folder.file("crashed.sqlite"), folder.file("version.sqlite"))
        func makeVersion() async throws {
            try FileManager.default.copyItem(atPath: path, toPath: version)
            let other = try SQLiteStorage(path: version, mode: .readWrite)
            let items = (4..<4 + count).map { Fixtures.item($0) }
            _ = try await other.commit(StorageChanges(items: items))
            await other.close()
        }
        if isOlder { try await makeVersion() }
        // Files that are made one right after the other may be a copied pair.
        if isOlder { try await Task.sleep(for: .seconds(0.7)) }
        try Shell.copyMidTransaction(sql, of: path, to: crashed)
        if !isOlder { try await Task.sleep(for: .seconds(0.7)) }
        if !isOlder { try await makeVersion() }
        #expect(rename(version, crashed) == 0)
        return crashed
    }

    @Test(
        "no journal or log of a crash is played into a version with one more commit",
        arguments: [
            (
                "BEGIN; PRAGMA user_version = 4; UPDATE items SET note = hex(zeroblob(9000))", true,
                1
            ),
            (
                "BEGIN; PRAGMA user_version = 4; UPDATE items SET note = hex(zeroblob(9000))",
                false, 1
            ),
            ("BEGIN; UPDATE items SET note = hex(zeroblob(9000))", true, 200),
            ("PRAGMA journal_mode = WAL; UPDATE items SET name = 'lost'", true, 1),
        ])
    func journalOfSecondVersion(sql: String, isOlder: Bool, count: Int) async throws {
        let spilling = "PRAGMA cache_spill = 1; PRAGMA cache_size = 1; " + sql
        let crashed = try await replaceCrashed(spilling, adding: count, isOlder: isOlder)
        let before = try folder.bytes(of: "crashed.sqlite")
        for mode in [OpenMode.readOnly, .readWrite] {
            let error = #expect(throws: StorageError.self) {
                try SQLiteStorage(path: crashed, mode: mode)
            }
            #expect(error?.code == .cannotOpen)
            #expect(error?.advice?.contains("move it away: mv ") == true)
        }
        #expect(try folder.bytes(of: "crashed.sqlite") == before)
    }

    @Test("the journal of a crash is not played into another version that took the list's place")
    func journalOfFormerVersion() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(3)))
        let crashed = folder.file("crashed.sqlite")
        try Shell.copyMidTransaction(
            "PRAGMA cache_spill = 1; PRAGMA cache_size = 1; BEGIN; UPDATE items SET name = 'lost', note = hex(zeroblob(9000))",
            of: path, to: crashed)
        for number in 4...6 {
            _ = try await storage.commit(StorageChanges(items: [Fixtures.item(number)]))
        }
        await storage.close()
        #expect(rename(path, crashed) == 0)
        let before = try folder.bytes(of: "crashed.sqlite")
        let error = #expect(throws: StorageError.self) {
            try SQLiteStorage(path: crashed, mode: .readWrite)
        }
        #expect(error?.code == .cannotOpen)
        #expect(error?.advice?.contains("move it away: mv ") == true)
        #expect(try folder.bytes(of: "crashed.sqlite") == before)
        #expect(unlink("\(crashed)-journal") == 0)
        let other = try SQLiteStorage(path: crashed, mode: .readWrite)
        #expect(try await other.allItems() == Fixtures.items(6))
    }

    @Test("damage that shows only once a refused row is set aside stops all writing too")
    func damageBehindRefusal() async throws {
        await (try open()).close()
        try Shell.require("name <> 'item 1'", of: "items", orSay: "not this one", on: path)
        let page = try #require(
            try shell("SELECT rootpage FROM sqlite_schema WHERE name = 'items_by_rank'")
                .flatMap(Int.init))
        var bytes = try folder.bytes(of: "list.sqlite")
        bytes.replaceSubrange((page - 1) * 4096..<page * 4096, with: Data(count: 4096))
        try folder.write(Array(bytes), to: "list.sqlite")
        let storage = try open()
        let both = StorageChanges(items: Fixtures.items(2))
        #expect(await storageError { try await storage.commit(both) }?.code == .corrupt)
        let tag = StorageChanges(tags: [Fixtures.tag(1, "one")])
        #expect(await storageError { try await storage.commit(tag) }?.code == .corrupt)
    }
}
