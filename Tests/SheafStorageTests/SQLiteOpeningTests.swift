import Foundation
import SheafCore
import Testing

@testable import SheafStorage

/// What may be opened, how a new store is made, and what is left alone.
@Suite("Opening an SQLite store")
struct SQLiteOpeningTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("list.sqlite")
    }

    private func open(_ name: String = "list.sqlite", mode: OpenMode = .readWriteCreate) throws
        -> SQLiteStorage
    {
        try SQLiteStorage(path: folder.file(name), mode: mode, busyTimeout: 0)
    }

    /// A closed store with one item.
    private func makeStore() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        await storage.close()
    }

    /// Expects that every mode refuses what is at the path, and changes nothing of it.
    private func expectRefusal(
        _ code: StorageError.Code, _ reason: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let bytes = try folder.bytes(of: "list.sqlite")
        let before = try status(of: path)
        for mode in [OpenMode.readWriteCreate, .readWrite, .readOnly] {
            let error = await storageError { try open(mode: mode) }
            #expect(error?.code == code, sourceLocation: sourceLocation)
            #expect(
                error?.reason.contains(reason) == true, "\(error as Any)",
                sourceLocation: sourceLocation)
            #expect(error?.advice != nil, sourceLocation: sourceLocation)
            #expect(error?.location == path, sourceLocation: sourceLocation)
        }
        let after = try status(of: path)
        #expect(try folder.bytes(of: "list.sqlite") == bytes, sourceLocation: sourceLocation)
        #expect(before.st_ino == after.st_ino, sourceLocation: sourceLocation)
        #expect(before.st_mtim.tv_nsec == after.st_mtim.tv_nsec, sourceLocation: sourceLocation)
        #expect(try folder.names == ["list.sqlite"], sourceLocation: sourceLocation)
    }

    // MARK: Left alone

    @Test("an empty file is refused")
    func empty() async throws {
        try folder.write([], to: "list.sqlite")
        try await expectRefusal(.corrupt, "the file is empty")
    }

    @Test("a text file is refused")
    func text() async throws {
        try folder.write(Array("Dear diary,\n".utf8), to: "list.sqlite")
        try await expectRefusal(.foreign, "not a list")
    }

    @Test(
        "another program's database is refused, even an empty one",
        arguments: ["CREATE TABLE t (a)", "VACUUM"])
    func foreign(_ sql: String) async throws {
        try Shell.run(sql, on: path)
        try await expectRefusal(.foreign, "another program's")
    }

    @Test("another program's database is refused with its journal in place")
    func foreignWithJournal() async throws {
        let other = folder.file("other.sqlite")
        try Shell.run("CREATE TABLE t (a)", on: other)
        try Shell.run("INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)", on: other)
        try Shell.copyMidTransaction(
            "PRAGMA cache_size = 1; BEGIN; UPDATE t SET a = hex(zeroblob(90000))", of: other,
            to: path)
        let files = [
            try folder.bytes(of: "list.sqlite"), try folder.bytes(of: "list.sqlite-journal"),
        ]
        #expect(await storageError { try open() }?.code == .foreign)
        #expect(
            files == [
                try folder.bytes(of: "list.sqlite"), try folder.bytes(of: "list.sqlite-journal"),
            ])
    }

    @Test("another program's database in WAL mode is refused")
    func foreignWAL() async throws {
        try Shell.run("PRAGMA journal_mode = WAL; CREATE TABLE t (a)", on: path)
        try await expectRefusal(.foreign, "another program's")
    }

    @Test("a database of another application id is refused")
    func foreignID() async throws {
        try await makeStore()
        try Shell.run("PRAGMA application_id = 7", on: path)
        try await expectRefusal(.foreign, "another program's")
    }

    @Test("a newer store is refused")
    func newer() async throws {
        try await makeStore()
        try Shell.run("PRAGMA user_version = 2", on: path)
        try await expectRefusal(.newer, "newer version")
    }

    @Test("a store that is cut off is refused", arguments: [50, 600, 4096, 9000])
    func truncated(_ length: Int) async throws {
        try await makeStore()
        try folder.write(
            Array(try folder.bytes(of: "list.sqlite").prefix(length)), to: "list.sqlite")
        try await expectRefusal(.corrupt, "damaged")
    }

    @Test("a store with a spoiled page is refused")
    func malformed() async throws {
        try await makeStore()
        var bytes = Array(try folder.bytes(of: "list.sqlite"))
        bytes.replaceSubrange(100..<400, with: repeatElement(0xEE, count: 300))
        try folder.write(bytes, to: "list.sqlite")
        try await expectRefusal(.corrupt, "damaged")
    }

    @Test(
        "a store that lacks a table or a column is refused",
        arguments: ["DROP TABLE item_tags", "ALTER TABLE items DROP COLUMN note"])
    func missingTable(_ sql: String) async throws {
        try await makeStore()
        try Shell.run(sql, on: path)
        try await expectRefusal(.corrupt, "damaged")
    }

    @Test("damage that shows late stops all writing")
    func lateDamage() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(500)))
        await storage.close()
        var bytes = Array(try folder.bytes(of: "list.sqlite"))
        bytes.replaceSubrange(
            4096..<bytes.count, with: repeatElement(0xEE, count: bytes.count - 4096))
        try folder.write(bytes, to: "list.sqlite")
        let damaged = try open()
        #expect(await storageError { try await damaged.allItems() }?.code == .corrupt)
        #expect(
            await storageError {
                try await damaged.commit(StorageChanges(items: [Fixtures.item(1)]))
            }?.code == .corrupt)
        #expect(Array(try folder.bytes(of: "list.sqlite")) == bytes)
    }

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

    // Owner bits that the umask takes away bind all but root, who alone can go on while they are gone.
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
                    try SQLiteStorage(path: path, mode: .readWriteCreate, busyTimeout: 5)
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

    @Test("a link is followed once and stays a link", arguments: [true, false])
    func links(_ isThere: Bool) async throws {
        let target = folder.file("real/store.sqlite")
        if isThere {
            await (try SQLiteStorage(path: target, mode: .readWriteCreate)).close()
        }
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
        // Where the link leads later makes no difference to what is open.
        try FileManager.default.removeItem(atPath: folder.file("one"))
        try folder.write([7], to: "one")
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(2)]))
        #expect(try folder.bytes(of: "one") == Data([7]))
    }

    @Test("links in a circle are an error")
    func linkCircle() async throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        let error = await storageError { try open() }
        #expect(error?.code == .cannotOpen)
        #expect(error?.reason == "Too many levels of symbolic links")
    }

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
            #expect(reason.hasPrefix(name.isEmpty ? "The folder cannot" : "The file cannot"))
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

    // MARK: Migration

    private static let next = Schema(
        migrations: Schema.current.migrations + ["CREATE TABLE more (a INTEGER) STRICT"])

    @Test("an older store is upgraded, with a backup beside it")
    func upgrade() async throws {
        try await makeStore()
        let before = try folder.bytes(of: "list.sqlite")
        try folder.write([1], to: "list.sqlite.backup-v1")
        let storage = try SQLiteStorage(
            path: path, mode: .readWrite, busyTimeout: 0, schema: Self.next)
        #expect(try await storage.allItems() == [Fixtures.item(1)])
        #expect(try Shell.run("PRAGMA user_version", on: path) == "2")
        #expect(
            try folder.names == ["list.sqlite", "list.sqlite.backup-v1", "list.sqlite.backup-v1-2"])
        #expect(try status(of: folder.file("list.sqlite.backup-v1-2")).st_mode & 0o777 == 0o600)
        let backup = try open("list.sqlite.backup-v1-2", mode: .readWrite)
        #expect(try await backup.allItems() == [Fixtures.item(1)])
        await backup.close()
        #expect(try folder.bytes(of: "list.sqlite.backup-v1-2").count == before.count)
        #expect(await storageError { try open() }?.code == .newer)
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
                try SQLiteStorage(path: path, mode: .readWrite, busyTimeout: 0, schema: broken)
            }
                != nil)
        #expect(try folder.bytes(of: "list.sqlite") == before)
        #expect(try await open().allItems() == [Fixtures.item(1)])
    }

    @Test("an older store in a read-only place says that it has to be upgraded")
    func readOnlyUpgrade() async throws {
        try await makeStore()
        let error = await storageError {
            try SQLiteStorage(path: path, mode: .readOnly, busyTimeout: 0, schema: Self.next)
        }
        #expect(error?.code == .readOnly)
        #expect(try folder.names == ["list.sqlite"])
    }
}
