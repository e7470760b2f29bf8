import SheafTestSupport
import Testing

@testable import SheafApp

/// The inspector as plain functions of the state.
@MainActor
@Suite("The inspector")
struct InspectorTests {
    private func state(_ size: Size = Size(columns: 120, rows: 40)) -> AppState {
        var state = AppState(size: size)
        state.items = EntityStore(Fixtures.items(["a", "b", "c"]))
        _ = state.settle(.fixture())
        return state
    }

    private func send(_ action: AppAction, to state: inout AppState) {
        _ = AppReducer().reduce(state: &state, action: action, environment: .fixture())
    }

    @Test("it opens and closes, stays with Esc, and is remembered")
    func toggled() {
        var state = state()
        #expect(Layout(state).inspector == nil)
        send(.inspector(.toggled), to: &state)
        send(.browse(.escaped), to: &state)
        #expect(Layout(state).inspector != nil)
        #expect(state.ui.pane == .items && state.ui.toast == nil)
        let next = AppState(size: state.ui.size, view: RememberedView(state))
        #expect(next.ui.inspector.isShown)
        // Before the list is here, too.
        #expect(RememberedView(next).showsInspector)
        send(.inspector(.toggled), to: &state)
        #expect(!RememberedView(state).showsInspector)
    }

    @Test("where it has no room it says so, and comes once there is")
    func noRoom() {
        var state = state(Size(columns: 10, rows: 3))
        send(.inspector(.toggled), to: &state)
        #expect(state.ui.toast?.text == "The inspector needs a larger window")
        #expect(Layout(state).inspector == nil)
        send(.session(.resized(Size(columns: 80, rows: 24))), to: &state)
        #expect(Layout(state).inspector != nil)
    }

    @Test("it scrolls within its text, and begins at the top with another item")
    func scrolling() {
        var state = state()
        send(.inspector(.scrolled(rows: 1, last: 9)), to: &state)
        #expect(state.ui.inspector.top == 0)
        #expect(state.ui.toast?.text == "The inspector is closed")
        send(.inspector(.toggled), to: &state)
        for _ in 0..<5 { send(.inspector(.scrolled(rows: 3, last: 9)), to: &state) }
        #expect(state.ui.inspector.top == 9)
        // The text became shorter, or the window larger.
        send(.inspector(.scrolled(rows: -1, last: 4)), to: &state)
        #expect(state.ui.inspector.top == 3)
        send(.items(.doneToggled), to: &state)
        #expect(state.ui.inspector.top == 3)
        send(.browse(.moved(.rows(1))), to: &state)
        #expect(state.ui.inspector.top == 0)
        send(.inspector(.scrolled(rows: -1, last: 9)), to: &state)
        #expect(state.ui.inspector.top == 0)
    }

    @Test("the wheel scrolls it, and in a box the box")
    func wheel() {
        var state = state()
        send(.inspector(.toggled), to: &state)
        send(.mouse(.wheeledInspector(steps: 1, last: 9)), to: &state)
        #expect(state.ui.inspector.top == 3)
        send(.sort(.menuOpened), to: &state)
        send(.mouse(.wheeledInspector(steps: 1, last: 9)), to: &state)
        #expect(state.ui.inspector.top == 3)
        if case .sortMenu(let menu) = state.ui.mode { #expect(menu.row(in: state) == 1) }
    }
}
