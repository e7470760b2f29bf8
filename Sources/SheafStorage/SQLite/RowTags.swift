import SheafList

/// The tags of all rows of `items`, for reading a long list.
///
/// They come from one pass over `items` and `item_tags`, both in the order of ids. Looking up the
/// tags of each item takes several times as long, since the ids of neighbors lie far apart.
struct RowTags {
    private var sets: [Set<Tag.ID>] = [[]]
    private var numbers: [[Tag.ID]: Int] = [:]
    /// For each row the number of its set.
    private var rows = RowBits()

    /// Reads them. Needs a transaction around it. O(items).
    init(on connection: SQLiteConnection, tags: TagSets) throws {
        let items = try connection.statement("SELECT id, rowid FROM items ORDER BY id")
        let tagged = try connection.statement(
            "SELECT item_id, tag_id FROM item_tags ORDER BY item_id, tag_id")
        var hasMore = try tagged.step()
        var ids: [Tag.ID] = []
        while hasMore, try items.step() {
            let item = items.bytes(0)
            while hasMore, tagged.bytes(0).lexicographicallyPrecedes(item) {
                hasMore = try tagged.step()
            }
            ids.removeAll(keepingCapacity: true)
            while hasMore, tagged.bytes(0).elementsEqual(item) {
                if let id = tagged.uuid(1), tags.contains(id) { ids.append(id) }
                hasMore = try tagged.step()
            }
            if !ids.isEmpty {
                rows.insert(UInt64(number(of: ids, tags)), at: items.integer(1))
            }
        }
    }

    private mutating func number(of ids: [Tag.ID], _ tags: TagSets) -> Int {
        if let number = numbers[ids] { return number }
        numbers[ids] = sets.count
        sets.append(tags.set(of: ids))
        return sets.count - 1
    }

    /// The tags of a row. O(1).
    mutating func tags(of row: Int64) -> Set<Tag.ID> { sets[Int(rows.bits(of: row))] }
}
