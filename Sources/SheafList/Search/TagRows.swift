/// Which rows of a chunk have which tags.
struct TagRows: Sendable {
    /// The tags of the chunk in no order, and the rows of each.
    private(set) var ids: ContiguousArray<Tag.ID> = []
    private(set) var rows: ContiguousArray<ChunkBits> = []
    /// The rows that have any tag.
    private(set) var tagged = ChunkBits()

    /// The rows that have a tag. O(tags of the chunk).
    subscript(id: Tag.ID) -> ChunkBits { ids.firstIndex(of: id).map { rows[$0] } ?? ChunkBits() }

    /// Inserts a row that has no tag, or removes the row that is there. O(tags of the chunk).
    mutating func shift(at row: Int, _ direction: RowShift) {
        if direction == .down { set([], isTagged: false, at: row) }
        tagged.shift(at: row, direction)
        for index in rows.indices { rows[index].shift(at: row, direction) }
    }

    /// Gives a row these tags and no others. O(tags of the chunk).
    ///
    /// - Parameter isTagged: whether it has any tag, which may not be among `tags`.
    mutating func set(_ tags: Set<Tag.ID>, isTagged: Bool, at row: Int) {
        if tagged[row] {
            // From the end, since the last one takes the place of one that no row has any more.
            for index in rows.indices.reversed() where rows[index][row] {
                rows[index][row] = false
                guard rows[index].isEmpty else { continue }
                rows.swapAt(index, rows.count - 1)
                ids.swapAt(index, ids.count - 1)
                rows.removeLast()
                ids.removeLast()
            }
        }
        tagged[row] = isTagged
        for id in tags {
            let index = ids.firstIndex(of: id) ?? ids.count
            if index == ids.count {
                ids.append(id)
                rows.append(ChunkBits())
            }
            rows[index][row] = true
        }
    }
}
