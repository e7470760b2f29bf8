/// The rows of a chunk, by tag.
struct TagRows: Sendable {
    /// The rows of each tag that any row has.
    private(set) var rows: [Tag.ID: ChunkBits] = [:]
    /// The rows that have any tag.
    private(set) var tagged = ChunkBits()

    /// The rows with a tag. O(1).
    subscript(id: Tag.ID) -> ChunkBits { rows[id] ?? ChunkBits() }

    /// Inserts a row without tags, or removes the row that is there. O(tags of the chunk).
    mutating func shift(at row: Int, _ direction: RowShift) {
        if direction == .down { set([], isTagged: false, at: row) }
        tagged.shift(at: row, direction)
        for index in rows.values.indices { rows.values[index].shift(at: row, direction) }
    }

    /// Replaces the tags of a row. O(tags of the chunk).
    ///
    /// - Parameter isTagged: True if the row has any tag, which `tags` need not contain.
    mutating func set(_ tags: Set<Tag.ID>, isTagged: Bool, at row: Int) {
        if tagged[row] {
            for (id, tagged) in rows where tagged[row] && !tags.contains(id) {
                rows[id]?[row] = false
                if self[id].isEmpty { rows[id] = nil }
            }
        }
        tagged[row] = isTagged
        for id in tags { rows[id, default: ChunkBits()][row] = true }
    }
}
