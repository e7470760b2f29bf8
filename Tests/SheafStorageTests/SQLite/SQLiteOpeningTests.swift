import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// Files that may be opened, new stores, and files that are left alone.
@Suite("Opening an SQLite store")
struct SQLiteOpeningTests: SQLiteSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("a folder, a FIFO and a device are no stores")
    func notFiles() async throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try #require(mkfifo(folder.file("fifo"), 0o600) == 0)
        for (path, kind) in [
            (path, "a folder"), (folder.file("fifo"), "a FIFO"), ("/dev/null", "a device"),
        ] {
            let error = await storageError {
                try SQLiteStorage(path: path, mode: .readWriteCreate)
            }
            #expect(error?.code == .cannotOpen)
            #expect(error?.reason == "this is \(kind), not a file")
        }
        #expect(try folder.names == ["fifo", "list.sqlite"])
    }

    /// The bytes of a list with one item and many unused pages.
    private func bytesWithUnusedPages() async throws -> [UInt8] {
        let storage = try open()
        let items = (1...60).map { number in
            var item = Fixtures.item(number)
            item.note = String(repeating: "long ", count: 2_000)
            return item
        }
        _ = try await storage.commit(StorageChanges(items: items))
        _ = try await storage.commit(StorageChanges(deletingItems: items.dropFirst().map(\.id)))
        await storage.close()
        return Array(try folder.bytes(of: "list.sqlite"))
    }

    @Test(
        "a list whose unused pages are spoiled is read and not written to",
        arguments: [
            // The place of four bytes in the header or the first list, and their new values.
            (36, [0, 0, 0, 99]), (36, [0, 0, 0, 1]), (32, [0, 0x10, 0, 0]), (32, [0, 0, 0, 0]),
            (-4, [0, 1, 0, 0]), (-8, [0xff, 0, 0, 0]), (-1, [0, 0, 0, 1]),
        ] as [(Int, [UInt8])])
    func spoiledFreeList(place: Int, bytes new: [UInt8]) async throws {
        var bytes = try await bytesWithUnusedPages()
        let trunk = bytes[32..<36].reduce(0) { $0 << 8 | Int($1) }
        try #require(trunk > 1)
        // Negative places are those of the trunk page: its next one, its count, its first leaf.
        let start = (trunk - 1) * 4096
        let offsets = [-1: start, -8: start + 4, -4: start + 8]
        let offset = offsets[place] ?? place
        bytes.replaceSubrange(offset..<offset + 4, with: new)
        try folder.write(bytes, to: "list.sqlite")
        let spoiled = try open()
        #expect(try await spoiled.allItems().count == 1)
        let error = await storageError {
            try await spoiled.commit(StorageChanges(items: [Fixtures.item(99)]))
        }
        #expect(error?.code == .corrupt)
        #expect(error?.reason.contains("unused") == true)
        await spoiled.close()
        #expect(try Array(folder.bytes(of: "list.sqlite")) == bytes)
    }

    @Test(
        "a list with spoiled pages is not written to",
        arguments: [
            "a page count", "a page of zeros", "half a last page", "a leaf in use", "an index",
        ])
    func spoiledPages(_ kind: String) async throws {
        var bytes = try await bytesWithUnusedPages()
        let trunk = bytes[32..<36].reduce(0) { $0 << 8 | Int($1) }
        switch kind {
        case "a page count": bytes[31] -= 1
        case "a page of zeros":
            bytes.replaceSubrange(2 * 4096..<3 * 4096, with: repeatElement(0, count: 4096))
        case "half a last page": bytes.removeLast(2_048)
        case "an index":
            let sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'items_by_rank'"
            let root = try #require(try Shell.run(sql, on: path).flatMap { Int($0) })
            let page = (root - 1) * 4096..<root * 4096
            let rank = try #require(bytes[page].firstRange(of: "b01".utf8))
            bytes[rank.upperBound - 1] += 1
        // The first unused page is said to be one of a table.
        default:
            bytes.replaceSubrange(
                (trunk - 1) * 4096 + 8..<(trunk - 1) * 4096 + 12, with: [0, 0, 0, 3])
        }
        try folder.write(bytes, to: "list.sqlite")
        let error = await storageError {
            let spoiled = try open()
            _ = try await spoiled.commit(StorageChanges(items: [Fixtures.item(99)]))
        }
        #expect(error?.code == .corrupt, "\(error as Any)")
        #expect(try Array(folder.bytes(of: "list.sqlite")) == bytes)
    }

    @Test(
        "a missing store is made only where that is wanted",
        arguments: [OpenMode.readWrite, .readOnly])
    func notFound(_ mode: OpenMode) async throws {
        let error = await storageError { try open(mode: mode) }
        #expect(error?.code == .notFound)
        #expect(error?.advice != nil)
        #expect(
            await storageError { try open("no/such/folder/list.sqlite", mode: mode) }?.code
                == .notFound)
        #expect(try folder.names.isEmpty)
    }

    @Test("a store below a file cannot be made, and the reason is the system's")
    func belowFile() async throws {
        try folder.write([1], to: "file")
        let error = await storageError { try open("file/list.sqlite") }
        #expect(error?.code == .cannotOpen)
        #expect(error?.reason == "Not a directory")
        let absent = await storageError {
            try SQLiteStorage(path: "/proc/none/list.sqlite", mode: .readWriteCreate)
        }
        #expect(absent?.code == .cannotOpen)
    }

    // MARK: Made

    // Owner bits that the umask takes away bind all but root, who alone can go on while they are
    // gone.
    @Test(
        "files and folders are the user's alone, whatever the umask",
        arguments: [0o000, 0o022, 0o077] + (geteuid() == 0 ? [0o377, 0o777] : []))
    func permissions(_ mask: mode_t) async throws {
        // The umask is the process's, so the store is made by another.
        let path = folder.file("a/b/list.sqlite")
        await #expect(processExitsWith: .success) {
            [mask = mask as mode_t, path = path as String] in
            umask(mask)
            let storage = try SQLiteStorage(path: path, mode: .readWriteCreate)
            _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        }
        #expect(try status(of: folder.file("a")).st_mode & 0o777 == 0o700)
        #expect(try status(of: folder.file("a/b")).st_mode & 0o777 == 0o700)
        #expect(try status(of: folder.file("a/b/list.sqlite")).st_mode & 0o777 == 0o600)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.file("a/b")) == [
                "list.sqlite"
            ])
    }

    @Test("the journal is the user's alone too")
    func journalPermissions() async throws {
        try await makeStore()
        try Shell.copyMidTransaction(
            "BEGIN; UPDATE items SET name = 'x'", of: path, to: folder.file("copy"))
        #expect(try status(of: folder.file("copy-journal")).st_mode & 0o077 == 0)
    }

    @Test("a store that another process makes meanwhile is opened, not replaced")
    func racingCreation() async throws {
        let storages = try await withThrowingTaskGroup(of: SQLiteStorage.self) { group in
            for _ in 0..<8 {
                group.addTask { [path] in
                    try SQLiteStorage(path: path, mode: .readWriteCreate, busyTimeout: .seconds(5))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for (number, storage) in storages.enumerated() {
            _ = try await storage.commit(StorageChanges(items: [Fixtures.item(number)]))
        }
        #expect(try await storages[0].itemCount() == 8)
        #expect(try folder.names == ["list.sqlite"])
    }

    @Test("a link is followed once and stays a link")
    func links() async throws {
        let target = folder.file("real/store.sqlite")
        await (try SQLiteStorage(path: target, mode: .readWriteCreate)).close()
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("one"), withDestinationPath: "two")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("two"), withDestinationPath: target)
        let storage = try open("one")
        #expect(storage.displayName == "one")
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("one")) == "two")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.file("real")) == [
                "store.sqlite"
            ])
        // A later change of the link does not affect an open store.
        try FileManager.default.removeItem(atPath: folder.file("one"))
        try folder.write([7], to: "one")
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(2)]))
        #expect(try folder.bytes(of: "one") == Data([7]))
    }

    /// It may lead to a disk that is not mounted yet, and a new list there would hide the one that
    /// is on it.
    @Test("no list is made where a link leads to nothing")
    func danglingLink() async throws {
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: folder.file("real/store.sqlite"))
        let error = await storageError { try open() }
        #expect(error?.code == .cannotOpen && error?.reason == "a dangling link")
        #expect(error?.advice?.hasSuffix("/real/store.sqlite") == true)
        #expect(try folder.names == ["list.sqlite"])
    }

    @Test(
        "a list behind another user's link is read and not written to", .enabled(if: geteuid() == 0)
    )
    func untrustedLink() async throws {
        await (try open()).close()
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: "list.sqlite")
        #expect(lchown(link, 65534, 65534) == 0)
        let storage = try open("link")
        #expect(storage.readOnlyReason?.contains("belongs to another user") == true)
        let error = await storageError {
            try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        }
        #expect(error?.code == .readOnly)
        #expect(try await storage.itemCount() == 0)
    }

    @Test("a step up behind a link goes where the system goes")
    func stepUpBehindLink() async throws {
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: folder.file("far/inner"), withIntermediateDirectories: true)
        try manager.createSymbolicLink(
            atPath: folder.file("near"), withDestinationPath: "far/inner")
        await (try open("near/../list.sqlite")).close()
        #expect(
            try manager.contentsOfDirectory(atPath: folder.file("far")).sorted() == [
                "inner", "list.sqlite",
            ])
    }

    @Test("a name that ends in a slash is no file")
    func trailingSlash() async throws {
        let error = await storageError { try open("list.sqlite/") }
        #expect(error?.code == .cannotOpen)
        #expect(try folder.names == [])
    }

    @Test("links in a circle are an error")
    func linkCircle() async throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        let error = await storageError { try open() }
        #expect(error?.code == .cannotOpen)
        #expect(error?.reason == "Too many levels of symbolic links")
    }
}
