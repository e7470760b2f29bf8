import Foundation
import SheafApp
import SheafTestSupport
import Swidux
import SwiduxTesting
import Testing

@testable import SheafStorage

/// The changes that an interrupted session left, on their way into the list of the next one.
@Suite("Recovery on the screen")
@MainActor
struct AbandonedLogsTests {
    private let folder: TemporaryFolder
    private let url: StoreURL
    private let clock = ManualClock()
    private let terminal = FakeTerminal()

    init() throws {
        folder = try TemporaryFolder()
        url = StoreURL(.sqlite, path: folder.file("list.sqlite"))
    }

    /// Edits, deletes, inserts and moves items, and does so with tags, over a list that another
    /// process has changed since.
    private func batches() -> [StorageChanges] {
        var first = StorageChanges(
            tags: [Fixtures.tag(3, "new")],
            items: [
                Fixtures.item(2, "renamed"),
                Fixtures.item(90, "inserted", rank: Fixtures.rank(4), tags: [Fixtures.tagID(3)]),
                Fixtures.item(6, rank: Fixtures.rank(200)),
            ],
            deletingItems: [1, 3, 4, 5].map(Fixtures.itemID), deletingTags: [Fixtures.tagID(1)])
        first.items[Fixtures.itemID(2)]?.before = Fixtures.item(2)
        let second = StorageChanges(
            items: [Fixtures.item(91, "at the end", rank: Fixtures.rank(300))],
            deletingItems: [Fixtures.itemID(8)])
        return [first, second]
    }

    private func leave(_ batches: [StorageChanges]) throws {
        let log = try url.location.newLog()
        try log.append(batches[0])
        try log.handOver()
        for batch in batches.dropFirst() { try log.append(batch) }
        log.close()
    }

    private func disk(readOnly: String? = nil) -> FakeStorage {
        var items = Fixtures.items(10)
        items[1].note = "theirs"
        for index in [5, 8] { items[index].tags = [Fixtures.tagID(1), Fixtures.tagID(2)] }
        return FakeStorage(
            tags: [Fixtures.tag(1, "going"), Fixtures.tag(2, "staying")], items: items,
            readOnlyReason: readOnly)
    }

    private func store(_ storage: any ListStorage) throws -> AppStore {
        AppStore(
            initialState: AppState(
                list: ListInfo(
                    name: "list", readOnlyReason: storage.readOnlyReason, loading: Loading())),
            environment: .fixture(
                sleep: { _ in throw CancellationError() }, storage: storage, terminal: terminal),
            options: PersistenceOptions(clock: clock),
            log: try url.location.newLog())
    }

    @Test("it is pending, shown and counted, then saved like any other edit")
    func pending() async throws {
        try leave(batches())
        let disk = disk()
        let store = try store(disk)
        await store.load()
        let items = store.state.items
        #expect(items[Fixtures.itemID(2)]?.name == "renamed")
        #expect(items[Fixtures.itemID(2)]?.note == "theirs")
        #expect(items[Fixtures.itemID(90)]?.tags == [Fixtures.tagID(3)])
        #expect(!items.contains(Fixtures.itemID(8)))
        #expect(items[Fixtures.itemID(9)]?.tags == [Fixtures.tagID(2)])
        #expect(store.state.saving.uncommitted == 11)
        #expect(store.state.ui.toast?.text.contains("Recovered 11 unsaved changes") == true)
        await store.flush()
        #expect(store.state.saving.phase == .saved)
        let stored = try await disk.allItems()
        for item in stored { #expect(store.state.items[item.id] == item) }
        #expect(stored.count == store.state.items.count)
        #expect(try await disk.allItems().allSatisfy { $0.id != Fixtures.itemID(8) })
    }

    @Test("this session's log has it before the old one goes")
    func takenOver() async throws {
        try leave(batches())
        let disk = disk()
        await disk.fail(with: StorageError(.full, at: "list", reason: "disk full"))
        let old = try folder.names
        let store = try store(disk)
        await store.load()
        await store.flush()
        #expect(store.state.saving.phase == .failing)
        #expect(store.state.saving.uncommitted == 11)
        let names = try folder.names
        #expect(Set(names).isDisjoint(with: old))
        #expect(names.count { !$0.hasSuffix("-wal") } == 1)
        // Its owner lives.
        #expect(AbandonedLogs(for: try url.location).count == 0)
        for name in names {
            let copy = name.hasSuffix("-wal") ? "copy-wal" : "copy"
            try folder.write(Array(try folder.bytes(of: name)), to: copy)
        }
        #expect(try AbandonedLog.named(folder.file("copy"))?.count == 11)
    }

    @Test("what is in the list already is no change, and the log goes")
    func committedAlready() async throws {
        let disk = FakeStorage(items: Fixtures.items(3))
        try leave([StorageChanges(items: [Fixtures.item(2)])])
        let store = try store(disk)
        await store.load()
        #expect(store.state.saving.phase == .saved)
        #expect(try folder.names.isEmpty)
    }

    @Test("undone and interrupted once more, it stays undone")
    func undoneSince() async throws {
        var changes = StorageChanges(items: [Fixtures.item(2, "renamed")])
        changes.items[Fixtures.itemID(2)]?.before = Fixtures.item(2)
        try leave([changes])
        let disk = FakeStorage(items: Fixtures.items(3))
        await disk.fail(with: StorageError(.full, at: "list", reason: "disk full"))
        var first: AppStore? = try store(disk)
        await first?.load()
        #expect(first?.state.items[Fixtures.itemID(2)]?.name == "renamed")
        first?.send(.items(.rename(Fixtures.itemID(2), newName: Fixtures.item(2).name)))
        first = nil
        await disk.fail(with: nil)
        let second = try store(disk)
        await second.load()
        #expect(second.state.items[Fixtures.itemID(2)]?.name == Fixtures.item(2).name)
        #expect(second.state.items[Fixtures.itemID(2)]?.note == "")
    }

    @Test("a list that can only be read shows it as unsaved, and its log stays")
    func readOnly() async throws {
        try leave(batches())
        let old = try folder.names
        let bytes = try old.map(folder.bytes(of:))
        var store: AppStore! = try store(disk(readOnly: "It is."))
        await store.load()
        #expect(
            store.state.ui.toast?.text
                == "Cannot save 11 changes of an interrupted session. It is.")
        #expect(store.state.items[Fixtures.itemID(2)]?.name == "renamed")
        #expect(store.state.saving.phase == .unsaved)
        #expect(store.state.saving.uncommitted == 11)
        store.send(.saving(.saveRequested))
        await store.settled()
        #expect(store.state.saving.phase == .unsaved)
        #expect(store.state.ui.toast?.text == "Cannot save: It is.")
        store.send(.leaving(.quitRequested))
        let exit = try #require(store.state.leaving.exit)
        #expect(exit.status == 0 && exit.message == nil && exit.unsavedChanges == .kept)
        store.finish(exit)
        store = nil
        let names = try folder.names.filter { !$0.hasSuffix("-wal") }
        #expect(names == old.filter { !$0.hasSuffix("-wal") })
        #expect(try old.map(folder.bytes(of:)) == bytes)
    }

    @Test("a screen that only looks lets a process that can write take it in")
    func lookedAt() async throws {
        try leave(batches())
        let log = try url.location.newLog()
        log.isSuspended = true
        #expect(await log.abandoned().batches == batches())
        log.adopt {}
        #expect(AbandonedLogs(for: try url.location).count == 11)
        log.close()
    }

    @Test("a signal ends the screen on a list that can only be read at once, too")
    func readOnlySignalled() async throws {
        try leave(batches())
        let store = try store(disk(readOnly: "It is."))
        await store.load()
        store.send(.leaving(.signalled(15)))
        #expect(store.state.leaving.exit?.status == 143)
        #expect(store.state.leaving.exit?.unsavedChanges == .kept)
    }

    @Test("a log that cannot be read is said so in a few words")
    func damaged() async throws {
        try leave(batches())
        let name = try #require(try folder.names.first)
        try folder.write(Array(repeating: 0xff, count: 8_192), to: name)
        let store = try store(disk())
        await store.load()
        #expect(
            store.state.ui.toast?.text
                == "Cannot recover changes: the intent log is damaged; see 'sheaf doctor'")
    }

    @Test("a log with what only a later version knows is named and left")
    func later() async throws {
        try leave([StorageChanges(views: [Fixtures.view(1)])])
        let name = try #require(try folder.names.first { !$0.hasSuffix("-wal") })
        let newer = IntentDatabase.version + 1
        try Shell.run("PRAGMA user_version = \(newer);", on: folder.file(name))
        let store = try store(disk())
        await store.load()
        #expect(store.state.views.isEmpty)
        #expect(
            store.state.ui.toast?.text.hasPrefix(
                "Cannot recover changes: a newer version of the program wrote this intent log")
                == true)
        #expect(try folder.names.contains(name))
    }

    @Test("what is said to be lost at the end is what this session did")
    func discarded() async throws {
        try leave([batches()[1]])
        let disk = disk()
        await disk.fail(with: StorageError(.full, at: "list", reason: "disk full"))
        let store = try store(disk)
        await store.load()
        store.send(.items(.rename(Fixtures.itemID(2), newName: "mine")))
        store.send(.leaving(.quitRequested))
        await store.settled()
        store.send(.leaving(.answered(.discard)))
        #expect(
            store.state.leaving.exit?.message
                == "2 unsaved changes of an interrupted session kept for the next start, all others"
                + " lost: disk full")
    }

    @Test("a list that becomes writable saves it without a restart, and its log goes")
    func becomesWritable() async throws {
        try leave(batches())
        let disk = disk(readOnly: "It is.")
        let store = try store(disk)
        await store.load()
        store.send(.items(.doneToggled))
        await store.settled()
        #expect(store.state.ui.toast?.text == "Read-only. It is.")
        await disk.allowWriting()
        store.send(.items(.doneToggled))
        await store.settled()
        #expect(store.state.list.readOnlyReason == nil)
        #expect(store.state.ui.toast?.text == "The list is now writable")
        await store.flush()
        #expect(store.state.saving.phase == .saved)
        #expect(try await disk.allItems().contains { $0.name == "renamed" })
        #expect(AbandonedLogs(for: try url.location).count == 0)
    }

    @Test("given up at the end, what another session left stays, and what this one did goes")
    func givenUp() async throws {
        try leave(batches())
        let log = try url.location.newLog()
        let abandoned = await log.abandoned()
        let own = StorageChanges(items: [Fixtures.item(95, "mine")])
        log.adopt { #expect(throws: Never.self) { try log.append(abandoned.batches[0]) } }
        try log.append(own)
        var uncommitted = abandoned.batches[0]
        uncommitted.items.upsert(own.items.upserts)
        log.close(givingUp: uncommitted)
        let again = AbandonedLogs(for: try url.location)
        #expect(again.content.batches == [abandoned.batches[0]])
    }

    @Test("kept at the end, it lies in the state folder where the list's takes nothing")
    func keptElsewhere() async throws {
        let state = folder.file("state")
        let missing = StoreURL(.sqlite, path: folder.file("missing/list.sqlite"))
        let location = try FileLocation(missing, environment: ["XDG_STATE_HOME": state])
        let log = try location.newLog()
        let changes = batches()[0]
        #expect(throws: StorageError.self) { try log.append(changes) }
        let path = try await log.keep(changes)
        log.close()
        #expect(path.hasPrefix("\(state)/sheaf/intents-"))
        #expect(try status(of: path).st_mode & 0o777 == 0o600)
        let abandoned = AbandonedLogs(for: location)
        #expect(abandoned.content.batches == [changes])
        #expect(AbandonedLogs(for: try url.location).count == 0)
        abandoned.remove()
        #expect(AbandonedLogs(for: location).count == 0)
    }

    @Test(
        "saved without a log that could be written, it goes, and no later start takes it in",
        arguments: [true, false])
    func savedWithoutLog(isToldAtTheEnd: Bool) async throws {
        let missing = StoreURL(.sqlite, path: folder.file("missing/list.sqlite"))
        let state = ["XDG_STATE_HOME": folder.file("state")]
        let location = try FileLocation(missing, environment: state)
        let changes = batches()[0]
        let first = try location.newLog()
        _ = try await first.keep(changes)
        first.close()
        let second = try location.newLog()
        let abandoned = await second.abandoned()
        #expect(abandoned.batches == [changes])
        second.adopt {
            #expect(throws: StorageError.self) { try second.append(abandoned.batches[0]) }
        }
        #expect(AbandonedLogs(for: location).count == 0, "its owner lives")
        if !isToldAtTheEnd { try second.replace(with: StorageChanges()) }
        second.close(givingUp: StorageChanges())
        #expect(AbandonedLogs(for: location).count == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("state/sheaf"))
        #expect(names.isEmpty)
    }

    @Test("a list that is locked at the start is opened by the call that finds it free")
    func lockedAtStart() async throws {
        let location = try url.location
        let first = try location.openStorage(.readWriteCreate)
        _ = try await first.commit(StorageChanges(items: [Fixtures.item(1)]))
        await first.close()
        let late = SQLiteStorage(later: location.store, mode: .readWrite)
        let lock = try SQLiteConnection.open(
            location.store.path, flags: 2, location: location.store.path)
        try lock.execute("BEGIN EXCLUSIVE")
        await #expect(throws: StorageError.self) { try await late.loadTags() }
        try lock.execute("COMMIT")
        lock.close()
        #expect(try await late.itemCount() == 1)
        await late.close()
    }
}
