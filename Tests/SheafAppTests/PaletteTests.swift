import SheafTestSupport
import Testing

@testable import SheafApp

/// The palette as plain functions of the state.
@MainActor
@Suite("The palette")
struct PaletteTests {
    private func state(_ names: [String] = ["a", "b", "c"]) -> AppState {
        var state = AppState()
        state.items = EntityStore(Fixtures.items(names))
        state.tags = EntityStore(Fixtures.tags(["new"]))
        _ = state.settle(.fixture())
        return state
    }

    private func send(_ action: AppAction, to state: inout AppState) {
        _ = AppReducer().reduce(state: &state, action: action, environment: .fixture())
    }

    private func entry(
        _ name: String, _ action: AppAction = .items(.doneToggled),
        requires requirement: Requirement = .nothing,
        pane: Pane? = nil
    ) -> Palette.Entry {
        Palette.Entry(name: name, keys: "k", action: action, requirement: requirement, pane: pane)
    }

    private func open(_ names: [String], in state: inout AppState) {
        send(.palette(.opened(names.map { entry($0) })), to: &state)
    }

    private func type(_ text: String, in state: inout AppState) {
        send(.line(.edited(.insert(text))), to: &state)
    }

    private func rows(_ state: AppState) -> [Palette.Row] {
        guard case .palette(let palette) = state.ui.mode else { return [] }
        return palette.rows(in: state)
    }

    private func highlighted(_ state: AppState) -> String? {
        guard case .palette(let palette) = state.ui.mode else { return nil }
        let rows = rows(state)
        return rows.isEmpty ? nil : rows[palette.highlightedRow].name
    }

    @Test("a word begins a name whatever accents it has")
    func accents() {
        var state = state()
        open(["Über x", "x uber"], in: &state)
        type("uber", in: &state)
        #expect(rows(state).map(\.name) == ["Über x", "x uber"])
    }

    @Test("all actions stand in the order of the table, those used last before them")
    func recency() {
        var state = state()
        open(["one", "two", "three"], in: &state)
        #expect(rows(state).map(\.name) == ["one", "two", "three"])
        for step in [2, 2] {
            send(.palette(.moved(rows: step)), to: &state)
            send(.palette(.chosen), to: &state)
            open(["one", "two", "three"], in: &state)
        }
        #expect(state.ui.usedActions == ["two", "three"])
        #expect(rows(state).map(\.name) == ["two", "three", "one"])
        #expect(highlighted(state) == "two")
    }

    @Test("as many used actions are remembered as a start needs, each once")
    func most() {
        var state = state()
        for number in 0..<30 {
            open(["action \(number)"], in: &state)
            send(.palette(.chosen), to: &state)
        }
        open(["action 25"], in: &state)
        send(.palette(.chosen), to: &state)
        #expect(state.ui.usedActions.count == PaletteAction.maxUsed)
        #expect(state.ui.usedActions.prefix(2) == ["action 25", "action 29"])
        #expect(RememberedView(state).usedActions == state.ui.usedActions)
        #expect(AppState(view: RememberedView(state)).ui.usedActions == state.ui.usedActions)
    }

    @Test("typing leaves what has the letters, the best match first, and marks them")
    func typing() {
        var state = state()
        open(["undone things", "go to the end", "undo"], in: &state)
        type("und", in: &state)
        #expect(rows(state).map(\.name) == ["undone things", "undo"])
        #expect(rows(state).last?.found == [true, true, true, false])
        type("o", in: &state)
        send(.line(.edited(.unixLineDiscard)), to: &state)
        #expect(rows(state).count == 3)
        type("( OR \"", in: &state)
        #expect(rows(state).isEmpty)
        send(.palette(.moved(rows: 1)), to: &state)
        send(.palette(.chosen), to: &state)
        #expect(highlighted(state) == nil)
    }

    @Test("what cannot be done says why, stays, and is not remembered")
    func obstacles() {
        var state = state([])
        let entries = [
            entry("delete it", .items(.delete), requires: .selection(to: "delete")),
            entry("recolour", .tags(.recolored(by: 1)), pane: .tags),
            entry("find", .filter(.opened), requires: .list),
        ]
        send(.palette(.opened(entries)), to: &state)
        #expect(rows(state).map(\.obstacle) == ["nothing to delete", nil, "only in the tags pane"])
        #expect(state.chosenCommand == nil)
        send(.palette(.chosen), to: &state)
        #expect(state.ui.toast?.text == "Delete it: nothing to delete")
        #expect(!state.ui.mode.isNormal && state.ui.usedActions.isEmpty)
        state.list.readOnlyReason = "No."
        #expect(rows(state)[0].obstacle == "nothing to delete")
        state.list.readOnlyReason = nil
        state.list.loading = Loading()
        #expect(rows(state)[1].obstacle == "the list is still loading")
    }

    @Test("a list that can only be read, or is sorted, says so beside the action")
    func refusals() {
        var state = state()
        let entries = [
            entry("move", .items(.moveRequested(.down)), requires: .rows(to: "move")),
            entry("best", .sort(.chosen(.match))),
            entry("view", .palette(.argumentRequested(.savedView))),
        ]
        send(.sort(.chosen(.name)), to: &state)
        send(.palette(.opened(entries)), to: &state)
        #expect(
            rows(state).map(\.obstacle) == [
                "sorted by name, sm restores order", "the query has no word",
                "no saved views yet",
            ])
        state.list.readOnlyReason = "No."
        #expect(rows(state)[0].obstacle == "Read-only. No.")
    }

    @Test("an action about the selection is not done to another item than it was opened on")
    func subject() {
        var state = state()
        let delete = entry("delete", .items(.delete), requires: .selection(to: "delete"))
        send(.palette(.opened([delete])), to: &state)
        #expect(state.chosenCommand != nil)
        // Another process deletes it.
        state.items[Fixtures.id(1)] = nil
        _ = state.settle(.fixture())
        #expect(state.ui.selectedItem == Fixtures.id(2))
        #expect(state.chosenCommand == nil)
        send(.palette(.chosen), to: &state)
        #expect(state.items.count == 2)
        #expect(state.ui.toast?.text == "Delete: the selection moved")
    }

    @Test("a priority that is asked for is not given to another item than it was asked for")
    func prioritySubject() {
        var state = state()
        send(.palette(.argumentRequested(.priority)), to: &state)
        #expect(highlighted(state) == "(A)" && state.chosenCommand != nil)
        // Another process deletes it.
        state.items[Fixtures.id(1)] = nil
        _ = state.settle(.fixture())
        #expect(state.chosenCommand == nil)
        #expect(rows(state)[0].obstacle == "the selection moved")
        state.list.readOnlyReason = "No."
        let entry = entry(
            "p", .palette(.argumentRequested(.priority)), requires: .marked(to: "prioritize"))
        send(.palette(.opened([entry])), to: &state)
        #expect(rows(state)[0].obstacle == "Read-only. No.")
    }

    @Test(
        "a row's number is asked for",
        arguments: [
            ("2", 1, nil), (" 3 ", 2, nil), ("", nil, nil), ("0", nil, "the rows are 1 to 3"),
            ("4", nil, "the rows are 1 to 3"), ("-1", nil, "the rows are 1 to 3"),
            ("99999999999999999999", nil, "the rows are 1 to 3"),
            ("x", nil, "the rows are 1 to 3"),
        ] as [(String, Int?, String?)])
    func rowNumber(typed: String, row: Int?, obstacle: String?) {
        var state = state()
        send(.browse(.moved(.toLast)), to: &state)
        send(.palette(.argumentRequested(.rowNumber)), to: &state)
        type(typed, in: &state)
        #expect(rows(state).map(\.obstacle) == [obstacle])
        let command = state.chosenCommand
        #expect((command == nil) == (row == nil))
        send(.palette(.chosen), to: &state)
        #expect(state.ui.mode.isNormal == (row != nil))
        if let command { send(command.action, to: &state) }
        #expect(state.ui.selectedRow == row ?? 2)
        #expect(state.ui.usedActions.isEmpty)
    }

    @Test("in the tags pane the number is that of one of its rows")
    func tagRowNumber() {
        var state = state()
        state.ui.pane = .tags
        send(.palette(.argumentRequested(.rowNumber)), to: &state)
        type("3", in: &state)
        if let command = state.chosenCommand {
            send(.palette(.chosen), to: &state)
            send(command.action, to: &state)
        }
        #expect(state.selectedTag?.name == "new")
    }

    @Test("the highlight stays on its view while others come and go")
    func views() {
        var state = state()
        for number in 1...3 { state.views[Fixtures.viewID(number)] = Fixtures.view(number) }
        _ = state.settle(.fixture())
        send(.palette(.argumentRequested(.savedView)), to: &state)
        send(.palette(.moved(rows: 1)), to: &state)
        #expect(highlighted(state) == "view 2")
        state.views[Fixtures.viewID(1)] = nil
        _ = state.settle(.fixture())
        #expect(highlighted(state) == "view 2")
        state.views[Fixtures.viewID(2)] = nil
        _ = state.settle(.fixture())
        #expect(highlighted(state) == "view 3")
        if let command = state.chosenCommand {
            send(.palette(.chosen), to: &state)
            send(command.action, to: &state)
        }
        #expect(state.selectedView?.name == "view 3")
    }
}
