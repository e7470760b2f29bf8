import Foundation
import SheafTestSupport
import Swidux
import Synchronization
import Testing

@testable import SheafCore

/// What a sort tells before all rows are in their order, against the order itself.
@Suite struct FirstRowsTests {
    private let tags = Fixtures.tags(["one", "two", "three"])

    private func items(_ count: Int, _ generator: inout SeededGenerator) -> [Item] {
        let words = ["sow", "Sow", "the", "hedge", "a 10", "a 9", "é", "and then some more of it"]
        let names = (0..<count).map { _ in
            (0..<Int.random(in: 0..<5, using: &generator))
                .map { _ in words.randomElement(using: &generator) ?? "" }.joined(separator: " ")
        }
        return Fixtures.items(names).enumerated().map { number, item in
            var item = item
            item.createdAt = Timestamp(milliseconds: Int64.random(in: 0..<500, using: &generator))
            item.doneAt = number % 7 == 0 ? item.createdAt : nil
            item.tags = Set(
                tags.map(\.id).filter { _ in Int.random(in: 0..<3, using: &generator) == 0 })
            return item
        }
    }

    @Test(
        "the rows around the selection are told as they will stand",
        arguments: [ItemSort.name, .created, .done, .tag])
    func tells(sort: ItemSort) async throws {
        var generator = SeededGenerator(seed: 5)
        let store = EntityStore(items(3_000, &generator))
        var rows = ItemRows()
        rows.update(from: store)
        for (isReversed, search) in [
            (false, ItemSearch.everything), (true, .everything), (false, .state(.open)),
        ] {
            let order = ItemOrder(sort, isReversed: isReversed, tags: tags)
            let definition = RowsDefinition(search: search, order: order)
            guard definition.sort != nil else { continue }
            for center in [1, 2_501].map({ Fixtures.id($0) }) {
                let (told, whole) = await run(rows.searching(definition, around: center))
                var sorted = rows
                sorted.take(try #require(whole), from: store)
                guard let row = sorted.row(of: center) else {
                    #expect(told == nil)
                    continue
                }
                let first = try #require(told, "\(isReversed) \(center)")
                #expect(first.row(of: center) == row)
                #expect(first.count == sorted.count && first.counts == sorted.counts)
                #expect(first.covers(row - 400..<row + 400))
                #expect(!first.covers(0..<sorted.count))
                let ids = sorted.ids
                let known = ids.indices.filter { first.id(at: $0) != nil }
                #expect(known.map { first.id(at: $0) } == known.map { ids[$0] })
            }
        }
    }

    @Test("nothing is told of rows that too many equal ones stand beside")
    func tooMany() async throws {
        let store = EntityStore(Fixtures.items(Array(repeating: "sow the hedge", count: 20_000)))
        var rows = ItemRows()
        rows.update(from: store)
        let definition = RowsDefinition(order: ItemOrder(.name))
        let (first, whole) = await run(rows.searching(definition, around: Fixtures.id(7)), width: 1)
        #expect(first == nil && whole?.ordered?.count == 20_000)
    }

    private func run(
        _ search: RowsSearch, width: Int = 2
    ) async -> (FirstRows?, RowsSearch.Result?) {
        let told = Mutex<FirstRows?>(nil)
        let whole = await search.run(width: width) { first in told.withLock { $0 = first } }
        return (told.withLock { $0 }, whole)
    }
}
