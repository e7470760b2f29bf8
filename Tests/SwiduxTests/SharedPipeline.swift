import Foundation
import SwiduxTesting

@testable import Swidux

/// A pipeline with a log, whose storage reports changes of other processes.
@MainActor
final class SharedPipeline {
    let clock = ManualClock()
    let storage = FailingStorage<ListChanges>()
    let log = MemoryLog()
    /// The results of the next fetches.
    var theirs: [ListChanges] = []
    /// The changes of this process that the next fetch confirms.
    var confirmed: ListChanges?
    /// Whether fetches have to wait for ``answer()``.
    var isSilent = false
    private var silent: [CheckedContinuation<Void, Never>] = []
    /// How often was fetched.
    private(set) var fetches = 0
    let environment = ListEnvironment()
    private(set) var persistence: PersistencePipeline<ListState, ListChanges>!
    private(set) var store: Store<ListState, ListAction, ListEnvironment>!
    var state: ListState { store.state }

    init(undo: UndoHistory<ListState, ListAction>? = nil) {
        let clock = clock
        let storage = storage
        persistence = PersistencePipeline(
            writers: [
                BatchWriter(
                    keyPath: \ListState.rows, into: \ListChanges.rows,
                    merge: StorageMerge { base, mine, theirs in
                        guard let base, base.name == mine.name, base.rank != mine.rank else {
                            return (mine, mine.name != theirs.name)
                        }
                        var both = mine
                        both.name = theirs.name
                        return (both, false)
                    })
            ],
            empty: { ListChanges() },
            options: PersistenceOptions(clock: clock),
            log: log,
            commit: { try await storage.commit($0) },
            fetch: { [weak self] _ in
                guard let self else { return FetchedChanges(ListChanges()) }
                fetches += 1
                if isSilent { await withCheckedContinuation { self.silent.append($0) } }
                defer { confirmed = nil }
                return FetchedChanges(
                    theirs.isEmpty ? ListChanges() : theirs.removeFirst(), confirmed: confirmed)
            })
        store = Store(
            initialState: ListState(rows: EntityStore([Row(1, rank: "a1")])),
            reducer: ListReducer(), environment: environment, persistence: persistence,
            arrived: { .arrived($0) },
            undo: undo, now: { clock.now })
    }

    func answer() {
        isSilent = false
        for continuation in silent { continuation.resume() }
        silent = []
    }

    /// Returns when nothing is in flight, nor about to be.
    func settled() async {
        for _ in 0..<2 {
            for _ in 0..<50 { await Task.yield() }
            // A thread of another executor may not have been let in yet on a busy machine.
            do { try await Task.sleep(for: .milliseconds(1)) } catch { return }
        }
        for _ in 0..<50 { await Task.yield() }
    }

    func edit(_ change: @escaping @Sendable (inout ListState) -> Void) {
        store.send(.quiet(change))
    }

    /// Ends loading: changes of other processes are fetched from now on.
    func endLoading() { edit { $0.rows.endHydration() } }

    /// A pipeline with a change in flight, until its storage is released.
    static func inFlight(
        _ change: @escaping @Sendable (inout ListState) -> Void
    ) async -> SharedPipeline {
        let shared = SharedPipeline()
        shared.storage.hold()
        shared.edit(change)
        shared.persistence.hurry()
        await shared.storage.attempted(1)
        return shared
    }

    /// The first row under another name.
    static func row(_ name: String) -> ListChanges {
        var changes = ListChanges()
        changes.rows.upsert([Row(1, name, rank: "a1")])
        return changes
    }
}

/// A log as one finds it after the end of a process: its records.
@MainActor
final class MemoryLog: IntentLog {
    private(set) var records: [ListChanges] = []
    private(set) var renewals = 0
    /// Where the records of a command begin that is not complete.
    private(set) var group: Int?
    private var handed = 0
    var fails = false
    struct Refused: Error {}

    func append(_ changes: ListChanges) throws {
        if fails { throw Refused() }
        records.append(changes)
    }
    func replace(with changes: ListChanges) throws {
        if fails { throw Refused() }
        renewals += 1
        records = changes == ListChanges() ? [] : [changes]
        handed = 0
        group = nil
    }
    func handOver() { handed = records.count }
    func committed() {
        records.removeFirst(handed)
        group = group.map { $0 - handed }
        handed = 0
    }
    func groupBegan() { group = records.count }
    func groupEnded() throws {
        if fails { throw Refused() }
        group = nil
    }
    func keep(_ changes: ListChanges) -> String { "memory" }
    func close() {}
    func close(givingUp changes: ListChanges) {}
}
