/// How many of the items that a search finds have each tag, any tag or none.
public struct TagCounts: Hashable, Sendable {
    public private(set) var total = 0
    public private(set) var untagged = 0
    private var counts: [Tag.ID: Int] = [:]

    public subscript(tag: Tag.ID) -> Int { counts[tag] ?? 0 }

    /// Counts an item, or takes it out again. O(tags).
    mutating func count(_ item: Item, by step: Int) {
        total += step
        if item.tags.isEmpty { untagged += step }
        for tag in item.tags {
            let count = counts[tag, default: 0] + step
            counts[tag] = count == 0 ? nil : count
        }
    }

    /// The counts of the counted rows of leaves.
    init(_ leaves: ArraySlice<ListRows.Leaf>) {
        for leaf in leaves { count(leaf) }
    }

    private mutating func count(_ leaf: ListRows.Leaf) {
        let tags = leaf.chunk.columns.tags
        total += leaf.counted.count
        untagged += leaf.counted.subtracting(tags.tagged).count
        for (id, rows) in zip(tags.ids, tags.rows) {
            let count = rows.intersection(leaf.counted).count
            if count > 0 { counts[id, default: 0] += count }
        }
    }

    /// Adds those of other leaves.
    mutating func add(_ other: TagCounts) {
        total += other.total
        untagged += other.untagged
        counts.merge(other.counts, uniquingKeysWith: +)
    }

    init() {}
}
