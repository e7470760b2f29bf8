/// What lies between a ``PersistenceMiddleware`` and storage: the buffers of its writers, and what
/// one flush is made of, whatever the type of that.
@MainActor
struct PersistencePipe<State> {
    typealias Commit = @Sendable () async throws -> CommitResult

    let buffers: [ChangeBuffer<State>]
    /// Fixes what is in flight and returns what commits it.
    let prepare: () -> Commit
    /// Appends what the last drain took to the log.
    private(set) var append: () throws -> Void = {}
    /// Makes the log hold what waits and nothing else.
    private(set) var renewLog: () throws -> Void = {}
    private(set) var handOver: () throws -> Void = {}
    private(set) var committed: () throws -> Void = {}
    /// Makes what waits durable in the log and returns where that is, or nil without one.
    private(set) var keepLog: () async throws -> String? = { nil }
    private(set) var closeLog: () -> Void = {}
    private(set) var giveUpLog: () -> Void = {}
    /// Reads what others have committed.
    private(set) var fetch: (() async throws -> Arrival)?

    /// What takes in what was fetched and returns the conflicts, and whether that was all.
    typealias Arrival = (adopt: (inout State) -> [AnyID], isComplete: Bool)

    /// To closures, one for each store.
    init(_ writers: [StateWriter<State>]) {
        buffers = writers.map { $0.buffer }
        prepare = {
            let writes = writers.map { $0.prepare() }
            return {
                for write in writes { try await write.upserts() }
                for write in writes.reversed() { try await write.deletions() }
                return CommitResult()
            }
        }
    }

    /// To storage that takes all changes of all stores as one value.
    init<Changes: Sendable>(
        _ writers: [BatchWriter<State, Changes>], empty: @escaping @MainActor () -> Changes,
        commit: @escaping @Sendable (Changes) async throws -> CommitResult
    ) {
        buffers = writers.map { $0.buffer }
        prepare = {
            var batch = empty()
            for writer in writers { writer.fill(&batch) }
            return { [batch] in try await commit(batch) }
        }
    }

    /// Keeps in `log` what is not committed.
    mutating func keep<Changes>(
        _ log: any IntentLog<Changes>, of writers: [BatchWriter<State, Changes>],
        empty: @escaping @MainActor () -> Changes
    ) {
        append = {
            var changes = empty()
            for writer in writers { writer.fillFresh(&changes) }
            try log.append(changes)
        }
        let waiting = {
            var changes = empty()
            for writer in writers { writer.fillWaiting(&changes) }
            return changes
        }
        renewLog = { try log.replace(with: waiting()) }
        handOver = { try log.handOver() }
        committed = { try log.committed() }
        keepLog = { try await log.keep(waiting()) }
        closeLog = { log.close() }
        giveUpLog = { log.close(givingUp: waiting()) }
    }

    /// Takes in what `fetch` says that others have committed.
    mutating func follow<Changes: Sendable>(
        _ fetch: @escaping @MainActor @Sendable () async throws -> FetchedChanges<Changes>,
        into writers: [BatchWriter<State, Changes>]
    ) {
        self.fetch = {
            let fetched = try await fetch()
            let adopt: (inout State) -> [AnyID] = { state in
                writers.flatMap { $0.adopt(fetched.changes, &state) }
            }
            return (adopt, fetched.isComplete)
        }
    }
}
