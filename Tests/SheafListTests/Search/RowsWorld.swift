import Foundation
import SheafTestSupport
import Swidux
import Testing

@testable import SheafList

/// A list, its rows, and random operations on them.
struct RowsWorld {
    private var random: SeededGenerator
    private var items: EntityStore<Item>
    private var rows = ItemRows()
    private var totals = ItemTotals()
    private let tags = Fixtures.tags(["+Garden", "@phone", "book", "red"])
    private var definition = RowsDefinition()
    private var next = 10_000
    private let today = LocalCalendar.utc.day(Fixtures.now)
    private var late: (search: RowsSearch, result: ItemRows)?
    /// A copy of the rows, which nothing that is done to them changes.
    private var held: (rows: ItemRows, items: EntityStore<Item>, ids: [Item.ID])?

    init(seed: UInt64, count: Int = 300) throws {
        random = SeededGenerator(seed: seed)
        items = EntityStore()
        for number in 0..<count {
            let item = item(number)
            items[item.id] = item
        }
        rows.update(from: items)
    }

    mutating func step() throws {
        switch Int.random(in: 0..<15, using: &random) {
        case 0..<5: edit()
        case 5: insertMany()
        case 6: removeMany()
        case 7: rows.pinned = anyID()
        case 8: rows.pinned = nil
        case 9, 10:
            let text = queries.randomElement(using: &random) ?? ""
            try search(text)
        case 11:
            definition.choice = choices.randomElement(using: &random) ?? .everything
            definition.countedSearch =
                [nil, .state(.open), .everything].randomElement(using: &random) ?? nil
            rows.define(definition, in: items)
        case 12: begin()
        case 13: for _ in 0..<([2, 30, 300].randomElement(using: &random) ?? 2) { edit() }
        default: end()
        }
        rows.update(from: items)
        try check()
        try checkHeld()
        if Int.random(in: 0..<6, using: &random) == 0 { held = (rows, items, rows.ids) }
    }

    private func checkHeld() throws {
        guard let held else { return }
        var (rows, anew) = (held.rows, ItemRows())
        try #require(rows.ids == held.ids)
        rows.define(definition, in: held.items)
        anew.define(definition, in: held.items)
        try #require(rows.ids == anew.ids)
        try #require(rows.counts == anew.counts)
    }

    mutating func search(_ text: String) throws {
        try set(text, in: orders.randomElement(using: &random) ?? .manual)
        rows.define(definition, in: items)
    }

    private mutating func set(_ text: String, in order: ItemOrder) throws {
        let query = try Query(text, fields: fields)
        func search(isFuzzy: Bool) throws -> ItemSearch {
            try ItemSearch(
                query, isFuzzy: isFuzzy, tags: tags, now: Fixtures.now, calendar: .utc)
        }
        definition.search = try search(isFuzzy: false)
        let fuzzy = try search(isFuzzy: true)
        definition.fuzzy = fuzzy.isFuzzy && Bool.random(using: &random) ? fuzzy : nil
        definition.order = order
    }

    mutating func search(_ text: String, in order: ItemOrder) throws {
        try set(text, in: order)
        rows.define(definition, in: items)
    }

    mutating func pin() { rows.pinned = anyID() }

    mutating func edit(_ count: Int) throws {
        for number in 0..<count {
            edit()
            rows.update(from: items)
            if number % 50 == 0 { rows.pinned = anyID() }
            if number % 25 == 0 { try check() }
        }
        try check()
    }

    /// Inserts items one by one, each before the one at a row, and returns their ids.
    mutating func insert(_ count: Int, before row: Int) throws -> [Item.ID] {
        let neighbors = items.page(at: max(row - 1, 0), count: row == 0 ? 1 : 2).map(\.rank)
        var (lower, upper) = (row == 0 ? nil : neighbors.first, neighbors.last)
        return try (0..<count).map { number in
            next += 1
            var item = item(next)
            item.rank = .between(lower, upper)
            if number % 3 == 0 { lower = item.rank } else { upper = item.rank }
            items[item.id] = item
            rows.update(from: items)
            if number % 20 == 0 { try check() }
            return item.id
        }
    }

    /// Removes items one by one.
    mutating func remove(_ ids: some Sequence<Item.ID>) throws {
        for (number, id) in ids.enumerated() {
            items[id] = nil
            rows.update(from: items)
            if number % 20 == 0 { try check() }
        }
        try check()
    }

    // MARK: Doing

    private let fields = FieldWord.all + [FieldWord("memo", .text("note"))]
    private let queries = [
        "", "a", "ar", "gar", "+garden", "is:done", "-is:done gar", "is:open (x OR #book)", "b a",
        "é", "本 OR a1", "ar b", "grg", "gn e", "(#book gar) OR +garden", "a (bar OR #book)",
        "is:open garage", "is:open bar a10", "NOT is:untagged", "A", "zz", "note",
        "created:today OR b",
        "due:<3d", "due:none a", "-due:none", "is:overdue OR is:repeating", "-is:scheduled",
        "scheduled:1w..", "priority:B..", "priority:none", "-priority:A due:today",
        "memo:note", "memo:garlic OR memo:zoe", "-memo:note a",
    ]

    private var choices: [ItemSearch] {
        [.everything, .state(.untagged), .tag(tags[0].id), .tag(tags[2].id)]
    }

    private var orders: [ItemOrder] {
        let places = Dictionary(
            uniqueKeysWithValues: tags.enumerated().map { ($1.id, $0) })
        return ItemSort.allCases.flatMap { sort in
            [false, true].map {
                ItemOrder(sort: sort, isReversed: $0, tagPlaces: sort == .tag ? places : [:])
            }
        } + [.manual, ItemOrder(sort: .match), ItemOrder(sort: .match)]
    }

    private mutating func begin() {
        let search = RowsSearch(definition)
        late = (search, search.run(in: items.shared))
    }

    private mutating func end() {
        guard let late, late.result.definition == definition else { return }
        rows.adopt(late.result, from: items)
        self.late = nil
    }

    private mutating func edit() {
        guard let id = anyID(), var item = items[id] else { return insertMany() }
        switch Int.random(in: 0..<8, using: &random) {
        case 6: (item.due, item.repeat) = (day(), nil)
        case 7: (item.scheduled, item.priority) = (day(), .b)
        case 0: item.name = name()
        case 1: item.doneAt = item.isDone ? nil : time()
        case 2: item.tags = tagSet()
        case 3: item.note = Bool.random(using: &random) ? "a note of garlic" : ""
        case 4: item.rank = .between(items[anyID() ?? id]?.rank, nil)
        default:
            items[id] = nil
            return
        }
        item.updatedAt = time()
        items[id] = item
    }

    private mutating func insertMany() {
        for _ in 0..<[1, 2, 300].randomElement(using: &random)! {
            next += 1
            let item = item(next)
            items[item.id] = item
        }
    }

    private mutating func removeMany() {
        for _ in 0..<[1, 40, 200].randomElement(using: &random)! {
            guard let id = anyID() else { return }
            items[id] = nil
        }
    }

    private mutating func item(_ number: Int) -> Item {
        Item(
            id: Fixtures.id(number), name: name(),
            note: Int.random(in: 0..<5, using: &random) == 0 ? "zoë's note" : "", tags: tagSet(),
            doneAt: Bool.random(using: &random) ? time() : nil, due: day(), scheduled: day(),
            repeat: Bool.random(using: &random) ? Repeat(1, .weeks) : nil,
            priority: [nil, .a, .b, .c].randomElement(using: &random) ?? nil,
            rank: .between(nil, items[anyID() ?? Fixtures.id(0)]?.rank), createdAt: time())
    }

    private mutating func day() -> CalendarDay? {
        LocalCalendar.utc.day(Fixtures.now).adding(days: Int.random(in: -3..<9, using: &random))
            .flatMap { Bool.random(using: &random) ? $0 : nil }
    }

    private mutating func name() -> String {
        let words = [
            "garage", "Garden", "bar", "été", "本", "a10", "a9", "", "x", "Arg", "e",
            String(repeating: "gr ", count: Int.random(in: 0..<100, using: &random)),
        ]
        return (0..<Int.random(in: 0..<4, using: &random))
            .map { _ in words.randomElement(using: &random)! }.joined(separator: " ")
    }

    private mutating func tagSet() -> Set<UUID> {
        Set(tags.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }.map(\.id))
    }

    private mutating func time() -> Timestamp {
        Fixtures.now.advanced(days: Int.random(in: -5..<2, using: &random))
    }

    private mutating func anyID() -> Item.ID? {
        items.count == 0
            ? nil
            : items.page(at: Int.random(in: 0..<items.count, using: &random), count: 1).first?.id
    }

    // MARK: Checking

    mutating func check() throws {
        let isFuzzy = rows.isFuzzy
        let search = PlainSearch(search: (isFuzzy ? definition.fuzzy : nil) ?? definition.search)
        let choice = PlainSearch(search: definition.choice)
        let counted = definition.countedSearch ?? (isFuzzy ? definition.search : nil)
        var expected: [(item: Item, rank: Int, place: Int)] = []
        var countedItems: [Item] = []
        for (place, item) in items.values.enumerated() {
            let rank = search.rank(item)
            let isCounted = counted.map { PlainSearch(search: $0).finds(item) } ?? (rank != nil)
            if isCounted { countedItems.append(item) }
            let isShown = rank != nil && choice.finds(item)
            guard isShown || item.id == rows.pinned else { continue }
            let points = isFuzzy ? search.search.points(of: item) : Int(rank ?? 0)
            expected.append((item, points, place))
        }
        let order = definition.order
        expected.sort { left, right in
            if definition.isRanked, left.rank != right.rank {
                return (left.rank < right.rank) == (order.isReversed && !isFuzzy)
            }
            return order.isBefore(left.item, right.item)
        }
        let ids = rows.ids(in: 0..<rows.count)
        let part = ids.count / 3..<ids.count * 2 / 3
        try #require(rows.ids(in: part) == Array(ids[part]))
        // A pinned item stands where it stood, which only it knows among the best matches.
        let pinned = definition.isRanked ? rows.pinned : nil
        try #require(
            ids.filter { $0 != pinned } == expected.map(\.item.id).filter { $0 != pinned })
        try #require(rows.count == expected.count)
        try check(rows.counts, of: countedItems)
        totals.update(from: items, today: today)
        try check(totals.tags, of: items.values)
        let open = items.filter { !$0.isDone }
        try #require(totals.open == open.count)
        try #require(totals.late == open.count { $0.due.map { $0 < today } ?? false })
        try #require(
            totals.later == open.count { $0.scheduled.map { $0 > today } ?? false })
        try #require(totals.hasDue == open.contains { $0.due != nil })
        for (row, id) in ids.enumerated() { try #require(rows.row(of: id) == row) }
        for item in items.values.prefix(50) {
            try #require((rows.row(of: item.id) != nil) == ids.contains(item.id))
        }
        // Whether fuzzy matches are right follows from whether there are others.
        guard definition.fuzzy != nil, !rows.isOutdated else { return }
        let exact = PlainSearch(search: definition.search.and(definition.choice))
        let hasExact = items.values.contains { exact.finds($0) }
        try #require(isFuzzy == !hasExact)
    }

    private func check(_ counts: TagCounts, of items: [Item]) throws {
        try #require(counts.total == items.count)
        try #require(counts.untagged == items.count { $0.tags.isEmpty })
        for tag in tags {
            try #require(counts[tag.id] == items.count { $0.tags.contains(tag.id) })
        }
    }
}

extension ItemOrder {
    /// The order said another way: by comparing two items.
    fileprivate func isBefore(_ left: Item, _ right: Item) -> Bool {
        if sort == .name {
            let (ours, theirs) = (
                FoldedText.bytes(of: left.name), FoldedText.bytes(of: right.name)
            )
            let order = ours.compareAsName(to: theirs)
            if order != 0 { return (order < 0) != isReversed }
            if !left.name.utf8.elementsEqual(right.name.utf8) {
                return left.name.utf8.lexicographicallyPrecedes(right.name.utf8) != isReversed
            }
        } else if number(of: left) != number(of: right) {
            return number(of: left) < number(of: right)
        }
        let isBefore = (left.rank, left.id) < (right.rank, right.id)
        return sort == .manual && isReversed ? !isBefore : isBefore
    }
}
