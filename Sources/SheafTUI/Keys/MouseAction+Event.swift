import SheafApp
import Terminal

extension MouseAction {
    /// Creates the action of `event` on the screen of `state`. Returns `nil` for events without a
    /// meaning: other buttons, and events with modifiers, which are left to the terminal. A
    /// released button counts regardless of modifiers.
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
    /// The number of wheel steps, positive for down, or `nil` if the event is not a wheel event.
    fileprivate var wheelSteps: Int? {
        switch kind {
        case .wheelUp: -1
        case .wheelDown: 1
        default: nil
        }
    }
}
