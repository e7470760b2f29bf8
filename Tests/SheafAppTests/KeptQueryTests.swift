import SheafTestSupport
import Synchronization
import Testing

@testable import SheafApp

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
        environment.rememberViewSoon = { view in views.kept.withLock { $0.append(view) } }
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

    @Test("a query that is kept before the first tags are here leaves the earlier ones")
    func keptEarly() {
        var former = RememberedView(AppState())
        former.queries = ["pear", "plum"]
        let environment = AppEnvironment.fixture()
        var state = AppState(list: ListInfo(loading: Loading()), view: former)
        #expect(RememberedView(state).queries == ["pear", "plum"])
        for action: AppAction in [
            .filter(.opened), .line(.edited(.insert("one"))), .filter(.accepted),
        ] {
            _ = AppReducer().reduce(state: &state, action: action, environment: environment)
        }
        #expect(RememberedView(state).queries == ["one", "pear", "plum"])
        state.restoreView(environment)
        #expect(state.ui.queries == ["one", "pear", "plum"])
    }
}
