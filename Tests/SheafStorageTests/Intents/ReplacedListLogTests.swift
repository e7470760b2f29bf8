import CSQLite
import Foundation
import Glibc
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage
@testable import SwiduxFiles

/// Logs beside the path of a list, where another list is by now.
@Suite("Logs of a replaced list")
@MainActor
struct ReplacedListLogTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func location(_ backend: StoreURL.Backend, _ name: String = "list") throws
        -> FileLocation
    {
        try StoreURL(backend, path: folder.file(name)).location
    }

    /// A list with the items of these numbers.
    private func make(_ location: FileLocation, _ numbers: Range<Int>) async throws {
        let storage = try location.openStorage(.readWriteCreate)
        _ = try await storage.commit(
            StorageChanges(items: numbers.map { Fixtures.item($0) }))
        await storage.close()
    }

    /// Leaves the log of a killed session that has added an item.
    private func leaveLog(
        _ backend: StoreURL.Backend, _ mode: OpenMode = .readWrite
    ) async throws {
        let location = try location(backend)
        let storage = try location.openStorage(mode)
        let log = try location.newLog()
        try log.append(StorageChanges(items: [Fixtures.item(9)]))
        try log.abandon(in: folder.path)
        await storage.close()
    }

    @Test(
        "a list whose name differs in normalization alone gets none of it",
        arguments: StoreURL.Backend.allCases)
    func otherNormalization(_ backend: StoreURL.Backend) async throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        try await make(try location(backend, composed), 1..<4)
        let bytes = try folder.bytes(of: composed)
        try folder.write(Array(bytes), to: decomposed)
        try location(backend, composed).leaveLog(StorageChanges(items: [Fixtures.item(9)]))
        #expect(AbandonedLogs(for: try location(backend, decomposed)).count == 0)
        #expect(AbandonedLogs(for: try location(backend, composed)).count == 1)
        #expect(Leftover.all(beside: try location(backend, decomposed).store).isEmpty)
        #expect(
            FileDraft.isAbandoned(
                ".\(decomposed).new-\(String(repeating: "1", count: 32))", of: decomposed,
                mark: "new"))
        #expect(
            !FileDraft.isAbandoned(
                ".\(composed).new-\(String(repeating: "1", count: 32))", of: decomposed, mark: "new"
            ))
    }

    @Test(
        "a log of another list is kept, and says so", arguments: StoreURL.Backend.allCases,
        [(1..<4, 50..<52), (0..<0, 50..<52), (1..<4, 0..<0), (0..<0, 0..<0), (1..<4, 3..<5)])
    func another(
        backend: StoreURL.Backend, numbers: (before: Range<Int>, now: Range<Int>)
    ) async throws {
        try await make(try location(backend), numbers.before)
        try await make(try location(backend, "other"), numbers.now)
        try await leaveLog(backend)
        #expect(rename(folder.file("other"), folder.file("list")) == 0)
        let list = try await location(backend).open(.readWrite)
        #expect(list.notice?.contains("of another list, which was at") == true)
        #expect(try await list.storage.allItems().map(\.id) == numbers.now.map(Fixtures.itemID))
        let left = AbandonedLogs(for: try location(backend))
        #expect(left.count == 0)
        #expect(left.content.unreadable.map(\.code) == [.foreign])
        #expect(
            ExaminedLog.all(for: try location(backend)).map { $0.objection?.code } == [.foreign])
    }

    @Test(
        "another version of the list takes the log in", arguments: StoreURL.Backend.allCases,
        [1..<2, 3..<6])
    func sameList(backend: StoreURL.Backend, numbers: Range<Int>) async throws {
        try await make(try location(backend), 1..<4)
        try FileManager.default.copyItem(atPath: folder.file("list"), toPath: folder.file("new"))
        let version = try location(backend, "new").openStorage(.readWrite)
        _ = try await version.commit(
            StorageChanges(
                items: numbers.map { Fixtures.item($0) },
                deletingItems: (1..<4).filter { !numbers.contains($0) }.map(Fixtures.itemID)))
        await version.close()
        try await leaveLog(backend)
        #expect(rename(folder.file("new"), folder.file("list")) == 0)
        let list = try await location(backend).open(.readWriteCreate)
        #expect(try await list.storage.allItems().map(\.name).contains("item 9"))
        #expect(AbandonedLogs(for: try location(backend)).count == 0)
    }

    @Test(
        "a log is of a list that its session has filled anew", arguments: StoreURL.Backend.allCases)
    func allAnew(backend: StoreURL.Backend) async throws {
        try await make(try location(backend), 1..<4)
        let first = try location(backend)
        let storage = try first.openStorage(.readWrite)
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
        let list = try await location(backend).open(.readWrite)
        #expect(try await list.storage.allItems().map(\.name) == ["item 8", "item 9"])
    }

    /// Takes the list's own id away, as earlier versions made lists.
    private func removeID(_ location: FileLocation) async throws {
        switch location.url.backend {
        case .sqlite:
            try Shell.run("DELETE FROM tombstones WHERE kind = 4", on: location.url.path)
        case .json:
            let lines = String(decoding: try folder.bytes(of: "list"), as: UTF8.self)
                .split(separator: "\n").filter { !$0.hasPrefix("  \"id\"") }
            try folder.write(Array(lines.joined(separator: "\n").utf8), to: "list")
        }
        #expect(try location.store.listIdentity(location.url.backend).id == nil)
    }

    @Test(
        "an empty list without an id gets one before its log, so that no other list takes that in",
        arguments: StoreURL.Backend.allCases, [true, false])
    func emptyWithoutID(backend: StoreURL.Backend, isReplaced: Bool) async throws {
        try await make(try location(backend), 0..<0)
        try await removeID(try location(backend))
        try await make(try location(backend, "other"), 50..<52)
        let bytes = try folder.bytes(of: "list")
        let read = try location(backend).openStorage(.readWrite)
        #expect(try await read.allItems().isEmpty)
        await read.close()
        #expect(try folder.bytes(of: "list") == bytes)
        try await leaveLog(backend, .readWriteBegin)
        if isReplaced { #expect(rename(folder.file("other"), folder.file("list")) == 0) }
        let list = try await location(backend).open(.readWrite)
        let names = try await list.storage.allItems().map(\.name)
        #expect(names == (isReplaced ? ["item 50", "item 51"] : ["item 9"]))
        #expect(list.notice?.contains("of another list, which was at") ?? false == isReplaced)
    }

    @Test("a list without an id that its session has emptied is known by what it had")
    func emptied() async throws {
        try await make(try location(.sqlite), 1..<4)
        try await removeID(try location(.sqlite))
        try await make(try location(.sqlite, "other"), 50..<52)
        let first = try location(.sqlite)
        let storage = try first.openStorage(.readWriteBegin)
        _ = try await storage.commit(
            StorageChanges(items: [], deletingItems: (1...3).map(Fixtures.itemID)))
        let log = try first.newLog()
        try log.append(StorageChanges(items: [Fixtures.item(9)]))
        log.close()
        await storage.close()
        #expect(AbandonedLogs(for: try location(.sqlite), isReadOnly: true).count == 1)
        #expect(rename(folder.file("other"), folder.file("list")) == 0)
        #expect(AbandonedLogs(for: try location(.sqlite), isReadOnly: true).count == 0)
    }

    @Test(
        "the log of a list that was renamed is named where the list is, and not beside a copy",
        arguments: StoreURL.Backend.allCases)
    func renamed(_ backend: StoreURL.Backend) async throws {
        try await make(try location(backend), 1..<4)
        try await leaveLog(backend)
        let renamed = try location(backend, "renamed")
        try folder.write(Array(try folder.bytes(of: "list")), to: "renamed")
        #expect(ExaminedLog.all(for: renamed).isEmpty)
        #expect(unlink(folder.file("list")) == 0)
        let logs = ExaminedLog.all(for: renamed)
        #expect(logs.count == 1)
        #expect(logs.first?.objection?.advice?.contains("sheaf restore") == true)
        try await make(try location(backend, "another"), 50..<52)
        #expect(ExaminedLog.all(for: try location(backend, "another")).isEmpty)
        // One in the state folder is found by its list, too.
        let log = try #require(logs.first?.path)
        let environment = ["HOME": folder.file("home")]
        let moved = try FileLocation(
            StoreURL(backend, path: folder.file("renamed")), environment: environment)
        let state = try #require(moved.state?.path)
        try FileManager.default.createDirectory(
            atPath: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
        )
        for suffix in ["", "-wal"] {
            let there = "\(state)/intents-0123-\(log.suffix(36))\(suffix)"
            #expect(rename(log + suffix, there) == 0)
        }
        #expect(ExaminedLog.all(for: moved).count == 1)
    }

    @Test("a log waits while the list is locked")
    func locked() async throws {
        try await make(try location(.sqlite), 1..<4)
        try await leaveLog(.sqlite)
        let locker = try SQLiteConnection.open(
            folder.file("list"), flags: SQLITE_OPEN_READWRITE, location: "list")
        try locker.execute("BEGIN EXCLUSIVE")
        let left = AbandonedLogs(for: try location(.sqlite))
        #expect(left.count == 0)
        #expect(left.content.unreadable.map(\.code) == [.busy])
        #expect(AbandonedLogs(for: try location(.sqlite), isLocked: true).count == 1)
        locker.close()
        #expect(AbandonedLogs(for: try location(.sqlite)).count == 1)
    }

    @Test(
        "a log beside a link to a list belongs to what was there before",
        arguments: StoreURL.Backend.allCases, ["other", "moved"])
    func behindLink(backend: StoreURL.Backend, target: String) async throws {
        try await make(try location(backend), 1..<4)
        try await make(try location(backend, "other"), 50..<52)
        try await leaveLog(backend)
        #expect(rename(folder.file("list"), folder.file("moved")) == 0)
        #expect(symlink(target, folder.file("list")) == 0)
        let list = try await location(backend).open(.readWrite)
        let names = try await list.storage.allItems().map(\.name)
        if target == "other" {
            #expect(list.notice?.contains("of another list, which was at") == true)
            #expect(names == ["item 50", "item 51"])
        } else {
            #expect(names == ["item 1", "item 2", "item 3", "item 9"])
            #expect(AbandonedLogs(for: try location(backend)).count == 0)
        }
    }
}
