import SheafList

/// `o`: the whole of the selected item, beside the list or below it. It is read-only, and the list
/// keeps the focus, so that every key of the list works beside it.
public enum InspectorAction: Hashable, Sendable {
    case toggled
    /// By so many lines; `last` is the last line that can be at the top, which only what draws the
    /// text knows.
    case scrolled(rows: Int, last: Int)
}

extension InspectorAction: FeatureAction {
    static let reducer = InspectorReducer()

    var traits: ActionTraits {
        switch self {
        case .toggled, .scrolled: .user(under: .program, ends: .count)
        }
    }
}

/// The inspector, which stays as it is while the selection moves.
public struct Inspector: Hashable, Sendable {
    public var isShown = false
    /// The line of the text at the top. Another item is shown from its beginning.
    public fileprivate(set) var top = 0
    private var item: Item.ID?

    /// Begins at the top with another item.
    mutating func settle(on item: Item.ID?) {
        guard item != self.item else { return }
        self.item = item
        top = 0
    }
}

struct InspectorReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: InspectorAction, environment: AppEnvironment
    ) -> Effect? {
        switch action {
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
