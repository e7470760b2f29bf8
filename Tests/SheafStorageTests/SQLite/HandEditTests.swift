import Foundation
import SheafList
import SheafTestSupport
import Swidux
import Testing

@testable import SheafStorage

/// Changes by hand with the sqlite3 shell, among the commits of processes.
@Suite("Edits by hand")
struct HandEditTests: SQLiteSuite {
    let folder: TemporaryFolder
    private let items = Fixtures.items(3)

    init() throws { folder = try TemporaryFolder() }

    /// Two processes on a list with `items`, which both know.
    private func openTwice() async throws -> (mine: SQLiteStorage, theirs: SQLiteStorage) {
        let (mine, theirs) = (try open(), try open())
        _ = try await mine.commit(StorageChanges(items: items))
        _ = try await theirs.externalChanges { StorageChanges() }
        return (mine, theirs)
    }

    /// The names and notes that `storage` is told of, in order.
    private func told(to storage: SQLiteStorage) async throws -> [String] {
        let known = StorageChanges(items: items)
        return try await storage.externalChanges { known }.changes.items.upserts.map {
            $0.name + $0.note
        }.sorted()
    }

    @Test("rows that a hand changed are told")
    func alone() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: items))
        try shell("UPDATE items SET name = 'by hand' WHERE name = 'item 2'")
        try shell("DELETE FROM items WHERE name = 'item 3'")
        let known = StorageChanges(items: items)
        let changes = try await storage.externalChanges { known }.changes
        #expect(changes.items.upserts.map(\.name).contains("by hand"))
        #expect(changes.items.deletions == [items[2].id])
    }

    @Test(
        "rows that a hand changed are told though a process commits before or behind it",
        arguments: [[true, false], [false, true], [true, false, true], [false, true, false]])
    func amongCommits(_ hands: [Bool]) async throws {
        let (mine, theirs) = try await openTwice()
        for (round, isHand) in hands.enumerated() {
            if isHand {
                try shell("UPDATE items SET name = 'HAND', note = note || '+' WHERE id LIKE '%1'")
            } else {
                _ = try await theirs.commit(edit(items[1]) { $0.note = "theirs \(round)" })
            }
        }
        let names = try await told(to: mine)
        #expect(names.contains("HAND" + String(repeating: "+", count: hands.count { $0 })))
        #expect(names.contains { $0.hasPrefix("item 2theirs") })
        #expect(try await told(to: mine).isEmpty)
    }

    @Test("a row that a hand deleted is told though a process commits right behind it")
    func deletedBeforeCommit() async throws {
        let (mine, theirs) = try await openTwice()
        try shell("DELETE FROM items WHERE name = 'item 3'")
        _ = try await theirs.commit(edit(items[1]) { $0.doneAt = Fixtures.now })
        let known = StorageChanges(items: items)
        let changes = try await mine.externalChanges { known }.changes
        #expect(changes.items.deletions == [items[2].id])
    }

    @Test("an edit of another field is merged with a hand's that a process commits right behind")
    func merged() async throws {
        let (mine, theirs) = try await openTwice()
        try shell("UPDATE items SET name = 'HAND' WHERE name = 'item 1'")
        _ = try await theirs.commit(edit(items[1]) { $0.note = "theirs" })
        let result = try await mine.commit(edit(items[0]) { $0.doneAt = Fixtures.now })
        #expect(result.isBehind)
        let stored = try await mine.loadItems(ids: [items[0].id])
        #expect(stored.map(\.name) == ["HAND"])
        #expect(stored.map(\.doneAt) == [Fixtures.now])
        #expect(try await told(to: mine) == ["HAND", "item 2theirs", "item 3"])
    }

    @Test("rows that a hand changed while a fetch goes page by page are told")
    func betweenPages() async throws {
        let (mine, theirs) = try await openTwice()
        let many = (10..<3_500).map { Fixtures.item($0) }
        _ = try await theirs.commit(StorageChanges(items: many))
        let first = try await mine.externalChanges { StorageChanges() }
        #expect(!first.isComplete)
        let early = try #require(first.changes.items.upserts.first)
        try shell("UPDATE items SET name = 'HAND' WHERE name = '\(early.name)'")
        var names: Set<String> = []
        while true {
            let page = try await mine.externalChanges { StorageChanges() }
            names.formUnion(page.changes.items.upserts.map(\.name))
            if page.isComplete { break }
        }
        #expect(names.contains("HAND"))
    }

    @Test("an older copy that is put in the place of the list is told")
    func olderCopy() async throws {
        let (mine, theirs) = try await openTwice()
        let copy = try folder.bytes(of: "list.sqlite")
        _ = try await theirs.commit(edit(items[0]) { $0.name = "new" })
        #expect(try await told(to: mine).contains("new"))
        let list = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("list.sqlite")))
        try list.write(contentsOf: copy)
        try list.close()
        #expect(try await told(to: mine).contains(items[0].name))
    }

    @Test("a list that was emptied and put back takes commits again")
    func emptiedAndBack() async throws {
        let (mine, _) = try await openTwice()
        let copy = try folder.bytes(of: "list.sqlite")
        #expect(truncate(folder.file("list.sqlite"), 0) == 0)
        let edit = edit(items[0]) { $0.name = "new" }
        await #expect(throws: StorageError.self) { try await mine.commit(edit) }
        let list = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("list.sqlite")))
        try list.write(contentsOf: copy)
        try list.close()
        _ = try await mine.commit(edit)
        #expect(try await mine.allItems().map(\.name).contains("new"))
    }

    @Test("rows that a hand changed are told after it put the list into WAL mode")
    func writeAheadLog() async throws {
        let (mine, theirs) = try await openTwice()
        #expect(try shell("PRAGMA journal_mode = WAL") == "wal")
        #expect(try await told(to: mine).count == items.count)
        #expect(try await told(to: mine).isEmpty)
        try shell("UPDATE items SET name = 'HAND' WHERE name = 'item 1'")
        _ = try await theirs.commit(edit(items[1]) { $0.note = "theirs" })
        #expect(try await told(to: mine).contains("HAND"))
        _ = try await mine.commit(edit(items[2]) { $0.note = "mine" })
        #expect(try await told(to: mine).isEmpty)
    }

    @Test("without a hand, nothing but what was written is told, and no ids are compared")
    func noHand() async throws {
        let (mine, theirs) = try await openTwice()
        for round in 0..<3 {
            _ = try await theirs.commit(edit(items[1]) { $0.note = "\(round)" })
            if round == 1 { _ = try await mine.commit(edit(items[2]) { $0.note = "mine" }) }
            let fetched = try await mine.externalChanges {
                Issue.record("all ids were asked for in round \(round)")
                return StorageChanges()
            }
            #expect(fetched.changes.items.upserts.map(\.id).contains(items[1].id))
            #expect(!fetched.changes.items.upserts.map(\.id).contains(items[0].id))
        }
    }
}
