import SheafTestSupport
import Testing

@testable import SheafApp

/// The answers to questions.
@Suite("Confirmation")
@MainActor
struct ConfirmationTests {
    @Test("what yes does is one action: its message goes after one wait")
    func settlesOnce() async {
        let storage = FakeStorage()
        let tag = Fixtures.tags(["home"])[0]
        var item = Fixtures.items(["one"])[0]
        item.tags = [tag.id]
        var state = AppState()
        state.tags = EntityStore([tag])
        state.items = EntityStore([item])
        state.ui.viewSettings.tagChoice = .tag(tag.id)
        _ = state.settle(.fixture())
        let slept = Slept()
        let store = AppStore(
            initialState: state,
            environment: .fixture(sleep: { _ in await slept.began() }, storage: storage))
        store.send(.tags(.deleteRequested))
        store.send(.confirmation(.accepted))
        await store.settled()
        #expect(store.state.tags.isEmpty)
        #expect(slept.count == 1)
    }

    @Test("yes keeps items that another process has changed since the question, and says so")
    func changedElsewhere() async {
        var items = Fixtures.items(["one", "two", "three"])
        var state = AppState()
        state.items = EntityStore(items)
        _ = state.settle(.fixture())
        let store = AppStore(
            initialState: state,
            environment: .fixture(sleep: { _ in throw CancellationError() }))
        store.send(.marks(.allMarked))
        store.send(.items(.delete))
        items[1].note = "theirs"
        // A new place alone is no reason to keep an item.
        items[2].rank = Fixtures.rank(99)
        store.send(.saving(.arrived(Arrival(StorageChanges(items: [items[1], items[2]])))))
        #expect(store.state.question == "Delete 2 items, but not 1 changed by another process?")
        store.send(.confirmation(.accepted))
        #expect(store.state.items.values == [items[1]])
        store.send(.history(.undoRequested))
        #expect(store.state.items.count == 3)
        store.send(.marks(.allMarked))
        store.send(.items(.delete))
        for index in items.indices { items[index].note = "later" }
        store.send(.saving(.arrived(Arrival(StorageChanges(items: items)))))
        #expect(store.state.ui.mode.isNormal)
        #expect(store.state.ui.toast?.text == "The items were changed, and were kept")
    }
}

extension AppState {
    fileprivate var question: String? {
        if case .confirmation(let asked) = ui.mode { asked.question } else { nil }
    }
}

/// Counts how often an effect sleeps.
@MainActor
private final class Slept {
    private(set) var count = 0

    nonisolated init() {}

    func began() { count += 1 }
}
