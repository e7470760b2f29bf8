/// How many of the items that a search finds have each tag, any tag or none.
public struct TagCounts: Hashable, Sendable {
    public private(set) var total = 0
    public private(set) var untagged = 0
    private var counts: [Tag.ID: Int] = [:]

    public subscript(tag: Tag.ID) -> Int { counts[tag] ?? 0 }

    /// The counts of the counted rows of leaves.
    init(_ leaves: [ListRows.Leaf]) {
        for leaf in leaves { count(leaf.counted, of: leaf.chunk, by: 1) }
    }

    /// Counts rows of a chunk, or takes them out again. O(tags of the chunk).
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

    public init() {}
}
