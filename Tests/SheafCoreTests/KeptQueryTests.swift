import SheafTestSupport
import Synchronization
import Testing

@testable import SheafCore

/// When earlier queries are kept for the next start.
@Suite("Kept queries") @MainActor
struct KeptQueryTests {
    private final class Views: Sendable {
        let kept = Mutex<[RememberedView]>([])
    }

    @Test("a query is kept for the next start with Enter, and once")
    func keptWithEnter() async {
        let views = Views()
        var environment = AppEnvironment.fixture(
            storage: FakeStorage(items: Fixtures.items(["one", "two"])))
        environment.rememberSoon = { view in views.kept.withLock { $0.append(view) } }
        let store = AppStore(
            initialState: AppState(list: ListInfo(loading: Loading())), environment: environment)
        await store.load()
        for text in ["one", "is:x", "two", "two"] {
            store.send(.filter(.opened))
            store.send(.line(.edited(.unixLineDiscard)))
            store.send(.line(.edited(.insert(text))))
            store.send(.filter(.accepted))
        }
        await store.settled()
        #expect(views.kept.withLock { $0 }.map(\.queries) == [["one"], ["two", "one"]])
    }
}
