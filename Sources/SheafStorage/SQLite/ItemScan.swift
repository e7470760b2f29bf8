import FoundationEssentials
import SheafList

/// A scan of the rows of `items` that creates items only for matches of a search. Creating all
/// items, with their tags, takes several times as long.
///
/// Rows that do not match are not validated. A row that is invalid after an edit by hand makes the
/// search fail only if it matches or ends a part.
final class ItemScan {
    /// The items that have the tags in a search.
    private struct Carriers {
        let search: ItemSearch
        /// The version of the list from which the bits were read.
        let version: Int64
        /// For each row, the bits of its tags, by their index in `tags`, and ``noTag``.
        var bits = RowBits()
        let tags: [Tag.ID]
        var sets: [UInt64: Set<Tag.ID>] = [:]

        /// Returns the tags in the search that the bits represent.
        mutating func tags(_ bits: UInt64) -> Set<Tag.ID> {
            if bits == 0 { return [] }
            if let set = sets[bits] { return set }
            let set = Set(
                tags.enumerated().filter { bits >> UInt64($0.offset) & 1 == 1 }.map(\.element))
            sets[bits] = set
            return set
        }
    }

    /// The maximum number of rows that a scan reads before other processes may commit.
    private static let rowsOfPart = 20_000
    /// The bit of an item without tags, set only if the search asks for such items. Most items have
    /// tags.
    private static let noTag: UInt64 = 1 << 63
    /// The maximum number of tags: one for each bit except ``noTag``.
    private static let maxTags = 63
    private static let name = ItemTable.place(of: "name")
    private static let note = ItemTable.place(of: "note")
    private static let doneAt = ItemTable.place(of: "done_at")
    private static let createdAt = ItemTable.place(of: "created_at")
    private static let updatedAt = ItemTable.place(of: "updated_at")
    private static let due = ItemTable.place(of: "due")
    private static let scheduled = ItemTable.place(of: "scheduled")
    private static let `repeat` = ItemTable.place(of: "repeat")
    private static let priority = ItemTable.place(of: "priority")

    private let items: ItemTable
    private let rows: SQLiteStatement
    private let row: SQLiteStatement
    private let carrying: SQLiteStatement
    private let ids: SQLiteStatement
    private let tagged: SQLiteStatement
    private var carriers: Carriers?

    init(of items: ItemTable, on connection: SQLiteConnection) throws {
        self.items = items
        rows = try connection.statement(
            """
            SELECT \(ItemTable.columns) FROM items WHERE (\(ItemPosition.columns())) > (?1, ?2)
            \(ItemPosition.order())
            """)
        row = try connection.statement(
            "SELECT \(ItemTable.columns) FROM items WHERE rowid = ?1")
        // Both tables are walked in the order of the item ids.
        carrying = try connection.statement(
            """
            SELECT i.rowid FROM item_tags t CROSS JOIN items i ON i.id = t.item_id
            WHERE t.tag_id = ?1 ORDER BY t.item_id
            """)
        ids = try connection.statement("SELECT id, rowid FROM items ORDER BY id")
        // The plus sign keeps SQLite from scanning tag by tag and sorting the result.
        tagged = try connection.statement(
            """
            SELECT item_id FROM item_tags WHERE +tag_id IN (SELECT id FROM tags) ORDER BY item_id
            """)
    }

    /// Discards the cached tags of items, because items are about to be written.
    func forget() { carriers = nil }

    /// Returns up to `limit` items that `search` finds, as `ListStorage` specifies. Requires a
    /// transaction.
    ///
    /// - Parameters:
    ///   - tags: the existing tags.
    ///   - version: SQLite's counter of the commits of other processes.
    func find(
        _ search: ItemSearch, _ parts: ItemParts, after cursor: ItemPosition?, limit: Int,
        tags: TagSets, version: Int64
    ) throws -> FoundItems {
        let asked = search.askedTags.filter(tags.contains)
        if search.isEverything && parts == .all || asked.count > Self.maxTags {
            return try findInPage(search, after: cursor, limit: limit, tags: tags)
        }
        if carriers?.search != search || carriers?.version != version {
            carriers = try carriers(of: Array(asked), search, version)
        }
        var found = try scan(search, after: cursor, limit: limit)
        if parts == .all {
            for index in found.items.indices {
                found.items[index].tags = try items.tags(of: found.items[index].id, among: tags)
            }
        }
        return found
    }

    private func findInPage(
        _ search: ItemSearch, after cursor: ItemPosition?, limit: Int, tags: TagSets
    ) throws -> FoundItems {
        let page = try items.load(after: cursor, limit: limit, tags: tags)
        return FoundItems(
            search.found(in: page), end: page.count < limit ? nil : page.last?.position)
    }

    private func carriers(
        of tags: [Tag.ID], _ search: ItemSearch, _ version: Int64
    ) throws -> Carriers {
        var carriers = Carriers(search: search, version: version, tags: tags)
        func read(_ rows: SQLiteStatement, as bit: UInt64) throws {
            defer { rows.reset() }
            while try rows.step() { carriers.bits.insert(bit, at: rows.integer(0)) }
        }
        for (place, tag) in tags.enumerated() {
            try carrying.bind(tag, at: 1)
            try read(carrying, as: 1 << UInt64(place))
        }
        if search.asksForUntagged {
            try forEachUntagged { carriers.bits.insert(Self.noTag, at: $0) }
        }
        return carriers
    }

    /// Calls `body` with each row of an item without tags. Walks two indexes in parallel, because
    /// looking up each item takes twice as long.
    private func forEachUntagged(_ body: (Int64) -> Void) throws {
        defer {
            ids.reset()
            tagged.reset()
        }
        var hasMore = try tagged.step()
        while try ids.step() {
            let id = ids.bytes(0)
            while hasMore, tagged.bytes(0).lexicographicallyPrecedes(id) {
                hasMore = try tagged.step()
            }
            if !hasMore || !tagged.bytes(0).elementsEqual(id) { body(ids.integer(1)) }
        }
    }

    private func scan(
        _ search: ItemSearch, after cursor: ItemPosition?, limit: Int
    ) throws -> FoundItems {
        defer { rows.reset() }
        try rows.bind(cursor, at: 1)
        var found: [Item] = []
        let asked = search.askedFields
        let texts = Item.fields.filter { asked.contains($0.name) }
            .map { ($0.name, ItemTable.place(of: $0.column)) }
        var page = RowPage()
        var numbers: [Int64] = []
        var left = Self.rowsOfPart
        while try rows.step() {
            left -= 1
            if search.isEverything {
                let item = try items.item(rows)
                found.append(item)
                if left > 0, found.count < limit { continue }
                return FoundItems(found, end: item.position)
            }
            numbers.append(rows.integer(0))
            let values = texts.map { ($0, rows.text($1)) }
            page.append(searchedRow(), texts: Dictionary(values) { $1 })
            guard page.count == RowPage.capacity || left == 0 else { continue }
            try take(page, numbers, search, limit, &found)
            (page, numbers) = (RowPage(), [])
            if found.count == limit { return FoundItems(found, end: found.last?.position) }
            if left == 0 { return FoundItems(found, end: try items.item(rows).position) }
        }
        try take(page, numbers, search, limit, &found)
        return FoundItems(found, end: found.count == limit ? found.last?.position : nil)
    }

    /// Adds the matching items of a page, up to the limit.
    private func take(
        _ page: RowPage, _ numbers: [Int64], _ search: ItemSearch, _ limit: Int,
        _ found: inout [Item]
    ) throws {
        for index in page.rows(foundBy: search) where found.count < limit {
            defer { row.reset() }
            try row.bind(numbers[index], at: 1)
            if try row.step() { found.append(try items.item(row)) }
        }
    }

    /// Returns the searchable parts of the current row.
    private func searchedRow() -> SearchedRow {
        let bits = carriers?.bits.bits(of: rows.integer(0)) ?? 0
        return SearchedRow(
            name: rows.bytes(Self.name), note: rows.bytes(Self.note),
            tags: carriers?.tags(bits & ~Self.noTag) ?? [], isTagged: bits & Self.noTag == 0,
            createdAt: time(Self.createdAt), updatedAt: time(Self.updatedAt),
            doneAt: rows.isNull(Self.doneAt) ? nil : time(Self.doneAt), due: word(Self.due),
            scheduled: word(Self.scheduled), priority: word(Self.priority),
            isRepeating: (word(Self.repeat) as Repeat?) != nil)
    }

    private func time(_ column: Int32) -> Timestamp {
        Timestamp(milliseconds: rows.integer(column))
    }

    /// Returns the value that a column spells, or nil if the text is not valid.
    private func word<Value: LosslessStringConvertible>(_ column: Int32) -> Value? {
        rows.isNull(column) ? nil : Value(rows.text(column))
    }
}
