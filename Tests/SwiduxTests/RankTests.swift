import Foundation
import Testing

@testable import Swidux

@Suite struct RankTests {
    @Test("the first rank is a0, and ranks count on from it in both directions")
    func counting() {
        #expect(Rank.between(nil, nil).text == "a0")
        #expect(Rank.between(.spelled("a0"), nil).text == "a1")
        #expect(Rank.between(.spelled("az"), nil).text == "b00")
        #expect(Rank.between(.spelled("Zz"), nil).text == "a0")
        #expect(Rank.between(nil, .spelled("a0")).text == "Zz")
        #expect(Rank.between(nil, .spelled("Z0")).text == "Yzz")
        #expect(Rank.between(nil, .spelled("b00")).text == "az")
    }

    @Test(
        "between two neighbours there is a rank",
        arguments: [
            ("a0", "a1", "a0V"), ("a0", "a0V", "a0G"), ("a0V", "a1", "a0l"), ("a1", "a3", "a2"),
            ("a0", "a00V", "a00G"), ("a1V", "b00", "a2"), ("Zz", "a0V", "a0"), ("Zz", "a0", "ZzV"),
        ])
    func between(lower: String, upper: String, expected: String) {
        let rank = Rank.between(.spelled(lower), .spelled(upper))
        #expect(.spelled(lower) < rank && rank < .spelled(upper))
        #expect(rank.text == expected)
    }

    @Test(
        "what is no rank is refused",
        arguments: [
            "", "a", "0", "b0", "a00", "a0V0", "a-", "a é", "é0", "a0/",
            "A" + String(repeating: "0", count: 26),
        ])
    func refused(text: String) {
        #expect(Rank(text: text) == nil)
    }

    @Test("an upper rank that is not above the lower counts as open")
    func noRoom() {
        let rank = Rank.spelled("a5")
        #expect(Rank.between(rank, rank) > rank)
        #expect(Rank.between(rank, .spelled("a1")) > rank)
    }

    @Test("text and rank sort alike, at any length", arguments: [1, 2, 3])
    func orderOfText(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var ranks = [Rank.between(nil, nil)]
        for _ in 0..<2000 {
            let index = Int.random(in: 0...ranks.count, using: &generator)
            // Half of the insertions go to one place, so that long ranks occur.
            let place = Bool.random(using: &generator) ? index : min(index, 1)
            let rank = Rank.between(
                place > 0 ? ranks[place - 1] : nil, place < ranks.count ? ranks[place] : nil)
            ranks.insert(rank, at: place)
        }
        for (left, right) in zip(ranks, ranks.dropFirst()) {
            #expect(left < right)
            #expect(Array(left.text.utf8).lexicographicallyPrecedes(Array(right.text.utf8)))
        }
        #expect(ranks.contains { $0.text.count > 10 })
        #expect(ranks.allSatisfy { Rank(text: $0.text) == $0 })
    }

    @Test("appending grows with the logarithm")
    func appending() {
        let ranks = Rank.spread(20_000, between: nil, and: nil)
        #expect(ranks.count == 20_000)
        #expect(ranks.last?.text.count == 4)
        let before = Rank.spread(20_000, between: nil, and: ranks[0])
        #expect(before.last.map { $0 < ranks[0] } == true)
        #expect(before.first?.text.count == 4)
    }

    @Test("inserting at one place grows by a digit for six insertions or fewer")
    func insertingAtOnePlace() {
        let lower = Rank.spelled("a0")
        var upper = Rank.spelled("a1")
        for _ in 0..<600 { upper = .between(lower, upper) }
        #expect(upper.text.utf8.count <= 2 + 600 / 5)
    }

    enum Adversary: CaseIterable {
        case atLowerEnd, atUpperEnd, alternating, tighterGap, longerNext
    }

    @Test(
        "whoever chooses the place, a digit more takes five insertions",
        arguments: Adversary.allCases, [("a0", "a1"), ("Zz", "a0"), ("a0V", "a0W"), ("a0", "b00")])
    func worstCase(adversary: Adversary, gap: (lower: String, upper: String)) {
        var lower = Rank.spelled(gap.lower)
        var upper = Rank.spelled(gap.upper)
        let longerEnd = max(gap.lower.utf8.count, gap.upper.utf8.count)
        for number in 1...500 {
            let rank = Rank.between(lower, upper)
            #expect(lower < rank && rank < upper)
            #expect(rank.text.utf8.count <= longerEnd + 2 + number / 5, "insertion \(number)")
            let takesLower =
                switch adversary {
                case .atLowerEnd: true
                case .atUpperEnd: false
                case .alternating: number % 2 == 0
                case .tighterGap: rank.text.utf8.last.map { $0 < UInt8(ascii: "V") } ?? true
                case .longerNext:
                    Rank.between(lower, rank).text.utf8.count
                        > Rank.between(rank, upper).text.utf8.count
                }
            if takesLower { upper = rank } else { lower = rank }
        }
    }

    @Test("moves to the front and to the end stay short")
    func ends() {
        var first = Rank.between(nil, nil)
        var last = first
        for _ in 0..<20_000 {
            first = .between(nil, first)
            last = .between(last, nil)
        }
        #expect(first.text.utf8.count <= 4 && last.text.utf8.count <= 4)
    }

    @Test(
        "a spread is ascending, inside its bounds, and short",
        arguments: [1, 2, 61, 62, 1000, 100_000])
    func spreads(count: Int) {
        let lower = Rank.spelled("a0")
        let upper = Rank.spelled("a1")
        let ranks = Rank.spread(count, between: lower, and: upper)
        #expect(ranks.count == count)
        #expect(zip([lower] + ranks, ranks + [upper]).allSatisfy { $0 < $1 })
        #expect(ranks.allSatisfy { $0.text.count <= 6 })
    }
}

@Suite struct RankRoomTests {
    enum Place {
        case afterFirst, beforeLast, alternating
    }

    @Test(
        "insertions at one place keep ranks short, with few rewrites",
        arguments: [(Place.afterFirst, 20_000), (.alternating, 20_000), (.beforeLast, 2_000)])
    func onePlace(_ place: Place, count: Int) {
        var store = EntityStore([Row(1, rank: "a0"), Row(2, rank: "a1")])
        var expected: [UUID] = [.numbered(1)]
        var lower: [UUID] = []
        var upper: [UUID] = []
        var (previous, next) = (UUID.numbered(1), UUID.numbered(2))
        var rows = 0
        for number in 3..<count + 3 {
            store.resetChanges()
            let id = UUID.numbered(number)
            let isBefore = place == .alternating ? number % 2 == 0 : place == .beforeLast
            if isBefore {
                store.insert(Row(number), before: next)
            } else {
                store.insert(Row(number), after: previous)
            }
            switch place {
            case .afterFirst: upper.append(id)
            case .beforeLast: lower.append(id)
            case .alternating:
                if isBefore { lower.append(id) } else { upper.append(id) }
                if isBefore { previous = id } else { next = id }
            }
            rows += store.changes.upserts.count
            if place != .alternating { (previous, next) = (.numbered(1), .numbered(2)) }
        }
        expected += lower + upper.reversed() + [.numbered(2)]
        #expect(store.map(\.id) == expected)
        #expect(store.allSatisfy { !$0.rank.isTooLong })
        // O(log n) on average; 4.7 to 5.7 when it was measured.
        #expect(rows < count * 8)
    }

    @Test("after the greatest ranks there is room at the end, and before the smallest at the start")
    func ends() {
        let greatest = String(repeating: "z", count: 2_000)
        let smallest = "A" + String(repeating: "0", count: 1_998) + "1"
        var store = EntityStore([Row(1, rank: "a0"), Row(2, rank: greatest)])
        store.append(Row(3))
        store[.numbered(4)] = Row(4, rank: smallest)
        store.insert(Row(5), before: .numbered(4))
        #expect(store.map(\.id) == [5, 4, 1, 2, 3].map { .numbered($0) })
        #expect(store.allSatisfy { !$0.rank.isTooLong })
    }

    @Test("a move beside long ranks rewrites no more than these, and keeps the order")
    func longNeighbors() {
        let prefix = "a1" + String(repeating: "0", count: 100)
        var store = EntityStore(
            [Row(1, rank: "a0"), Row(2, rank: "a1")]
                + (3...6).map { Row($0, rank: "\(prefix)\($0)") }
                + (7...90).map {
                    Row($0, rank: "b\($0 + 10)1")
                })
        store.resetChanges()
        store.move(.numbered(90), after: .numbered(2))
        #expect(
            store.prefix(7).map(\.id) == [1, 2, 90, 3, 4, 5, 6].map { UUID.numbered($0) })
        #expect(store.changes.upserts.count < 12)
    }

    @Test(
        "random moves, many of them at one place, keep the order and short ranks", arguments: 1...2)
    func moves(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var store = EntityStore((1...60).map { Row($0, rank: "a1") })
        var model = store.map(\.id)
        for step in 0..<10_000 {
            let isOften = Int.random(in: 0..<4, using: &generator) > 0
            let target = model[isOften ? 20 : Int.random(in: 0..<60, using: &generator)]
            let id = model[Int.random(in: 0..<60, using: &generator)]
            guard id != target else { continue }
            let isBefore = Bool.random(using: &generator)
            if isBefore { store.move(id, before: target) } else { store.move(id, after: target) }
            model.removeAll { $0 == id }
            let place = model.firstIndex(of: target) ?? 0
            model.insert(id, at: isBefore ? place : place + 1)
            guard step % 50 == 0 else { continue }
            #expect(store.allSatisfy { !$0.rank.isTooLong })
        }
        #expect(store.map(\.id) == model)
    }

    @Test("entities without a rank move at one place without other changes")
    func unranked() {
        var store = EntityStore((1...10).map { Card($0) })
        for number in 0..<2_000 {
            store.resetChanges()
            store.move(store.id(at: 9) ?? .numbered(1), after: .numbered(1))
            #expect(store.changes.upserts.count == 1, "\(number)")
        }
    }
}
