import Foundation
import Testing

@testable import Swidux

/// Entities whose `==` leaves out a property.
@Suite struct EqualValueTests {
    /// Equal to any other of its id and length.
    struct Loose: Identifiable, Equatable, Sendable {
        var id: Int
        var name: String

        static func == (left: Self, right: Self) -> Bool {
            left.id == right.id && left.name.count == right.name.count
        }
    }

    /// Equal to any other of its id, wherever it stands.
    struct LooseRanked: Ranked, Equatable {
        var id: Int
        var rank: Rank

        static func == (left: Self, right: Self) -> Bool { left.id == right.id }
    }

    private var store = EntityStore([Loose(id: 1, name: "one"), Loose(id: 2, name: "two")])

    @Test("the store takes a value that counts as equal, and does not record it")
    mutating func taken() {
        let revision = store.revision
        store[1] = Loose(id: 1, name: "uno")
        store.modify(2) { $0.name = "due" }
        #expect(store.values.map(\.name) == ["uno", "due"])
        #expect(store.changes.isEmpty)
        #expect(store.revision == revision)
    }

    @Test("a value that does not count as equal is recorded")
    mutating func recorded() {
        store.modify(1) { $0.name = "eins" }
        #expect(store.changes.upserts == [1])
    }

    @Test("a copy that is held keeps the value before")
    mutating func held() {
        let copy = store
        store[1] = Loose(id: 1, name: "uno")
        #expect(copy[1]?.name == "one")
    }

    @Test("a rank that `==` leaves out is kept in order, and recorded")
    func ranked() throws {
        let ranks = Rank.spread(3, between: nil, and: nil)
        var store = EntityStore((0..<2).map { LooseRanked(id: $0, rank: ranks[$0]) })
        store[0] = LooseRanked(id: 0, rank: ranks[2])
        #expect(store.map(\.id) == [1, 0])
        #expect(store.changes.upserts == [0])
    }
}

/// Orders that storage keeps, of entities without a rank.
@Suite struct RecordedOrderTests {
    @Test(
        "a sort of entities without a rank records every one whose position changed",
        arguments: [[1, 2, 3, 4], [2, 1, 3, 4], [4, 3, 2, 1], [2, 3, 4, 1], [1, 4, 2, 3]])
    func sorted(_ order: [Int]) {
        var store = EntityStore(order.map { Card($0, "\($0)") })
        let before = store.map(\.id)
        store.sort { $0.title < $1.title }
        let moved = zip(before, store.map(\.id)).filter { $0 != $1 }.map(\.1)
        #expect(store.map(\.title) == ["1", "2", "3", "4"])
        #expect(store.changes.upserts == Set(moved))
    }

    @Test("a move of an entity without a rank records it, unless it is there already")
    func moved() {
        var store = EntityStore((1...4).map { Card($0, "\($0)") })
        store.move(.numbered(2), before: .numbered(3))
        #expect(store.changes.isEmpty)
        store.move(.numbered(1), after: .numbered(3))
        #expect(store.changes.upserts == [.numbered(1)])
        #expect(store.map(\.title) == ["2", "3", "1", "4"])
    }
}
