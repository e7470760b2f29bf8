/// The number of items of a search, by tag, in total and without a tag.
package struct TagCounts: Hashable, Sendable {
    package private(set) var total = 0
    package private(set) var untagged = 0
    private var counts: [Tag.ID: Int] = [:]

    package subscript(tag: Tag.ID) -> Int { counts[tag] ?? 0 }

    /// Counts the counted rows of leaves.
    init(_ leaves: [ListRows.Leaf]) {
        for leaf in leaves { count(leaf.counted, of: leaf.chunk, by: 1) }
    }

    /// Adds the rows of a chunk to the counts, or subtracts them. O(tags of the chunk).
    mutating func count(_ counted: ChunkBits, of chunk: ItemChunk, by step: Int) {
        guard !counted.isEmpty else { return }
        let tags = chunk.columns.tags
        total += step * counted.count
        untagged += step * counted.subtracting(tags.tagged).count
        for (id, rows) in tags.rows {
            let count = rows.intersection(counted).count
            guard count > 0 else { continue }
            let sum = counts[id, default: 0] + step * count
            counts[id] = sum == 0 ? nil : sum
        }
    }

    package init() {}
}
