import Swidux

/// What a sort tells before all rows are in their order.
extension RowsSearch {
    /// What is to be looked for while the rows are gathered, or nil if there is nothing to be
    /// around.
    func nearRows(_ chunks: ContiguousArray<IndexChunk>) -> NearRows? {
        guard let center, let order = definition.sort,
            let (place, row, isPresent) = index.position(of: center), isPresent
        else { return nil }
        let count = chunks.reduce(0) { $0 + $1.count }
        let step = NearRows.step(for: count)
        let room = SortRoom(for: count / step + 2)
        var rows = SortableRows(in: order, room: room)
        let tagPlaces = order.places(of: index.numbers)
        func append(_ row: Int, of number: Int) {
            rows.append(
                ChunkBits(row..<row + 1), of: chunks[number], number: number, in: order, tagPlaces)
        }
        append(row, of: index.leaves.number(of: place))
        var next = 0
        for (number, chunk) in chunks.enumerated() {
            while next < chunk.count {
                append(next, of: number)
                next += step
            }
            next -= chunk.count
        }
        return rows.withRows { rows in
            NearRows(
                around: rows[0], sample: rows.dropFirst().sorted(), step: step, by: order.sort)
        }
    }

    /// The rows around the center, of what was gathered.
    func firstRows(
        _ near: [NearRows], _ counts: TagCounts, count: Int, by sort: RowsSort,
        _ chunks: ContiguousArray<IndexChunk>
    ) -> FirstRows? {
        guard let (numbers, start) = NearRows.rows(near, in: definition.order, by: sort) else {
            return nil
        }
        return FirstRows(
            definition, counts, count: count, revision: source.revision,
            ids: numbers.map {
                let place = RowPlace(number: $0)
                return chunks[place.chunk].items[place.row].value.id
            }, from: start)
    }
}
