import Foundation
import Glibc
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// A list whose file a sync tool replaces while it is open.
@Suite("A replaced SQLite file")
struct ReplacedFileTests: ReplacedSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // MARK: Rows of the other file

    @Test("what the new file has is shown, and commits go to it")
    func adopted() async throws {
        let storage = try await openWithItems()
        let theirs = renamed(items[1], "theirs")
        try await change { other in
            _ = try await other.commit(edit(items[1]) { $0 = theirs })
            _ = try await other.commit(
                StorageChanges(items: [Fixtures.item(4)], deletingItems: [items[2].id]))
        }
        try replace()
        let fetched = try await fetch(storage, known: items)
        #expect(Set(fetched.items.upserts) == [items[0], theirs, Fixtures.item(4)])
        #expect(fetched.items.deletions == [items[2].id])
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(5)]))
        #expect(
            try await stored() == [items[0], theirs, Fixtures.item(4), Fixtures.item(5)])
        #expect(try folder.names == ["list.sqlite"])
        #expect(await storage.consumeNotice() == nil)
    }

    @Test(
        "a file that replaces one that was damaged in place is followed",
        arguments: ["", "hello", nil])
    func damagedBefore(_ damage: String?) async throws {
        let storage = try await openWithItems()
        let watch = storage.watch {}
        _ = try await storage.commit(edit(items[0]) { $0 = renamed($0, "mine") })
        try await change { other in
            _ = try await other.commit(StorageChanges(items: [Fixtures.item(4)]))
        }
        // The file as a sync tool left it that broke off.
        let bytes =
            try damage.map { Array($0.utf8) } ?? Array(folder.bytes(of: "theirs").prefix(3_000))
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
        let failed = await storageError {
            try await storage.commit(StorageChanges(items: [Fixtures.item(5)]))
        }
        #expect(failed != nil)
        try replace()
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(5)]))
        #expect(
            try await stored().map(\.name) == ["mine", "item 2", "item 3", "item 4", "item 5"])
        withExtendedLifetime(watch) {}
    }

    @Test("a commit that comes before the fetch is merged into the new file")
    func commitFirst() async throws {
        let storage = try await openWithItems()
        try await change { other in
            _ = try await other.commit(edit(items[0]) { $0.note = "theirs" })
        }
        try replace()
        let result = try await storage.commit(edit(items[0]) { $0.name = "mine" })
        #expect(result.isBehind)
        #expect(result.stored?.items.upserts.map(\.note) == ["theirs"])
        let first = try #require(try await stored().first)
        #expect(first.name == "mine" && first.note == "theirs")
    }

    @Test(
        "if the new file lacks what others committed, the old list is kept and named",
        arguments: [true, false])
    func older(addsItem: Bool) async throws {
        let storage = try await openWithItems()
        try await change { other in
            _ = try await other.commit(edit(items[0]) { $0 = renamed($0, "copied") })
        }
        let other = try open(mode: .readWrite)
        _ = try await other.commit(
            addsItem
                ? StorageChanges(items: [Fixtures.item(4)])
                : edit(items[1]) { $0 = renamed($0, "others") })
        await other.close()
        _ = try await fetch(storage, known: items)
        _ = try await storage.commit(edit(items[2]) { $0 = renamed($0, "mine") })
        try replace()
        _ = try await fetch(storage, known: items)
        let notice = try #require(await storage.consumeNotice())
        #expect(notice.contains("list.sqlite.replaced-1"), "\(notice)")
        #expect(try await stored().map(\.name) == ["copied", items[1].name, "mine"])
        let kept = try open("list.sqlite.replaced-1", mode: .readOnly)
        let names = try await kept.allItems().map(\.name)
        #expect(names.contains(addsItem ? Fixtures.item(4).name : "others"), "\(names)")
        await kept.close()
    }

    @Test("the watch reports it, and the new file's changes from then on")
    func watched() async throws {
        let storage = try await openWithItems()
        try await change { other in
            _ = try await other.commit(StorageChanges(items: [Fixtures.item(4)]))
        }
        #expect(try await storage.notices { try replace() })
        _ = try await fetch(storage, known: items)
        let other = try open()
        #expect(
            try await storage.notices {
                _ = try await other.commit(StorageChanges(items: [Fixtures.item(5)]))
            })
        let fetched = try await fetch(storage, known: items)
        #expect(fetched.items.upserts == [Fixtures.item(5)])
    }

    // MARK: Commits of this process

    @Test("commits that the new file lacks are made again, merged with what others did")
    func lostCommits() async throws {
        let storage = try await openWithItems()
        try await change { other in
            _ = try await other.commit(edit(items[0]) { $0.note = "theirs" })
        }
        try await commitEdits(to: storage)
        try replace()
        let fetched = try await fetch(storage, known: items + [Fixtures.item(4)])
        let now = try await stored()
        #expect(now.map(\.name) == ["mine", "item 3", "item 4"])
        #expect(now.map(\.note) == ["theirs", "", ""])
        #expect(now.last?.tags == [Fixtures.tagID(2)])
        #expect(Set(fetched.items.upserts) == Set(now))
        #expect(fetched.items.deletions == [items[1].id])
        #expect(try folder.names == ["list.sqlite"])
    }

    @Test("so they are by a commit that comes before the fetch, after two replacements in a row")
    func lostTwice() async throws {
        let storage = try await openWithItems()
        try await change { _ in }
        try await change("older") { _ in }
        try await commitEdits(to: storage)
        try replace()
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(5)]))
        #expect(try await stored().map(\.name) == ["mine", "item 3", "item 4", "item 5"])
        try replace(by: "older")
        _ = try await fetch(storage, known: items)
        #expect(try await stored().map(\.name) == ["mine", "item 3", "item 4", "item 5"])
    }

    @Test("a commit that one new file had is made again when the next one lacks it")
    func lostLater() async throws {
        let storage = try await openWithItems()
        let watch = storage.watch {}
        try await change("older") { _ in }
        try await commitEdits(to: storage)
        try await change { other in
            _ = try await other.commit(StorageChanges(items: [Fixtures.item(5)]))
        }
        try replace()
        _ = try await fetch(storage, known: items)
        try replace(by: "older")
        _ = try await fetch(storage, known: items)
        #expect(try await stored().map(\.name) == ["mine", "item 3", "item 4"])
        withExtendedLifetime(watch) {}
    }

    @Test("a file that has the commits, and others' edits of them, is left byte for byte")
    func nothingLost() async throws {
        let storage = try await openWithItems()
        let watch = storage.watch {}
        _ = try await storage.commit(edit(items[0]) { $0.doneAt = Fixtures.now })
        // The other machine opens it again: with the row as it was before this process changed it.
        try await change { other in
            var done = items[0]
            done.doneAt = Fixtures.now
            _ = try await other.commit(edit(done) { $0 = renamed(items[0], "item 1", after: 9) })
        }
        try replace()
        let bytes = try folder.bytes(of: "list.sqlite")
        let fetched = try await fetch(storage, known: items)
        #expect(fetched.items.upserts.contains(renamed(items[0], "item 1", after: 9)))
        #expect(try folder.bytes(of: "list.sqlite") == bytes)
        withExtendedLifetime(watch) {}
    }

    @Test("of two edits of one field the later one stands, and the other is in the note")
    func bothRenamed() async throws {
        let storage = try await openWithItems()
        try await change { other in
            _ = try await other.commit(edit(items[0]) { $0 = renamed($0, "later", after: 9) })
        }
        _ = try await storage.commit(edit(items[0]) { $0 = renamed($0, "mine") })
        try replace()
        _ = try await fetch(storage, known: items)
        let first = try #require(try await stored().first)
        #expect(first.name == "later" && first.note == "was: mine")
        #expect(await storage.consumeNotice()?.contains("1 item") == true)
        #expect(await storage.consumeNotice() == nil)
    }

    @Test("an older version of the list, before views, is upgraded and gets the commits")
    func olderVersion() async throws {
        let storage = try await openWithItems()
        try await commitEdits(to: storage)
        let old = folder.file("theirs")
        try Shell.run(
            """
            \(Schema.script(version: 1))
            INSERT INTO items VALUES ('\(items[0].id.uuidString.lowercased())', 'item 1', '',
              'b01', NULL, \(Fixtures.now.milliseconds), \(Fixtures.now.milliseconds), '[]')
            """, on: old)
        try replace()
        let fetched = try await fetch(storage, known: items)
        #expect(try await stored().map(\.name) == ["mine", "item 4"])
        #expect(fetched.items.deletions == [items[1].id, items[2].id])
        // Item 3, which another process has made, is not in the older version.
        #expect(
            try folder.names
                == ["list.sqlite", "list.sqlite.backup-v1", "list.sqlite.replaced-1"])
    }

    /// More items than the rows of the commits that are remembered.
    private let many = (1...OwnCommits.maxRows + 1).map { number in
        Item(id: UUID(), name: "n\(number)", rank: Fixtures.rank(9), createdAt: Fixtures.now)
    }

    @Test("more commits than are remembered: the old file is copied, and the copy is named once")
    func beyondTheBound() async throws {
        let storage = try await openWithItems()
        try await change { _ in }
        _ = try await storage.commit(StorageChanges(items: many))
        _ = try await storage.commit(edit(items[0]) { $0 = renamed($0, "mine") })
        try replace()
        _ = try await fetch(storage, known: items)
        #expect(try await stored().map(\.name) == ["mine", "item 2", "item 3"])
        #expect(try folder.names == ["list.sqlite", "list.sqlite.replaced-1"])
        let notice = await storage.consumeNotice()
        #expect(notice?.contains("list.sqlite.replaced-1") == true)
        #expect(await storage.consumeNotice() == nil)
        let copy = try open("list.sqlite.replaced-1", mode: .readOnly)
        #expect(try await copy.itemCount() == many.count + 3)
        #expect(try status(of: path + ".replaced-1").st_mode & 0o777 == 0o600)
    }

    @Test("the last commit is made again, however large it is")
    func largeCommit() async throws {
        let storage = try await openWithItems()
        try await change { _ in }
        _ = try await storage.commit(StorageChanges(items: many))
        try replace()
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(5)]))
        #expect(try await stored().count == many.count + items.count + 1)
        #expect(try folder.names == ["list.sqlite"])
    }

    // MARK: In between

    @Test("a list that is being loaded is read to its end, and then compared")
    func whileLoading() async throws {
        let storage = try await openWithItems()
        let page = try await storage.loadItems(after: nil, limit: 1)
        try await change { other in
            _ = try await other.commit(
                StorageChanges(items: [Fixtures.item(4)], deletingItems: [items[0].id]))
        }
        try replace()
        let rest = try await storage.loadItems(after: page[0].position, limit: 9)
        #expect(page + rest == items)
        let fetched = try await fetch(storage, known: page + rest)
        #expect(fetched.items.deletions == [items[0].id])
        #expect(Set(fetched.items.upserts) == [items[1], items[2], Fixtures.item(4)])
    }

    @Test("a file that is missing for a moment is waited for, and no copy is made")
    func missing() async throws {
        let storage = try await openWithItems()
        try await change { _ in }
        try FileManager.default.removeItem(atPath: path)
        for _ in 0..<3 {
            let error = await storageError {
                try await storage.commit(edit(items[0]) { $0.name = "mine" })
            }
            #expect(error == FileFailure.moved(at: path))
        }
        #expect(try folder.names == ["theirs"])
        try replace()
        _ = try await storage.commit(edit(items[0]) { $0.name = "mine" })
        #expect(try await stored().map(\.name) == ["mine", "item 2", "item 3"])
    }

    @Test("a commit that waits for a lock while the file is replaced is in the new file")
    func inFlight() async throws {
        let storage = try await openWithItems(busyTimeout: .seconds(10))
        try await change { _ in }
        let mine = edit(items[0]) { $0.name = "mine" }
        var commit: Task<StorageError?, Never>?
        try await Shell.holding("BEGIN IMMEDIATE", on: path) {
            commit = Task { await storageError { try await storage.commit(mine) } }
            // Long enough to be waiting for the lock; if not, the test proves less.
            try await Task.sleep(for: .milliseconds(200))
            try replace()
        }
        // It fails and is tried again, or has succeeded.
        if await commit?.value != nil { _ = try await storage.commit(mine) }
        #expect(try await stored().map(\.name) == ["mine", "item 2", "item 3"])
    }

    @Test("a journal of the new file is not played into the old one, and stays")
    func journal() async throws {
        let storage = try await openWithItems()
        try await change { other in
            _ = try await other.commit(StorageChanges(items: [Fixtures.item(4)]))
        }
        try replace()
        try Shell.copyMidTransaction(
            "BEGIN IMMEDIATE; UPDATE items SET name = 'x'", of: path, to: folder.file("crashed"))
        #expect(rename(folder.file("crashed-journal"), path + "-journal") == 0)
        let error = await storageError { try await storage.allItems() }
        #expect(error?.code == .busy)
        #expect(try folder.names.contains("list.sqlite-journal"))
    }
}
