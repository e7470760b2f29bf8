import Foundation
import SheafApp
import SheafTestSupport
import SwiduxTesting

/// A screen without keys on a list that another one shows.
@MainActor
final class SharedScreen {
    let store: AppStore
    private let clock = ManualClock()

    init(over storage: any ListStorage, at time: Timestamp) async {
        var environment = AppEnvironment(
            now: { time }, makeID: { UUID() }, sleep: { _ in throw CancellationError() },
            storage: storage, terminal: FakeTerminal())
        environment.calendar = .utc
        let clock = clock
        store = AppStore(
            initialState: AppState(), environment: environment,
            options: PersistenceOptions(clock: clock))
        await store.load()
    }

    /// Two screens on one list that holds `changes`; their clocks are `seconds` apart.
    static func two(
        on backend: StorageBackend, at path: String, _ changes: StorageChanges,
        apart seconds: Int64 = 1
    ) async throws -> (SharedScreen, SharedScreen) {
        let first = try backend.open(path)
        _ = try await first.commit(changes)
        return (
            await SharedScreen(over: first, at: Fixtures.now),
            await SharedScreen(
                over: try backend.open(path),
                at: Timestamp(milliseconds: Fixtures.now.milliseconds + seconds * 1_000))
        )
    }

    var state: AppState { store.state }
    var toast: String? { state.ui.toast?.text }

    func send(_ action: AppAction) { store.send(action) }

    /// Returns when the state is so.
    func waits(until isSo: @escaping (AppState) -> Bool) async {
        let (states, continuation) = AsyncStream.makeStream(of: Bool.self)
        let subscription = store.subscribe { continuation.yield(isSo($0)) }
        defer { subscription.cancel() }
        continuation.yield(isSo(state))
        for await holds in states where holds { return }
    }

    /// Has both screens save, this one first.
    func saves(before other: SharedScreen) async throws {
        await store.flush()
        await other.store.flush()
        try await agrees(with: other)
    }

    /// Returns when both screens have saved everything and show the same.
    func agrees(with other: SharedScreen) async throws {
        let screens = [self, other]
        let (actions, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let subscriptions = screens.map { $0.store.subscribe { _ in continuation.yield() } }
        defer { for subscription in subscriptions { subscription.cancel() } }
        var next = actions.makeAsyncIterator()
        while true {
            for screen in screens {
                await screen.store.flush()
                await screen.store.settled()
            }
            if screens.allSatisfy({ $0.state.saving.uncommitted == 0 }),
                state.items.values == other.state.items.values,
                state.tags.values == other.state.tags.values,
                state.views.values == other.state.views.values
            {
                return
            }
            guard await next.next() != nil else { return }
        }
    }
}
