import Foundation
import Swidux
import SwiduxTesting

/// An entity with a rank.
struct Row: Identifiable, Hashable, Sendable, Ranked {
    var id: UUID
    var name: String
    var parent: UUID?
    var rank: Rank

    init(_ number: Int, _ name: String = "row", parent: UUID? = nil, rank: String = "a0") {
        id = .numbered(number)
        self.name = name
        self.parent = parent
        self.rank = .spelled(rank)
    }
}

extension Rank {
    static func spelled(_ text: String) -> Rank {
        guard let rank = Rank(text: text) else { preconditionFailure("no rank: \(text)") }
        return rank
    }
}

/// A reproducible generator: SplitMix64 (Steele, Lea, Flood 2014).
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// Two stores, rows referring to rows of the first.
struct ListState: Equatable, Sendable {
    var parents = EntityStore<Row>()
    var rows = EntityStore<Row>()
    var title = ""
}

/// The changes of one flush of a ``ListState``.
struct ListChanges: Equatable, Sendable {
    var parents = EntityChanges<Row>()
    var rows = EntityChanges<Row>()
}

/// An action is an edit: tests state their edits in place.
enum ListAction: Sendable {
    case edit(name: String, coalesces: Bool, @Sendable (inout ListState) -> Void)
    case part(of: Int, @Sendable (inout ListState) -> Void)
    case quiet(@Sendable (inout ListState) -> Void)
    case run(Effect<ListAction>)
    case undo
    case redo
    case rest
    case reported(UndoReport)
    case arrived(Arrival<ListChanges>)

    /// A command that never coalesces.
    static func edit(_ body: @escaping @Sendable (inout ListState) -> Void) -> ListAction {
        .edit(name: "edit", coalesces: false, body)
    }
}

struct ListReducer: SwiduxReducer {
    func reduce(
        state: inout ListState, action: ListAction, environment: ListEnvironment
    ) -> Effect<ListAction>? {
        switch action {
        case .edit(_, _, let body), .part(_, let body), .quiet(let body): body(&state)
        case .run(let effect): return effect
        case .reported(let report): environment.reports.append(report)
        case .arrived(let arrival):
            environment.arrivals.append(arrival)
            state.parents.adopt(arrival.changes.parents)
            state.rows.adopt(arrival.changes.rows)
            environment.onArrival(&state)
        case .undo, .redo, .rest: break
        }
        return nil
    }
}

/// Keeps the reports of undo and the arrivals, for tests to check.
final class ListEnvironment {
    var reports: [UndoReport] = []
    var arrivals: [Arrival<ListChanges>] = []
    /// The reducer's handling of an arrival in addition to adopting it.
    var onArrival: (inout ListState) -> Void = { _ in }
}

extension Row {
    fileprivate static func parentTies(before: Row?, after: Row?) -> UndoTies {
        guard (before == nil) != (after == nil), let row = before ?? after else {
            return UndoTies()
        }
        return UndoTies(provides: [row.id])
    }

    /// Keeps a name that was changed in `theirs`, and takes the rest from `mine`.
    fileprivate static let merge = StorageMerge<Row> { base, mine, theirs in
        var row = mine
        if theirs.name != base?.name { row.name = theirs.name }
        return (row, false)
    }

    fileprivate static func ties(before: Row?, after: Row?) -> UndoTies {
        UndoTies(needs: [before?.parent, after?.parent].compactMap(\.self))
    }
}

extension UndoHistory<ListState, ListAction> {
    /// A history of both stores. With `isTied`, rows depend on a parent that the step makes or
    /// deletes, as it does on them, and no parent is removed while the title is "held".
    static func ofLists(
        limit: Int = 64 << 20, maxAtOnce: Int = .max, isTied: Bool = false,
        now: @escaping @MainActor () -> ContinuousClock.Instant = { .now }
    ) -> UndoHistory {
        UndoHistory(
            tracks: isTied
                ? [
                    UndoTrack(
                        \.parents, ties: Row.parentTies,
                        isBlocked: { state, _, wanted in wanted == nil && state.title == "held" }),
                    UndoTrack(\.rows, ties: Row.ties, merge: Row.merge),
                ]
                : [UndoTrack(\.parents), UndoTrack(\.rows)],
            limit: limit,
            maxAtOnce: maxAtOnce,
            now: now,
            classify: { action, _ in
                switch action {
                case .edit(let name, let coalesces, _): .command(name: name, coalesces: coalesces)
                case .part(let number, _): .part(of: number, name: "bulk")
                case .undo: .undo
                case .redo: .redo
                case .rest: .continuation
                default: .ignored
                }
            },
            report: { .reported($0) })
    }
}

/// A store with everything: persistence to a dictionary of rows, undo, a manual clock.
@MainActor
final class Pipeline {
    /// One with the rows 1, 2 and 3.
    static func three() -> Pipeline {
        Pipeline(
            ListState(
                rows: EntityStore([Row(1, rank: "a1"), Row(2, rank: "a2"), Row(3, rank: "a3")])))
    }

    let clock = ManualClock()
    let timer: ManualTimer
    let storage = FailingStorage<ListChanges>()
    let persistence: PersistencePipeline<ListState, ListChanges>
    let undo: UndoHistory<ListState, ListAction>
    let store: Store<ListState, ListAction, ListEnvironment>
    private(set) var disk: [UUID: Row] = [:]

    init(
        _ initial: ListState = ListState(), limit: Int = 64 << 20, maxAtOnce: Int = .max,
        waitsForHydration: Bool = false, isTied: Bool = false
    ) {
        let clock = clock
        let timer = clock.makeTimer()
        self.timer = timer
        let storage = storage
        persistence = PersistencePipeline(
            writers: [
                BatchWriter(keyPath: \ListState.parents, into: \ListChanges.parents),
                BatchWriter(keyPath: \ListState.rows, into: \ListChanges.rows),
            ],
            empty: { ListChanges() },
            options: PersistenceOptions(
                waitsForHydration: waitsForHydration, now: { clock.now }, timer: timer)
        ) { try await storage.commit($0) }
        undo = .ofLists(
            limit: limit, maxAtOnce: maxAtOnce, isTied: isTied, now: { clock.now })
        store = Store(
            initialState: initial, reducer: ListReducer(), environment: ListEnvironment(),
            persistence: persistence, undo: undo, now: { clock.now })
        for row in initial.parents { disk[row.id] = row }
        for row in initial.rows { disk[row.id] = row }
        storage.onCommit = { [weak self] in self?.apply($0) }
    }

    private func apply(_ changes: ListChanges) {
        for row in changes.parents.upserts + changes.rows.upserts { disk[row.id] = row }
        for id in changes.rows.deletions + changes.parents.deletions { disk[id] = nil }
    }

    var state: ListState { store.state }
    var status: PersistenceStatus { persistence.status }

    /// The required content of the disk.
    var memory: [UUID: Row] {
        Dictionary(
            uniqueKeysWithValues: (state.parents.values + state.rows.values).map { ($0.id, $0) })
    }

    func edit(_ body: @escaping @Sendable (inout ListState) -> Void) { store.send(.edit(body)) }

    func quietly(_ body: @escaping @Sendable (inout ListState) -> Void) { store.send(.quiet(body)) }
}
