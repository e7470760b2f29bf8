import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// Painted changes survive a process that ends suddenly: the log, and its replay.
@Suite("The intent log")
@MainActor
struct IntentLogTests {
    private let folder: TemporaryFolder
    private let url: StoreURL

    init() throws {
        folder = try TemporaryFolder()
        url = StoreURL(.sqlite, path: folder.file("list.sqlite"))
    }

    @Test("every text comes back as it was appended")
    func roundTrip() throws {
        var changes = StorageChanges(
            tags: [Fixtures.tag(1, "one", color: .red)],
            items: Fixtures.nastyTexts.enumerated().map { index, text in
                var item = Fixtures.item(index + 1, text, tags: [Fixtures.tagID(1)])
                item.note = text
                item.extras = [.init(key: text, value: text), .init(key: text, value: "again")]
                item.doneAt = index.isMultiple(of: 2) ? Fixtures.now : nil
                return item
            })
        changes.items.delete([Fixtures.itemID(900)])
        changes.tags.delete([Fixtures.tagID(900)])
        changes.items[Fixtures.itemID(1)]?.before = Fixtures.item(1, "before")
        let log = try url.location.newLog()
        try log.append(changes)
        try log.abandon(in: folder.path)
        let replay = try AbandonedLogs(for: url.location)
        #expect(replay.content.batches == [changes])
        #expect(replay.content.unreadable.isEmpty)
    }

    @Test(
        "where the disk of the list is full it goes on in the state folder, and is found there",
        .enabled(if: TinyDisk.isPossible))
    func fullDisk() async throws {
        let disk = folder.file("disk")
        try await TinyDisk.during(disk) {
            let environment = ["HOME": folder.file("home")]
            let location = try FileLocation(
                StoreURL(.sqlite, path: disk + "/list.sqlite"), environment: environment)
            for isFirst in [true, false] {
                let log = try #require(IntentLogFile(for: location))
                var changes = StorageChanges(items: [Fixtures.item(1)])
                if !isFirst { try log.append(changes) }
                try TinyDisk.fill(disk + "/filler")
                changes.items.upsert((2...400).map { Fixtures.item($0) })
                #expect(throws: StorageError.self) { try log.append(changes) }
                try log.replace(with: changes)
                try log.append(StorageChanges(items: [Fixtures.item(401)]))
                unlink(disk + "/filler")
                try withExtendedLifetime(log) {
                    let names = try FileManager.default.subpathsOfDirectory(
                        atPath: folder.file("home"))
                    let logs = names.filter { $0.contains("intents-") && !$0.hasSuffix("-wal") }
                    #expect(logs.count == 1)
                    #expect(
                        try FileManager.default.contentsOfDirectory(atPath: disk).filter {
                            $0.contains("intents-")
                        } == [])
                }
                try log.abandon(in: folder.path)
                let left = AbandonedLogs(for: location)
                #expect(left.content.batches.flatMap(\.items.upserts).count == 401)
                left.remove()
            }
        }
    }

    @Test(
        "a log that is removed while it is open is made again with all that is not committed",
        arguments: [[""], ["-wal"], ["", "-wal"]])
    func removed(_ suffixes: [String]) async throws {
        func left() throws -> Int {
            let log = try AbandonedLogs(for: url.location)
            defer { log.remove() }
            return log.content.batches.flatMap(\.items.upserts).count
        }
        func remove() throws {
            for name in try folder.names where name.contains(".intents-") {
                if suffixes.contains(name.hasSuffix("-wal") ? "-wal" : "") {
                    unlink(folder.file(name))
                }
            }
        }
        let all = StorageChanges(items: [Fixtures.item(1), Fixtures.item(2)])
        let (first, second) = (
            StorageChanges(items: [Fixtures.item(1)]), StorageChanges(items: [Fixtures.item(2)])
        )
        let log = try url.location.newLog()
        try log.append(first)
        try remove()
        #expect(throws: StorageError.self) { try log.append(second) }
        try log.replace(with: all)
        try log.abandon(in: folder.path)
        #expect(try left() == 2)

        let kept = try url.location.newLog()
        try kept.append(first)
        try remove()
        let path = try await kept.keep(all)
        #expect(FileManager.default.fileExists(atPath: path))
        try kept.abandon(in: folder.path)
        #expect(try left() == 2)

        let handed = try url.location.newLog()
        try handed.append(all)
        try remove()
        #expect(throws: StorageError.self) { try handed.handOver() }
        handed.close()
    }

    @Test("of a command that takes several records a log that ends before the last holds none")
    func group() throws {
        for isCommitted in [false, true] {
            let log = try url.location.newLog()
            try log.append(StorageChanges(items: [Fixtures.item(1)]))
            try log.handOver()
            log.groupBegan()
            try log.append(StorageChanges(items: [Fixtures.item(2)]))
            if isCommitted { try log.committed() }
            try log.append(StorageChanges(items: [Fixtures.item(1, "again"), Fixtures.item(3)]))
            try log.abandon(in: folder.path)
            let left = try AbandonedLogs(for: url.location)
            #expect(
                left.content.batches
                    == (isCommitted ? [] : [StorageChanges(items: [Fixtures.item(1)])]))
            left.remove()
        }
    }

    @Test("it holds all of one that is complete, and what comes after it")
    func groups() throws {
        let log = try url.location.newLog()
        for number in [1, 3] {
            log.groupBegan()
            try log.append(StorageChanges(items: [Fixtures.item(number)]))
            try log.append(StorageChanges(items: [Fixtures.item(number + 1)]))
            try log.groupEnded()
        }
        log.groupBegan()
        try log.groupEnded()
        try log.append(StorageChanges(items: [Fixtures.item(5)]))
        try log.abandon(in: folder.path)
        #expect(
            try AbandonedLogs(for: url.location).content.batches
                == [StorageChanges(items: (1...5).map { Fixtures.item($0) })])
    }

    @Test("a log that has held much is left for a new one once all of it is committed")
    func large() throws {
        let location = try url.location
        let log = try location.newLog()
        var item = Fixtures.item(1)
        item.note = String(repeating: "long ", count: 1 << 20)
        try log.append(StorageChanges(items: [item]))
        let first = location.logs()
        try log.handOver()
        try log.append(StorageChanges(items: [Fixtures.item(2)]))
        try log.committed()
        #expect(location.logs() == first)
        try log.handOver()
        try log.committed()
        #expect(location.logs().count == 1 && location.logs() != first)
        #expect(!FileManager.default.fileExists(atPath: first[0] + "-wal"))
        try log.append(StorageChanges(items: [Fixtures.item(3)]))
        try log.abandon(in: folder.path)
        #expect(
            try AbandonedLogs(for: url.location).content.batches
                == [StorageChanges(items: [Fixtures.item(3)])])
    }

    @Test("what a list refuses of a log that was cut short stays in it")
    func refusedAfterCut() async throws {
        let log = try url.location.newLog()
        try log.append(StorageChanges(items: [Fixtures.item(1)]))
        log.groupBegan()
        try log.append(StorageChanges(items: [Fixtures.item(2)]))
        try log.abandon(in: folder.path)
        let storage = FakeStorage()
        await storage.answer { changes in
            CommitResult(
                refused: changes.items.upserts.map {
                    Refusal(id: $0.id, reason: "no")
                })
        }
        _ = try await AbandonedLogs(for: url.location).commit(to: storage)
        #expect(
            try AbandonedLogs(for: url.location).content.batches
                == [StorageChanges(items: [Fixtures.item(1)])])
    }

    @Test("later records of an entity replace earlier ones, and the first base stays")
    func coalescing() throws {
        let log = try url.location.newLog()
        var first = StorageChanges(items: [Fixtures.item(1, "one")])
        first.items[Fixtures.itemID(1)]?.before = Fixtures.item(1, "base")
        try log.append(first)
        try log.append(StorageChanges(items: [Fixtures.item(2), Fixtures.item(1, "two")]))
        var deletion = StorageChanges()
        deletion.items.delete([Fixtures.itemID(2)])
        try log.append(deletion)
        try log.abandon(in: folder.path)
        let replay = try AbandonedLogs(for: url.location)
        var expected = StorageChanges(items: [Fixtures.item(1, "two")])
        expected.items.delete([Fixtures.itemID(2)])
        expected.items[Fixtures.itemID(1)]?.before = Fixtures.item(1, "base")
        // The deletion is not for another process's item.
        expected.items[Fixtures.itemID(2)]?.before = Fixtures.item(2)
        #expect(replay.content.batches == [expected])
        #expect(replay.count == 2)
    }

    @Test("what was handed over is one batch, what came after another, what was committed none")
    func batches() throws {
        let log = try url.location.newLog()
        try log.append(StorageChanges(items: [Fixtures.item(1)]))
        try log.handOver()
        try log.committed()
        try log.append(StorageChanges(items: [Fixtures.item(2)]))
        try log.handOver()
        try log.append(StorageChanges(items: [Fixtures.item(3)]))
        try log.abandon(in: folder.path)
        let replay = try AbandonedLogs(for: url.location)
        #expect(
            replay.content.batches == [
                StorageChanges(items: [Fixtures.item(2)]),
                StorageChanges(items: [Fixtures.item(3)]),
            ])
    }

    @Test("what is left of a log that was being taken away goes, and a log in use stays")
    func orphans() throws {
        let log = try url.location.newLog()
        try log.append(StorageChanges(items: [Fixtures.item(1)]))
        let inUse = try folder.names
        let orphan = ".list.sqlite.intents-\(UUID().uuidString.lowercased())-wal"
        try folder.write([], to: orphan)
        try folder.write([], to: ".list.sqlite.intents-mine-wal")
        try AbandonedLogs(for: url.location).remove()
        #expect(try folder.names == (inUse + [".list.sqlite.intents-mine-wal"]).sorted())
        log.close(givingUp: StorageChanges())
    }

    @Test("what several runs left is played in the order of the runs")
    func severalRuns() async throws {
        let names = (0...8).map { "name \($0)" }
        for (old, new) in zip(names, names.dropFirst()) {
            var changes = StorageChanges(items: [Fixtures.item(1, new)])
            changes.items[Fixtures.itemID(1)]?.before = Fixtures.item(1, old)
            let log = try url.location.newLog()
            try log.append(changes)
            try log.abandon(in: folder.path)
            // A run takes longer than this; the names of logs have milliseconds.
            let end = Timestamp.now
            while Timestamp.now == end {}
        }
        let disk = try url.location.openStorage(.readWriteCreate)
        _ = try await disk.commit(StorageChanges(items: [Fixtures.item(1, names[0])]))
        _ = try await AbandonedLogs(for: url.location).commit(to: disk)
        let item = try #require(try await disk.allItems().first)
        #expect([item.name, item.note] == [names[8], ""])
        await disk.close()
    }

    @Test("the log stays small, however long the program runs")
    func size() throws {
        let log = try url.location.newLog()
        for number in 1...300 {
            try log.append(StorageChanges(items: [Fixtures.item(number)]))
            try log.handOver()
            try log.committed()
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.file("."))
        let sizes = try files.map { try status(of: folder.file($0)).st_size }
        #expect(sizes.reduce(0, +) <= 100_000, "\(files) \(sizes)")
        log.close(givingUp: StorageChanges())
    }

    @Test("what came after a batch begins with what the batch wrote")
    func laterBase() throws {
        let log = try url.location.newLog()
        var first = StorageChanges(items: [Fixtures.item(1, "first")])
        first.items[Fixtures.itemID(1)]?.before = Fixtures.item(1, "base")
        try log.append(first)
        try log.handOver()
        try log.append(StorageChanges(items: [Fixtures.item(1, "second")]))
        try log.abandon(in: folder.path)
        let bases = try AbandonedLogs(for: url.location).content.batches.map {
            $0.items[Fixtures.itemID(1)]?.before?.name
        }
        #expect(bases == ["base", "first"])
    }

    @Test("what could not be committed stays in the log, and goes with the commit that succeeds")
    func committedOnce() async throws {
        let log = try url.location.newLog()
        try log.append(StorageChanges(items: [Fixtures.item(1)]))
        try log.handOver()
        try log.append(StorageChanges(items: [Fixtures.item(2)]))
        try log.abandon(in: folder.path)
        let disk = FakeStorage()
        await disk.fail(with: StorageError(.full, at: "list", reason: "disk full"))
        try await #require(throws: StorageError.self) {
            try await AbandonedLogs(for: url.location).commit(to: disk)
        }
        #expect(try AbandonedLogs(for: url.location).count == 2)
        await disk.fail(with: nil)
        _ = try await AbandonedLogs(for: url.location).commit(to: disk)
        #expect(try await disk.allItems() == [Fixtures.item(1), Fixtures.item(2)])
        #expect(await disk.commits.count == 1)
        #expect(try AbandonedLogs(for: url.location).count == 0)
    }

    @Test("a log is replaced as a whole, and what is committed then leaves nothing")
    func replaced() throws {
        let log = try url.location.newLog()
        try log.append(StorageChanges(items: [Fixtures.item(1)]))
        try log.handOver()
        try log.append(StorageChanges(items: [Fixtures.item(2)]))
        let all = StorageChanges(items: [Fixtures.item(1), Fixtures.item(2, "two")])
        try log.replace(with: all)
        try log.committed()
        try log.abandon(in: folder.path)
        let replay = try AbandonedLogs(for: url.location)
        #expect(replay.content.batches == [all])
        replay.remove()
    }

    @Test("a log whose owner lives is left alone")
    func owner() throws {
        let log = try url.location.newLog()
        try log.append(StorageChanges(items: [Fixtures.item(1)]))
        let replay = try AbandonedLogs(for: url.location)
        #expect(replay.content.batches.isEmpty)
        #expect(replay.content.unreadable.isEmpty)
        try log.abandon(in: folder.path)
        #expect(try AbandonedLogs(for: url.location).count == 1)
    }

    @Test("two replays never take the same log")
    func exclusive() throws {
        let log = try url.location.newLog()
        try log.append(StorageChanges(items: [Fixtures.item(1)]))
        try log.abandon(in: folder.path)
        let first = try AbandonedLogs(for: url.location)
        #expect(first.count == 1)
        #expect(try AbandonedLogs(for: url.location).count == 0)
        first.remove()
        #expect(try AbandonedLogs(for: url.location).count == 0)
        #expect(try folder.names.isEmpty)
    }

    @Test("the log is private, and gone after a clean end")
    func privacy() throws {
        let log = try url.location.newLog()
        #expect(try folder.names.isEmpty)
        try log.append(StorageChanges(items: [Fixtures.item(1)]))
        let names = try folder.names
        #expect(!names.isEmpty)
        for name in names {
            #expect(try status(of: folder.file(name)).st_mode & 0o777 == 0o600)
        }
        log.close(givingUp: StorageChanges())
        #expect(try folder.names.isEmpty)
    }

    @Test("what is no log is reported, links and FIFOs are not opened, and all of it stays")
    func strangers() throws {
        let name = ".list.sqlite.intents-"
        try folder.write(Array("junk, and more than a header".utf8), to: name + UUID().uuidString)
        symlink("/dev/zero", folder.file(name + UUID().uuidString))
        mkfifo(folder.file(name + UUID().uuidString), 0o600)
        let names = try folder.names
        let replay = try AbandonedLogs(for: url.location)
        #expect(replay.content.batches.isEmpty)
        #expect(replay.content.unreadable.count == 1)
        replay.remove()
        #expect(try folder.names == names)
    }

    @Test("a log that cannot be made is an error, and goes on once it can")
    func refused() throws {
        let url = StoreURL(.sqlite, path: folder.file("missing/list.sqlite"))
        let log = try url.location.newLog()
        #expect(throws: StorageError.self) {
            try log.append(StorageChanges(items: [Fixtures.item(1)]))
        }
        mkdir(folder.file("missing"), 0o700)
        try log.append(StorageChanges(items: [Fixtures.item(2)]))
        try log.abandon(in: folder.path)
        let left = try AbandonedLogs(for: url.location).content.batches
        #expect(left == [StorageChanges(items: [Fixtures.item(2)])])
    }

    @Test("what a process that was killed leaves is known as a log, and taken in by name")
    func killed() throws {
        let log = try url.location.newLog()
        try log.append(StorageChanges(items: [Fixtures.item(1)]))
        let name = try #require(try folder.names.first { !$0.hasSuffix("-wal") })
        for suffix in ["", "-wal"] {
            try folder.write(Array(try folder.bytes(of: name + suffix)), to: "copy" + suffix)
        }
        log.close(givingUp: StorageChanges())
        let left = try #require(try AbandonedLog.named(folder.file("copy")))
        #expect(left.count == 1)
        #expect(left.list == url.description)
    }

    @Test("whoever only looks leaves what a killed process left byte for byte")
    func untouched() throws {
        let log = try url.location.newLog()
        try log.append(StorageChanges(items: [Fixtures.item(1)]))
        let names = try folder.names
        let bytes = try names.map(folder.bytes(of:))
        log.close(givingUp: StorageChanges())
        for (name, content) in zip(names, bytes) { try folder.write(Array(content), to: name) }
        #expect(try AbandonedLogs(for: url.location).count == 1)
        #expect(try names.map(folder.bytes(of:)) == bytes)
    }

    @Test("what is damaged is called a log, not a list")
    func damaged() throws {
        let log = try url.location.newLog()
        try log.append(StorageChanges(items: [Fixtures.item(1)]))
        log.close()
        let name = try #require(try folder.names.first)
        for start in [0, 200] {
            var bytes = Array(try folder.bytes(of: name))
            bytes.replaceSubrange(start..<8_000, with: Array(repeating: 0xff, count: 8_000 - start))
            try folder.write(Array(bytes), to: name)
            let error = try #require(try AbandonedLogs(for: url.location).content.unreadable.first)
            #expect(error.code == .corrupt)
            #expect(error.reason == "the intent log is damaged")
            #expect(error.advice == "Keep it: it may hold unsaved changes.")
            #expect(try Array(folder.bytes(of: name)) == bytes)
        }
    }

    @Test("a log cut off anywhere gives a beginning of what was appended")
    func tornTail() throws {
        let log = try url.location.newLog()
        // Few enough to be in the database's log alone, so that a cut removes nothing of the
        // database.
        for number in 1...5 { try log.append(StorageChanges(items: [Fixtures.item(number)])) }
        let name = try #require(try folder.names.first { !$0.hasSuffix("-wal") })
        let bytes = try [name, name + "-wal"].map { try folder.bytes(of: $0) }
        log.close(givingUp: StorageChanges())
        var most = 0
        let step = Torture.count(419, of: 97)
        for length in Array(stride(from: 0, to: bytes[1].count, by: step)) + [bytes[1].count] {
            try folder.write(Array(bytes[0]), to: name)
            try folder.write(Array(bytes[1].prefix(length)), to: name + "-wal")
            let replay = try AbandonedLogs(for: url.location)
            let items = replay.content.batches.flatMap(\.items.upserts)
            #expect(items == (0..<items.count).map { Fixtures.item($0 + 1) })
            most = max(most, items.count)
            replay.remove()
            let rest = try folder.names
            #expect(rest == [])
        }
        #expect(most == 5)
    }
}
