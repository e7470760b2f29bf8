import Foundation
import SwiduxTesting
import Testing

@testable import Swidux

/// Fetches from storage that other processes write to, with pending changes.
@MainActor
@Suite struct FetchTests {
    private let a = UUID.numbered(1)

    @Test("what storage owes is tried until it is committed, whatever is fetched meanwhile")
    func owedCommit() async {
        let shared = SharedPipeline()
        shared.storage.fail(with: "disk full")
        shared.persistence.requireCommit()
        shared.endLoading()
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
        let shared = SharedPipeline()
        shared.storage.fail(with: "disk full")
        shared.persistence.requireCommit()
        await shared.settled()
        for _ in 0..<5 {
            shared.persistence.requireCommit()
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
        let shared = SharedPipeline()
        shared.isSilent = true
        shared.endLoading()
        await shared.persistence.flush()
        #expect(shared.persistence.status.phase == .saved)
        shared.answer()
        await shared.settled()
    }

    @Test("a log that failed while a batch was in flight says so, and has all once that has landed")
    func tornInFlight() async {
        let a = a
        let shared = await SharedPipeline.inFlight { $0.rows[a]?.name = "first" }
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
        let shared = await SharedPipeline.inFlight { $0.rows[a]?.name = "first" }
        shared.log.fails = true
        shared.edit { $0.parents[a] = Row(2) }
        shared.edit { $0.rows[a]?.name = "second" }
        shared.log.fails = false
        shared.edit { $0.rows[a]?.name = "third" }
        #expect(shared.log.records.map { $0.rows[a]?.before?.name } == ["row"])
        shared.storage.release()
        await shared.settled()
        #expect(shared.log.records.map { $0.rows.upserts.map(\.name) } == [["third"]])
        #expect(shared.log.records.map { $0.rows[a]?.before?.name } == ["first"])
    }

    @Test("the log has what waits after a fetch, and no more")
    func logFollows() async {
        let shared = SharedPipeline()
        let a = a
        shared.storage.fail()
        shared.edit { $0.rows[a]?.name = "mine" }
        await shared.persistence.flush()
        shared.theirs = [SharedPipeline.row("mine")]
        shared.endLoading()
        await shared.settled()
        #expect(shared.persistence.status.phase == .saved)
        #expect(shared.log.records == [])
        shared.edit { $0.rows[a]?.name = "again" }
        shared.theirs = [SharedPipeline.row("theirs")]
        shared.persistence.fetchNow()
        await shared.settled()
        #expect(shared.log.records.map { $0.rows[a]?.before?.name } == ["theirs"])
        #expect(shared.log.records.map { $0.rows.upserts.map(\.name) } == [["again"]])
    }

    @Test(
        "what a failed commit has stored after all does not undo a later edit of others",
        arguments: [false, true])
    func confirmed(hasLaterEdit: Bool) async {
        let shared = SharedPipeline()
        let a = a
        shared.storage.fail()
        shared.edit { $0.rows[a]?.name = "mine" }
        await shared.persistence.flush()
        if hasLaterEdit { shared.edit { $0.rows[a]?.name = "later" } }
        var made = ListChanges()
        made.rows[a] = EntityChange(
            before: Row(1, rank: "a1"), after: Row(1, "mine", rank: "a1"))
        shared.confirmed = made
        shared.theirs = [SharedPipeline.row("row")]
        shared.storage.recover()
        shared.endLoading()
        await shared.settled()
        await shared.persistence.flush()
        #expect(shared.state.rows[a]?.name == (hasLaterEdit ? "later" : "row"))
        #expect(
            shared.storage.batches.map { $0.rows.upserts.map(\.name) }
                == (hasLaterEdit ? [["later"]] : []))
        #expect(shared.persistence.status.phase == .saved)
        #expect(shared.log.records == [])
    }

    @Test("the undo of a deletion that had to yield is put on top of what made it yield")
    func undoOfYielded() async {
        let a = a
        let shared = await SharedPipeline.inFlight { $0.rows[a] = nil }
        shared.edit { $0.rows[a] = Row(1, rank: "a1") }
        shared.storage.result = CommitResult(
            stored: SharedPipeline.row("theirs"),
            conflicts: [StorageConflict(id: a, outcome: .notDeleted)])
        shared.storage.release()
        await shared.settled()
        shared.storage.result = CommitResult()
        await shared.persistence.flush()
        #expect(shared.environment.arrivals.map { $0.conflicts.map(\.outcome) } == [[.kept]])
        #expect(shared.storage.batches.last?.rows[a]?.before?.name == "theirs")
        #expect(shared.storage.batches.last?.rows.upserts.map(\.name) == ["row"])
    }

    @Test("a log that fails when all is saved takes nothing back of that")
    func logFailsAtTheEnd() async {
        let a = a
        let shared = await SharedPipeline.inFlight { $0.rows[a]?.name = "first" }
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
        let shared = SharedPipeline()
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
        let shared = SharedPipeline()
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

    @Test("a notice during the pause after a failure ends it, once, and the next pause is longer")
    func noticeEndsPause() async {
        let a = a
        let shared = SharedPipeline()
        shared.endLoading()
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
        let shared = SharedPipeline()
        let a = a
        shared.storage.refusals = [.init(id: a, reason: "no")]
        shared.edit { $0.rows[a]?.name = "refused" }
        await shared.persistence.flush()
        shared.theirs = [SharedPipeline.row("theirs")]
        shared.endLoading()
        await shared.settled()
        #expect(shared.state.rows[a]?.name == "refused")
        shared.storage.refusals = []
        shared.edit { $0.rows[a]?.name = "again" }
        await shared.persistence.flush()
        #expect(shared.storage.batches.last?.rows[a]?.before?.name == "theirs")
    }
}
