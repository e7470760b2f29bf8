import Foundation
import Glibc
import SheafCore
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
                try await storage.changesOfOthers { KnownIDs() }
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

    @Test("what others delete is followed, all of it too")
    func emptied() async throws {
        let other = try JSONStorage(path: folder.file("list.json"), mode: .readWrite)
        _ = try await other.commit(
            StorageChanges(deletingItems: Fixtures.items(3).map(\.id)))
        let fetched = try await storage.changesOfOthers { KnownIDs() }
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
        let other = try JSONStorage(path: folder.file("list.json"), mode: .readWrite)
        _ = try await other.commit(
            StorageChanges(
                items: [Fixtures.item(9)], deletingItems: Fixtures.items(3).map(\.id)))
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(10)]))
        #expect(try await names() == ["item 9", "item 10"])
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
                    _ = try await storage.changesOfOthers { KnownIDs() }
                }
            }
        }
        if text == "gone" {
            #expect(unlink(folder.file("list.json")) == 0)
        } else {
            try folder.write(Array(text.utf8), to: "list.json")
        }
        _ = await call()
        try await Task.sleep(for: text == "gone" ? ReplacedFile.patience * 1.2 : .zero)
        let error = await call()
        #expect(error?.reason.contains("list.json.replaced-1") == true, "\(error as Any)")
        #expect(try await names("list.json.replaced-1") == ["item 1", "item 2", "item 3"])
    }
}
