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
        private(set) var persistence: PersistenceMiddleware<ListState>!
        private(set) var state = ListState(rows: EntityStore([Row(1, rank: "a1")]))

        init() {
            let clock = clock
            let storage = storage
            persistence = PersistenceMiddleware(
                writers: [
                    BatchWriter(
                        keyPath: \ListState.rows, into: \ListChanges.rows,
                        merge: StorageMerge { base, mine, theirs in
                            .init(mine, isConflict: mine.name != theirs.name)
                        })
                ],
                empty: { ListChanges() },
                options: PersistenceOptions(now: { clock.now }, timer: clock.makeTimer()),
                log: log,
                commit: { try await storage.commit($0) },
                fetch: { [weak self] in
                    guard let self else { return FetchedChanges(ListChanges()) }
                    if isSilent { await withCheckedContinuation { self.silent.append($0) } }
                    return FetchedChanges(theirs.isEmpty ? ListChanges() : theirs.removeFirst())
                })
            persistence.begin(with: &state)
            persistence.onArrival = { [weak self] in
                guard let self else { return }
                persistence.absorb(into: &state)
            }
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

        func edit(_ change: (inout ListState) -> Void) {
            change(&state)
            persistence.afterReduce(state: &state)
        }
    }

    /// A pipeline with a change in flight, until its storage is released.
    private func inFlight(_ change: (inout ListState) -> Void) async -> Shared {
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

    @Test("the undo of a deletion that had to yield begins with what the deletion began with")
    func undoOfYielded() async {
        let a = a
        let shared = await inFlight { $0.rows[a] = nil }
        shared.edit { $0.rows[a] = Row(1, rank: "a1") }
        shared.storage.conflicts = [a]
        shared.storage.release()
        await shared.settled()
        await shared.persistence.flush()
        #expect(shared.storage.batches.last?.rows.bases[a]?.name == "row")
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
    private var handed = 0
    var fails = false
    struct Refused: Error {}

    func append(_ changes: ListChanges) throws {
        if fails { throw Refused() }
        records.append(changes)
    }
    func replace(with changes: ListChanges) throws {
        if fails { throw Refused() }
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
