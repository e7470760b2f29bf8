/// The answer to a question.
public enum ConfirmationAction: Hashable, Sendable {
    case accepted, declined
}

extension ConfirmationAction: FeatureAction {
    static let reducer = ConfirmationReducer()

    var traits: ActionTraits {
        var traits = ActionTraits.user(under: .program, ends: [.count, .range])
        switch self {
        case .accepted:
            traits.undo = { state in
                guard case .confirmation(let asked) = state.ui.mode else { return .ignored }
                return AppAction.undoRole(of: asked.confirmed, before: state)
            }
        case .declined: break
        }
        return traits
    }
}

struct ConfirmationReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: ConfirmationAction, environment: AppEnvironment
    ) -> Effect? {
        guard case .confirmation(let confirmation) = state.ui.mode else { return nil }
        let chosen: AppAction
        switch action {
        case .accepted: chosen = confirmation.confirmed
        case .declined:
            state.ui.mode = .normal
            return nil
        }
        state.ui.mode = .normal
        return AppReducer().perform(chosen, on: &state, environment, isConfirmed: true)
    }
}
