import SheafApp
import Terminal

extension MouseAction {
    /// Creates the meaning of `event` on the screen that `state` shows, or returns nil if it has
    /// none: other buttons, and modifiers, which are left to the terminal. Modifiers do not matter
    /// for the release of a button.
    init?(_ event: MouseEvent, _ modifiers: Key.Modifiers, in state: AppState) {
        let target = state.mouseTarget(at: event.position)
        if modifiers.isEmpty, let steps = event.wheelSteps,
            Layout(state).inspector?.rows.contains(event.position) ?? false
        {
            let rows = steps * AppState.rowsPerStep
            self = .wheeledInspector(
                steps: steps, last: InspectorText.lastTop(of: state, scrolledBy: rows))
            return
        }
        switch event.kind {
        case .released(.left): self = .released(on: target)
        case .pressed(.left) where modifiers.isEmpty:
            self = .pressed(at: event.position, on: target)
        case .dragged(.left) where modifiers.isEmpty: self = .dragged(over: target)
        case .wheelUp where modifiers.isEmpty: self = .wheeled(steps: -1, over: target)
        case .wheelDown where modifiers.isEmpty: self = .wheeled(steps: 1, over: target)
        default: return nil
        }
    }
}

extension MouseEvent {
    /// The steps that the wheel was turned, down if above zero, or nil if it was not.
    fileprivate var wheelSteps: Int? {
        switch kind {
        case .wheelUp: -1
        case .wheelDown: 1
        default: nil
        }
    }
}
