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
        let columns = chunk.columns
        total += step * counted.count
        untagged += step * counted.subtracting(columns.tagged).count
        for (id, rows) in columns.tags {
            counts.count(id, by: step * rows.intersection(counted).count)
        }
    }

    package init() {}
}

extension Dictionary where Value == Int {
    /// Adds `step` to the count of a key. A count of zero is absent.
    mutating func count(_ key: Key, by step: Int) {
        guard step != 0 else { return }
        let sum = self[key, default: 0] + step
        self[key] = sum == 0 ? nil : sum
    }
}
