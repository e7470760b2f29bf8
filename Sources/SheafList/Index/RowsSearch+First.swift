import Swidux

/// What a search tells before all rows are found, or in their order.
extension RowsSearch {
    /// So much of a list is looked through for the best matches before all of it is.
    private static let firstPart = 16

    /// The first rows if the best matches come first: those that nothing can match better, in
    /// manual order. Nil if the beginning of the list has too few of them to fill a screen, as it
    /// has where few items match: all of those are found in less time. O(n).
    func bestRows() -> FirstRows? {
        var search = ChunkSearch(definition.search, tags: index.numbers)
        var choice = ChunkSearch(definition.choice, tags: index.numbers)
        let most = search.mostPoints
        var ids: [Item.ID] = []
        let leaves = index.leaves.chunks
        for leaf in leaves.prefix(leaves.count / Self.firstPart) {
            if Task.isCancelled { return nil }
            let rows = narrowed ? leaf.bits : ChunkBits(first: leaf.chunk.count)
            let chosen =
                definition.choice.isEverything ? rows : choice.found(in: leaf.chunk, among: rows)
            _ = search.scored(in: leaf.chunk, among: rows) { found, points in
                found.intersection(chosen).filter { points[$0] >= most }.forEach {
                    ids.append(leaf.chunk.columns.items[$0].value.id)
                }
            }
            guard ids.count < FirstRows.enough / 2 else {
                return FirstRows(definition, ids, revision: source.revision)
            }
        }
        return nil
    }

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
            definition,
            numbers.map {
                let place = RowPlace(number: $0)
                return chunks[place.chunk].columns.items[place.row].value.id
            }, from: start, total: count, counts: counts, revision: source.revision)
    }
}
