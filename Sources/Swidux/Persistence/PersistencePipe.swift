/// What lies between a ``PersistenceMiddleware`` and storage: the buffers of its writers, and what
/// one flush is made of, whatever the type of that.
@MainActor
struct PersistencePipe<State> {
    /// What storage answered to a commit.
    struct Landing {
        /// Takes the flight for committed and returns the number of rows.
        let land: () -> Int
        /// What storage has otherwise than it was asked to.
        let parcel: Parcel?
        let isBehind: Bool
    }

    /// What others have committed.
    struct Fetched {
        /// Nil if there is nothing.
        let parcel: Parcel?
        let isComplete: Bool
    }

    /// What storage has told of, until it is brought together with what waits. To be opened once,
    /// right before the action in it is reduced.
    typealias Parcel = () -> Contents

    struct Contents {
        /// The application's action, or nil if nothing of it is to be seen.
        var action: Any?
        var conflicts = 0
        /// Whether what waits is no longer what the log says.
        var hasMoved = false
    }

    let buffers: [ChangeBuffer<State>]
    /// Fixes what is in flight and returns what commits it.
    let prepare: () -> () async throws -> Landing
    /// Appends what the last drain took to the log.
    private(set) var append: () throws -> Void = {}
    private(set) var beginGroup: () -> Void = {}
    private(set) var endGroup: () throws -> Void = {}
    /// Makes the log hold what waits and nothing else.
    private(set) var renewLog: () throws -> Void = {}
    private(set) var handOver: () throws -> Void = {}
    private(set) var committed: () throws -> Void = {}
    /// Makes what waits durable in the log and returns where that is, or nil without one.
    private(set) var keepLog: () async throws -> String? = { nil }
    private(set) var closeLog: () -> Void = {}
    private(set) var giveUpLog: () -> Void = {}
    /// Reads what others have committed.
    private(set) var fetch: (() async throws -> Fetched)?
    /// What parcels are made into, if anything.
    private(set) var actionType: Any.Type?

    /// To closures, one for each store.
    init(_ writers: [StateWriter<State>]) {
        buffers = writers.map { $0.buffer }
        prepare = {
            let writes = writers.map { $0.prepare() }
            return {
                for write in writes { try await write.upserts() }
                for write in writes.reversed() { try await write.deletions() }
                return Landing(
                    land: { writers.reduce(0) { $0 + $1.land() } }, parcel: nil, isBehind: false)
            }
        }
    }

    /// To storage that takes all changes of all stores as one value. `open` makes an action of what
    /// it has otherwise; without it, that is left to storage.
    init<Changes: Sendable>(
        _ writers: [BatchWriter<State, Changes>], empty: @escaping @MainActor () -> Changes,
        commit: @escaping @Sendable (Changes) async throws -> CommitResult<Changes>,
        open: ((Arrival<Changes>, _ confirmed: Changes?) -> Contents)? = nil
    ) {
        buffers = writers.map { $0.buffer }
        prepare = {
            let flights = writers.map { $0.flight() }
            let rows = writers.reduce(0) { $0 + $1.buffer.counts().inFlight }
            let small = rows > mostFilledAtOnce ? nil : filled(empty(), by: flights)
            return {
                let batch: Changes
                if let small {
                    batch = small
                } else {
                    // What a bulk command has changed takes a second to put together.
                    batch = await filledElsewhere(empty(), by: flights)
                }
                let result = try await commit(batch)
                let parcel = open.flatMap { open in
                    result.isAsAsked ? nil : { open(Arrival(result, empty: empty()), nil) }
                }
                return Landing(
                    land: {
                        writers.reduce(0) { $0 + $1.land(result.refused, result.stored) }
                    },
                    parcel: parcel, isBehind: result.isBehind)
            }
        }
    }

    /// To storage that others write to, too.
    init<Changes: Sendable, Action: Sendable>(
        _ writers: [BatchWriter<State, Changes>], empty: @escaping @MainActor () -> Changes,
        commit: @escaping @Sendable (Changes) async throws -> CommitResult<Changes>,
        fetch: @escaping @MainActor @Sendable () async throws -> FetchedChanges<Changes>,
        arrived: @escaping @MainActor (Arrival<Changes>) -> Action
    ) {
        let open = { (told: Arrival<Changes>, confirmed: Changes?) -> Contents in
            var shown = empty()
            var arrival = told
            var contents = Contents()
            var rows = 0
            for writer in writers {
                if let confirmed, writer.confirm(confirmed) { contents.hasMoved = true }
                let rebase = writer.rebase(told.changes, &shown)
                arrival.add(rebase.conflicts)
                if rebase.hasMoved { contents.hasMoved = true }
                rows += rebase.shown
            }
            arrival.changes = shown
            contents.conflicts = arrival.conflicts.count
            let isEmpty = rows == 0 && arrival.conflicts.isEmpty && arrival.substitutes.isEmpty
            if !isEmpty { contents.action = arrived(arrival) }
            return contents
        }
        self.init(writers, empty: empty, commit: commit, open: open)
        actionType = Action.self
        self.fetch = {
            let fetched = try await fetch()
            return Fetched(
                parcel: { open(Arrival(fetched.changes), fetched.confirmed) },
                isComplete: fetched.isComplete)
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
        beginGroup = { log.groupBegan() }
        endGroup = { try log.groupEnded() }
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
}

extension CommitResult {
    /// Whether there is nothing that anybody here need know.
    fileprivate var isAsAsked: Bool {
        stored == nil && conflicts.isEmpty && substitutes.isEmpty
    }
}

extension Arrival {
    /// What a commit did otherwise than it was asked to.
    fileprivate init(_ result: CommitResult<Changes>, empty: Changes) {
        self.init(
            result.stored ?? empty, conflicts: result.conflicts, substitutes: result.substitutes)
    }

    /// Tells of more conflicts; of two about one entity, the later one counts.
    fileprivate mutating func add(_ more: [StorageConflict]) {
        guard !more.isEmpty else { return }
        let ids = Set(more.map(\.id))
        conflicts = conflicts.filter { !ids.contains($0.id) } + more
    }
}

/// As many rows are put together without waiting for another thread.
private let mostFilledAtOnce = 1_000

private func filled<Changes>(
    _ empty: Changes, by flights: [@Sendable (inout Changes) -> Void]
) -> Changes {
    flights.reduce(into: empty) { $1(&$0) }
}

@concurrent private func filledElsewhere<Changes: Sendable>(
    _ empty: Changes, by flights: [@Sendable (inout Changes) -> Void]
) async -> Changes { filled(empty, by: flights) }
