/// `/`: the words that every shown name contains, applied as they are typed.
public enum FilterAction: Hashable, Sendable {
    case opened
    /// Enter: the filter stays, the keys go back to the list.
    case accepted
    /// Esc: back to what was before `/`.
    case cancelled
    /// Up and down move through what the filter leaves while it is typed.
    case moved(rows: Int)
}

struct FilterReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: FilterAction, environment: AppEnvironment
    ) -> Effect? {
        switch action {
        case .opened:
            state.ui.pane = .items
            state.ui.mode = .filter(
                FilterDraft(
                    line: LineEditor(state.ui.filter), previous: state.ui.filter,
                    previousSelection: state.ui.selectedItem))
        case .accepted:
            state.ui.mode = .normal
        case .cancelled:
            guard case .filter(let filter) = state.ui.mode else { return nil }
            state.ui.mode = .normal
            state.ui.filter = filter.previous
            state.ui.selectedItem = filter.previousSelection
        case .moved(let rows):
            return BrowseReducer().reduce(
                state: &state, action: .moved(.rows(rows)), environment: environment)
        }
        return nil
    }
}
