import Foundation
import SheafTestSupport
import Swidux
import Testing

@testable import SheafList

/// The rows compared with the results of going through all items, through every order of edits,
/// bulk changes, searches and their late results.
@Suite struct ItemRowsTests {
    @Test(
        "rows are what going through all items finds",
        arguments: 0..<UInt64(Torture.count(3, of: 8)))
    func equalsBruteForce(seed: UInt64) throws {
        var world = try RowsWorld(seed: seed)
        for _ in 0..<Torture.count(40, of: 150) { try world.step() }
    }

    @Test(
        "a chunk holds what a list of one does", arguments: [0, 1, 383, 384, 385, 512, 513, 1_500])
    func sizes(count: Int) throws {
        var world = try RowsWorld(seed: 7, count: count)
        for _ in 0..<Torture.count(8, of: 20) { try world.step() }
    }

    @Test("a search that is narrowed finds what a new one finds")
    func narrows() throws {
        var world = try RowsWorld(seed: 3, count: 700)
        for text in ["a", "ar", "arg", "arg is:open", "arg is:open -b", "ar", "", "g", "ga"] {
            try world.search(text)
            try world.check()
            world.pin()
        }
    }

    @Test("the selected row stays where it is among the best matches once it matches no more")
    func keepsPlace() throws {
        var items = EntityStore(
            Fixtures.items((0..<9).map { "a\(String(repeating: "b", count: $0))" }))
        var definition = RowsDefinition(order: ItemOrder(sort: .match))
        definition.search = try ItemSearch(
            Query("a is:open"), tags: [], now: Fixtures.now, calendar: .utc)
        var rows = ItemRows()
        rows.define(definition, in: items)
        let id = try #require(rows.id(at: 2))
        rows.pinned = id
        items[id]?.doneAt = Fixtures.now
        rows.update(from: items)
        #expect(rows.row(of: id) == 2)
        #expect(rows.count == 9)
        rows.pinned = nil
        #expect(rows.row(of: id) == nil)
        #expect(rows.count == 8)
    }

    @Test("a selected row that was deleted and is back is shown, whether it matches or not")
    func comesBack() throws {
        for order in [ItemOrder.manual, ItemOrder(sort: .match), ItemOrder(sort: .name)] {
            var items = EntityStore(Fixtures.items(["ab", "a", "b"]))
            let search = try ItemSearch(
                Query("a"), tags: [], now: Fixtures.now, calendar: .utc)
            var rows = ItemRows()
            rows.define(RowsDefinition(search: search, order: order), in: items)
            let id = try #require(rows.id(at: 0))
            rows.pinned = id
            let item = try #require(items[id])
            items[id] = nil
            rows.update(from: items)
            #expect(rows.count == 1 && rows.held == nil)
            items[id] = Item(
                id: id, name: "gone", rank: item.rank, createdAt: item.createdAt)
            rows.update(from: items)
            #expect(rows.row(of: id) != nil && rows.held == id)
            #expect(rows.count == 2 && rows.matchCount == 1)
        }
    }

    @Test("rows in another order stay right through more edits than they are kept for")
    func manyEdits() throws {
        for order in [ItemOrder(sort: .name), ItemOrder(sort: .match)] {
            var world = try RowsWorld(seed: 11, count: 400)
            try world.search("a", in: order)
            try world.edit(Torture.count(600, of: 1_500))
        }
    }

    @Test("rows stay right while one place fills and empties again", arguments: [0, 150, 299])
    func onePlace(row: Int) throws {
        var world = try RowsWorld(seed: 13)
        let ids = try world.insert(500, before: row)
        try world.search("a", in: .manual)
        for part in [ids[..<170], ids[330...], ids[170..<330]] { try world.remove(part) }
        try world.search("", in: .manual)
    }

    @Test("names are sorted with numbers by value and accents aside")
    func sortsNames() throws {
        let names = [
            "Éclair", "a10", "a9", "a009", "A9", "b", "", "10", "9", "a99999999999",
            "a100000000000",
            "eclairs", "Zoo", "éclair",
        ]
        let store = EntityStore(Fixtures.items(names))
        var rows = ItemRows()
        rows.update(from: store)
        func sorted(reversed: Bool) -> [String] {
            rows.define(
                RowsDefinition(order: ItemOrder(sort: .name, isReversed: reversed)), in: store)
            return rows.ids(in: 0..<100).compactMap { store[$0]?.name }
        }
        let expected = [
            "", "9", "10", "A9", "a009", "a9", "a10", "a99999999999", "a100000000000", "b",
            "Éclair", "éclair", "eclairs", "Zoo",
        ]
        #expect(sorted(reversed: false) == expected)
        #expect(sorted(reversed: true) == expected.reversed())
    }

    @Test("rows of items whose history is lost are counted anew", arguments: [nil, "is:open"])
    func countsAnew(countedSearch: String?) throws {
        func search(_ text: String) throws -> ItemSearch {
            try ItemSearch(
                Query(text), tags: [], now: Fixtures.now, calendar: .utc)
        }
        var rows = ItemRows()
        rows.update(from: EntityStore(Fixtures.items(["a", "b"])))
        let definition = RowsDefinition(
            search: try search("a"), countedSearch: try countedSearch.map(search))
        rows.define(definition, in: EntityStore(Fixtures.items(["a", "b"])))
        let other = EntityStore(Fixtures.items(["a", "b", "ab", "ac"]))
        rows.update(from: other)
        #expect(rows.count == 3)
        #expect(rows.counts.total == (countedSearch == nil ? 3 : 4))
        #expect(rows.counts.untagged == rows.counts.total)
    }

    @Test("items without what is sorted by stand last in both directions")
    func sortsAbsent() {
        var items = Fixtures.items(["a", "b", "c", "d"])
        items[1].doneAt = Fixtures.now
        items[3].doneAt = Fixtures.now.advanced(days: -1)
        let store = EntityStore(items)
        var rows = ItemRows()
        rows.update(from: store)
        for (isReversed, expected) in [(false, "bdac"), (true, "dbac")] {
            rows.define(
                RowsDefinition(order: ItemOrder(sort: .done, isReversed: isReversed)), in: store)
            let names = rows.ids(in: 0..<9).compactMap { store[$0]?.name }
            #expect(names.joined() == expected)
        }
    }
}
