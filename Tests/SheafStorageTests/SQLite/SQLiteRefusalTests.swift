import Foundation
import SheafList
import SheafTestSupport
import Swidux
import Testing

@testable import SheafStorage

/// Files that are no stores, or no whole ones, and are left as they are.
@Suite("What is refused as an SQLite store")
struct SQLiteRefusalTests: SQLiteSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Expects that every mode refuses the file at the path, and leaves it unchanged.
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
        try Shell.run("PRAGMA user_version = \(Schema.current.version + 1)", on: path)
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
        // Behind the tables' first pages.
        let start = 24 * 4096
        bytes.replaceSubrange(
            start..<bytes.count, with: repeatElement(0xEE, count: bytes.count - start))
        try folder.write(bytes, to: "list.sqlite")
        let damaged = try open()
        #expect(await storageError { try await damaged.allItems() }?.code == .corrupt)
        #expect(
            await storageError {
                try await damaged.commit(StorageChanges(items: [Fixtures.item(1)]))
            }?.code == .corrupt)
        #expect(Array(try folder.bytes(of: "list.sqlite")) == bytes)
    }

    @Test("a list that the disk gave wrong for a while is written to again once it is sound")
    func passingDamage() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(500)))
        await storage.close()
        let bytes = Array(try folder.bytes(of: "list.sqlite"))
        let reopened = try open()
        let start = 24 * 4096
        var wrong = bytes
        wrong.replaceSubrange(
            start..<wrong.count, with: repeatElement(0xEE, count: wrong.count - start))
        try folder.write(wrong, to: "list.sqlite")
        #expect(await storageError { try await reopened.allItems() }?.code == .corrupt)
        let changes = StorageChanges(items: [Fixtures.item(900)])
        #expect(await storageError { try await reopened.commit(changes) }?.code == .corrupt)
        try folder.write(bytes, to: "list.sqlite")
        _ = try await reopened.commit(changes)
        #expect(try await reopened.itemCount() == 501)
    }

    @Test(
        "a FIFO where SQLite would look for its journal is not waited for",
        .timeLimit(.minutes(1)), arguments: ["-journal", "-wal"])
    func plantedJournal(_ suffix: String) async throws {
        try await makeStore()
        #expect(mkfifo(path + suffix, 0o600) == 0)
        let error = await storageError { try open() }
        #expect(error?.code == .cannotOpen)
        #expect(error?.advice != nil)
    }
}
