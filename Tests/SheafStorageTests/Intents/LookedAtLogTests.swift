import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// Intent logs that are only looked at, and those that SQLite alone would not read.
@Suite("Intent logs that are looked at")
@MainActor
struct LookedAtLogTests {
    private let folder: TemporaryFolder
    private let url: StoreURL
    private let changes = StorageChanges(items: [Fixtures.item(1), Fixtures.item(2)])

    init() throws {
        folder = try TemporaryFolder()
        url = StoreURL(.sqlite, path: folder.file("list.sqlite"))
    }

    /// Leaves a log as `kill -9` does, or as a clean end does, without a write-ahead log.
    ///
    /// - Returns: its name.
    private func leave(killed: Bool) throws -> String {
        let log = try url.location.newLog()
        try log.append(changes)
        let names = try folder.names
        if killed { try log.abandon(in: folder.path) } else { log.close() }
        return try #require(names.first { !$0.hasSuffix("-wal") })
    }

    private func temporaries() throws -> Set<String> {
        let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        let names = try FileManager.default.contentsOfDirectory(atPath: base)
        return Set(names.filter { $0.hasPrefix("sheaf-doctor-") })
    }

    @Test("nothing is made, changed or locked beside it", arguments: [true, false])
    func untouched(killed: Bool) throws {
        _ = try leave(killed: killed)
        let names = try folder.names
        let bytes = try names.map(folder.bytes(of:))
        let looked = AbandonedLogs(for: try url.location, isReadOnly: true)
        #expect(looked.content.batches == [changes])
        #expect(try folder.names == names)
        // Another process may take it in, and leaves nothing either if it cannot.
        #expect(AbandonedLogs(for: try url.location).content.batches == [changes])
        #expect(try folder.names == names)
        #expect(try names.map(folder.bytes(of:)) == bytes)
        looked.remove()
        #expect(try folder.names.isEmpty)
    }

    @Test("one whose owner lives is not looked at, and one that has changed since is not removed")
    func inUse() throws {
        let log = try url.location.newLog()
        try log.append(changes)
        let names = try folder.names
        let looked = AbandonedLogs(for: try url.location, isReadOnly: true)
        #expect(looked.count == 0 && looked.content.unreadable.isEmpty)
        log.close()
        let name = try #require(names.first)
        let later = AbandonedLogs(for: try url.location, isReadOnly: true)
        try Shell.run("DELETE FROM intents;", on: folder.file(name))
        later.remove()
        #expect(try folder.names.contains(name))
    }

    @Test("no link is followed, at its name or beside it", arguments: ["", "-wal"])
    func links(_ suffix: String) throws {
        let name = try leave(killed: true)
        try folder.write(Array(try folder.bytes(of: name + suffix)), to: "elsewhere")
        #expect(unlink(folder.file(name + suffix)) == 0)
        symlink(folder.file("elsewhere"), folder.file(name + suffix))
        #expect(AbandonedLogs(for: try url.location, isReadOnly: true).count == 0)
        #expect(throws: StorageError.self) { try LogRecords(readingCopyOf: folder.file(name)) }
    }

    @Test("one without its write-ahead log is not taken in, and stays", arguments: [1, 40])
    func moved(records: Int) async throws {
        let log = try url.location.newLog()
        for _ in 0..<records { try log.append(changes) }
        try log.abandon(in: folder.path)
        let name = try #require(try folder.names.first { !$0.hasSuffix("-wal") })
        let path = folder.file(name)
        #expect(rename(path + "-wal", folder.file("moved")) == 0)
        let reason = "\(name)-wal, with changes of this intent log, is not beside it"
        for isReadOnly in [true, false] {
            let left = AbandonedLogs(for: try url.location, isReadOnly: isReadOnly)
            #expect(left.count == 0)
            #expect(left.content.unreadable.map(\.reason) == [reason])
            left.remove()
        }
        #expect(throws: StorageError.self) { try AbandonedLog.named(path) }
        #expect(try folder.names == [name, "moved"])
        // Its other half alone is kept, too, and doctor names it.
        #expect(rename(folder.file("moved"), path + "-wal") == 0)
        #expect(rename(path, folder.file("moved")) == 0)
        AbandonedLogs(for: try url.location).remove()
        #expect(try ExaminedLog.all(for: url.location).map(\.path) == [path + "-wal"])
        #expect(rename(folder.file("moved"), path) == 0)
        #expect(AbandonedLogs(for: try url.location).count == 2)
    }

    @Test("a write-ahead log that was begun again is kept without its log, or beside an older one")
    func begunAgain() throws {
        let log = try url.location.newLog()
        let early = try folder.names.first { !$0.hasSuffix("-wal") }
        #expect(early == nil)
        try log.append(changes)
        let name = try #require(try folder.names.first { !$0.hasSuffix("-wal") })
        let older = Array(try folder.bytes(of: name))
        // A write-ahead log that is begun again has other salts: bytes 16 to 23 of its header.
        func salts() throws -> [UInt8] { try folder.bytes(of: name + "-wal")[16..<24].map { $0 } }
        let first = try salts()
        for _ in 0..<100 where try salts() == first { try log.append(changes) }
        try log.abandon(in: folder.path)
        let wal = Array(try folder.bytes(of: name + "-wal"))
        for main in [nil, [], older] as [[UInt8]?] {
            if let main {
                try folder.write(main, to: name)
                chmod(folder.file(name), 0o600)
            } else {
                #expect(unlink(folder.file(name)) == 0)
            }
            for isReadOnly in [true, false] {
                let left = AbandonedLogs(for: try url.location, isReadOnly: isReadOnly)
                #expect(left.count == 0)
                #expect(
                    main == nil
                        || left.content.unreadable.first?.reason.hasSuffix("is newer than it")
                            == true
                )
                left.remove()
            }
            #expect(try Array(folder.bytes(of: name + "-wal")) == wal)
            #expect(try ExaminedLog.all(for: url.location).count == 1)
        }
    }

    @Test(
        "one whose write-ahead log is damaged is not taken in, and stays",
        arguments: [0, 30, 32 + 20, 32 + 2_000])
    func damaged(place: Int) throws {
        let log = try url.location.newLog()
        for _ in 0..<4 { try log.append(changes) }
        try log.abandon(in: folder.path)
        let name = try #require(try folder.names.first { !$0.hasSuffix("-wal") })
        var bytes = Array(try folder.bytes(of: name + "-wal"))
        bytes[place] ^= 0x55
        try folder.write(bytes, to: name + "-wal")
        chmod(folder.file(name + "-wal"), 0o600)
        let names = try folder.names
        for isReadOnly in [true, false] {
            let left = AbandonedLogs(for: try url.location, isReadOnly: isReadOnly)
            #expect(left.count == 0)
            let reason = left.content.unreadable.first?.reason ?? ""
            let isOfOther = place == 0 && reason.contains("is not SQLite's")
            #expect(reason.hasSuffix("is damaged") || isOfOther, "\(reason)")
            left.remove()
        }
        #expect(try folder.names == names)
        // Behind a damaged header nothing can be read.
        if place > 0 {
            #expect(try AbandonedLog.named(folder.file(name), allowsMissingRecords: true) != nil)
        }
    }

    @Test("one that the loss of power has emptied is known by its write-ahead log")
    func emptied() throws {
        let name = try leave(killed: true)
        try folder.write([], to: name)
        let (names, before) = (try folder.names, try temporaries())
        let looked = AbandonedLogs(for: try url.location, isReadOnly: true)
        #expect(looked.content.batches == [changes])
        #expect(try folder.names == names)
        #expect(try temporaries().subtracting(before).isEmpty)
        #expect(try AbandonedLog.named(folder.file(name))?.count == 2)
        let left = AbandonedLogs(for: try url.location)
        #expect(left.content.batches == [changes])
        left.remove()
        #expect(try folder.names.isEmpty)
    }

    @Test("what has no such page is none, and is left alone")
    func foreign() throws {
        let name = try leave(killed: true)
        let wal = Array(try folder.bytes(of: name + "-wal"))
        var other = wal
        // The id of the first page.
        other.replaceSubrange(32 + 24 + 68..<32 + 24 + 72, with: [1, 2, 3, 4])
        for bytes in [[], Array(wal.prefix(31)), Array(wal.prefix(90)), other] {
            try folder.write([], to: name)
            try folder.write(bytes, to: name + "-wal")
            #expect(try AbandonedLog.named(folder.file(name)) == nil)
            #expect(try folder.bytes(of: name).isEmpty)
            #expect(try Array(folder.bytes(of: name + "-wal")) == bytes)
        }
    }
}
