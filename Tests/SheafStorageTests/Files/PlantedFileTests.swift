import Foundation
import SheafList
import SheafTestSupport
import Swidux
import Testing

@testable import SheafStorage

/// Files that another user puts beside a list, under names that the program looks for.
@Suite("Planted files")
struct PlantedFileTests: SQLiteSuite {
    let folder: TemporaryFolder
    private static let nobody: uid_t = 65_534

    init() throws { folder = try TemporaryFolder() }

    /// A list, and beside it a journal that undoes a write which never was.
    private func plantJournal() async throws {
        let other = folder.file("other.sqlite")
        let storage = try open("other.sqlite")
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(200)))
        await storage.close()
        try Shell.copyMidTransaction(
            "PRAGMA cache_size = 1; BEGIN; UPDATE items SET note = hex(zeroblob(900))",
            of: other, to: folder.file("copy"))
        try await makeStore()
        #expect(rename(folder.file("copy-journal"), path + "-journal") == 0)
        for name in ["other.sqlite", "copy"] { #expect(unlink(folder.file(name)) == 0) }
    }

    @Test("a file that SQLite did not make is kept from it", arguments: ["-journal", "-wal"])
    func otherFile(_ suffix: String) async throws {
        try await makeStore()
        for bytes in [Array("Dear diary, today".utf8), try Array(folder.bytes(of: "list.sqlite"))] {
            try folder.write(bytes, to: "list.sqlite\(suffix)")
            for mode in [OpenMode.readWrite, .readOnly] {
                let error = await storageError { try open(mode: mode) }
                #expect(error?.code == .cannotOpen, "\(error as Any)")
            }
            #expect(try Array(folder.bytes(of: "list.sqlite\(suffix)")) == bytes)
        }
    }

    /// A list and its journal in the middle of a write, as a kill leaves them.
    private func interruptWrite() async throws {
        let storage = try open("other.sqlite")
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(200)))
        await storage.close()
        try Shell.copyMidTransaction(
            "PRAGMA cache_size = 1; BEGIN; UPDATE items SET note = hex(zeroblob(900))",
            of: folder.file("other.sqlite"), to: path)
        #expect(unlink(folder.file("other.sqlite")) == 0)
    }

    @Test("an interrupted write is undone if its journal is complete")
    func completeJournal() async throws {
        try await interruptWrite()
        let storage = try open("list.sqlite")
        #expect(try await storage.allItems().count == 200)
        await storage.close()
    }

    @Test(
        "a journal that is cut off or damaged changes nothing, and recovery reads the list",
        arguments: ["cut", "count", "record", "second header"])
    func damagedJournal(_ damage: String) async throws {
        try await interruptWrite()
        var journal = try Array(folder.bytes(of: "list.sqlite-journal"))
        let count = journal[8..<12].reduce(0) { $0 << 8 | Int($1) }
        switch damage {
        case "cut": journal.removeLast(journal.count - (512 + count * 4_104 / 2))
        case "count": journal[9] = 0x99
        case "record": journal[512 + 4 + 4_096 - 200] ^= 1
        default: journal[(512 + count * 4_104 + 511) / 512 * 512] = 0x99
        }
        try folder.write(journal, to: "list.sqlite-journal")
        let files = try folder.names.map { try folder.bytes(of: $0) }
        for mode in [OpenMode.readWrite, .readOnly] {
            let error = await storageError { try open(mode: mode) }
            #expect(error?.code == .corrupt, "\(error as Any)")
            #expect(error?.reason.contains("list.sqlite-journal beside it is damaged") == true)
        }
        let list = StoreURL(.sqlite, path: path)
        #expect(Doctor.examine(list, environment: [:]).refusal == .corrupt)
        #expect(try folder.names.map { try folder.bytes(of: $0) } == files)
        let target = StoreURL(.sqlite, path: folder.file("saved.sqlite"))
        let recovery = try await Recovery.run(list.location, to: target)
        #expect(recovery.items >= 190)
    }

    private func expectRefusal(_ words: String) async throws {
        let files = try folder.names.map { try folder.bytes(of: $0) }
        for mode in [OpenMode.readWrite, .readOnly] {
            let error = await storageError { try open(mode: mode) }
            #expect(error?.code == .cannotOpen, "\(error as Any)")
            #expect(error?.reason.contains("list.sqlite-journal beside it \(words)") == true)
            let advice = try #require(error?.advice)
            #expect(advice.contains("\(path) \(path)-journal COPY"))
            #expect(!advice.contains("rm ") && !advice.contains("delete"))
        }
        let list = StoreURL(.sqlite, path: path)
        let diagnosis = Doctor.examine(list, environment: [:])
        #expect(diagnosis.refusal == .cannotOpen)
        #expect(diagnosis.findings.contains { $0.text.contains(words) && $0.advice != nil })
        for copy in ["backup", "saved.sqlite"] {
            #expect(
                await storageError {
                    if copy == "backup" {
                        _ = try Backup.make(of: list.location, to: folder.file(copy))
                    } else {
                        let target = StoreURL(.sqlite, path: folder.file(copy))
                        _ = try await Recovery.run(list.location, to: target)
                    }
                }?.code == .cannotOpen)
        }
        #expect(try folder.names == ["list.sqlite", "list.sqlite-journal"])
        #expect(try folder.names.map { try folder.bytes(of: $0) } == files)
    }

    @Test(
        "a journal that others than the list's writers may write is not played back",
        arguments: [
            (0o666, "is writable by everyone"), (0o660, "is writable by its group"),
        ])
    func mode(_ mode: mode_t, _ words: String) async throws {
        try await plantJournal()
        #expect(chmod(path + "-journal", mode) == 0)
        try await expectRefusal(words)
    }

    @Test("a journal of another user is not played back", .enabled(if: geteuid() == 0))
    func owner() async throws {
        try await plantJournal()
        #expect(chown(path + "-journal", Self.nobody, Self.nobody) == 0)
        try await expectRefusal("belongs to another user (uid 65534)")
    }

    @Test("a journal that cannot be written to is named", .enabled(if: Immutable.isPossible))
    func immutable() async throws {
        let storage = try open()
        try folder.write([], to: "list.sqlite-journal")
        try await Immutable.during(path + "-journal") {
            let error = await storageError {
                try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
            }
            #expect(error?.code == .readOnly)
            #expect(
                error?.advice?.contains("list.sqlite-journal beside it is not writable") == true)
            let lines = try Doctor.examine(StoreURL(.sqlite, path: path).location).findings
                .description
            #expect(lines.contains("list.sqlite-journal beside it is not writable"))
        }
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
    }

    @Test("a file of the user's that another name leads to is not played back")
    func linked() async throws {
        try await plantJournal()
        #expect(link(path + "-journal", folder.file("mine")) == 0)
        #expect(await storageError { try open() }?.reason.contains("another hard link") == true)
    }

    @Test("a journal that all who may write the list may write too is theirs")
    func shared() async throws {
        let live = folder.file("live.sqlite")
        let storage = try open("live.sqlite")
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(200)))
        await storage.close()
        #expect(chmod(live, 0o660) == 0)
        try Shell.copyMidTransaction(
            "PRAGMA cache_size = 1; BEGIN; UPDATE items SET name = hex(zeroblob(900))", of: live,
            to: path)
        #expect(try status(of: path + "-journal").st_mode & 0o777 == 0o660)
        #expect(try await open().allItems() == Fixtures.items(200))
    }

    @Test("a journal that is planted while a list is open is not played back either")
    func whileOpen() async throws {
        try await plantJournal()
        #expect(rename(path + "-journal", folder.file("kept")) == 0)
        let storage = try open()
        #expect(chmod(folder.file("kept"), 0o666) == 0)
        #expect(rename(folder.file("kept"), path + "-journal") == 0)
        let changes = StorageChanges(items: [Fixtures.item(2)])
        #expect(await storageError { try await storage.commit(changes) }?.code == .cannotOpen)
        #expect(await storageError { try await storage.allItems() }?.code == .cannotOpen)
        #expect(unlink(path + "-journal") == 0)
        _ = try await storage.commit(changes)
        #expect(try await storage.allItems() == [Fixtures.item(1), Fixtures.item(2)])
    }

    @Test("SQLite plays no journal back that comes after all looks")
    func behindTheLook() async throws {
        try await plantJournal()
        let bytes = try folder.bytes(of: "list.sqlite")
        #expect(chmod(path + "-journal", 0o666) == 0)
        #expect(await storageError { try shell("SELECT count(*) FROM items") }?.code == .cannotOpen)
        #expect(try folder.bytes(of: "list.sqlite") == bytes)
        #expect(chmod(path + "-journal", 0o600) == 0)
        // By its permissions it is trusted, but it is the journal of another list.
        #expect(await storageError { try shell("SELECT count(*) FROM items") }?.code == .cannotOpen)
        #expect(try folder.bytes(of: "list.sqlite") == bytes)
    }

    @Test("a restore sets a planted journal aside with the list that it lies beside")
    func restore() async throws {
        try await plantJournal()
        let backup = folder.file("backup.sqlite")
        let storage = try open("backup.sqlite")
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(3)))
        await storage.close()
        #expect(chmod(path + "-journal", 0o666) == 0)
        let url = StoreURL(.sqlite, path: path)
        let aside = try #require(try Restore.run(backup, to: url.location).aside)
        #expect(try await open().allItems() == Fixtures.items(3))
        #expect(access(aside + "-journal", F_OK) == 0)
        #expect(
            await storageError { try Restore.run(aside, to: url.location) }?.code == .cannotOpen)
    }

    @Test("a backup that another user put beside the list is named and not opened")
    func backup() async throws {
        try await makeStore()
        let planted = path + ".before-restore-1"
        try FileManager.default.copyItem(atPath: path, toPath: planted)
        #expect(chmod(planted, 0o666) == 0)
        let all = try Restorable.all(
            for: FileLocation(StoreURL(.sqlite, path: path), environment: [:]))
        #expect(all.map(\.items) == [nil])
        #expect(all.map(\.objection) == ["is writable by everyone"])
    }

    @Test(
        "what others may have written is not taken for the edits of a killed run",
        arguments: ["", "-wal"])
    func intents(_ suffix: String) async throws {
        try await makeStore()
        let url = StoreURL(.sqlite, path: path)
        let root = folder.path
        try await MainActor.run {
            let log = try url.location.newLog()
            try log.append(StorageChanges(items: [Fixtures.item(9)]))
            try log.abandon(in: root)
        }
        let name = try #require(try folder.names.first { $0.contains(".intents-") })
        #expect(chmod(folder.file(name) + suffix, 0o666) == 0)
        for isReadOnly in [false, true] {
            let replay = try AbandonedLogs(for: url.location, isReadOnly: isReadOnly)
            #expect(replay.count == 0)
            #expect(replay.content.unreadable.count == (suffix.isEmpty ? 0 : 1))
            #expect(try folder.names.contains(name))
        }
    }
}
