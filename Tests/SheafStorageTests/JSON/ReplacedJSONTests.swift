import Foundation
import Glibc
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// Files that take the place of a list in JSON while it is open.
@Suite("A replaced JSON file")
struct ReplacedJSONTests {
    private let folder: TemporaryFolder
    private let storage: JSONStorage

    init() async throws {
        folder = try TemporaryFolder()
        let maker = try JSONStorage(path: folder.file("list.json"), mode: .readWriteCreate)
        _ = try await maker.commit(StorageChanges(items: Fixtures.items(3)))
        await maker.close()
        storage = try JSONStorage(path: folder.file("list.json"), mode: .readWrite)
    }

    private func names(_ name: String = "list.json") async throws -> [String] {
        let reader = try JSONStorage(path: folder.file(name), mode: .readOnly)
        return try await reader.allItems().map(\.name)
    }

    @Test("another list is not written to; the old one is copied, and the copy named")
    func another() async throws {
        let other = try JSONStorage(path: folder.file("other"), mode: .readWriteCreate)
        _ = try await other.commit(StorageChanges(items: [Fixtures.item(50)]))
        await other.close()
        #expect(rename(folder.file("list.json"), folder.file("away")) == 0)
        #expect(rename(folder.file("other"), folder.file("list.json")) == 0)
        let bytes = try folder.bytes(of: "list.json")
        let changes = StorageChanges(items: [Fixtures.item(5)])
        for attempt in 1...3 {
            let error = await storageError { try await storage.commit(changes) }
            #expect(error?.code == .foreign)
            let isCopied = error?.reason.contains("list.json.replaced-1")
            #expect(isCopied == (attempt > 1), "\(error as Any)")
            let fetched = await storageError {
                try await storage.externalChanges { StorageChanges() }
            }
            #expect(fetched?.code == .foreign)
        }
        #expect(try folder.bytes(of: "list.json") == bytes)
        #expect(try folder.names == ["away", "list.json", "list.json.replaced-1"])
        #expect(try await names("list.json.replaced-1") == ["item 1", "item 2", "item 3"])
        #expect(rename(folder.file("away"), folder.file("list.json")) == 0)
        _ = try await storage.commit(changes)
        #expect(try await names() == ["item 1", "item 2", "item 3", "item 5"])
    }

    @Test(
        "the draft of a killed save is removed; a list of another program in it is copied first",
        arguments: ["part", "older", "newer", "synced", "other"])
    func leftDraft(_ content: String) async throws {
        let draft = ".list.json.sheaf-new-" + String(repeating: "a", count: 32)
        let present = Array(try folder.bytes(of: "list.json"))
        switch content {
        case "part": try folder.write(Array(present.dropLast(20)), to: draft)
        case "older":
            try folder.write(present, to: draft)
            _ = try await storage.commit(StorageChanges(items: [Fixtures.item(4)]))
        case "other":
            let other = try JSONStorage(path: folder.file("other"), mode: .readWriteCreate)
            _ = try await other.commit(StorageChanges(items: [Fixtures.item(50)]))
            #expect(rename(folder.file("other"), folder.file(draft)) == 0)
        default:
            try folder.write(present, to: "copy")
            let copy = try JSONStorage(path: folder.file("copy"), mode: .readWrite)
            _ = try await copy.commit(StorageChanges(items: [Fixtures.item(5)]))
            #expect(rename(folder.file("copy"), folder.file(draft)) == 0)
            if content == "synced" {
                let other = try JSONStorage(path: folder.file("list.json"), mode: .readWrite)
                try folder.write([], to: "away")
                #expect(rename(folder.file(draft), folder.file("away")) == 0)
                _ = try await other.commit(StorageChanges(items: [Fixtures.item(4)]))
                #expect(rename(folder.file("away"), folder.file(draft)) == 0)
            }
        }
        let next = try JSONStorage(path: folder.file("list.json"), mode: .readWrite)
        _ = try await next.commit(StorageChanges(items: [Fixtures.item(6)]))
        let isKept = ["synced", "other"].contains(content)
        #expect(try folder.names == ["list.json"] + (isKept ? ["list.json.replaced-1"] : []))
        #expect(await next.consumeNotice()?.contains("another program") ?? false == isKept)
    }

    @Test("an old version that could not be removed goes with the next commit")
    func leftVersion() async throws {
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(4)]))
        let old = Array(try folder.bytes(of: "list.json"))
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(5)]))
        try folder.write(old, to: ".list.json.sheaf-new-" + String(repeating: "a", count: 32))
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(6)]))
        #expect(try folder.names == ["list.json"])
    }

    @Test("what others delete is followed, all of it too")
    func emptied() async throws {
        let other = try JSONStorage(path: folder.file("list.json"), mode: .readWrite)
        _ = try await other.commit(
            StorageChanges(deletingItems: Fixtures.items(3).map(\.id)))
        let fetched = try await storage.externalChanges { StorageChanges() }
        #expect(fetched.changes.items.deletions.count == 3)
        _ = try await other.commit(StorageChanges(items: [Fixtures.item(9)]))
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(10)]))
        #expect(try await names() == ["item 9", "item 10"])
    }

    @Test("an own list of which nothing is left as it was opened is still the list")
    func allAnew() async throws {
        _ = try await storage.commit(
            StorageChanges(
                items: [Fixtures.item(9)], deletingItems: Fixtures.items(3).map(\.id)))
        let other = try JSONStorage(path: folder.file("list.json"), mode: .readWrite)
        _ = try await other.commit(StorageChanges(items: [Fixtures.item(10)]))
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(11)]))
        #expect(try await names() == ["item 9", "item 10", "item 11"])
    }

    @Test("a list of which others leave nothing at once is still the list, as is its id")
    func replacedByOthers() async throws {
        func id() throws -> Substring? {
            String(decoding: try folder.bytes(of: "list.json"), as: UTF8.self)
                .split(separator: "\n").first { $0.hasPrefix("  \"id\"") }
        }
        let before = try #require(try id())
        let other = try JSONStorage(path: folder.file("list.json"), mode: .readWrite)
        _ = try await other.commit(
            StorageChanges(
                items: [Fixtures.item(9)], deletingItems: Fixtures.items(3).map(\.id)))
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(10)]))
        #expect(try await names() == ["item 9", "item 10"])
        #expect(try id() == before)
    }

    @Test("another version of the list is not written over")
    func version() async throws {
        let copy = folder.file("copy")
        try FileManager.default.copyItem(atPath: folder.file("list.json"), toPath: copy)
        let other = try JSONStorage(path: copy, mode: .readWrite)
        _ = try await other.commit(StorageChanges(items: [Fixtures.item(7)]))
        #expect(rename(copy, folder.file("list.json")) == 0)
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(8)]))
        #expect(try await names() == ["item 1", "item 2", "item 3", "item 7", "item 8"])
    }

    // MARK: An older version in its place

    /// Keeps a copy of the list as it is now.
    private func copy(_ name: String = "copy") throws {
        try FileManager.default.copyItem(
            atPath: folder.file("list.json"), toPath: folder.file(name))
    }

    /// Has another process commit to a file.
    private func commitElsewhere(
        _ changes: StorageChanges, to name: String = "list.json"
    ) async throws {
        let other = try JSONStorage(path: folder.file(name), mode: .readWrite)
        _ = try await other.commit(changes)
        await other.close()
    }

    private func replace(by name: String = "copy") throws {
        #expect(rename(folder.file(name), folder.file("list.json")) == 0)
    }

    private func fetch() async throws -> StorageChanges {
        try await storage.externalChanges { StorageChanges() }.changes
    }

    private func renamed(
        _ number: Int, _ name: String, after milliseconds: Int64 = 1
    ) -> StorageChanges {
        var changes = StorageChanges()
        let base = Fixtures.item(number)
        var item = base
        item.name = name
        item.updatedAt = Timestamp(milliseconds: base.updatedAt.milliseconds + milliseconds)
        changes.items.upsert([item])
        changes.items[item.id]?.before = base
        return changes
    }

    /// An edit, a new item and a deletion, in commits of their own.
    private func commitEdits() async throws {
        _ = try await storage.commit(renamed(1, "mine"))
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(4)]))
        var deletion = StorageChanges(deletingItems: [Fixtures.item(2).id])
        deletion.items[Fixtures.item(2).id]?.before = Fixtures.item(2)
        _ = try await storage.commit(deletion)
    }

    @Test("commits that an older version lacks are made again", arguments: [true, false])
    func lostCommits(fetches: Bool) async throws {
        let watch = storage.watch {}
        try copy()
        try copy("older")
        try await commitEdits()
        for name in ["copy", "older"] {
            try replace(by: name)
            if fetches {
                #expect(try await fetch().isEmpty)
            } else {
                let result = try await storage.commit(renamed(3, "so is this"))
                #expect(result.isBehind)
            }
            #expect(try await names() == ["mine", fetches ? "item 3" : "so is this", "item 4"])
        }
        #expect(try folder.names == ["list.json"])
        #expect(await storage.consumeNotice() == nil)
        withExtendedLifetime(watch) {}
    }

    @Test(
        "if an older version lacks what others committed, the old list is kept and named",
        arguments: ["an item", "an edit", "an edit of the same item"], [true, false])
    func older(_ theirs: String, isIdle: Bool) async throws {
        let watch = storage.watch {}
        try copy()
        if !isIdle { _ = try await storage.commit(renamed(1, "mine")) }
        switch theirs {
        case "an item": try await commitElsewhere(StorageChanges(items: [Fixtures.item(4)]))
        case "an edit": try await commitElsewhere(renamed(2, "theirs"))
        default: try await commitElsewhere(renamed(1, "theirs", after: 2))
        }
        _ = try await fetch()
        let before = try await names()
        try replace()
        _ = try await fetch()
        #expect(try await names() == [isIdle ? "item 1" : "mine", "item 2", "item 3"])
        #expect(try await names("list.json.replaced-1") == before)
        let notice = await storage.consumeNotice()
        #expect(notice?.contains("version that replaced") == true)
        #expect(notice?.contains("list.json.replaced-1") == true)
        #expect(await storage.consumeNotice() == nil)
        _ = try await fetch()
        #expect(try folder.names == ["list.json", "list.json.replaced-1"])
        withExtendedLifetime(watch) {}
    }

    @Test(
        "a version of as many or more commits that lacks those of others here is no newer one",
        arguments: 1...3)
    func diverged(commits: Int) async throws {
        try copy()
        for number in 11..<11 + commits {
            try await commitElsewhere(StorageChanges(items: [Fixtures.item(number)]), to: "copy")
        }
        try await commitElsewhere(renamed(2, "theirs"))
        _ = try await fetch()
        let before = try await names()
        try replace()
        _ = try await fetch()
        #expect(try await names("list.json.replaced-1") == before)
        #expect(await storage.consumeNotice()?.contains("list.json.replaced-1") == true)
    }

    @Test("commits are one's own again if the version that has them comes back after an older one")
    func returned() async throws {
        try copy("older")
        try copy("fork")
        for number in 11...13 {
            try await commitElsewhere(StorageChanges(items: [Fixtures.item(number)]), to: "fork")
        }
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(4)]))
        try copy("own")
        for name in ["older", "own", "fork"] {
            try replace(by: name)
            _ = try await fetch()
            #expect(try await names().contains("item 4"), "\(name)")
        }
        #expect(await storage.consumeNotice() == nil)
    }

    @Test("what a newer version lacks stays deleted, and no copy is made")
    func newer() async throws {
        let watch = storage.watch {}
        try await commitEdits()
        try copy()
        // Another machine's version with the commits of this process, then another process here.
        try await commitElsewhere(
            StorageChanges(deletingItems: [Fixtures.item(4).id]), to: "copy")
        try replace()
        #expect(try await fetch().items.deletions == [Fixtures.item(4).id])
        try await commitElsewhere(StorageChanges(deletingItems: [Fixtures.item(1).id]))
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(5)]))
        #expect(try await names() == ["item 3", "item 5"])
        #expect(try folder.names == ["list.json"])
        #expect(await storage.consumeNotice() == nil)
        withExtendedLifetime(watch) {}
    }

    @Test("a version that was changed elsewhere meanwhile gets the commits that it lacks")
    func parted() async throws {
        let watch = storage.watch {}
        try copy()
        for number in 11...20 {
            try await commitElsewhere(
                StorageChanges(items: [Fixtures.item(number)]), to: "copy")
        }
        try await commitEdits()
        try replace()
        _ = try await fetch()
        let added = (11...20).map { "item \($0)" }
        #expect(try await Set(names()) == Set(["mine", "item 3", "item 4"] + added))
        withExtendedLifetime(watch) {}
    }

    @Test("the first commit of this version is made again where a file has none of its kind")
    func withoutCommits() async throws {
        let text = """
            {"format": "sheaf", "version": 1, "items": [{"name": "one"}, {"name": "two"}]}
            """
        try folder.write(Array(text.utf8), to: "old.json")
        let old = try JSONStorage(path: folder.file("old.json"), mode: .readWrite)
        let watch = old.watch {}
        _ = try await old.commit(StorageChanges(items: [Fixtures.item(3)]))
        try folder.write(Array(text.utf8), to: "old.json")
        _ = try await old.externalChanges { StorageChanges() }
        #expect(try await names("old.json") == ["one", "two", "item 3"])
        withExtendedLifetime(watch) {}
    }

    @Test("more commits than are remembered: the old list is copied, and the copy is named once")
    func beyondTheBound() async throws {
        let watch = storage.watch {}
        try copy()
        let many = (1...OwnCommits.maxRows + 1).map { number in
            Item(id: UUID(), name: "n\(number)", rank: Fixtures.rank(9), createdAt: Fixtures.now)
        }
        _ = try await storage.commit(StorageChanges(items: many))
        _ = try await storage.commit(renamed(1, "mine"))
        try replace()
        _ = try await fetch()
        #expect(try await names() == ["mine", "item 2", "item 3"])
        #expect(try await names("list.json.replaced-1").count == many.count + 3)
        #expect(await storage.consumeNotice()?.contains("list.json.replaced-1") == true)
        _ = try await fetch()
        #expect(await storage.consumeNotice() == nil)
        withExtendedLifetime(watch) {}
    }

    @Test("a member of the user's own by the name of the count of commits stays as it is")
    func ownMember() async throws {
        let text = """
            {"format": "sheaf", "version": 1, "items": [{"name": "one"}], "commits": ["a", "b"]}
            """
        try folder.write(Array(text.utf8), to: "own.json")
        let own = try JSONStorage(path: folder.file("own.json"), mode: .readWrite)
        let watch = own.watch {}
        _ = try await own.commit(StorageChanges(items: [Fixtures.item(3)]))
        try await commitElsewhere(
            StorageChanges(deletingItems: [Fixtures.item(3).id]), to: "own.json")
        _ = try await own.externalChanges { StorageChanges() }
        let written = String(decoding: try folder.bytes(of: "own.json"), as: UTF8.self)
        #expect(written.contains("\"commits\": [\"a\",\"b\"]"), "\(written)")
        #expect(try await names("own.json") == ["one"])
        withExtendedLifetime(watch) {}
    }

    // MARK: Other lists

    @Test("a list with an id of its own that has an item in common is another list")
    func common() async throws {
        let other = try JSONStorage(path: folder.file("other"), mode: .readWriteCreate)
        _ = try await other.commit(StorageChanges(items: [Fixtures.item(3), Fixtures.item(50)]))
        #expect(rename(folder.file("other"), folder.file("list.json")) == 0)
        let changes = StorageChanges(items: [Fixtures.item(5)])
        #expect(await storageError { try await storage.commit(changes) }?.code == .foreign)
        #expect(try await names() == ["item 3", "item 50"])
    }

    @Test(
        "the list is copied where nobody can read or write what is there",
        arguments: ["a folder", "a list that is read-only"])
    func unusable(_ kind: String) async throws {
        if kind == "a folder" {
            #expect(unlink(folder.file("list.json")) == 0)
            #expect(mkdir(folder.file("list.json"), 0o700) == 0)
        } else {
            let other = try JSONStorage(path: folder.file("other"), mode: .readWriteCreate)
            _ = try await other.commit(StorageChanges(items: [Fixtures.item(50)]))
            #expect(chmod(folder.file("other"), 0o400) == 0)
            #expect(rename(folder.file("other"), folder.file("list.json")) == 0)
        }
        for _ in 0..<2 {
            let error = await storageError { try await storage.commit(StorageChanges()) }
            #expect(error != nil)
        }
        #expect(try await names("list.json.replaced-1") == ["item 1", "item 2", "item 3"])
    }

    @Test("a list that was new when it was opened is not taken for another")
    func begun() async throws {
        let new = try JSONStorage(path: folder.file("new.json"), mode: .readWriteBegin)
        #expect(rename(folder.file("new.json"), folder.file("away")) == 0)
        #expect(rename(folder.file("list.json"), folder.file("new.json")) == 0)
        let changes = StorageChanges(items: [Fixtures.item(5)])
        #expect(await storageError { try await new.commit(changes) }?.code == .foreign)
        #expect(rename(folder.file("away"), folder.file("new.json")) == 0)
        _ = try await new.commit(changes)
        #expect(try await names("new.json") == ["item 5"])
    }

    @Test("two copies of a list without an id get the same one")
    func withoutID() async throws {
        let text = """
            {"format": "sheaf", "version": 1, "items": [{"name": "one"}, {"name": "two"}]}
            """
        var ids: [String] = []
        for name in ["a.json", "b.json"] {
            try folder.write(Array(text.utf8), to: name)
            let storage = try JSONStorage(path: folder.file(name), mode: .readWrite)
            _ = try await storage.commit(StorageChanges(items: [Fixtures.item(ids.count + 1)]))
            let text = String(decoding: try folder.bytes(of: name), as: UTF8.self)
            ids += text.split(separator: "\n").filter { $0.hasPrefix("  \"id\": ") }.map(
                String.init)
        }
        #expect(ids.count == 2 && ids[0] == ids[1])
    }

    @Test(
        "the list is copied where the file is gone or no list", arguments: ["", "text", "gone"],
        [true, false])
    func spoiled(_ text: String, commits: Bool) async throws {
        func call() async -> StorageError? {
            await storageError {
                if commits {
                    _ = try await storage.commit(StorageChanges())
                } else {
                    _ = try await storage.externalChanges { StorageChanges() }
                }
            }
        }
        if text == "gone" {
            #expect(unlink(folder.file("list.json")) == 0)
        } else {
            try folder.write(Array(text.utf8), to: "list.json")
        }
        _ = await call()
        try await Task.sleep(for: text == "gone" ? RefusedReplacement.timeout * 1.2 : .zero)
        let error = await call()
        #expect(error?.reason.contains("list.json.replaced-1") == true, "\(error as Any)")
        #expect(try await names("list.json.replaced-1") == ["item 1", "item 2", "item 3"])
    }
}
