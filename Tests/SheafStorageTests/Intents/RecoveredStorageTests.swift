import Foundation
import SheafCore
import SheafTestSupport
import Swidux
import SwiduxTesting
import Testing

@testable import SheafStorage

/// A list that cannot take yet what a run that ended suddenly left shows it all the same.
@Suite("The recovered storage")
@MainActor
struct RecoveredStorageTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func url(_ backend: StorageBackend) throws -> StoreURL {
        try StoreURL(folder.file(backend.fileName), home: nil)
    }

    /// Two batches that edit, delete, insert and move items, and do so with tags, over a list that
    /// somebody has changed since.
    private func batches() -> [StorageChanges] {
        var first = StorageChanges(
            tags: [Fixtures.tag(3, "new")],
            items: [
                Fixtures.item(2, "renamed"),
                Fixtures.item(90, "inserted", rank: Fixtures.rank(4), tags: [Fixtures.tagID(3)]),
                Fixtures.item(6, rank: Fixtures.rank(200)),
            ],
            deletingItems: [1, 3, 4, 5].map(Fixtures.itemID), deletingTags: [Fixtures.tagID(1)])
        first.items.bases[Fixtures.itemID(2)] = Fixtures.item(2)
        let second = StorageChanges(
            items: [Fixtures.item(91, "at the end", rank: Fixtures.rank(300))],
            deletingItems: [Fixtures.itemID(8)])
        return [first, second]
    }

    private func filled(_ url: StoreURL) async throws {
        let storage = try openStorage(url.place, mode: .readWriteCreate)
        var items = Fixtures.items(10)
        items[1].note = "theirs"
        for index in [5, 8] { items[index].tags = [Fixtures.tagID(1), Fixtures.tagID(2)] }
        _ = try await storage.commit(
            StorageChanges(
                tags: [Fixtures.tag(1, "going"), Fixtures.tag(2, "staying")], items: items))
        await storage.close()
    }

    private func leave(_ batches: [StorageChanges], beside url: StoreURL) throws {
        let log = try IntentLogFile(for: url.place)
        try log.append(batches[0])
        try log.handOver()
        for batch in batches.dropFirst() { try log.append(batch) }
        log.close(keepsRest: true)
    }

    @Test(
        "shows what a commit would have stored, whatever the size of a page",
        arguments: StorageBackend.all(with: .file))
    func sameAsCommitted(_ backend: StorageBackend) async throws {
        let url = try url(backend)
        try await filled(url)
        try leave(batches(), beside: url)
        let storage = try openStorage(url.place, mode: .readOnly)
        let recovered = try await RecoveredStorage(try IntentReplay(for: url.place), over: storage)
        var pages: [[Item]] = []
        for size in [1, 2, 3, 100] { pages.append(try await recovered.allItems(pageSize: size)) }
        var before: [[Item]] = []
        for size in [1, 3, 100] {
            var items: [Item] = []
            var cursor = ItemCursor(rank: Fixtures.rank(3_000), id: Fixtures.itemID(1))
            while let first = try await recovered.loadItems(before: cursor, limit: size).first {
                items = try await recovered.loadItems(before: cursor, limit: size) + items
                cursor = ItemCursor(after: first)
            }
            before.append(items)
        }
        let tags = try await recovered.loadTags()
        let count = try await recovered.itemCount()
        let range = Fixtures.itemID(0)...Fixtures.itemID(999)
        let ids = try await recovered.itemIDs(in: range, limit: 100)
        let firstID = try await recovered.itemIDs(in: range, limit: 1)
        let some = try await recovered.loadItems(ids: [1, 2, 9, 90].map(Fixtures.itemID))
        let last = try await recovered.lastItemRank()
        #expect(recovered.owesCommit)
        await storage.close()

        let writable = try openStorage(url.place, mode: .readWrite)
        for batch in batches() { _ = try await writable.commit(leftBehind: batch) }
        let items = try await writable.allItems()
        for page in pages + before { #expect(page == items) }
        #expect(try await writable.loadTags() == tags)
        #expect(count == items.count)
        #expect(ids == items.map(\.id).sorted())
        #expect(firstID == Array(ids.prefix(1)))
        #expect(Set(some) == Set(items.filter { [2, 9, 90].map(Fixtures.itemID).contains($0.id) }))
        #expect(last == items.last?.rank)
        #expect(items.contains { $0.name == "renamed" && $0.note == "theirs" })
        await writable.close()
    }

    @Test(
        "tells what of it the list will not take, as the commit does",
        arguments: StorageBackend.all(with: .file)
    )
    func refused(_ backend: StorageBackend) async throws {
        let url = try url(backend)
        try await filled(url)
        var first = StorageChanges(
            tags: [Fixtures.tag(2, "GOING"), Fixtures.tag(3, "Staying")])
        first.tags.bases[Fixtures.tagID(2)] = Fixtures.tag(2, "staying")
        let second = StorageChanges(
            items: [Fixtures.item(90, rank: Fixtures.rank(300), tags: [Fixtures.tagID(3)])])
        try leave([first, second], beside: url)
        let storage = try openStorage(url.place, mode: .readOnly)
        let replay = try IntentReplay(for: url.place)
        let recovered = try await RecoveredStorage(replay, over: storage)
        let items = try await recovered.allItems()
        let tags = try await recovered.loadTags()
        await storage.close()

        let writable = try openStorage(url.place, mode: .readWrite)
        #expect(try await replay.commit(to: writable).lost == recovered.refused)
        #expect(recovered.refused.map(\.name) == ["the tag “GOING”"])
        #expect(try await writable.allItems() == items)
        #expect(try await writable.loadTags() == tags)
        #expect(items.last?.tags == [Fixtures.tagID(2)])
        await writable.close()
    }

    @Test("a list that cannot be saved says so, and leaves without a question")
    func readOnly() async throws {
        let url = StoreURL(.sqlite, path: folder.file("list.sqlite"))
        try leave(batches(), beside: url)
        let disk = FakeStorage(items: Fixtures.items(10), readOnlyReason: "It is.")
        let recovered = try await RecoveredStorage(try IntentReplay(for: url.place), over: disk)
        let store = AppStore(
            initialState: AppState(
                list: ListInfo(name: "list", readOnlyReason: "It is.", loading: Loading())),
            environment: .fixture(sleep: { _ in throw CancellationError() }, storage: recovered))
        await store.load()
        #expect(store.state.saving.phase == .unsaved)
        store.send(.saving(.saveRequested))
        await store.settled()
        #expect(store.state.saving.phase == .unsaved)
        #expect(store.state.ui.toast?.text == "Not saved: It is.")
        store.send(.leaving(.quitRequested))
        await store.settled()
        #expect(store.state.leaving.exit?.status == 0)
    }

    private let full = StorageError(.full, at: "list", reason: "disk full")

    @Test("commits it before the first commit that succeeds, and the log goes")
    func commitsLater() async throws {
        let url = StoreURL(.sqlite, path: folder.file("list.sqlite"))
        try leave(batches(), beside: url)
        let disk = FakeStorage(items: Fixtures.items(10))
        await disk.fail(with: full)
        let recovered = try await RecoveredStorage(try IntentReplay(for: url.place), over: disk)
        let shown = try await recovered.allItems()
        #expect(recovered.owesCommit)
        await #expect(throws: full) { try await recovered.commit(StorageChanges()) }
        #expect(try await recovered.allItems() == shown)
        #expect(try await disk.allItems() == Fixtures.items(10))
        await disk.fail(with: nil)
        _ = try await recovered.commit(StorageChanges(items: [Fixtures.item(92, "mine")]))
        #expect(!recovered.owesCommit)
        #expect(try await disk.allItems().filter { $0.name != "mine" } == shown)
        #expect(try folder.names == [])
    }

    @Test("a program that starts with it tries until it is saved")
    func pipeline() async throws {
        let url = StoreURL(.sqlite, path: folder.file("list.sqlite"))
        try leave(batches(), beside: url)
        let disk = FakeStorage(items: Fixtures.items(10))
        await disk.fail(with: full)
        let recovered = try await RecoveredStorage(try IntentReplay(for: url.place), over: disk)
        let clock = ManualClock()
        let store = AppStore(
            initialState: AppState(
                list: ListInfo(name: "list", readOnlyReason: nil, loading: Loading())),
            environment: .live(storage: recovered, terminal: FakeTerminal()),
            options: PersistenceOptions(now: { clock.now }, timer: clock.makeTimer()))
        await store.load()
        await store.flush()
        #expect(store.state.saving.phase == .failing)
        #expect(store.state.items.contains { $0.name == "renamed" })
        await disk.fail(with: nil)
        clock.advance(by: .seconds(1))
        await store.flush()
        #expect(store.state.saving.phase == .saved)
        #expect(try await disk.allItems().contains { $0.name == "renamed" })
    }
}
