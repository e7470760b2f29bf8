import SheafTestSupport
import Testing

@testable import SheafApp
@testable import SheafList

/// A tag that storage refuses, since another process made one of its name.
@Suite("A refused tag")
@MainActor
struct RefusedTagTests {
    private let theirs = Fixtures.tags(["home"])[0]
    private let mine: SheafList.Tag
    private let item: Item
    private let storage = FakeStorage()

    init() {
        let (theirs, id) = (theirs, Fixtures.id(150))
        mine = SheafList.Tag(id: id, name: "Home", color: .blue, rank: theirs.rank)
        var item = Fixtures.items(["one"])[0]
        item.tags = [id]
        self.item = item
    }

    /// A store that has just been given the tag, on its item.
    private func store() async -> AppStore {
        let store = AppStore(
            initialState: AppState(), environment: .fixture(storage: storage))
        await store.load()
        return store
    }

    /// The answer of a commit that refuses the tag in favor of theirs.
    private var substituted: CommitResult {
        var stored = StorageChanges()
        stored.tags.upsert([theirs])
        stored.items.upsert([item.replacingTags([mine.id: theirs.id])])
        return CommitResult(
            refused: [.init(id: mine.id, reason: "taken")], stored: stored,
            substitutes: [AnyID(mine.id): AnyID(theirs.id)])
    }

    private func state(tagNamed name: String = "Home", _ items: [Item]) -> AppState {
        var state = AppState()
        var tag = mine
        tag.name = name
        state.tags = EntityStore([tag])
        state.items = EntityStore(items)
        _ = state.settle(.fixture())
        return state
    }

    private func reduce(_ state: inout AppState, _ action: SavingAction) {
        _ = AppReducer().reduce(
            state: &state, action: .saving(action), environment: .fixture(storage: storage))
    }

    private var arrival: Arrival<StorageChanges> {
        Arrival(substituted.stored ?? StorageChanges(), substitutes: substituted.substitutes)
    }

    @Test("theirs takes its place on all items, those that were not committed with it included")
    func replaced() {
        var later = Fixtures.items(["one", "two"])[1]
        later.tags = [mine.id]
        var state = state([item, later])
        reduce(&state, .arrived(arrival))
        #expect(state.tags.values == [theirs])
        #expect(state.items.values.map(\.tags) == [[theirs.id], [theirs.id]])
        #expect(
            state.ui.toast?.text == "Tag also created by another process, now one tag: “home”")
        // Reports of storage are no changes, and edits that it does not know yet are.
        #expect(state.items.changes.upserts == [later.id])
    }

    @Test("it is not replaced if it has another name by then")
    func renamed() {
        var state = state(tagNamed: "house", [item])
        var arrival = arrival
        arrival.changes.items = EntityChanges()
        reduce(&state, .arrived(arrival))
        #expect(state.tags.values.map(\.name) == ["home", "house"])
        #expect(state.items.first?.tags == [mine.id])
    }

    @Test("nothing is read for it, nothing stays unsaved, and no refusal is shown")
    func throughThePipeline() async {
        let store = await store()
        var told: Set<String> = []
        var phases: Set<PersistenceStatus.Phase> = []
        let subscription = store.subscribe { state in
            if let toast = state.ui.toast { told.insert(toast.text) }
            phases.insert(state.saving.phase)
        }
        await storage.failReads(
            with: StorageError(.io, at: "list", reason: "I/O error"), count: .max)
        store.send(.items(.addAtEndRequested))
        store.send(.line(.edited(.insert("one"))))
        store.send(.line(.accepted))
        await store.flush()
        let id = store.state.items.first?.id
        let tagged = store.state.tags.count
        #expect(tagged == 0)
        await storage.answer { [theirs] changes in
            guard let mine = changes.tags.upserts.first else { return CommitResult() }
            var stored = StorageChanges()
            stored.tags.upsert([theirs])
            stored.items.upsert(
                changes.items.upserts.map { $0.replacingTags([mine.id: theirs.id]) })
            return CommitResult(
                refused: [.init(id: mine.id, reason: "taken")], stored: stored,
                substitutes: [AnyID(mine.id): AnyID(theirs.id)])
        }
        store.send(.tagPicker(.opened))
        store.send(.line(.edited(.insert("Home"))))
        store.send(.tagPicker(.chosen))
        #expect(store.state.tags.values.map(\.name) == ["Home"])
        await store.flush()
        #expect(store.state.tags.values == [theirs])
        #expect(id.flatMap { store.state.items[$0] }?.tags == [theirs.id])
        await store.flush()
        subscription.cancel()
        #expect(store.state.saving.phase == .saved)
        #expect(!phases.contains(.failing))
        #expect(!told.contains { $0.contains("refused") })
    }

    @Test("a refusal that nothing stands in for is told")
    func refused() {
        var state = state([item])
        var status = PersistenceStatus()
        status.refused = [.init(id: mine.id, reason: "no")]
        reduce(&state, .statusChanged(status))
        #expect(state.ui.toast?.text == "Cannot save “Home”: no")
        state.ui.toast = nil
        status.refused.append(.init(id: item.id, reason: "nor this"))
        reduce(&state, .statusChanged(status))
        #expect(state.ui.toast?.text == "Cannot save “one”: nor this")
        #expect(state.tags.values == [mine])
    }
}
