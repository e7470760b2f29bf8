import Dispatch
import SheafApp
import SheafStorage

/// Makes the backup of the day while the list is on the screen: once it is loaded, and after later
/// commits, always in the background.
@MainActor
final class BackgroundBackups {
    private let backups: DailyBackups
    private weak let store: AppStore?
    private let queue = DispatchQueue(label: "sheaf.backups", qos: .background)
    private var subscription: Subscription?
    /// The number of commits when it was looked last, or nil before the first time.
    private var batches: Int?
    /// A list is not looked at more often.
    private static let interval = Duration.seconds(600)
    private var next = ContinuousClock.now
    /// The day when it was looked last.
    private var day: CalendarDay?

    /// - Returns: nil where the list is in no file, or there is no home to keep backups in.
    init?(of store: AppStore, at location: any Location) {
        guard let backups = location.file.flatMap(DailyBackups.init) else { return nil }
        self.backups = backups
        self.store = store
        subscription = store.subscribe { [weak self] state in self?.look(at: state) }
    }

    private func look(at state: AppState) {
        let batches = state.saving.counters.batches
        guard state.list.loading == nil, state.list.readOnlyReason == nil, batches != self.batches,
            ContinuousClock.now >= next || state.today != day
        else { return }
        self.batches = batches
        day = state.today
        next = .now + Self.interval
        queue.async { [backups, weak store] in
            guard let notice = backups.makeOrReport(isYielding: true) else { return }
            Task { @MainActor in store?.send(.saving(.noticed(notice))) }
        }
    }
}
