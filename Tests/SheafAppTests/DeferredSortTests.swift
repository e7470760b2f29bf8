import SheafTestSupport
import Testing

@testable import SheafApp

/// When a list that is loading is sorted.
@Suite("Deferred sort")
struct DeferredSortTests {
    @Test(
        "a long list is sorted once all of it is here, a short one at once", arguments: [3, 5_000])
    func waitsForAll(total: Int) async {
        var state = AppState(list: ListInfo(name: "list", loading: Loading()))
        state.ui.viewSettings.sort = .name
        let environment = await AppEnvironment.fixture()
        let names = { (state: AppState) in state.rows.ids.compactMap { state.items[$0]?.name } }
        let items = Fixtures.items(["c", "a", "b"])
        for action: AppAction in [
            .session(.tagsAndViewsLoaded(StorageChanges(), itemCount: total, lastRank: nil)),
            .session(.itemsLoaded(items)),
        ] { _ = AppReducer().reduce(state: &state, action: action, environment: environment) }
        #expect(names(state) == (total == 3 ? ["a", "b", "c"] : ["c", "a", "b"]))
        _ = AppReducer().reduce(
            state: &state, action: .session(.loadEnded(advice: nil)), environment: environment)
        #expect(names(state) == ["a", "b", "c"])
    }
}
