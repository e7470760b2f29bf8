import Glibc
import SheafList

extension Middleware<AppState, AppAction> {
    /// Keeps ``AppState/shownSaving`` up to date. The status that follows from an action also
    /// covers the changes of the action itself.
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

    /// Keeps a query for the next start as soon as Enter accepts it: no other part of the view is
    /// as much work to lose.
    static func rememberingQueries(_ environment: AppEnvironment) -> Self {
        Self { action, state, next in
            guard case .filter(.accepted) = action else { return next(action) }
            let before = state().ui.queries
            next(action)
            guard state().ui.queries != before else { return }
            environment.rememberSoon(RememberedView(state()))
        }
    }

    /// Takes the tags out of a typed name right after the action that kept it, in the same turn and
    /// before it is painted, but as an undo step of its own.
    static var takingTypedTags: Self {
        Self { action, state, next in
            next(action)
            if state().ui.typedItem != nil { next(.items(.typedTagsTaken)) }
        }
    }
}

extension AppState {
    /// The new value of ``shownSaving``, or nil if it is unchanged. A separate function, so that no
    /// copy of the state is held while it is changed.
    @MainActor
    fileprivate func changedSaving(in persistence: AppPersistence) -> ShownSaving? {
        let shown = lookedUp { persistence.saveState(of: $0) }
        return shown == shownSaving ? nil : shown
    }
}
