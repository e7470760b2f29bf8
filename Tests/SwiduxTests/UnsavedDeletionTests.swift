import Foundation
import SwiduxTesting
import Testing

@testable import Swidux

/// A row that is inserted and deleted before storage has it: another process may have inserted one
/// of that id meanwhile.
@MainActor
@Suite("Deletion of an unsaved row") struct UnsavedDeletionTests {
    private let shared = SharedPipeline()
    private let mine = Row(2, "mine", rank: "a2")

    private func insert() { shared.edit { [mine] in $0.rows[mine.id] = mine } }
    private func delete() { shared.edit { [mine] in $0.rows[mine.id] = nil } }

    private func expectOwnDeletion() async {
        await shared.persistence.flush()
        let rows = shared.storage.batches.last?.rows
        #expect(rows?.deletions == [mine.id])
        #expect(rows?[mine.id]?.before == mine)
    }

    @Test("it deletes that row alone")
    func beforeFlight() async {
        insert()
        delete()
        await expectOwnDeletion()
    }

    @Test("so it does after a commit that failed")
    func afterFailure() async {
        shared.storage.failNext()
        insert()
        await shared.persistence.flush()
        delete()
        await expectOwnDeletion()
    }

    @Test("so it does during a commit that fails")
    func duringFailure() async {
        shared.storage.hold()
        shared.storage.failNext()
        insert()
        shared.persistence.hurry()
        await shared.storage.attempted(1)
        delete()
        shared.storage.release()
        await shared.settled()
        await expectOwnDeletion()
    }

    @Test("the row inserted again is new")
    func again() async {
        insert()
        delete()
        insert()
        await shared.persistence.flush()
        let rows = shared.storage.batches.last?.rows
        #expect(rows?.upserts == [mine])
        #expect(rows?[mine.id]?.before == nil)
    }
}
