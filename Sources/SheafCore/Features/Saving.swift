/// What the persistence pipeline says, and what is asked of it.
public enum SavingAction: Sendable {
    case statusChanged(PersistenceStatus)
    /// `^S`: write now, without waiting for the timer.
    case saveRequested
    case saveEnded
}

struct SavingReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: SavingAction, environment: AppEnvironment
    ) -> Effect? {
        switch action {
        case .statusChanged(let status):
            let refusals = status.refused.dropFirst(state.saving.refused.count)
            state.saving = status
            if let refusal = refusals.last {
                state.ui.show("Storage refused a change: \(refusal.reason)", isAlert: true)
            }
        case .saveRequested:
            return { [saveNow = environment.saveNow] send in
                await saveNow()
                await send(.saving(.saveEnded))
            }
        case .saveEnded:
            if state.saving.phase == .saved { state.ui.show("Saved") }
        }
        return nil
    }
}
