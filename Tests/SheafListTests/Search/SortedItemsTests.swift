import Foundation
import SheafTestSupport
import Testing

@testable import SheafList

@Suite struct SortedItemsTests {
    private static let names = [
        "b", "B", "a 10", "a 9", "a 09", "ä 9", "Z", "z", "", "日本", "a 100000000000000000000",
        "a 99999999999999999999", "e\u{301}", "é", "-",
    ]
    private let tags = Fixtures.tags(["one", "two", "three"])

    /// Items with many equal keys.
    private func items(_ generator: inout SeededGenerator) -> [Item] {
        (0..<2_000).map { number in
            var item = Fixtures.item(
                number, Self.names.randomElement(using: &generator),
                rank: Fixtures.rank(Int.random(in: 0..<2_000, using: &generator)))
            func time() -> Timestamp {
                Timestamp(milliseconds: Int64.random(in: -3..<9, using: &generator))
            }
            (item.createdAt, item.updatedAt) = (time(), time())
            item.doneAt = Bool.random(using: &generator) ? time() : nil
            item.due = CalendarDay(year: 2026, month: 1, day: number % 40)
            item.priority = Priority(rawValue: 0x41 + UInt8(number % 30))
            item.tags = Set(
                tags.map(\.id).filter { _ in Int.random(in: 0..<3, using: &generator) == 0 })
            return item
        }.sorted { ($0.rank, $0.id) < ($1.rank, $1.id) }
    }

    /// The order by comparing two items at a time; nil says that there is none by this key.
    private func isBefore(
        _ left: Item, _ right: Item, _ sort: ItemSort, keys: [String: [Int]]
    ) -> Bool? {
        func ascending<T: Comparable>(_ left: T, _ right: T) -> Bool? {
            left == right ? nil : left < right
        }
        switch sort {
        case .manual, .match: return nil
        case .created: return ascending(right.createdAt, left.createdAt)
        case .changed: return ascending(right.updatedAt, left.updatedAt)
        case .done: return ascending(right.doneAt ?? .zero, left.doneAt ?? .zero)
        case .tag:
            func place(_ item: Item) -> Int { tags.firstIndex { item.tags.contains($0.id) } ?? 99 }
            return ascending(place(left), place(right))
        case .due: return ascending(left.due ?? .last, right.due ?? .last)
        case .priority: return ascending(left.priority ?? .z, right.priority ?? .z)
        case .name:
            let (leftKey, rightKey) = (keys[left.name] ?? [], keys[right.name] ?? [])
            if leftKey != rightKey { return leftKey.lexicographicallyPrecedes(rightKey) }
            return left.name.utf8.elementsEqual(right.name.utf8)
                ? nil : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }
    }

    /// A name in which a number is as many bytes as it has digits, and then these.
    private func key(_ name: String) -> [Int] {
        let folded = name.folding(options: .diacriticInsensitive, locale: nil).lowercased()
        return folded.matches(of: /0*([0-9]+)|[^0-9]+/).flatMap { match -> [Int] in
            if let digits = match.output.1 {
                return [0x30, digits.utf8.count] + digits.utf8.map(Int.init)
            }
            return match.output.0.utf8.map(Int.init)
        }
    }

    private func lacksKey(_ item: Item, _ sort: ItemSort) -> Bool {
        switch sort {
        case .done: item.doneAt == nil
        case .due: item.due == nil || item.isDone
        case .priority: item.priority == nil
        case .tag: item.tags.isEmpty
        case .manual, .match, .name, .created, .changed: false
        }
    }

    @Test("every sort is the plain one, with what has no key last", arguments: ItemSort.allCases)
    func sorts(by sort: ItemSort) async {
        var generator = SeededGenerator(seed: 1)
        // Unequal names may be equal as strings, but then they have one key.
        let keys = Dictionary(Self.names.map { ($0, key($0)) }) { first, _ in first }
        for isReversed in [false, true] {
            let items = items(&generator)
            let expected = items.sorted { left, right in
                let (leftLacks, rightLacks) = (lacksKey(left, sort), lacksKey(right, sort))
                if leftLacks != rightLacks { return rightLacks }
                if sort == .due, left.isDone != right.isDone { return right.isDone }
                if let isBefore = leftLacks ? nil : isBefore(left, right, sort, keys: keys) {
                    return isBefore != isReversed
                }
                let isBefore = (left.rank, left.id) < (right.rank, right.id)
                return sort == .manual && isReversed ? !isBefore : isBefore
            }
            let sorted = await ItemOrder(sort, isReversed: isReversed, tags: tags).sorted(items)
            #expect(sorted.map(\.id) == expected.map(\.id), "\(isReversed)")
        }
    }

    @Test("names that are alike for long are told apart wherever they differ")
    func longNames() async {
        var generator = SeededGenerator(seed: 3)
        let pieces = [
            "review the loop", "Review the Loop", " of the ", "a", "b", "B", "é", "-", "7", "007",
            "12", "99999999999",
            "\u{1}", "\u{2}", "\u{0}", ":", "/",
        ]
        let beginnings = (0..<6).map { _ in
            (0..<Int.random(in: 0..<30, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
        }
        let items = (0..<2_000).map { number in
            let pieces = (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }
            return Fixtures.item(
                number, (beginnings.randomElement(using: &generator) ?? "") + pieces.joined())
        }
        let folded = items.map { FoldedText.bytes(of: $0.name) }
        for isReversed in [false, true] {
            let expected = items.indices.sorted { left, right in
                var order = folded[left].compareAsName(to: folded[right])
                if order == 0 {
                    order = items[left].texts.orderOfNames(to: items[right].texts)
                }
                return order == 0 ? left < right : (order < 0) != isReversed
            }
            let sorted = await ItemOrder(.name, isReversed: isReversed).sorted(items)
            #expect(sorted.map(\.id) == expected.map { items[$0].id }, "\(isReversed)")
        }
    }

    @Test("the best matches come first, in manual order where none is better")
    func matches() async throws {
        var generator = SeededGenerator(seed: 2)
        let search = try ItemSearch(
            Query("a 9"), tags: tags, now: Fixtures.now, calendar: .utc)
        let plain = PlainSearch(search: search)
        let manual = items(&generator).filter { plain.finds($0) }
        let scores = manual.map { Int(plain.rank($0) ?? 0) }
        #expect(Set(scores).count > 1)
        for isReversed in [false, true] {
            let expected = manual.indices.sorted {
                isReversed
                    ? (scores[$0], $0) < (scores[$1], $1) : (scores[$1], $0) < (scores[$0], $1)
            }
            let order = ItemOrder(.match, isReversed: isReversed)
            #expect(await order.sorted(manual, foundBy: search) == expected.map { manual[$0] })
            #expect(await order.sorted(manual) == manual)
        }
    }

    @Test("the manual order is known as such")
    func manual() {
        #expect(ItemOrder(.manual, tags: tags).isManual)
        #expect(!ItemOrder(.manual, isReversed: true).isManual)
        #expect(!ItemOrder(.name).isManual)
        #expect(ItemOrder(.tag).needsTags)
    }
}
