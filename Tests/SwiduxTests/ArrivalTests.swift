import Foundation
import SwiduxTesting
import Testing

@testable import Swidux

/// Reports of storage, on their way to the reducer.
@MainActor
@Suite struct ArrivalTests {
    private let a = UUID.numbered(1)

    @Test("what has arrived is an action that waits its turn, and fits what was done before it")
    func turn() async {
        let a = a
        let shared = SharedPipeline()
        shared.storage.fail()
        shared.theirs = [SharedPipeline.row("theirs")]
        // While an action is being worked on, another one waits, and then the arrival.
        var subscription: Subscription?
        subscription = shared.store.subscribe { state in
            guard state.rows[a]?.name == "first" else { return }
            subscription?.cancel()
            shared.edit { $0.rows[a]?.rank = .spelled("a2") }
        }
        shared.edit { $0.rows[a]?.name = "first" }
        shared.endLoading()
        await shared.settled()
        let arrival = shared.environment.arrivals.first
        #expect(shared.environment.arrivals.count == 1)
        #expect(arrival?.changes.rows.isEmpty == true)
        #expect(arrival?.conflicts == [StorageConflict(id: a, in: \ListState.rows, outcome: .kept)])
        #expect(shared.state.rows[a]?.name == "first")
        #expect(shared.log.records.last?.rows[a]?.before?.name == "theirs")
    }

    @Test("an arrival with nothing new is no action, and renews no log")
    func nothingNew() async {
        let a = a
        let shared = SharedPipeline()
        shared.storage.fail()
        shared.endLoading()
        await shared.settled()
        shared.edit { $0.rows[a]?.rank = .spelled("a2") }
        let records = shared.log.records
        var told = 0
        let subscription = shared.store.subscribe { _ in told += 1 }
        told = 0
        let published = shared.persistence.status
        shared.theirs = [SharedPipeline.row("row")]
        shared.persistence.fetchNow()
        await shared.settled()
        subscription.cancel()
        #expect(shared.fetches == 2)
        #expect(told == 0)
        #expect(shared.log.records == records)
        #expect(shared.log.renewals == 0)
        #expect(shared.persistence.status == published)
    }

    @Test("rows that are here already, and deletions of rows that are not, are no arrival")
    func knownAlready() async {
        let shared = SharedPipeline()
        var gone = ListChanges()
        gone.rows.delete([.numbered(9)])
        shared.theirs = [SharedPipeline.row("row"), gone]
        shared.endLoading()
        await shared.settled()
        shared.persistence.fetchNow()
        await shared.settled()
        #expect(shared.fetches == 2)
        #expect(shared.environment.arrivals.isEmpty)
    }

    @Test("an edit here and one of another field elsewhere are both kept")
    func otherField() async {
        let a = a
        let shared = SharedPipeline()
        shared.storage.fail()
        shared.edit { $0.rows[a]?.rank = .spelled("a2") }
        shared.theirs = [SharedPipeline.row("theirs")]
        shared.endLoading()
        await shared.settled()
        #expect(shared.state.rows.values.map(\.name) == ["theirs"])
        #expect(shared.state.rows.values.map(\.rank) == [.spelled("a2")])
        #expect(shared.environment.arrivals.map(\.conflicts) == [[]])
    }

    @Test("what others delete goes, and is not deleted again")
    func deletedElsewhere() async {
        let shared = SharedPipeline()
        var gone = ListChanges()
        gone.rows.delete([a])
        shared.theirs = [gone]
        shared.endLoading()
        await shared.settled()
        #expect(shared.state.rows.isEmpty)
        #expect(shared.persistence.status.pending == 0)
        #expect(shared.storage.attempts == 0)
    }

    @Test("an edit here outlives a deletion elsewhere, and a new row was not deleted there")
    func editedAndDeleted() async {
        let (a, b) = (a, UUID.numbered(2))
        let shared = SharedPipeline()
        shared.storage.fail()
        shared.edit { state in
            state.rows[a]?.name = "mine"
            state.rows.append(Row(2, "new"))
        }
        var gone = ListChanges()
        gone.rows.delete([a, b])
        shared.theirs = [gone]
        shared.endLoading()
        await shared.settled()
        #expect(shared.state.rows.values.map(\.name) == ["mine", "new"])
        #expect(
            shared.environment.arrivals.map(\.conflicts) == [
                [StorageConflict(id: a, in: \ListState.rows, outcome: .restored)]
            ])
        #expect(
            shared.log.records.last?.rows.elements.contains { $0.change.before != nil } == false)
    }

    @Test("a deletion here yields to an edit elsewhere, which is told")
    func deletedAndEdited() async {
        let a = a
        let shared = SharedPipeline()
        shared.storage.fail()
        shared.edit { $0.rows[a] = nil }
        shared.theirs = [SharedPipeline.row("theirs")]
        shared.endLoading()
        await shared.settled()
        #expect(shared.state.rows.values.map(\.name) == ["theirs"])
        #expect(shared.persistence.status.phase == .saved)
        #expect(
            shared.environment.arrivals.map(\.conflicts) == [
                [StorageConflict(id: a, in: \ListState.rows, outcome: .notDeleted)]
            ])
    }

    @Test("a commit that goes as asked takes its records out of the log, which is not renewed")
    func committedRecords() async {
        let a = a
        let shared = SharedPipeline()
        shared.edit { $0.rows[a]?.name = "mine" }
        await shared.persistence.flush()
        #expect(shared.log.records == [])
        #expect(shared.log.renewals == 0)
    }

    @Test("a refused row that was changed again meanwhile is tried with the newer change")
    func refusedAndChanged() async {
        let a = a
        let shared = await SharedPipeline.inFlight { $0.rows[a]?.name = "refused" }
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
        #expect(shared.storage.batches.last?.rows[a]?.before?.name == "row")
        #expect(shared.persistence.status.phase == .saved)
    }

    @Test("what is taken in is not written back, and what the same reducer does beside it is")
    func recordedBeside() async {
        let a = a
        let shared = SharedPipeline()
        shared.environment.onArrival = { $0.rows.append(Row(2, "beside")) }
        shared.theirs = [SharedPipeline.row("theirs")]
        shared.endLoading()
        await shared.settled()
        #expect(shared.state.rows[a]?.name == "theirs")
        #expect(shared.persistence.status.pending == 1)
        await shared.persistence.flush()
        #expect(shared.storage.batches.map { $0.rows.upserts.map(\.name) } == [["beside"]])
    }

    @Test("what a commit merged is shown beneath newer changes, and needs no fetch")
    func mergedCommit() async {
        let (a, b) = (a, UUID.numbered(2))
        let shared = await SharedPipeline.inFlight { state in
            state.rows[a]?.name = "mine"
            state.rows.append(Row(2, "other"))
        }
        shared.edit { $0.rows[b]?.name = "newer" }
        var stored = ListChanges()
        stored.rows.upsert([Row(1, "merged", rank: "a1"), Row(2, "stored", rank: "a3")])
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
        #expect(shared.storage.batches.last?.rows[b]?.before?.name == "stored")
        #expect(shared.persistence.status.counters.conflicts == 2)
    }

    @Test("what stands in for a refused row is told; the row is refused until it is replaced")
    func substitute() async {
        let (a, b) = (a, UUID.numbered(2))
        let shared = SharedPipeline()
        shared.environment.onArrival = { $0.rows[a] = nil }
        var stored = ListChanges()
        stored.rows.upsert([Row(2, "instead", rank: "a2")])
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

    @Test(
        "a refused row that storage tells of is given up, but for what was changed meanwhile",
        arguments: [false, true])
    func refusedAndTold(isChanged: Bool) async {
        let a = a
        let shared = await SharedPipeline.inFlight { $0.rows[a]?.name = "taken" }
        if isChanged { shared.edit { $0.rows[a]?.name = "newer" } }
        shared.storage.result = CommitResult(
            refused: [.init(id: a, reason: "taken")], stored: SharedPipeline.row("row"))
        shared.storage.release()
        await shared.storage.attempted(1)
        await shared.settled()
        #expect(shared.persistence.status.refused == [])
        #expect(shared.state.rows[a]?.name == (isChanged ? "newer" : "row"))
        shared.storage.result = CommitResult()
        await shared.persistence.flush()
        #expect(shared.persistence.status.phase == .saved)
        #expect(shared.log.records.isEmpty)
    }
}
