import Foundation
import SheafTestSupport
import Swidux
import Synchronization
import Testing

@testable import SheafList

/// What a search tells before all rows are found or in their order, against the rows themselves.
@Suite struct FirstRowsTests {
    private let tags = Fixtures.tags(["one", "two", "three"])

    private func items(
        _ count: Int,
        of words: [String] = [
            "sow", "Sow", "the", "hedge", "a 10", "a 9", "é", "and then some more of it",
        ], _ generator: inout SeededGenerator
    ) -> [Item] {
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

    @Test("the best matches are told as they will stand")
    func tellsBest() async throws {
        var generator = SeededGenerator(seed: 6)
        let words = ["sow", "Sow the hedge", "the é on", "x s"]
        let store = EntityStore(items(30_000, of: words, &generator))
        var all = ItemRows()
        all.update(from: store)
        for query in [
            "s", "sow", "s the", "sow OR hedge", "the -hedge", "é", "#one the", "Sow", "on",
        ] {
            var rows = all
            for choice in [ItemSearch.everything, .state(.open)] {
                let definition = RowsDefinition(
                    search: try search(query), choice: choice, order: ItemOrder(.match))
                let (told, whole) = await run(rows.searching(definition, tellsBest: true))
                let first = try #require(told, "\(query)")
                rows.take(try #require(whole), from: store)
                let ids = (0..<first.count).map { first.id(at: $0) }
                #expect(ids.count >= 256 && ids == rows.ids(in: 0..<ids.count), "\(query)")
                #expect(first.total == nil && first.counts == nil)
                #expect(first.covers(0..<200) && !first.covers(ids.count - 1..<ids.count + 1))
            }
        }
    }

    @Test("few matches are not told before all are found")
    func fewMatches() async throws {
        var generator = SeededGenerator(seed: 7)
        let store = EntityStore(items(20_000, &generator))
        var rows = ItemRows()
        rows.update(from: store)
        let definition = RowsDefinition(
            search: try search("s10"), order: ItemOrder(.match))
        let (told, whole) = await run(rows.searching(definition, tellsBest: true))
        #expect(told == nil && whole?.ordered != nil)
    }

    private func search(_ query: String) throws -> ItemSearch {
        try ItemSearch(
            Query(query), words: .fuzzy, tags: tags, now: Fixtures.now, calendar: .utc)
    }

    private func run(
        _ search: RowsSearch, width: Int = 2
    ) async -> (FirstRows?, RowsSearch.Result?) {
        let told = Mutex<FirstRows?>(nil)
        let whole = await search.run(width: width) { first in told.withLock { $0 = first } }
        return (told.withLock { $0 }, whole)
    }
}
