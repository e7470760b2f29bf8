import SheafCore
import Terminal

extension MouseAction {
    /// What `event` means on the screen that `state` shows, or nil if nothing: other buttons, and
    /// modifiers, which are left to the terminal. A button that goes up does so whatever else is
    /// held down.
    init?(_ event: MouseEvent, _ modifiers: Key.Modifiers, in state: AppState) {
        let target = state.mouseTarget(at: event.position)
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
