import Glibc
import SheafList

extension Middleware<AppState, AppAction> {
    /// Keeps ``AppState/shownSaving`` up to date. What an action changes itself is told by the
    /// status that follows from it.
    static func lookingUpShown(in persistence: AppPersistence) -> Self {
        Self { action, state, next in
            next(action)
            if let shown = state().changedSaving(in: persistence) {
                next(.saving(.shownChanged(shown)))
            }
        }
    }

    /// Tells the state which day it is before anything else happens on it: no timer runs for that.
    static func beginningDays(_ environment: AppEnvironment) -> Self {
        Self { action, state, next in
            // The C library looks only then whether the system's time zone is another one by now.
            tzset()
            let day = environment.calendar.day(environment.now())
            if day != state().today { next(.session(.dayBegan(day))) }
            next(action)
        }
    }

    /// Keeps a query for the next start as soon as Enter keeps it: nothing else of what the screen
    /// shows is as much work to lose.
    static func rememberingQueries(_ environment: AppEnvironment) -> Self {
        Self { action, state, next in
            guard case .filter(.accepted) = action else { return next(action) }
            let before = state().ui.queries
            next(action)
            guard state().ui.queries != before else { return }
            environment.rememberSoon(RememberedView(state()))
        }
    }

    /// Has the tags taken out of a new item's name right after whatever kept it (a key, or the way
    /// to the end), in the same turn and before it is painted, but as an undo step of its own.
    static var takingTypedTags: Self {
        Self { action, state, next in
            next(action)
            if state().ui.typedItem != nil { next(.items(.typedTagsTaken)) }
        }
    }
}

extension AppState {
    /// What ``shownSaving`` is to be, if that is something else. A function of its own, so that no
    /// copy of the state is held while it is changed.
    @MainActor
    fileprivate func changedSaving(in persistence: AppPersistence) -> ShownSaving? {
        let shown = lookedUp { persistence.saveState(of: $0) }
        return shown == shownSaving ? nil : shown
    }
}
