import Foundation
import SheafList
import SheafTestSupport
import Swidux
import SwiduxFiles
import Testing

@testable import SheafStorage

/// Numbers that a hand wrote, or a file system tells, may be any that fit.
@Suite("Odd numbers in stores")
struct OddNumberTests: SQLiteSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("rows of any commit are read, and fetched after a hand has written them")
    func commitNumbers() async throws {
        let storage = try open()
        let tag = Fixtures.tag(1, "one")
        _ = try await storage.commit(
            StorageChanges(tags: [tag], items: Fixtures.items(4).map { edited($0, tag.id) }))
        _ = try await storage.allItems()
        try shell(
            """
            UPDATE tags SET commit_number = -9223372036854775807 - 1, color = 'red';
            UPDATE items SET name = 'by hand', commit_number = CASE rowid
                WHEN 1 THEN -9223372036854775807 - 1 WHEN 2 THEN -5
                WHEN 3 THEN 9223372036854775807 ELSE 0 END;
            """)
        #expect(try await storage.loadTags().map(\.color) == [.red])
        let fetched = try await storage.externalChanges { StorageChanges() }.changes
        #expect(fetched.tags.upserts.map(\.color) == [.red])
        #expect(fetched.items.upserts.map(\.name) == Array(repeating: "by hand", count: 4))
    }

    private func edited(_ item: Item, _ tag: Tag.ID) -> Item {
        var item = item
        item.tags = [tag]
        return item
    }

    @Test("a store whose numbers are used up says so and takes nothing")
    func lastCommit() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(2)))
        try shell("UPDATE commits SET last_number = 9223372036854775807")
        let error = await storageError {
            try await storage.commit(StorageChanges(items: [Fixtures.item(3)]))
        }
        #expect(error?.code == .corrupt)
        #expect(error?.reason.contains("number") == true, "\(error as Any)")
        #expect(try await storage.allItems().count == 2)
    }

    @Test("a store whose numbers a hand set lower takes changes")
    func earlierCommit() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(2)))
        try shell(
            """
            UPDATE commits SET last_number = 0,
                forgotten = 9223372036854775807;
            INSERT INTO tombstones VALUES ('x', 0, 9223372036854775807);
            """)
        _ = try await storage.externalChanges { StorageChanges() }
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(3)]))
        _ = try await storage.commit(StorageChanges(deletingItems: [Fixtures.itemID(1)]))
        #expect(try await storage.allItems().count == 2)
    }

    @Test("rows of any number are saved from a damaged file")
    func rowNumbers() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(3)))
        await storage.close()
        try shell(
            """
            UPDATE items SET rowid = -9223372036854775807 - 1 WHERE rowid = 1;
            UPDATE items SET rowid = 9223372036854775807 WHERE rowid = 3;
            """)
        let target = StoreURL(.sqlite, path: folder.file("saved.sqlite"))
        let recovery = try await Recovery.run(StoreURL(.sqlite, path: path).location, to: target)
        #expect(recovery.items == 3)
    }

    @Test(
        "a JSON list of any time of change is read",
        arguments: [Int.min, -1, 9_223_372_037, 15_000_000_000, Int.max])
    func fileTimes(seconds: Int) async throws {
        let path = folder.file("list.json")
        try folder.write(
            Array("{\"format\":\"sheaf\",\"version\":1,\"items\":[{\"name\":\"one\"}]}".utf8),
            to: "list.json")
        var times = [timespec(tv_sec: seconds, tv_nsec: 999_999_999), timespec()]
        times[1] = times[0]
        #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
        let storage = try JSONStorage(path: path, mode: .readWrite)
        #expect(try await storage.allItems().map(\.name) == ["one"])
        var time = timespec(tv_sec: seconds, tv_nsec: 999_999_999)
        let timestamp = FileVersion.Instant(time).timestamp
        time.tv_sec /= 1_000_000
        #expect((FileVersion.Instant(time).timestamp < timestamp) == (seconds > 0))
    }

    @Test("a file larger than any disk is examined")
    func fileSize() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(2)))
        await storage.close()
        let url = StoreURL(.sqlite, path: path)
        let environment = ["HOME": folder.file("home")]
        let backups = try #require(DailyBackups(of: FileLocation(url, environment: environment)))
        try FileManager.default.createDirectory(
            atPath: backups.folder, withIntermediateDirectories: true)
        // As large as the file system lets it be.
        let names = (1...3).map { "\(backups.folder)/2020-01-0\($0).sqlite" }
        for name in names {
            try FileManager.default.copyItem(atPath: path, toPath: name)
            for bits in (40..<63).reversed() where truncate(name, 1 << bits) == 0 { break }
            let times = [timespec(), timespec()]
            #expect(utimensat(AT_FDCWD, name, times, 0) == 0)
        }
        #expect(try backups.makeIfDue())
        #expect(backups.paths().count == 1)
    }
}
