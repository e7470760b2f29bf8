import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// Copies of a whole list on request.
@Suite("Backups")
struct BackupTests {
    private let lists: ListFolder
    private var folder: TemporaryFolder { lists.folder }

    init() throws {
        lists = try ListFolder()
    }

    @Test(
        "a backup holds what the list holds, for the user alone",
        arguments: StoreURL.Backend.allCases)
    func copies(_ backend: StoreURL.Backend) async throws {
        let url = lists.url(backend)
        try await lists.make(url, 500)
        let copy = lists.url(backend, "copy")
        let backup = try Backup.make(of: url.location, to: copy.path)
        #expect(backup.items == 500)
        #expect(try lists.mode(of: copy.path) == 0o600)
        #expect(try folder.names == ["copy.\(backend.rawValue)", "list.\(backend.rawValue)"])
        #expect(try await lists.items(of: copy) == lists.items(of: url))
    }

    @Test("a backup is taken of tables that this version does not know")
    func unknownTables() async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url)
        try Shell.run("CREATE TABLE later (a); INSERT INTO later VALUES (7)", on: url.path)
        _ = try Backup.make(of: url.location, to: folder.file("copy.sqlite"))
        #expect(try Shell.run("SELECT a FROM later", on: folder.file("copy.sqlite")) == "7")
    }

    @Test("a backup leaves a file alone that is there, unless it may replace it")
    func existing() async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url)
        try folder.write([1, 2, 3], to: "copy.sqlite")
        let path = folder.file("copy.sqlite")
        #expect(
            await storageError { try Backup.make(of: url.location, to: path) }?.code == .cannotOpen)
        #expect(try folder.bytes(of: "copy.sqlite") == Data([1, 2, 3]))
        _ = try Backup.make(of: url.location, to: path, replacing: true)
        #expect(try Restore.count(path, .sqlite) == 3)
        #expect(try folder.names == ["copy.sqlite", "list.sqlite"])
    }

    @Test("a backup never takes the place of the list itself, by whatever name")
    func itself() async throws {
        let url = lists.url(.json)
        try await lists.make(url)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link.json"), withDestinationPath: url.path)
        #expect(Foundation.link(url.path, folder.file("second.json")) == 0)
        let bytes = try folder.bytes(of: "list.json")
        for name in ["list.json", "link.json", "second.json"] {
            let error = await storageError {
                try Backup.make(of: url.location, to: folder.file(name), replacing: true)
            }
            #expect(error?.reason == "this is the list itself")
        }
        #expect(try folder.bytes(of: "list.json") == bytes)
    }

    @Test("a backup goes where a link leads, and to no folder or FIFO", .timeLimit(.minutes(1)))
    func planted() async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url)
        try folder.write([7], to: "older")
        for (link, target) in [("link", "older"), ("dangling", "nothing")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.file(link), withDestinationPath: target)
        }
        try FileManager.default.createDirectory(
            atPath: folder.file("folder"), withIntermediateDirectories: false)
        #expect(mkfifo(folder.file("fifo"), 0o600) == 0)
        for name in ["link", "dangling", "folder", "fifo"] {
            #expect(
                await storageError { try Backup.make(of: url.location, to: folder.file(name)) }
                    != nil)
        }
        for name in ["dangling", "folder", "fifo"] {
            let error = await storageError {
                try Backup.make(of: url.location, to: folder.file(name), replacing: true)
            }
            #expect(error?.code == .cannotOpen)
        }
        _ = try Backup.make(of: url.location, to: folder.file("link"), replacing: true)
        let link = try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link"))
        #expect(link == "older")
        #expect(try Restore.count(folder.file("older"), .sqlite) == 3)
        #expect(try !folder.names.contains("nothing"))
        #expect(try !folder.names.contains { $0.contains(".new-") })
    }

    @Test(
        "a list that no command can open is not backed up, and its last backup stays",
        arguments: [
            "UPDATE items SET rank = '!!'", "UPDATE items SET id = 'ABC' WHERE rowid = 1",
            "UPDATE tags SET rank = ''", "DELETE FROM commits",
            "UPDATE commits SET last_number = -5", "DROP INDEX items_by_commit",
        ])
    func unreadable(_ sql: String) async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url)
        try await lists.commit(StorageChanges(tags: [Fixtures.tag(1, "red")]), to: url)
        let target = folder.file("backup.sqlite")
        _ = try Backup.make(of: url.location, to: target)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: target))
        try Shell.run(sql, on: url.path)
        let error = await storageError {
            try Backup.make(of: url.location, to: target, replacing: true)
        }
        #expect(error?.code == .corrupt)
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == bytes)
        #expect(Doctor.examine(url, environment: lists.environment).refusal == .corrupt)
    }

    #if os(Linux)
    @Test(
        "a list that another process opens while the backup is made is not replaced",
        arguments: StoreURL.Backend.allCases)
    func openedMeanwhile(_ backend: StoreURL.Backend) async throws {
        let url = lists.url(.sqlite)
        let target = lists.url(backend, "target")
        for list in [url, target] { try await lists.make(list) }
        var backup: Task<StorageError?, Never>?
        var holder: Holder?
        try await Shell.holding("BEGIN EXCLUSIVE", on: url.path) {
            backup = Task.detached {
                await storageError {
                    try Backup.make(of: url.location, to: target.path, replacing: true)
                }
            }
            // The backup waits for the list, and its draft is there already.
            while try !folder.names.contains(where: { $0.contains(".new-") }) {
                await Task.yield()
            }
            holder = try Holder(of: target.path)
        }
        let error = await backup?.value
        #expect(error?.code == .busy)
        #expect(error?.reason.hasSuffix("has this list open") == true)
        try holder?.end()
        #expect(try folder.names == [url, target].map(\.path.lastPathName).sorted())
        #expect(try await lists.items(of: target).count == 3)
    }
    #endif

    @Test("a mistyped folder is no reason to make it")
    func noFolder() async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url)
        let error = await storageError {
            try Backup.make(of: url.location, to: folder.file("no/copy"))
        }
        #expect(error?.code == .cannotOpen)
        #expect(try folder.names == ["list.sqlite"])
    }

    @Test("a damaged list is not backed up as a whole one", arguments: StoreURL.Backend.allCases)
    func damaged(_ backend: StoreURL.Backend) async throws {
        let url = lists.url(backend)
        try await lists.make(url, 500)
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: url.path)))
        bytes.replaceSubrange(28_672..<32_768, with: repeatElement(0xEE, count: 4096))
        try Data(bytes).write(to: URL(fileURLWithPath: url.path))
        let error = await storageError {
            try Backup.make(of: url.location, to: folder.file("copy"))
        }
        #expect(error?.code == .corrupt)
        #expect(try folder.names == ["list.\(backend.rawValue)"])
    }

    @Test(
        "a full disk leaves no backup and the older one as it was",
        .enabled(if: TinyDisk.isPossible), arguments: StoreURL.Backend.allCases)
    func full(_ backend: StoreURL.Backend) async throws {
        let url = lists.url(backend)
        try await lists.make(url, 1000)
        let disk = folder.file("disk")
        try await TinyDisk.during(disk) {
            try Data([7]).write(to: URL(fileURLWithPath: disk + "/copy"))
            try TinyDisk.fill(disk + "/filler", spare: 16_384)
            let error = await storageError {
                try Backup.make(of: url.location, to: disk + "/copy", replacing: true)
            }
            #expect(error?.code == .full)
            let names = try FileManager.default.contentsOfDirectory(atPath: disk)
            #expect(names.sorted() == ["copy", "filler"])
            #expect(try Data(contentsOf: URL(fileURLWithPath: disk + "/copy")) == Data([7]))
        }
    }
}
