import SheafList

/// The tags of all rows of `items`, for reading a long list.
///
/// They are read in one pass over `items` and `item_tags`, both in the order of ids. Looking up the
/// tags of each item takes several times as long, because the ids of neighbors are far apart.
struct TagSetsByRow {
    private var sets: [Set<Tag.ID>] = [[]]
    private var numbers: [[Tag.ID]: Int32] = [:]
    /// For each row number, the index of the row's set. 0 means no tags.
    private var rows: ContiguousArray<Int32>

    /// Reads the tags. Nil if row numbers are negative or too sparse. Requires a transaction.
    /// O(items).
    init?(on connection: SQLiteConnection, tags: TagSets) throws {
        let size = try connection.statement("SELECT count(*), max(rowid), min(rowid) FROM items")
        guard try size.step(), size.integer(2) >= 0,
            size.integer(1) <= 16 * (size.integer(0) + 1_000)
        else { return nil }
        rows = ContiguousArray(repeating: 0, count: Int(size.integer(1)) + 1)
        let items = try connection.statement("SELECT id, rowid FROM items ORDER BY id")
        let tagged = try connection.statement(
            "SELECT item_id, tag_id FROM item_tags ORDER BY item_id, tag_id")
        var hasMore = try tagged.step()
        var ids: [Tag.ID] = []
        while hasMore, try items.step() {
            let item = items.bytes(0)
            ids.removeAll(keepingCapacity: true)
            var order = hasMore ? tagged.bytes(0).order(to: item) : 1
            while order <= 0 {
                if order == 0, let id = tagged.uuid(1), tags.contains(id) { ids.append(id) }
                hasMore = try tagged.step()
                order = hasMore ? tagged.bytes(0).order(to: item) : 1
            }
            let row = items.integer(1)
            if !ids.isEmpty, rows.indices.contains(Int(row)) {
                rows[Int(row)] = number(of: ids, tags)
            }
        }
    }

    private mutating func number(of ids: [Tag.ID], _ tags: TagSets) -> Int32 {
        if let number = numbers[ids] { return number }
        let number = Int32(sets.count)
        numbers[ids] = number
        sets.append(tags.set(of: ids))
        return number
    }

    /// Returns the tags of a row. O(1).
    func tags(of row: Int64) -> Set<Tag.ID> {
        rows.indices.contains(Int(row)) ? sets[Int(rows[Int(row)])] : []
    }
}
