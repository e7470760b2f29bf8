import Foundation
import Glibc
import SheafList
import SheafTestSupport
import Synchronization
import Testing

@testable import SheafStorage

/// Files that take the place of a list and may be another one.
@Suite("A replaced SQLite file that may not be the list")
struct ReplacedByOtherTests: ReplacedSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "what is not this list is not written to; the old list is copied, and the copy named",
        arguments: [
            "another list", "a list with the same items", "an empty list", "a foreign database",
            "a newer list", "a cut list",
            "a text", "an empty file", "a folder", "a FIFO",
        ])
    func refused(_ kind: String) async throws {
        let storage = try await openWithItems()
        try await commitEdits(to: storage)
        let theirs = folder.file("theirs")
        try await make(kind, at: theirs)
        try FileManager.default.moveItem(atPath: path, toPath: folder.file("away"))
        try replace()
        let isFile = try status(of: path).st_mode & S_IFMT == S_IFREG
        let bytes = isFile ? try folder.bytes(of: "list.sqlite") : Data()
        let changes = StorageChanges(items: [Fixtures.item(5)])
        for attempt in 1...3 {
            let error = await storageError { try await storage.commit(changes) }
            #expect(error?.reason.contains("replaced") == true, "\(error as Any)")
            // A file that is still being written is no reason for a copy.
            #expect(error?.reason.contains("list.sqlite.replaced-1") == (attempt > 1))
            let fetched = await storageError { try await fetch(storage, known: items) }
            #expect(fetched?.code == error?.code)
        }
        if isFile { #expect(try folder.bytes(of: "list.sqlite") == bytes) }
        #expect(try folder.names == ["away", "list.sqlite", "list.sqlite.replaced-1"])
        let copy = try open("list.sqlite.replaced-1", mode: .readOnly)
        #expect(try await copy.allItems().map(\.name) == ["mine", "item 3", "item 4"])
        // Put back, the list is written to again.
        try FileManager.default.removeItem(atPath: path)
        try replace(by: "away")
        _ = try await storage.commit(changes)
        #expect(try await stored().map(\.name) == ["mine", "item 3", "item 4", "item 5"])
    }

    private func make(_ kind: String, at path: String) async throws {
        let name = (path as NSString).lastPathComponent
        switch kind {
        case "another list":
            let other = try open(name)
            _ = try await other.commit(StorageChanges(items: [Fixtures.item(50)]))
            await other.close()
        case "a list with the same items":
            let other = try open(name)
            _ = try await other.commit(StorageChanges(items: items))
            await other.close()
        case "an empty list": await (try open(name)).close()
        case "a foreign database": try Shell.run("CREATE TABLE t (a)", on: path)
        case "a newer list":
            try FileManager.default.copyItem(atPath: self.path, toPath: path)
            try Shell.run("PRAGMA user_version = 999", on: path)
        case "a cut list":
            try folder.bytes(of: "list.sqlite").prefix(5_000).write(
                to: URL(fileURLWithPath: path))
        case "a text": try folder.write(Array("Dear diary,\n".utf8), to: name)
        case "an empty file": try folder.write([], to: name)
        case "a folder": #expect(mkdir(path, 0o700) == 0)
        default: #expect(mkfifo(path, 0o600) == 0)
        }
    }

    @Test(
        "a list that was new or empty when it was opened is not taken for another",
        arguments: [0, 1], [true, false])
    func begun(added: Int, isRenamed: Bool) async throws {
        let storage = try open(mode: .readWriteBegin)
        if added > 0 {
            _ = try await storage.commit(StorageChanges(items: Fixtures.items(added)))
        }
        try FileManager.default.copyItem(atPath: path, toPath: folder.file("away"))
        let theirs = try open("theirs")
        _ = try await theirs.commit(StorageChanges(items: [Fixtures.item(50)]))
        await theirs.close()
        if isRenamed { try replace() } else { try overwrite(with: "theirs") }
        let changes = StorageChanges(items: [Fixtures.item(5)])
        for _ in 0..<2 {
            let error = await storageError { try await storage.commit(changes) }
            #expect(error?.code == .foreign)
            let fetched = await storageError { try await fetch(storage, known: items) }
            #expect(fetched?.code == .foreign)
        }
        #expect(try await stored().map(\.name) == ["item 50"])
        try replace(by: "away")
        _ = try await storage.commit(changes)
        #expect(try await stored().map(\.name) == (added > 0 ? ["item 1"] : []) + ["item 5"])
    }

    @Test(
        "a file that cannot be written to is taken once it can be",
        .enabled(if: Immutable.isPossible))
    func readOnlyFile() async throws {
        let storage = try await openWithItems()
        try await change { _ in }
        try await commitEdits(to: storage)
        try replace()
        try await Immutable.during(path) {
            let error = await storageError { try await storage.commit(StorageChanges()) }
            #expect(error?.code == .readOnly)
        }
        _ = try await storage.commit(StorageChanges())
        #expect(try await stored().map(\.name) == ["mine", "item 3", "item 4"])
    }

    @Test("each file that is refused gets a copy of the list as it is then")
    func again() async throws {
        let storage = try await openWithItems()
        for number in 1...2 {
            _ = try await storage.commit(StorageChanges(items: [Fixtures.item(10 + number)]))
            let foreign = try open("foreign")
            _ = try await foreign.commit(StorageChanges(items: [Fixtures.item(50)]))
            await foreign.close()
            #expect(rename(path, folder.file("aside")) == 0)
            try replace(by: "foreign")
            for _ in 0..<2 {
                _ = await storageError { try await storage.commit(StorageChanges()) }
                _ = await storageError { try await storage.externalChanges { StorageChanges() } }
            }
            let copy = try open("list.sqlite.replaced-\(number)", mode: .readOnly)
            #expect(try await copy.allItems().contains { $0.id == Fixtures.itemID(10 + number) })
            await copy.close()
            #expect(rename(folder.file("aside"), path) == 0)
        }
    }

    @Test("commits that the file has are not made again after many deletions")
    func manyDeletions() async throws {
        let storage = try await openWithItems()
        let watch = storage.watch {}
        _ = try await storage.commit(edit(items[0]) { $0 = renamed($0, "mine") })
        let many = (0...CommitLedger.tombstoneLimit).map { Fixtures.item(1_000 + $0) }
        try await change { other in
            let mine = renamed(items[0], "mine")
            _ = try await other.commit(edit(mine) { $0 = renamed($0, "theirs") })
            _ = try await other.commit(StorageChanges(items: many))
            _ = try await other.commit(StorageChanges(deletingItems: many.map(\.id)))
        }
        try replace()
        _ = try await fetch(storage, known: items)
        let first = try #require(try await stored().first)
        #expect((first.name, first.note) == ("theirs", items[0].note))
        withExtendedLifetime(watch) {}
    }

    @Test(
        "a list whose path leads nowhere is copied after a while, and goes on once it is back",
        arguments: ["nothing", "a dangling link", "a circle of links"])
    func leadsNowhere(_ kind: String) async throws {
        let storage = try await openWithItems()
        _ = try await storage.commit(edit(items[0]) { $0 = renamed($0, "mine") })
        #expect(link(path, folder.file("away")) == 0)
        try FileManager.default.removeItem(atPath: path)
        if kind != "nothing" {
            let target = kind == "a dangling link" ? folder.file("missing/list") : path
            #expect(symlink(target, path) == 0)
        }
        let changes = StorageChanges(items: [Fixtures.item(5)])
        let first = await storageError { try await storage.commit(changes) }
        #expect(first != nil && first?.reason.contains("replaced-1") == false)
        try await Task.sleep(for: RefusedReplacement.timeout * 1.2)
        let error = await storageError { try await storage.commit(changes) }
        #expect(error?.reason.contains("list.sqlite.replaced-1") == true, "\(error as Any)")
        #expect(error?.reason.contains("levels of") == false)
        let copy = try open("list.sqlite.replaced-1", mode: .readOnly)
        #expect(try await copy.allItems().map(\.name) == ["mine", "item 2", "item 3"])
        try replace(by: "away")
        _ = try await storage.commit(changes)
        #expect(try await stored().map(\.name) == ["mine", "item 2", "item 3", "item 5"])
    }

    // MARK: A file that is overwritten

    /// As `cp` does: the file stays the same.
    private func overwrite(with name: String) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: folder.bytes(of: name))
        try file.close()
    }

    @Test("another list that was written into the file is neither shown nor written to")
    func overwrittenByOther() async throws {
        let storage = try await openWithItems()
        try FileManager.default.copyItem(atPath: path, toPath: folder.file("before"))
        let other = try open("other")
        _ = try await other.commit(StorageChanges(items: [Fixtures.item(50)]))
        await other.close()
        try overwrite(with: "other")
        let changes = StorageChanges(items: [Fixtures.item(5)])
        for _ in 0..<2 {
            let error = await storageError { try await storage.commit(changes) }
            #expect(error?.code == .foreign)
            let fetched = await storageError { try await fetch(storage, known: items) }
            #expect(fetched?.code == .foreign)
        }
        #expect(try folder.bytes(of: "list.sqlite") == folder.bytes(of: "other"))
        try overwrite(with: "before")
        _ = try await storage.commit(changes)
        #expect(try await stored().map(\.name) == ["item 1", "item 2", "item 3", "item 5"])
    }

    @Test("commits are made again in an older version that was written into the file")
    func overwrittenByOlder() async throws {
        let storage = try await openWithItems()
        let watch = storage.watch {}
        _ = try await storage.commit(edit(items[0]) { $0 = renamed($0, "mine") })
        try FileManager.default.copyItem(atPath: path, toPath: folder.file("before"))
        _ = try await storage.commit(edit(items[1]) { $0 = renamed($0, "lost") })
        let another = try open(mode: .readWrite)
        _ = try await another.commit(StorageChanges(items: [Fixtures.item(6)]))
        await another.close()
        _ = try await fetch(storage, known: items)
        try overwrite(with: "before")
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(5)]))
        #expect(try await stored().map(\.name) == ["mine", "lost", "item 3", "item 5"])
        withExtendedLifetime(watch) {}
    }

    @Test(
        "another list or damage in the file: the rows on the screen are copied, and the copy named",
        arguments: ["another list", "an empty file", "a text", "a cut list"])
    func copied(_ kind: String) async throws {
        let storage = try await openWithItems()
        let watch = storage.watch {}
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(4, "mine")]))
        let rows = items + [Fixtures.item(4, "mine")]
        try FileManager.default.copyItem(atPath: path, toPath: folder.file("before"))
        switch kind {
        case "another list":
            let other = try open("other")
            _ = try await other.commit(StorageChanges(items: [Fixtures.item(50)]))
            await other.close()
        case "an empty file": try folder.write([], to: "other")
        case "a text": try folder.write(Array("junk\n".utf8), to: "other")
        default:
            try folder.write(Array(folder.bytes(of: "list.sqlite").dropLast(5_000)), to: "other")
        }
        try overwrite(with: "other")
        for attempt in 1...3 {
            // The pipeline fetches once, and then tries to commit again.
            let error = await storageError {
                if attempt == 1 {
                    _ = try await fetch(storage, known: rows)
                } else {
                    _ = try await storage.commit(StorageChanges(items: [Fixtures.item(9)]))
                }
            }
            #expect(
                error?.reason.contains("(old list: list.sqlite.replaced-1)") == (attempt > 1),
                "\(error as Any)")
        }
        let copy = try open("list.sqlite.replaced-1", mode: .readOnly)
        #expect(try await copy.allItems().map(\.name) == ["item 1", "item 2", "item 3", "mine"])
        #expect(try folder.bytes(of: "list.sqlite") == folder.bytes(of: "other"))
        try overwrite(with: "before")
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(5)]))
        #expect(try await stored().count == 5)
        withExtendedLifetime(watch) {}
    }

    /// The edits of another process and of the version that is written into the file.
    private static let versions: [(theirs: StorageChanges, other: StorageChanges)] = {
        let items = Fixtures.items(3)
        func renamed(_ index: Int, _ name: String, at time: Int64) -> StorageChanges {
            var item = items[index]
            item.name = name
            item.updatedAt = Timestamp(milliseconds: item.updatedAt.milliseconds + time)
            return StorageChanges(items: [item])
        }
        let deletion = StorageChanges(deletingItems: [items[2].id])
        return [
            (renamed(2, "theirs", at: 9), renamed(1, "other", at: 5)),
            (renamed(2, "theirs", at: 9), renamed(2, "other", at: 5)),
            (StorageChanges(items: [Fixtures.item(7, "theirs")]), renamed(1, "other", at: 5)),
            (deletion, renamed(2, "other", at: 5)),
            (renamed(2, "theirs", at: 9), deletion),
        ]
    }()

    @Test(
        "a version with other commits that was written into the file is read as a whole",
        arguments: 0..<5, [0, 1, 2])
    func overwrittenByVersion(_ number: Int, more: Int) async throws {
        let (theirs, other) = Self.versions[number]
        let storage = try await openWithItems()
        let isReported = Mutex(false)
        let watch = storage.watch { isReported.withLock { $0 = true } }
        _ = try await fetch(storage, known: items)
        try FileManager.default.copyItem(atPath: path, toPath: folder.file("version"))
        let version = try open("version", mode: .readWrite)
        _ = try await version.commit(other)
        for index in 0..<more {
            _ = try await version.commit(StorageChanges(items: [Fixtures.item(8 + index)]))
        }
        await version.close()
        let another = try open(mode: .readWrite)
        _ = try await another.commit(theirs)
        await another.close()
        let known = try await stored()
        _ = try await fetch(storage, known: items)
        isReported.withLock { $0 = false }
        try overwrite(with: "version")
        while !isReported.withLock(\.self) { try await Task.sleep(for: .milliseconds(5)) }
        let fetched = try await fetch(storage, known: known)
        let read = known.filter { !fetched.items.deletions.contains($0.id) }
            .map { item in fetched.items.upserts.first { $0.id == item.id } ?? item }
        let added = fetched.items.upserts.filter { new in !read.contains { $0.id == new.id } }
        #expect(Set((read + added).map(\.name)) == Set(try await stored().map(\.name)))
        let isCopied = try folder.names.contains("list.sqlite.replaced-1")
        #expect(isCopied == (number < 3))
        withExtendedLifetime(watch) {}
    }

    @Test("a list of which others delete all, or nearly all, is still the list", arguments: [0, 1])
    func deleted(remaining: Int) async throws {
        let maker = try open()
        let many = (1...CommitLedger.tombstoneLimit + 100).map { Fixtures.item($0) }
        _ = try await maker.commit(StorageChanges(items: many))
        let storage = try open()
        let kept = many[5_000..<5_000 + remaining]
        let gone = many[..<5_000] + many[(5_000 + remaining)...]
        _ = try await maker.commit(StorageChanges(deletingItems: gone.map(\.id)))
        #expect(try await storage.externalChanges { StorageChanges() }.isComplete)
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(20_000, "mine")]))
        _ = try await maker.commit(StorageChanges(items: [Fixtures.item(20_001, "theirs")]))
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(20_002, "mine too")]))
        #expect(try await stored().count == kept.count + 3)
    }

    @Test("a folder that was moved is not made again")
    func movedFolder() async throws {
        let storage = try await openWithItems()
        let folder = (path as NSString).deletingLastPathComponent
        #expect(rename(folder, folder + "-moved") == 0)
        defer { _ = rename(folder + "-moved", folder) }
        let changes = StorageChanges(items: [Fixtures.item(5)])
        #expect(await storageError { try await storage.commit(changes) } != nil)
        try await Task.sleep(for: RefusedReplacement.timeout * 1.2)
        #expect(await storageError { try await storage.commit(changes) } != nil)
        #expect(access(folder, F_OK) != 0)
    }
}
