import SheafTestSupport
import Testing

@testable import SheafApp

/// What a question does with its answer.
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
        state.ui.shown.tagChoice = .tag(tag.id)
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
}

/// Counts how often an effect sleeps.
@MainActor
private final class Slept {
    private(set) var count = 0

    nonisolated init() {}

    func began() { count += 1 }
}
