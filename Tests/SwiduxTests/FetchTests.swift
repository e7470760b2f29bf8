import Foundation
import SwiduxTesting
import Testing

@testable import Swidux

/// What is fetched from storage that others write to, beside what waits here.
@MainActor
@Suite struct FetchTests {
    private let a = UUID.numbered(1)

    /// A pipeline whose storage tells of what others wrote, and keeps a log.
    @MainActor
    private final class Shared {
        let clock = ManualClock()
        let storage = FailingStorage<ListChanges>()
        let log = MemoryLog()
        /// What the next fetches return.
        var theirs: [ListChanges] = []
        /// Whether fetches have to wait for ``answer()``.
        var isSilent = false
        private var silent: [CheckedContinuation<Void, Never>] = []
        /// How often was fetched.
        private(set) var fetches = 0
        let environment = ListEnvironment()
        private(set) var persistence: PersistenceMiddleware<ListState>!
        private(set) var store: Store<ListState, ListAction, ListEnvironment>!
        var state: ListState { store.state }

        init() {
            let clock = clock
            let storage = storage
            persistence = PersistenceMiddleware(
                writers: [
                    BatchWriter(
                        keyPath: \ListState.rows, into: \ListChanges.rows,
                        merge: StorageMerge { base, mine, theirs in
                            guard let base, base.name == mine.name, base.rank != mine.rank else {
                                return .init(mine, isConflict: mine.name != theirs.name)
                            }
                            var both = mine
                            both.name = theirs.name
                            return .init(both)
                        })
                ],
                empty: { ListChanges() },
                options: PersistenceOptions(now: { clock.now }, timer: clock.makeTimer()),
                log: log,
                commit: { try await storage.commit($0) },
                fetch: { [weak self] in
                    guard let self else { return FetchedChanges(ListChanges()) }
                    fetches += 1
                    if isSilent { await withCheckedContinuation { self.silent.append($0) } }
                    return FetchedChanges(theirs.isEmpty ? ListChanges() : theirs.removeFirst())
                },
                arrived: { ListAction.arrived($0) })
            store = Store(
                initialState: ListState(rows: EntityStore([Row(1, rank: "a1")])),
                reducer: ListReducer(), environment: environment, persistence: persistence,
                now: { clock.now })
        }

        func answer() {
            isSilent = false
            for continuation in silent { continuation.resume() }
            silent = []
        }

        /// Returns when nothing is in flight, nor about to be.
        func settled() async {
            for _ in 0..<50 { await Task.yield() }
        }

        func edit(_ change: @escaping @Sendable (inout ListState) -> Void) {
            store.send(.quiet(change))
        }
    }

    /// A pipeline with a change in flight, until its storage is released.
    private func inFlight(
        _ change: @escaping @Sendable (inout ListState) -> Void
    ) async -> Shared {
        let shared = Shared()
        shared.storage.hold()
        shared.edit(change)
        shared.persistence.flushNow()
        await shared.storage.attempted(1)
        return shared
    }

    private func row(_ name: String) -> ListChanges {
        var changes = ListChanges()
        changes.rows.upserts = [Row(1, name, rank: "a1")]
        return changes
    }

    @Test("what storage owes is tried until it is committed, whatever is fetched meanwhile")
    func owedCommit() async {
        let shared = Shared()
        shared.storage.fail(with: "disk full")
        shared.persistence.commitIsOwed()
        shared.persistence.fetchingMayBegin()
        await shared.settled()
        #expect(shared.persistence.status.phase == .failing)
        #expect(shared.persistence.status.failure == "disk full")
        shared.storage.recover()
        shared.clock.advance(by: .milliseconds(250))
        await shared.settled()
        #expect(shared.storage.batches.count == 1)
        #expect(shared.persistence.status.phase == .saved)
    }

    @Test("what storage owes waits out the pause after a failed commit")
    func owedInPause() async {
        let shared = Shared()
        shared.storage.fail(with: "disk full")
        shared.persistence.commitIsOwed()
        await shared.settled()
        for _ in 0..<5 {
            shared.persistence.commitIsOwed()
            await shared.settled()
        }
        #expect(shared.persistence.status.counters.failures == 1)
        shared.storage.recover()
        shared.clock.advance(by: .milliseconds(250))
        await shared.settled()
        #expect(shared.persistence.status.phase == .saved)
    }

    @Test("a flush waits for no fetch that stands in nobody's way")
    func flushBesideFetch() async {
        let shared = Shared()
        shared.isSilent = true
        shared.persistence.fetchingMayBegin()
        await shared.persistence.flush()
        #expect(shared.persistence.status.phase == .saved)
        shared.answer()
        await shared.settled()
    }

    @Test("a log that failed while a batch was in flight says so, and has all once that has landed")
    func tornInFlight() async {
        let a = a
        let shared = await inFlight { $0.rows[a]?.name = "first" }
        shared.log.fails = true
        shared.edit { $0.rows[a]?.name = "second" }
        #expect(shared.persistence.status.phase == .failing)
        shared.log.fails = false
        shared.storage.release()
        await shared.settled()
        #expect(shared.log.records.last?.rows.upserts.map(\.name) == ["second"])
        #expect(shared.persistence.status.phase == .unsaved)
    }

    @Test("a log renewed while a batch was in flight forgets it when it has landed")
    func renewedInFlight() async {
        let a = a
        let shared = await inFlight { $0.rows[a]?.name = "first" }
        shared.log.fails = true
        shared.edit { $0.parents[a] = Row(2) }
        shared.edit { $0.rows[a]?.name = "second" }
        shared.log.fails = false
        shared.edit { $0.rows[a]?.name = "third" }
        #expect(shared.log.records.map { $0.rows.bases[a]?.name } == ["row"])
        shared.storage.release()
        await shared.settled()
        #expect(shared.log.records.map { $0.rows.upserts.map(\.name) } == [["third"]])
        #expect(shared.log.records.map { $0.rows.bases[a]?.name } == ["first"])
    }

    @Test("the log has what waits after a fetch, and no more")
    func logFollows() async {
        let shared = Shared()
        let a = a
        shared.storage.fail()
        shared.edit { $0.rows[a]?.name = "mine" }
        await shared.persistence.flush()
        shared.theirs = [row("mine")]
        shared.persistence.fetchingMayBegin()
        await shared.settled()
        #expect(shared.persistence.status.phase == .saved)
        #expect(shared.log.records == [])
        shared.edit { $0.rows[a]?.name = "again" }
        shared.theirs = [row("theirs")]
        shared.persistence.fetchNow()
        await shared.settled()
        #expect(shared.log.records.map { $0.rows.bases[a]?.name } == ["theirs"])
        #expect(shared.log.records.map { $0.rows.upserts.map(\.name) } == [["again"]])
    }

    @Test("the undo of a deletion that had to yield is put on top of what made it yield")
    func undoOfYielded() async {
        let a = a
        let shared = await inFlight { $0.rows[a] = nil }
        shared.edit { $0.rows[a] = Row(1, rank: "a1") }
        shared.storage.result = CommitResult(
            stored: row("theirs"), conflicts: [StorageConflict(id: a, outcome: .notDeleted)])
        shared.storage.release()
        await shared.settled()
        shared.storage.result = CommitResult()
        await shared.persistence.flush()
        #expect(shared.environment.arrivals.map { $0.conflicts.map(\.outcome) } == [[.kept]])
        #expect(shared.storage.batches.last?.rows.bases[a]?.name == "theirs")
        #expect(shared.storage.batches.last?.rows.upserts.map(\.name) == ["row"])
    }

    @Test("a log that fails when all is saved takes nothing back of that")
    func logFailsAtTheEnd() async {
        let a = a
        let shared = await inFlight { $0.rows[a]?.name = "first" }
        shared.log.fails = true
        shared.edit { $0.rows[a]?.name = "second" }
        #expect(shared.persistence.status.phase == .failing)
        shared.storage.release()
        await shared.settled()
        #expect(shared.persistence.status.phase == .saved)
        shared.log.fails = false
        shared.storage.fail(with: "disk full")
        shared.edit { $0.rows[a]?.name = "third" }
        #expect(shared.log.records.map { $0.rows.upserts.map(\.name) } == [["third"]])
    }

    @Test("a log that fails too keeps the pause between two tries")
    func pauseIsKept() async {
        let shared = Shared()
        let a = a
        shared.storage.fail(with: "disk full")
        shared.log.fails = true
        shared.edit { $0.rows[a]?.name = "first" }
        await shared.settled()
        let failures = shared.persistence.status.counters.failures
        for number in 1...9 {
            shared.edit { $0.rows[a]?.name = "\(number)" }
            await shared.settled()
        }
        #expect(shared.persistence.status.counters.failures == failures)
        shared.clock.advance(by: .milliseconds(250))
        await shared.settled()
        #expect(shared.persistence.status.counters.failures == failures + 1)
    }

    @Test("what was refused stays in the log, for it is on the screen")
    func refusedInLog() async {
        let shared = Shared()
        let a = a
        shared.storage.refusals = [.init(id: a, reason: "no")]
        shared.edit { $0.rows[a]?.name = "refused" }
        await shared.persistence.flush()
        #expect(shared.log.records.map { $0.rows.upserts.map(\.name) } == [["refused"]])
        shared.storage.refusals = []
        shared.edit { $0.parents[a] = Row(2) }
        shared.edit { $0.rows[.numbered(3)] = Row(3, rank: "a3") }
        await shared.persistence.flush()
        #expect(shared.log.records.map { $0.rows.upserts.map(\.name) } == [["refused"]])
    }

    @Test("what has arrived is an action that waits its turn, and fits what was done before it")
    func turn() async {
        let a = a
        let shared = Shared()
        shared.storage.fail()
        shared.theirs = [row("theirs")]
        // While an action is being worked on, another one waits, and then the arrival.
        var subscription: Subscription?
        subscription = shared.store.subscribe { state in
            guard state.rows[a]?.name == "first" else { return }
            subscription?.cancel()
            shared.edit { $0.rows[a]?.rank = .spelled("a2") }
        }
        shared.edit { $0.rows[a]?.name = "first" }
        shared.persistence.fetchingMayBegin()
        await shared.settled()
        let arrival = shared.environment.arrivals.first
        #expect(shared.environment.arrivals.count == 1)
        #expect(arrival?.changes.rows.isEmpty == true)
        #expect(arrival?.conflicts == [StorageConflict(id: a, outcome: .kept)])
        #expect(shared.state.rows[a]?.name == "first")
        #expect(shared.log.records.last?.rows.bases[a]?.name == "theirs")
    }

    @Test("an arrival with nothing new is no action, and renews no log")
    func nothingNew() async {
        let a = a
        let shared = Shared()
        shared.storage.fail()
        shared.edit { $0.rows[a]?.rank = .spelled("a2") }
        let records = shared.log.records
        var told = 0
        let subscription = shared.store.subscribe { _ in told += 1 }
        let published = shared.persistence.status
        shared.theirs = [row("row")]
        shared.persistence.fetchingMayBegin()
        await shared.settled()
        subscription.cancel()
        #expect(shared.fetches == 1)
        #expect(told == 0)
        #expect(shared.log.records == records)
        #expect(shared.log.renewals == 0)
        #expect(shared.persistence.status == published)
    }

    @Test("rows that are here already, and deletions of rows that are not, are no arrival")
    func knownAlready() async {
        let shared = Shared()
        var gone = ListChanges()
        gone.rows.deletions = [.numbered(9)]
        shared.theirs = [row("row"), gone]
        shared.persistence.fetchingMayBegin()
        await shared.settled()
        shared.persistence.fetchNow()
        await shared.settled()
        #expect(shared.fetches == 2)
        #expect(shared.environment.arrivals.isEmpty)
    }

    @Test("an edit here and one of another field elsewhere are both kept")
    func otherField() async {
        let a = a
        let shared = Shared()
        shared.storage.fail()
        shared.edit { $0.rows[a]?.rank = .spelled("a2") }
        shared.theirs = [row("theirs")]
        shared.persistence.fetchingMayBegin()
        await shared.settled()
        #expect(shared.state.rows.values.map(\.name) == ["theirs"])
        #expect(shared.state.rows.values.map(\.rank) == [.spelled("a2")])
        #expect(shared.environment.arrivals.map(\.conflicts) == [[]])
    }

    @Test("what others delete goes, and is not deleted again")
    func deletedElsewhere() async {
        let shared = Shared()
        var gone = ListChanges()
        gone.rows.deletions = [a]
        shared.theirs = [gone]
        shared.persistence.fetchingMayBegin()
        await shared.settled()
        #expect(shared.state.rows.isEmpty)
        #expect(shared.persistence.status.pending == 0)
        #expect(shared.storage.attempts == 0)
    }

    @Test("an edit here outlives a deletion elsewhere, and a new row was not deleted there")
    func editedAndDeleted() async {
        let (a, b) = (a, UUID.numbered(2))
        let shared = Shared()
        shared.storage.fail()
        shared.edit { state in
            state.rows[a]?.name = "mine"
            state.rows.append(Row(2, "new"))
        }
        var gone = ListChanges()
        gone.rows.deletions = [a, b]
        shared.theirs = [gone]
        shared.persistence.fetchingMayBegin()
        await shared.settled()
        #expect(shared.state.rows.values.map(\.name) == ["mine", "new"])
        #expect(
            shared.environment.arrivals.map(\.conflicts) == [
                [StorageConflict(id: a, outcome: .kept)]
            ])
        #expect(shared.log.records.last?.rows.bases == [:])
    }

    @Test("a deletion here yields to an edit elsewhere, which is told")
    func deletedAndEdited() async {
        let a = a
        let shared = Shared()
        shared.storage.fail()
        shared.edit { $0.rows[a] = nil }
        shared.theirs = [row("theirs")]
        shared.persistence.fetchingMayBegin()
        await shared.settled()
        #expect(shared.state.rows.values.map(\.name) == ["theirs"])
        #expect(shared.persistence.status.phase == .saved)
        #expect(
            shared.environment.arrivals.map(\.conflicts) == [
                [StorageConflict(id: a, outcome: .notDeleted)]
            ])
    }

    @Test("a commit that goes as asked takes its records out of the log, which is not renewed")
    func committedRecords() async {
        let a = a
        let shared = Shared()
        shared.edit { $0.rows[a]?.name = "mine" }
        await shared.persistence.flush()
        #expect(shared.log.records == [])
        #expect(shared.log.renewals == 0)
    }

    @Test("a refused row that was changed again meanwhile is tried with the newer change")
    func refusedAndChanged() async {
        let a = a
        let shared = await inFlight { $0.rows[a]?.name = "refused" }
        shared.edit { $0.rows[a]?.name = "newer" }
        shared.storage.refusals = [.init(id: a, reason: "no")]
        shared.storage.release()
        await shared.storage.attempted(1)
        await shared.settled()
        #expect(shared.persistence.status.refused == [])
        #expect(shared.persistence.saveState(of: a) == .pending)
        shared.storage.refusals = []
        await shared.persistence.flush()
        #expect(shared.storage.batches.last?.rows.upserts.map(\.name) == ["newer"])
        #expect(shared.storage.batches.last?.rows.bases[a]?.name == "row")
        #expect(shared.persistence.status.phase == .saved)
    }

    @Test("what is taken in is not written back, and what the same reducer does beside it is")
    func recordedBeside() async {
        let a = a
        let shared = Shared()
        shared.environment.onArrival = { $0.rows.append(Row(2, "beside")) }
        shared.theirs = [row("theirs")]
        shared.persistence.fetchingMayBegin()
        await shared.settled()
        #expect(shared.state.rows[a]?.name == "theirs")
        #expect(shared.persistence.status.pending == 1)
        await shared.persistence.flush()
        #expect(shared.storage.batches.map { $0.rows.upserts.map(\.name) } == [["beside"]])
    }

    @Test("what a commit merged is shown beneath newer changes, and needs no fetch")
    func mergedCommit() async {
        let (a, b) = (a, UUID.numbered(2))
        let shared = await inFlight { state in
            state.rows[a]?.name = "mine"
            state.rows.append(Row(2, "other"))
        }
        shared.edit { $0.rows[b]?.name = "newer" }
        var stored = ListChanges()
        stored.rows.upserts = [Row(1, "merged", rank: "a1"), Row(2, "stored", rank: "a3")]
        shared.storage.result = CommitResult(
            stored: stored, conflicts: [StorageConflict(id: a, outcome: .merged)])
        shared.storage.release()
        await shared.settled()
        #expect(shared.fetches == 0)
        #expect(shared.state.rows.values.map(\.name) == ["merged", "newer"])
        #expect(
            shared.environment.arrivals.map { $0.conflicts.map(\.outcome) } == [[.merged, .kept]])
        shared.storage.result = CommitResult()
        await shared.persistence.flush()
        #expect(shared.storage.batches.last?.rows.upserts.map(\.name) == ["newer"])
        #expect(shared.storage.batches.last?.rows.bases[b]?.name == "stored")
        #expect(shared.persistence.status.counters.conflicts == 2)
    }

    @Test("what stands in for a refused row is told; the row is refused until it is replaced")
    func substitute() async {
        let (a, b) = (a, UUID.numbered(2))
        let shared = Shared()
        shared.environment.onArrival = { $0.rows[a] = nil }
        var stored = ListChanges()
        stored.rows.upserts = [Row(2, "instead", rank: "a2")]
        shared.storage.result = CommitResult(
            refused: [.init(id: a, reason: "taken")], stored: stored,
            substitutes: [AnyID(a): AnyID(b)])
        var phases: [PersistenceStatus.Phase] = []
        shared.persistence.onStatus = { phases.append($0.phase) }
        shared.edit { $0.rows[a]?.name = "mine" }
        await shared.persistence.flush()
        #expect(shared.environment.arrivals.map(\.substitutes) == [[AnyID(a): AnyID(b)]])
        #expect(shared.state.rows.values.map(\.name) == ["instead"])
        #expect(!phases.contains(.failing))
        shared.storage.result = CommitResult()
        await shared.persistence.flush()
        #expect(shared.persistence.status.phase == .saved)
    }

    @Test("a notice during the pause after a failure ends it, once, and the next pause is longer")
    func noticeEndsPause() async {
        let a = a
        let shared = Shared()
        shared.persistence.fetchingMayBegin()
        await shared.settled()
        shared.storage.fail(with: "locked")
        shared.edit { $0.rows[a]?.name = "mine" }
        await shared.persistence.flush()
        #expect(shared.storage.attempts == 1)
        for _ in 1...3 { shared.persistence.fetchNow() }
        await shared.settled()
        // Those that came while it was being read count for the next look.
        #expect(shared.storage.attempts == 2)
        let pause = shared.persistence.status.nextTry.map { $0 - shared.clock.now }
        #expect(pause == .milliseconds(500))
        shared.storage.recover()
        shared.persistence.fetchNow()
        await shared.settled()
        #expect(shared.persistence.status.phase == .saved)
    }

    @Test("the next change of a row that was refused begins with what others wrote to it")
    func refusedRow() async {
        let shared = Shared()
        let a = a
        shared.storage.refusals = [.init(id: a, reason: "no")]
        shared.edit { $0.rows[a]?.name = "refused" }
        await shared.persistence.flush()
        shared.theirs = [row("theirs")]
        shared.persistence.fetchingMayBegin()
        await shared.settled()
        #expect(shared.state.rows[a]?.name == "refused")
        shared.storage.refusals = []
        shared.edit { $0.rows[a]?.name = "again" }
        await shared.persistence.flush()
        #expect(shared.storage.batches.last?.rows.bases[a]?.name == "theirs")
    }
}

/// A log as one finds it after the end of a process: its records.
@MainActor
final class MemoryLog: IntentLog {
    private(set) var records: [ListChanges] = []
    private(set) var renewals = 0
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
    }
    func handOver() { handed = records.count }
    func committed() {
        records.removeFirst(handed)
        handed = 0
    }
    func keep(_ changes: ListChanges) -> String { "memory" }
    func close() {}
    func close(givingUp changes: ListChanges) {}
}
