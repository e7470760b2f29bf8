import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// Backups that take a list's place.
@Suite("Restoring")
struct RestoreTests {
    private let lists: ListFolder
    private var folder: TemporaryFolder { lists.folder }

    init() throws {
        lists = try ListFolder()
    }

    @Test(
        "a backup takes the list's place, and the list is kept",
        arguments: StoreURL.Backend.allCases)
    func restores(_ backend: StoreURL.Backend) async throws {
        let url = lists.url(backend)
        let backup = folder.file("backup")
        try await lists.make(url)
        _ = try Backup.make(of: url.location, to: backup)
        try await lists.commit(StorageChanges(items: [Fixtures.item(9)]), to: url)
        for number in 1...2 {
            let restored = try Restore.run(backup, to: url.location)
            #expect(restored == Restore(items: 3, aside: "\(url.path).before-restore-\(number)"))
        }
        #expect(try await lists.items(of: url).count == 3)
        #expect(try lists.mode(of: url.path) == 0o600)
        let first = StoreURL(backend, path: "\(url.path).before-restore-1")
        #expect(try await lists.items(of: first).count == 4)
        let all = try Restorable.all(for: FileLocation(url, environment: lists.environment))
        #expect(Set(all.map(\.items)) == [3, 4])
        #expect(all.allSatisfy { $0.origin == .replaced })
    }

    @Test("a damaged list is kept too, with the journal that belongs to it")
    func damaged() async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url)
        _ = try Backup.make(of: url.location, to: folder.file("backup"))
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: url.path))
        try Data([4, 5]).write(to: URL(fileURLWithPath: url.path + "-journal"))
        let restored = try Restore.run(folder.file("backup"), to: url.location)
        let aside = try #require(restored.aside)
        #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == Data([1, 2, 3]))
        #expect(try Data(contentsOf: URL(fileURLWithPath: aside + "-journal")) == Data([4, 5]))
        #expect(!FileManager.default.fileExists(atPath: url.path + "-journal"))
        #expect(try await lists.items(of: url).count == 3)
    }

    @Test("a number is passed over if a file that SQLite would play has it")
    func takenNumber() async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url)
        _ = try Backup.make(of: url.location, to: folder.file("backup"))
        for suffix in ["-journal", "-wal"] {
            let other = URL(fileURLWithPath: "\(url.path).before-restore-1\(suffix)")
            try Data([2]).write(to: other)
            let restored = try Restore.run(folder.file("backup"), to: url.location)
            let number = suffix == "-journal" ? 2 : 3
            #expect(restored.aside == "\(url.path).before-restore-\(number)")
            #expect(try Data(contentsOf: other) == Data([2]))
        }
    }

    @Test(
        "what a killed run showed stays for its list, and is told where another list comes",
        arguments: StoreURL.Backend.allCases, [true, false])
    func intentLog(_ backend: StoreURL.Backend, isOfAnother: Bool) async throws {
        let url = lists.url(backend)
        let source = isOfAnother ? lists.url(backend, "other") : url
        for list in [url, source] { try await lists.make(list) }
        _ = try Backup.make(of: source.location, to: folder.file("backup"))
        let root = folder.path
        let location = try url.location
        let storage = try location.openStorage(.readWrite)
        try await MainActor.run {
            let log = try location.newLog()
            try log.append(StorageChanges(items: [Fixtures.item(90)]))
            try log.abandon(in: root)
        }
        await storage.close()
        try Data("damaged".utf8).write(to: URL(fileURLWithPath: url.path))
        let restored = try Restore.run(folder.file("backup"), to: url.location)
        #expect(restored.aside == "\(url.path).before-restore-1")
        let left = try AbandonedLogs(for: url.location)
        #expect(left.count == (isOfAnother ? 0 : 1))
        #expect(left.content.unreadable.map(\.code) == (isOfAnother ? [.foreign] : []))
    }

    @Test(
        "two restores at once keep what each of them replaces", arguments: StoreURL.Backend.allCases
    )
    func twoRestores(_ backend: StoreURL.Backend) async throws {
        let url = lists.url(backend)
        try await lists.make(url)
        _ = try Backup.make(of: url.location, to: folder.file("backup"))
        let location = try url.location
        let drafts = try (1...2).map { _ in
            let draft = try location.store.draft()
            _ = try Backup.copy(
                StoreFile(named: folder.file("backup")), backend, to: draft.path, as: "backup")
            return draft
        }
        let first = try DisplacedList(location.store, replacingWith: drafts[0])
        try await lists.commit(StorageChanges(items: [Fixtures.item(9)]), to: url)
        let second = try DisplacedList(location.store, replacingWith: drafts[1])
        #expect(first.path != second.path)
        #expect(try await lists.items(of: url).count == 3)
        #expect(try await lists.items(of: StoreURL(backend, path: second.path)).count == 4)
        var status = stat()
        #expect(stat(url.path, &status) == 0 && status.st_nlink == 1)
    }

    /// A list with the journal of an interrupted write, and a whole one that it was copied from, of
    /// which there is a backup.
    private func interruptedList() async throws -> (StoreURL, live: StoreURL) {
        let (url, live) = (lists.url(.sqlite), lists.url(.sqlite, "live"))
        try await lists.make(live, 200)
        _ = try Backup.make(of: live.location, to: folder.file("backup"))
        try Shell.copyMidTransaction(
            "PRAGMA cache_size = 1; BEGIN; UPDATE items SET name = hex(zeroblob(900))",
            of: live.path, to: url.path)
        return (url, live)
    }

    @Test(
        "an interrupted write of the old list is undone there, and not played into the restored one"
    )
    func hotJournal() async throws {
        let (url, live) = try await interruptedList()
        _ = try Restore.run(folder.file("backup"), to: url.location)
        #expect(try await lists.items(of: url) == lists.items(of: live))
        // Until the restored list has the name, the old one is there: it must need no journal that
        // is gone already.
        #expect(
            try folder.names == [
                "backup", "list.sqlite", "list.sqlite.before-restore-1", "live.sqlite",
            ])
        let aside = StoreURL(.sqlite, path: url.path + ".before-restore-1")
        #expect(try await lists.items(of: aside) == lists.items(of: live))
    }

    @Test("what a list that is gone has left beside it is not played into the restored one")
    func journalOfNothing() async throws {
        let (url, live) = try await interruptedList()
        #expect(unlink(url.path) == 0)
        #expect(try Restore.run(folder.file("backup"), to: url.location).aside == nil)
        #expect(try await lists.items(of: url) == lists.items(of: live))
        #expect(
            try folder.names == [
                "backup", "list.sqlite", "list.sqlite.before-restore-1-journal", "live.sqlite",
            ])
    }

    @Test("a backup is restored where there is no list")
    func nothingThere() async throws {
        let url = lists.url(.json)
        try await lists.make(url)
        _ = try Backup.make(of: url.location, to: folder.file("backup"))
        #expect(unlink(url.path) == 0)
        #expect(
            try Restore.run(folder.file("backup"), to: url.location)
                == Restore(items: 3, aside: nil))
        #expect(try await lists.items(of: url).count == 3)
    }

    @Test(
        "what is no whole backup is refused, and nothing changes",
        arguments: ["cut", "text", "empty", "none", "itself", "other kind", "newer"])
    func refused(_ kind: String) async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url, 300)
        let backup = folder.file("backup")
        _ = try Backup.make(of: url.location, to: backup)
        switch kind {
        case "cut": #expect(truncate(backup, 20_000) == 0)
        case "text": try folder.write(Array("hello".utf8), to: "backup")
        case "empty": #expect(truncate(backup, 0) == 0)
        case "none": #expect(unlink(backup) == 0)
        case "itself": #expect(unlink(backup) == 0 && link(url.path, backup) == 0)
        case "newer": try Shell.run("PRAGMA user_version = 99", on: backup)
        default:
            try await lists.make(lists.url(.json))
            #expect(rename(lists.url(.json).path, backup) == 0)
        }
        let before = try folder.bytes(of: "list.sqlite")
        let names = try folder.names
        let error = await storageError { try Restore.run(backup, to: url.location) }
        #expect(error?.advice != nil, "\(error as Any)")
        #expect(try folder.bytes(of: "list.sqlite") == before)
        #expect(try folder.names == names)
    }

    @Test(
        "a backup with something in it that cannot be read is refused, and nothing changes",
        arguments: [
            "UPDATE items SET rank = '' WHERE rowid = 2500",
            "UPDATE items SET id = 'X' WHERE rowid = 2",
            "UPDATE tags SET rank = '-'", "DELETE FROM commits",
            "UPDATE commits SET last_number = -1",
            "DROP TABLE tombstones", "DROP INDEX items_by_commit",
        ])
    func unreadable(_ sql: String) async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url)
        let backup = lists.url(.sqlite, "backup")
        try await lists.make(backup, 3_000)
        try Shell.run(sql, on: backup.path)
        let before = try Snapshot(url.path)
        let names = try folder.names
        let error = await storageError { try Restore.run(backup.path, to: url.location) }
        #expect(error?.code == .corrupt)
        #expect(error?.location == backup.path)
        #expect(error?.advice != nil)
        #expect(try Snapshot(url.path) == before)
        #expect(try folder.names == names)
    }

    @Test("a backup of the first version is brought to the newest")
    func firstVersion() async throws {
        let backup = folder.file("backup")
        try Shell.run(
            """
            \(Schema.script(version: 1))
            INSERT INTO items VALUES ('\(Fixtures.item(1).id.uuidString.lowercased())', 'old', '',
              'a0', NULL, 0, 0, '[]');
            """, on: backup)
        let bytes = try folder.bytes(of: "backup")
        let url = lists.url(.sqlite)
        #expect(try Restore.run(backup, to: url.location).items == 1)
        #expect(try await lists.items(of: url).map(\.name) == ["old"])
        #expect(try folder.bytes(of: "backup") == bytes)
        #expect(try folder.names == ["backup", "list.sqlite"])
    }

    @Test("an SQLite backup is not put in the place of a JSON list")
    func otherKind() async throws {
        let url = lists.url(.json)
        try await lists.make(url)
        try await lists.make(lists.url(.sqlite))
        let error = await storageError {
            try Restore.run(lists.url(.sqlite).path, to: url.location)
        }
        #expect(error?.code == .foreign)
        #expect(try await lists.items(of: url).count == 3)
    }

    @Test(
        "a full disk is that of the list, not of the backup", .enabled(if: TinyDisk.isPossible),
        arguments: StoreURL.Backend.allCases)
    func full(_ backend: StoreURL.Backend) async throws {
        let backup = lists.url(backend, "backup")
        let disk = folder.file("disk")
        try await TinyDisk.during(disk) {
            let list = StoreURL(backend, path: "\(disk)/list.\(backend.rawValue)")
            try await lists.make(list)
            try await lists.make(backup, 1000)
            try TinyDisk.fill(disk + "/filler", spare: 16_384)
            let error = await storageError { try Restore.run(backup.path, to: list.location) }
            #expect(error?.code == .full)
            #expect(error?.location == list.path)
            #expect(try await lists.items(of: list).count == 3)
        }
    }

    #if os(Linux)
    @Test("a list that another process has open is not replaced")
    func open() async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url)
        _ = try Backup.make(of: url.location, to: folder.file("backup"))
        let holder = try Holder(of: url.path)
        let error = await storageError { try Restore.run(folder.file("backup"), to: url.location) }
        #expect(error?.code == .busy)
        #expect(error?.reason.contains("process \(holder.process)") == true)
        try holder.end()
        #expect(try folder.names == ["backup", "list.sqlite"])
        _ = try Restore.run(folder.file("backup"), to: url.location)
    }
    #endif
}
