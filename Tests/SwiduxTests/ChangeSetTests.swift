import Foundation
import Testing

@testable import Swidux

@Suite struct ChangeSetTests {
    @Test("an id has one operation, the last one")
    func lastWins() {
        let id = UUID.numbered(1)
        var changes = ChangeSet()
        changes.upsert(id)
        changes.delete(id)
        #expect(changes.upserts.isEmpty && changes.deletions == [id])
        changes.upsert(id)
        #expect(changes.upserts == [id] && changes.deletions.isEmpty)
    }

    @Test("upserts and deletions can be set, and exclude each other")
    func settable() {
        let (a, b, c) = (UUID.numbered(1), UUID.numbered(2), UUID.numbered(3))
        var changes = ChangeSet()
        changes.upserts = [a, b]
        changes.deletions.insert(b)
        changes.deletions.insert(c)
        #expect(changes.upserts == [a] && changes.deletions == [b, c])
        changes.deletions = []
        #expect(changes.upserts == [a] && changes.upserts.count == 1)
        changes.upserts = []
        #expect(changes.isEmpty)
    }
}
