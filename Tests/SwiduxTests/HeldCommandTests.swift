import Foundation
import SwiduxTesting
import Testing

@testable import Swidux

/// A command that takes several actions, on its way to storage and in the log.
@MainActor
@Suite("Commands of several actions")
struct HeldCommandTests {
    private func makePipeline() -> SharedPipeline {
        let shared = SharedPipeline()
        shared.persistence.isMidCommand = { $0.title == "going on" }
        shared.edit { $0.rows.modify(.numbered(1)) { $0.rank = .spelled("a5") } }
        return shared
    }

    /// An action of the command, which goes on after it or ends with it.
    private func part(_ number: Int, of shared: SharedPipeline, isLast: Bool = false) {
        shared.edit { state in
            state.title = isLast ? "" : "going on"
            state.rows[.numbered(number)] = Row(number, rank: "a\(number)")
        }
    }

    @Test("nothing of one is committed before its end, and then all at once")
    func transaction() async {
        let shared = makePipeline()
        part(2, of: shared)
        shared.clock.advance(by: .seconds(9))
        await shared.persistence.flush()
        #expect(shared.storage.batches.isEmpty)
        part(3, of: shared, isLast: true)
        await shared.settled()
        #expect(shared.storage.batches.map(\.rows.upserts.count) == [3])
    }

    @Test("in the log its records belong together, from the first to the last")
    func group() {
        let shared = makePipeline()
        part(2, of: shared)
        #expect(shared.log.group == 1)
        part(3, of: shared)
        #expect(shared.log.records.count == 3)
        part(4, of: shared, isLast: true)
        #expect(shared.log.group == nil)
        #expect(shared.log.records.count == 4)
    }

    @Test("a log that has to be made anew meanwhile is, at its end")
    func renewal() async {
        let shared = makePipeline()
        part(2, of: shared)
        var theirs = ListChanges()
        theirs.rows.upsert([Row(1, "theirs", rank: "a1")])
        shared.theirs = [theirs]
        shared.endLoading()
        await shared.settled()
        #expect(shared.state.rows[.numbered(1)]?.name == "theirs")
        #expect(shared.log.renewals == 0)
        #expect(shared.log.group == 1)
        part(3, of: shared)
        #expect(shared.log.renewals == 0)
        part(4, of: shared, isLast: true)
        #expect(shared.log.renewals == 1)
        #expect(shared.log.group == nil)
        #expect(shared.log.records.map(\.rows.upserts.count) == [4])
    }

    @Test("a log that fails within it is not tried with every part, and made anew after it")
    func failure() async {
        let shared = makePipeline()
        part(2, of: shared)
        shared.log.fails = true
        part(3, of: shared)
        #expect(shared.persistence.status.phase == .failing)
        shared.log.fails = false
        part(4, of: shared)
        #expect(shared.log.renewals == 0)
        part(5, of: shared, isLast: true)
        #expect(shared.log.renewals == 1)
        await shared.settled()
        #expect(shared.persistence.status.phase == .saved)
    }

    @Test("that it is complete is not said where the log could not be told")
    func failureAtEnd() async {
        let shared = makePipeline()
        shared.storage.hold()
        part(2, of: shared)
        shared.log.fails = true
        part(3, of: shared, isLast: true)
        #expect(shared.persistence.status.phase == .failing)
        shared.log.fails = false
        await shared.storage.attempted(1)
        shared.edit { $0.rows.modify(.numbered(1)) { $0.name = "again" } }
        #expect(shared.log.renewals == 1)
        shared.storage.release()
    }
}
