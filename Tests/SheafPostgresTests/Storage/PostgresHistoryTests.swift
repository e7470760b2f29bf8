import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafPostgres

/// The commits that are repeated to a server that has lost them.
@Suite("History of a list on a server")
struct PostgresHistoryTests {
    private var history = PostgresHistory()
    private let ids = (1...4).map { Fixtures.itemID($0) }

    private func renaming(
        _ id: UUID, from old: String? = nil, to new: String
    ) -> StorageChanges {
        func item(_ name: String) -> Item {
            Item(
                id: id, name: name, rank: Rank.spread(1, between: nil, and: nil)[0],
                createdAt: Fixtures.now)
        }
        var changes = StorageChanges()
        changes.items.upsert([item(new)])
        if let old { changes.items[id]?.before = item(old) }
        return changes
    }

    @Test("the last value of each is sent again, with what the first lost commit began with")
    mutating func values() {
        history.add(1, ids[0], renaming(ids[1], from: "one", to: "two"), isOwn: true)
        history.add(2, ids[0], renaming(ids[1], from: "two", to: "three"), isOwn: true)
        history.add(3, ids[0], renaming(ids[1], from: "three", to: "four"), isOwn: true)
        let lost = history.removeLost(after: 1)
        #expect(lost.changes.items.upserts.map(\.name) == ["four"])
        #expect(lost.changes.items[ids[1]]?.before?.name == "two")
        #expect(lost.yielding.isEmpty)
        #expect(history.numbers == [1])
    }

    @Test("an insertion is what others' edits of it began with")
    mutating func insertion() {
        history.add(1, ids[0], renaming(ids[1], to: "one"), isOwn: true)
        history.add(2, ids[0], renaming(ids[1], from: "one", to: "two"), isOwn: true)
        let lost = history.removeLost(after: 0)
        #expect(lost.changes.items.upserts.map(\.name) == ["two"])
        #expect(lost.changes.items[ids[1]]?.before?.name == "one")
    }

    @Test("others' values and deletions yield to what has been written since, own values do not")
    mutating func yielding() {
        history.add(1, ids[0], renaming(ids[1], to: "theirs, then ours"), isOwn: false)
        history.add(2, ids[0], renaming(ids[2], to: "ours, then theirs"), isOwn: true)
        history.add(3, ids[0], renaming(ids[1], to: "ours"), isOwn: true)
        history.add(4, ids[0], renaming(ids[2], to: "theirs"), isOwn: false)
        var deletion = StorageChanges()
        deletion.items.delete([ids[3]])
        history.add(5, ids[0], deletion, isOwn: true)
        #expect(history.removeLost(after: 0).yielding == [ids[2], ids[3]])
    }
}
