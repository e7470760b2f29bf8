import FoundationEssentials
import SheafFormats
import SheafList
import Swidux

/// The rows of `items` and `item_tags`.
///
/// Rows that were edited by hand are read as follows. An id that is not a lower-case UUID, or an
/// invalid rank, makes reading fail with the name of the row, because the position of the item is
/// unknown. Extras that are not JSON pairs become one extra with the key `extras`. An invalid day,
/// repeat or priority becomes an extra with the key of its column. Text that is not UTF-8 is shown
/// with U+FFFD. A tag that does not exist is left out.
final class ItemTable {
    private static let fields = EntityColumns(Item.fields)
    static let columns = "rowid, id, \(fields.names), commit_number"
    /// The first column of the fields in a row, and the column of the commit number.
    private static let firstField: Int32 = 2
    private static let commitNumber = firstField + fields.count

    /// Returns the index of a field's column in a row with ``columns``.
    static func place(of column: String) -> Int32 { firstField + fields.place(of: column) }

    private let connection: SQLiteConnection
    private let page: SQLiteStatement
    private let pageTags: SQLiteStatement
    private let pageStart: SQLiteStatement
    private let idRange: SQLiteStatement
    private let one: SQLiteStatement
    private let oneTags: SQLiteStatement
    private let upsert: SQLiteStatement
    private let deletion: SQLiteStatement
    private let addTag: SQLiteStatement
    private let removeTag: SQLiteStatement
    private let changed: SQLiteStatement
    private let touch: SQLiteStatement

    init(on connection: SQLiteConnection) throws {
        self.connection = connection
        page = try connection.statement(
            """
            SELECT \(Self.columns) FROM items WHERE (\(ItemPosition.columns())) > (?1, ?2)
            \(ItemPosition.order()) LIMIT ?3
            """)
        let position = ItemPosition.columns(of: "i")
        // This order is that of the page, so one pass over both results joins them.
        pageTags = try connection.statement(
            """
            SELECT i.rowid, t.tag_id FROM items i CROSS JOIN item_tags t ON t.item_id = i.id
            WHERE (\(position)) > (?1, ?2) AND (\(position)) <= (?3, ?4)
            \(ItemPosition.order(of: "i"))
            """)
        pageStart = try connection.statement(
            """
            SELECT \(Self.columns) FROM items WHERE (\(ItemPosition.columns())) < (?1, ?2)
            \(ItemPosition.order(isBackward: true)) LIMIT 1 OFFSET ?3
            """)
        idRange = try connection.statement(
            "SELECT id FROM items WHERE id BETWEEN ?1 AND ?2 ORDER BY id")
        one = try connection.statement("SELECT \(Self.columns) FROM items WHERE id = ?1")
        oneTags = try connection.statement("SELECT tag_id FROM item_tags WHERE item_id = ?1")
        upsert = try connection.statement(Self.fields.upsert(into: "items"))
        deletion = try connection.statement("DELETE FROM items WHERE id = ?1")
        // A deleted tag cannot be referenced. The item is saved without it.
        addTag = try connection.statement(
            "INSERT OR ABORT INTO item_tags (item_id, tag_id) SELECT ?1, id FROM tags WHERE id = ?2"
        )
        removeTag = try connection.statement(
            "DELETE FROM item_tags WHERE item_id = ?1 AND tag_id = ?2")
        // The hint keeps the order of the index, which the next page needs.
        changed = try connection.statement(
            """
            SELECT \(Self.columns) FROM items INDEXED BY items_by_commit
            WHERE (commit_number, rowid) > (?1, ?2)
            ORDER BY commit_number, rowid LIMIT ?3
            """)
        touch = try connection.statement(
            """
            UPDATE OR ABORT items SET commit_number = ?2
            WHERE id IN (SELECT item_id FROM item_tags WHERE tag_id = ?1) RETURNING id
            """)
    }

    // MARK: Reading

    /// Returns up to `limit` items after `cursor`, with their tags from `tags`. Requires a
    /// transaction.
    func load(after cursor: ItemPosition?, limit: Int, tags: TagSetsByRow) throws -> [Item] {
        defer { page.reset() }
        try page.bind(cursor, at: 1)
        try page.bind(Int64(limit), at: 3)
        var items: [Item] = []
        items.reserveCapacity(limit)
        while try page.step() {
            var item = try item(page)
            item.tags = tags.tags(of: page.integer(0))
            items.append(item)
        }
        return items
    }

    /// Returns up to `limit` items after `cursor`. Requires a transaction.
    func load(after cursor: ItemPosition?, limit: Int, tags: TagSets) throws -> [Item] {
        defer { page.reset() }
        try page.bind(cursor, at: 1)
        try page.bind(Int64(limit), at: 3)
        var items: [Item] = []
        var rows: [Int64] = []
        while try page.step() {
            rows.append(page.integer(0))
            items.append(try item(page))
        }
        guard let last = items.last else { return [] }
        defer { pageTags.reset() }
        try pageTags.bind(cursor, at: 1)
        try pageTags.bind(last.position, at: 3)
        var index = 0
        var ids: [Tag.ID] = []
        while try pageTags.step() {
            let row = pageTags.integer(0)
            if rows[index] != row {
                if !ids.isEmpty { items[index].tags = tags.set(of: ids) }
                ids.removeAll(keepingCapacity: true)
                while rows[index] != row { index += 1 }
            }
            if let id = pageTags.uuid(1), tags.contains(id) { ids.append(id) }
        }
        if !ids.isEmpty { items[index].tags = tags.set(of: ids) }
        return items
    }

    /// Returns the last `limit` items before `cursor`. Requires a transaction.
    func load(before cursor: ItemPosition, limit: Int, tags: TagSets) throws -> [Item] {
        let start = try self.cursor(before: cursor, skipping: limit)
        let page = try load(after: start, limit: limit, tags: tags)
        return Array(page.prefix { $0.position < cursor })
    }

    private func cursor(before cursor: ItemPosition, skipping count: Int) throws -> ItemPosition? {
        defer { pageStart.reset() }
        try pageStart.bind(cursor, at: 1)
        try pageStart.bind(Int64(count), at: 3)
        return try pageStart.step() ? item(pageStart).position : nil
    }

    /// Returns up to `limit` ids in `range`, without unreadable ones.
    func ids(in range: ClosedRange<Item.ID>, limit: Int) throws -> [Item.ID] {
        defer { idRange.reset() }
        try idRange.bind(range.lowerBound, at: 1)
        try idRange.bind(range.upperBound, at: 2)
        var ids: [Item.ID] = []
        while ids.count < limit, try idRange.step() {
            if let id = idRange.uuid(0) { ids.append(id) }
        }
        return ids
    }

    /// Returns the item `id`, or nil if it does not exist.
    func load(id: Item.ID, tags: TagSets) throws -> Item? {
        defer { one.reset() }
        try one.bind(id, at: 1)
        guard try one.step() else { return nil }
        var item = try item(one)
        item.tags = try self.tags(of: id, among: tags)
        return item
    }

    /// Returns the tags of the item `id`.
    func tags(of id: Item.ID, among tags: TagSets) throws -> Set<Tag.ID> {
        tags.set(of: try tagIDs(of: id).filter(tags.contains))
    }

    /// Returns up to `limit` items that were written after `place`, and the place of the last one.
    /// Requires a transaction.
    func load(
        writtenAfter place: CommitPlace, limit: Int, tags: TagSets
    ) throws -> (items: [Item], end: CommitPlace?) {
        defer { changed.reset() }
        try changed.bind(place.number, at: 1)
        try changed.bind(place.row, at: 2)
        try changed.bind(Int64(limit), at: 3)
        var items: [Item] = []
        var end: CommitPlace?
        while try changed.step() {
            var item = try item(changed)
            item.tags = try self.tags(of: item.id, among: tags)
            items.append(item)
            end = CommitPlace(
                number: changed.integer(Self.commitNumber), row: changed.integer(0))
        }
        return (items, end)
    }

    /// Returns the item in a row with ``columns``, without its tags.
    func item(_ row: SQLiteStatement) throws -> Item {
        guard let id = row.uuid(1) else {
            throw unreadable(row, "invalid id (not a lower-case UUID)")
        }
        var item = Item(id: id)
        if let column = Self.fields.read(row, from: Self.firstField, into: &item).first {
            throw unreadable(row, "invalid \(column)")
        }
        return item
    }

    private func unreadable(_ row: SQLiteStatement, _ reason: String) -> StorageError {
        .unreadableRow(
            "row \(row.integer(0)) of items, id \(JSONText.quoted(row.text(1))): \(reason)",
            at: connection.location)
    }

    // MARK: Writing

    /// Writes `item` in the commit `number`, and updates its tags. Returns the tags of the item
    /// that do not exist.
    @discardableResult
    func save(_ item: Item, in number: Int64) throws -> Set<Tag.ID> {
        try upsert.bind(item.id, at: 1)
        try Self.fields.bind(item, to: upsert, from: 2)
        try upsert.bind(number, at: 2 + Self.fields.count)
        try upsert.run()
        let stored = Set(try tagIDs(of: item.id))
        guard stored != item.tags else { return [] }
        for id in stored.subtracting(item.tags) { try run(removeTag, item.id, id) }
        var missing: Set<Tag.ID> = []
        for id in item.tags.subtracting(stored) {
            try run(addTag, item.id, id)
            if connection.changes == 0 { missing.insert(id) }
        }
        return missing
    }

    /// Marks the items with `tag` as changed in the commit `number` and returns their ids. O(those
    /// items).
    func touch(carrying tag: Tag.ID, in number: Int64) throws -> [Item.ID] {
        defer { touch.reset() }
        try touch.bind(tag, at: 1)
        try touch.bind(number, at: 2)
        var ids: [Item.ID] = []
        while try touch.step() {
            if let id = touch.uuid(0) { ids.append(id) }
        }
        return ids
    }

    /// Deletes the item `id`, if it exists, and its references to tags.
    func delete(_ id: Item.ID) throws {
        try deletion.bind(id, at: 1)
        try deletion.run()
    }

    private func run(_ statement: SQLiteStatement, _ item: Item.ID, _ tag: Tag.ID) throws {
        try statement.bind(item, at: 1)
        try statement.bind(tag, at: 2)
        try statement.run()
    }

    private func tagIDs(of id: Item.ID) throws -> [Tag.ID] {
        defer { oneTags.reset() }
        try oneTags.bind(id, at: 1)
        var ids: [Tag.ID] = []
        while try oneTags.step() {
            if let id = oneTags.uuid(0) { ids.append(id) }
        }
        return ids
    }
}

extension StorageError {
    /// Returns the error for an unreadable row, which another program wrote.
    static func unreadableRow(_ description: String, at location: String) -> StorageError {
        StorageError(
            .corrupt, at: location, reason: description,
            advice: "Correct the row with the sqlite3 shell, or restore a backup.")
    }
}
