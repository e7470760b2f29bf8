import SheafTestSupport
import Swidux
import Testing

@testable import SheafApp
@testable import SheafList

@Suite("The limit of undo")
@MainActor
struct UndoLimitTests {
    private func store(limit: Int) -> Store<AppState, AppAction, AppEnvironment> {
        var state = AppState()
        state.items = EntityStore(Fixtures.items(["one"]))
        return Store(
            initialState: state, reducer: AppReducer(),
            // Toasts stay, so that they can be read.
            environment: .fixture(sleep: { _ in throw CancellationError() }),
            undo: UndoHistory(
                tracks: [UndoTrack(\.items)], limit: limit, classify: AppAction.undoRole,
                report: { .history(.applied($0)) }))
    }

    @Test("undo that has reached steps which were dropped says so")
    func dropped() async {
        let store = store(limit: 1)
        let id = Fixtures.id(1)
        let said = "Earlier steps were dropped: undo keeps 64 MB"
        for name in ["two", "three"] { store.send(.items(.rename(id, newName: name))) }
        for text in ["Undid: rename", said, said] {
            store.send(.history(.undoRequested))
            #expect(store.state.ui.toast?.text == text)
        }
        store.send(.history(.redoRequested))
        store.send(.history(.redoRequested))
        #expect(store.state.ui.toast?.text == "Nothing to redo")
        store.send(.keys(.counted(9)))
        store.send(.history(.undoRequested))
        await store.settled()
        #expect(store.state.items[id]?.name == "two")
        #expect(store.state.ui.toast?.text == "Undid: rename; earlier ones were dropped")
    }

    @Test("undo that has dropped nothing has nothing more to undo")
    func complete() {
        let store = store(limit: .max)
        for name in ["two", "three"] {
            store.send(.items(.rename(Fixtures.id(1), newName: name)))
        }
        for text in ["Undid: rename", "Undid: rename", "Nothing to undo"] {
            store.send(.history(.undoRequested))
            #expect(store.state.ui.toast?.text == text)
        }
    }
}
