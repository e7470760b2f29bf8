import FoundationEssentials
import SheafCore

/// Looks through the rows of `items` for those that a search finds, and makes items of these alone:
/// to make them of all, with their tags, takes several times as long.
///
/// Rows that are not found are not judged either: one that a hand has made invalid fails the search
/// only where it is found, or ends a part.
final class ItemScan {
    /// Which items have the tags that a search asks for.
    private struct Carriers {
        let search: ItemSearch
        /// The version of the list that they are from.
        let version: Int64
        /// For each item the bits of its tags, by their places in `tags`.
        var bits: [Item.ID: UInt64] = [:]
        let tags: [Tag.ID]
        var sets: [UInt64: Set<Tag.ID>] = [:]

        mutating func tags(of id: Item.ID?) -> Set<Tag.ID> {
            guard let bits = id.flatMap({ bits[$0] }) else { return [] }
            if let set = sets[bits] { return set }
            let set = Set(
                tags.enumerated().filter { bits >> UInt64($0.offset) & 1 == 1 }.map(\.element))
            sets[bits] = set
            return set
        }
    }

    /// So many rows are looked at before others may commit.
    private static let rowsOfPart = 20_000
    /// As many tags as there are bits.
    private static let mostTags = 64

    private let items: ItemTable
    private let rows: SQLiteStatement
    private let carrying: SQLiteStatement
    private var carriers: Carriers?

    init(of items: ItemTable, on connection: SQLiteConnection) throws {
        self.items = items
        rows = try connection.statement(
            """
            SELECT \(ItemTable.columns), name, note, done_at, created_at, updated_at FROM items
            WHERE (rank, id) > (?1, ?2) ORDER BY rank, id
            """)
        carrying = try connection.statement("SELECT item_id FROM item_tags WHERE tag_id = ?1")
    }

    /// Forgets what items were like: they are about to be written.
    func forget() { carriers = nil }

    /// Up to `limit` items that `search` finds, as `ListStorage` has it. Needs a transaction around
    /// it.
    ///
    /// - Parameters:
    ///   - tags: those that exist.
    ///   - version: of what other processes have written.
    func find(
        _ search: ItemSearch, _ parts: ItemParts, after cursor: ItemCursor?, limit: Int,
        tags: TagSets, version: Int64
    ) throws -> FoundItems {
        let asked = search.askedTags.map { Array($0.filter(tags.contains)) } ?? tags.all
        if search.isEverything && parts == .all || asked.count > Self.mostTags {
            return try findInPage(search, after: cursor, limit: limit, tags: tags)
        }
        if carriers?.search != search || carriers?.version != version {
            carriers = try carriers(of: asked, search, version)
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
        _ search: ItemSearch, after cursor: ItemCursor?, limit: Int, tags: TagSets
    ) throws -> FoundItems {
        let page = try items.load(after: cursor, limit: limit, tags: tags)
        var matcher = ItemMatcher(search)
        return FoundItems(
            search.isEverything ? page : page.filter { matcher.includes($0) },
            end: page.count < limit ? nil : page.last.map(ItemCursor.init(after:)))
    }

    private func carriers(
        of tags: [Tag.ID], _ search: ItemSearch, _ version: Int64
    ) throws -> Carriers {
        var carriers = Carriers(search: search, version: version, tags: tags)
        for (place, tag) in tags.enumerated() {
            defer { carrying.reset() }
            try carrying.bind(tag, at: 1)
            while try carrying.step() {
                if let id = carrying.uuid(0) { carriers.bits[id, default: 0] |= 1 << UInt64(place) }
            }
        }
        return carriers
    }

    private func scan(
        _ search: ItemSearch, after cursor: ItemCursor?, limit: Int
    ) throws -> FoundItems {
        defer { rows.reset() }
        try rows.bind(cursor?.rank.text ?? "", at: 1)
        try rows.bind(cursor?.id.uuidString.lowercased() ?? "", at: 2)
        var matcher = ItemMatcher(search)
        var found: [Item] = []
        var left = Self.rowsOfPart
        while try rows.step() {
            left -= 1
            let isFound = search.isEverything || matcher.includes(row)
            if isFound { found.append(try items.item(rows)) }
            if left == 0 || found.count == limit {
                return FoundItems(found, end: ItemCursor(after: try items.item(rows)))
            }
        }
        return FoundItems(found, end: nil)
    }

    /// What a search looks at of the row that was stepped to.
    private var row: ItemRow {
        let first = ItemTable.columnCount
        let tags = carriers?.bits.isEmpty ?? true ? [] : carriers?.tags(of: rows.uuid(1)) ?? []
        return ItemRow(
            name: rows.bytes(first), note: rows.bytes(first + 1), tags: tags,
            doneAt: rows.isNull(first + 2)
                ? nil : Timestamp(milliseconds: rows.integer(first + 2)),
            createdAt: Timestamp(milliseconds: rows.integer(first + 3)),
            updatedAt: Timestamp(milliseconds: rows.integer(first + 4)))
    }
}
