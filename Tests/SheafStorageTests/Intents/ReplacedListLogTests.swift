import CSQLite
import Foundation
import Glibc
import SheafCore
import SheafTestSupport
import Testing

@testable import SheafStorage

/// Logs beside the path of a list, where another list is by now.
@Suite("Logs of a replaced list")
@MainActor
struct ReplacedListLogTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func place(_ backend: StoreURL.Backend, _ name: String = "list") throws -> FilePlace {
        try StoreURL(backend, path: folder.file(name)).place
    }

    /// A list with the items of these numbers.
    private func make(_ place: FilePlace, _ numbers: Range<Int>) async throws {
        let storage = try openStorage(place, mode: .readWriteCreate)
        _ = try await storage.commit(
            StorageChanges(items: numbers.map { Fixtures.item($0) }))
        await storage.close()
    }

    /// Leaves the log of a killed session that has added an item.
    private func leaveLog(_ backend: StoreURL.Backend) async throws {
        let place = try place(backend)
        let storage = try openStorage(place, mode: .readWrite)
        let log = try place.newLog()
        try log.append(StorageChanges(items: [Fixtures.item(9)]))
        log.close()
        await storage.close()
    }

    @Test(
        "a log of another list is kept, and says so", arguments: StoreURL.Backend.allCases,
        [(1..<4, 50..<52), (0..<0, 50..<52), (1..<4, 0..<0), (0..<0, 0..<0), (1..<4, 3..<5)])
    func another(
        backend: StoreURL.Backend, numbers: (before: Range<Int>, now: Range<Int>)
    ) async throws {
        try await make(try place(backend), numbers.before)
        try await make(try place(backend, "other"), numbers.now)
        try await leaveLog(backend)
        #expect(rename(folder.file("other"), folder.file("list")) == 0)
        let list = try await Place.file(try place(backend)).open(.readWrite)
        #expect(list.notice?.contains("of another list, which was at") == true)
        #expect(try await list.storage.allItems().map(\.id) == numbers.now.map(Fixtures.itemID))
        let left = LeftLogs(for: try place(backend).home)
        #expect(left.count == 0)
        #expect(left.content.unreadable.map(\.code) == [.foreign])
        #expect(
            IntentLogs.all(for: try place(backend).home).map { $0.objection?.code } == [.foreign])
    }

    @Test(
        "another version of the list takes the log in", arguments: StoreURL.Backend.allCases,
        [1..<2, 3..<6])
    func sameList(backend: StoreURL.Backend, numbers: Range<Int>) async throws {
        try await make(try place(backend), 1..<4)
        try FileManager.default.copyItem(atPath: folder.file("list"), toPath: folder.file("new"))
        let version = try openStorage(try place(backend, "new"), mode: .readWrite)
        _ = try await version.commit(
            StorageChanges(
                items: numbers.map { Fixtures.item($0) },
                deletingItems: (1..<4).filter { !numbers.contains($0) }.map(Fixtures.itemID)))
        await version.close()
        try await leaveLog(backend)
        #expect(rename(folder.file("new"), folder.file("list")) == 0)
        let list = try await Place.file(try place(backend)).open(.readWriteCreate)
        #expect(try await list.storage.allItems().map(\.name).contains("item 9"))
        #expect(LeftLogs(for: try place(backend).home).count == 0)
    }

    @Test(
        "a log is of a list that its session has filled anew", arguments: StoreURL.Backend.allCases)
    func allAnew(backend: StoreURL.Backend) async throws {
        try await make(try place(backend), 1..<4)
        let first = try place(backend)
        let storage = try openStorage(first, mode: .readWrite)
        let log = try first.newLog()
        let anew = StorageChanges(
            items: [Fixtures.item(8)], deletingItems: (1...3).map(Fixtures.itemID))
        try log.append(anew)
        try log.handOver()
        _ = try await storage.commit(anew)
        try log.committed()
        try log.append(StorageChanges(items: [Fixtures.item(9)]))
        log.close()
        await storage.close()
        let list = try await Place.file(try place(backend)).open(.readWrite)
        #expect(try await list.storage.allItems().map(\.name) == ["item 8", "item 9"])
    }

    @Test("a log waits while the list is locked")
    func locked() async throws {
        try await make(try place(.sqlite), 1..<4)
        try await leaveLog(.sqlite)
        let locker = try SQLiteConnection.open(
            folder.file("list"), flags: SQLITE_OPEN_READWRITE, location: "list")
        try locker.execute("BEGIN EXCLUSIVE")
        let left = LeftLogs(for: try place(.sqlite).home)
        #expect(left.count == 0)
        #expect(left.content.unreadable.map(\.code) == [.busy])
        #expect(LeftLogs(for: try place(.sqlite).home, isLocked: true).count == 1)
        locker.close()
        #expect(LeftLogs(for: try place(.sqlite).home).count == 1)
    }

    @Test(
        "a log beside a link to a list belongs to what was there before",
        arguments: StoreURL.Backend.allCases, ["other", "moved"])
    func behindLink(backend: StoreURL.Backend, target: String) async throws {
        try await make(try place(backend), 1..<4)
        try await make(try place(backend, "other"), 50..<52)
        try await leaveLog(backend)
        #expect(rename(folder.file("list"), folder.file("moved")) == 0)
        #expect(symlink(target, folder.file("list")) == 0)
        let list = try await Place.file(try place(backend)).open(.readWrite)
        let names = try await list.storage.allItems().map(\.name)
        if target == "other" {
            #expect(list.notice?.contains("of another list, which was at") == true)
            #expect(names == ["item 50", "item 51"])
        } else {
            #expect(names == ["item 1", "item 2", "item 3", "item 9"])
            #expect(LeftLogs(for: try place(backend).home).count == 0)
        }
    }
}
