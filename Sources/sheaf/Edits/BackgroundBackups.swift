import Dispatch
import SheafApp
import SheafStorage

/// The daily backups that are made in the background while the list is on the screen: once the list
/// is loaded, and after later commits.
@MainActor
final class BackgroundBackups {
    private let backups: DailyBackups
    private weak let store: AppStore?
    private let queue = DispatchQueue(label: "sheaf.backups", qos: .background)
    private var subscription: Subscription?
    /// The number of commits at the last check, or `nil` before the first one.
    private var batches: Int?
    /// The minimum time between two checks on one day.
    private static let interval = Duration.seconds(600)
    private var next = ContinuousClock.now
    /// The day of the last check.
    private var day: CalendarDay?

    /// - Returns: `nil` if the list is not in a file, or if there is no home folder for backups.
    init?(of store: AppStore, at location: any Location) {
        guard let backups = location.file.flatMap(DailyBackups.init) else { return nil }
        self.backups = backups
        self.store = store
        subscription = store.subscribe { [weak self] state in self?.update(for: state) }
    }

    private func update(for state: AppState) {
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
