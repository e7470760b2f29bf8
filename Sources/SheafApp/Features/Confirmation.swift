/// The answer to a question.
public enum ConfirmationAction: Hashable, Sendable {
    case accepted, declined
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
