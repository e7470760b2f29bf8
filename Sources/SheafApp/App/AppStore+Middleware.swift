import Glibc
import SheafList

extension Middleware<AppState, AppAction> {
    /// Keeps ``AppState/visibleSaveStates`` up to date. The lookup follows the action, so it
    /// includes the action's own changes.
    static func updatingSaveStates(in persistence: AppPersistence) -> Self {
        Self { action, state, next in
            next(action)
            if let shown = state().changedSaveStates(in: persistence) {
                next(.saving(.visibleSaveStatesChanged(shown)))
            }
        }
    }

    /// Updates the current day before an action, because no timer does so at midnight.
    static func beginningDays(_ environment: AppEnvironment) -> Self {
        Self { action, state, next in
            // Only this call makes the C library check whether the system's time zone has changed.
            tzset()
            let day = environment.calendar.day(environment.now())
            if day != state().today { next(.session(.dayBegan(day))) }
            next(action)
        }
    }

    /// Saves an accepted query for the next start at once, because no other part of the view takes
    /// as much effort to enter again.
    static func rememberingQueries(_ environment: AppEnvironment) -> Self {
        Self { action, state, next in
            guard case .filter(.accepted) = action else { return next(action) }
            let before = state().ui.queries
            next(action)
            guard state().ui.queries != before else { return }
            environment.rememberViewSoon(RememberedView(state()))
        }
    }

    /// Moves the tags of a typed name to the item, right after the action that accepted the name:
    /// in the same turn and before it is painted, but as a separate undo step.
    static var applyingTypedItems: Self {
        Self { action, state, next in
            next(action)
            if state().ui.typedItem != nil { next(.items(.typedItemApplied)) }
        }
    }
}

extension AppState {
    /// Returns the new value of ``visibleSaveStates``, or nil if it is unchanged. This is a
    /// separate function so that no copy of the state is alive when the state is changed.
    @MainActor
    fileprivate func changedSaveStates(in persistence: AppPersistence) -> VisibleSaveStates? {
        let shown = lookUpSaveStates { persistence.saveState(of: $0) }
        return shown == visibleSaveStates ? nil : shown
    }
}
