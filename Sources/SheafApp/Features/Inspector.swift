import SheafList

/// `o`: shows all fields of the selected item beside or below the list. The inspector is read-only,
/// and the list keeps the focus, so that every key of the list works.
package enum InspectorAction: Hashable, Sendable {
    case toggled
    /// Scrolls by a number of lines. `last` is the maximum of ``Inspector/top``, which only the
    /// view that draws the text knows.
    case scrolled(rows: Int, last: Int)
}

extension InspectorAction: FeatureAction {
    var traits: ActionTraits {
        switch self {
        case .toggled, .scrolled: .user(under: .program, ends: .count)
        }
    }
}

/// The inspector, which stays open while the selection moves.
package struct Inspector: Hashable, Sendable {
    package var isShown = false
    /// The text line at the top, reset to 0 when another item is shown.
    package fileprivate(set) var top = 0
    private var item: Item.ID?

    /// Scrolls to the top if another item is shown.
    mutating func settle(on item: Item.ID?) {
        guard item != self.item else { return }
        self.item = item
        top = 0
    }
}

extension InspectorAction {
    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        switch self {
        case .toggled:
            state.ui.inspector.isShown.toggle()
            if state.ui.inspector.isShown, Layout(state).inspector == nil {
                state.ui.show("The inspector needs a larger window")
            }
        case .scrolled(let rows, let last):
            guard state.ui.inspector.isShown else {
                state.ui.refuse("The inspector is closed", hint: "o inspector")
                return nil
            }
            let top = min(state.ui.inspector.top, last)
            state.ui.inspector.top = max(0, min(top + rows, last))
        }
        return nil
    }
}
