import SheafTestSupport
import Testing

@testable import SheafCore

/// A tag that storage refuses, since another process made one of its name.
@Suite("A refused tag")
@MainActor
struct RefusedTagTests {
    private let theirs = Fixtures.tags(["home"])[0]
    private let mine: SheafCore.Tag
    private let item: Item
    private let storage: FakeStorage
    private let sleeps = Sleeps()

    init() {
        let (theirs, id) = (theirs, Fixtures.id(150))
        mine = SheafCore.Tag(id: id, name: "Home", color: .blue, rank: theirs.rank)
        var item = Fixtures.items(["one"])[0]
        item.tags = [id]
        self.item = item
        storage = FakeStorage(tags: [theirs])
    }

    /// A store that has the tag under `name`.
    private func store(name: String = "Home") -> AppStore {
        var state = AppState()
        var tag = mine
        tag.name = name
        state.tags = EntityStore([tag])
        state.items = EntityStore([item])
        state.settle()
        return AppStore(
            initialState: state,
            environment: .fixture(sleep: { [sleeps] _ in await sleeps.began() }, storage: storage))
    }

    private func refusing(_ ids: AnyID...) -> AppAction {
        var status = PersistenceStatus()
        status.refused = ids.map { PersistenceStatus.Refusal(id: $0, reason: "no") }
        return .saving(.statusChanged(status))
    }

    @Test("it is noticed although an item was refused before it")
    func afterItem() async {
        let store = store()
        store.send(refusing(AnyID(item.id)))
        store.send(refusing(AnyID(mine.id), AnyID(item.id)))
        await store.settled()
        #expect(store.state.tags.values == [theirs])
        #expect(store.state.items.first?.tags == [theirs.id])
    }

    @Test("an item that is refused with it is told")
    func withItem() async {
        let store = store()
        store.send(refusing(AnyID(mine.id), AnyID(item.id)))
        #expect(store.state.ui.toast?.text == "Storage refused a change: no")
    }

    @Test("it is not replaced if it has another name by then")
    func renamed() {
        let store = store(name: "house")
        store.send(.tags(.replaced(mine.id, by: theirs)))
        #expect(store.state.tags.values.map(\.name) == ["house"])
        #expect(store.state.items.first?.tags == [mine.id])
    }

    @Test("it is looked for again when storage could not be read")
    func unreadable() async {
        await storage.failReads(with: StorageError(.io, at: "list", reason: "I/O error"), count: 3)
        let store = store()
        store.send(refusing(AnyID(mine.id)))
        await store.settled()
        #expect(store.state.tags.values == [theirs])
        #expect(sleeps.count >= 3)
    }

    @Test("it is not looked for without end, and is told of then")
    func bounded() async {
        await storage.failReads(
            with: StorageError(.io, at: "list", reason: "I/O error"), count: .max)
        let store = store()
        var told: Set<String> = []
        let subscription = store.subscribe { state in
            if let toast = state.ui.toast { told.insert(toast.text) }
        }
        store.send(refusing(AnyID(mine.id)))
        await store.settled()
        subscription.cancel()
        #expect(store.state.tags.values == [mine])
        #expect(told == ["Storage refused a change: Another tag already has the name “Home”."])
    }

    @Test("it is not looked for once it is gone")
    func gone() async {
        await storage.failReads(
            with: StorageError(.io, at: "list", reason: "I/O error"), count: .max)
        let store = store()
        sleeps.onFirst = { store.send(.tags(.delete(self.mine.id))) }
        store.send(refusing(AnyID(mine.id)))
        await store.settled()
        #expect(store.state.tags.isEmpty)
        // One more is the toast's.
        #expect(sleeps.count <= 2)
    }
}

/// Counts how often an effect sleeps, and does something while the first does.
@MainActor
private final class Sleeps {
    private(set) var count = 0
    var onFirst: () -> Void = {}

    nonisolated init() {}

    func began() {
        count += 1
        if count == 1 { onFirst() }
    }
}
