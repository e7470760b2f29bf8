import Swidux

/// Rows in another order than the manual one: the best matches of a search first, or a sort.
///
/// It holds places in the chunks that were searched, and no item of its own: a word of one letter
/// finds most of a million, and counting each item's owners up and down would take longer than
/// finding it.
struct OrderedRows: Sendable {
    /// A row: where it stands, and with how many points it was found, where those are asked for.
    struct Row: Sendable {
        let place: RowPlace
        var points: Int32 = 0
    }

    /// Some rows of the array that a search made; one that is edited gets an array of its own.
    private struct Leaf: ListChunk {
        var rows: ArraySlice<Row>

        var shown: Int { rows.count }

        subscript(number: Int) -> Row { rows[rows.startIndex + number] }
    }

    private let order: ItemOrder
    private var leaves: ChunkList<Leaf>
    private let chunks: ContiguousArray<IndexChunk>
    /// The items that came later, in chunks of one: their numbers are those after the chunks.
    private var added: ContiguousArray<IndexChunk> = []

    var count: Int { leaves.shown }
    /// How many items came later, those included that have gone again.
    var addedCount: Int { added.count }

    /// So many rows of `chunks`, which stand in `order`. O(n).
    init(
        _ count: Int, in chunks: ContiguousArray<IndexChunk>, order: ItemOrder,
        row: (Int) -> Row
    ) {
        self.init(Self.leaves(of: (0..<count).map(row)), chunks, order)
    }

    /// The same, made by `width` tasks side by side.
    static func made(
        _ count: Int, in chunks: ContiguousArray<IndexChunk>, order: ItemOrder, width: Int,
        row: @escaping @Sendable (Int) -> Row
    ) async -> OrderedRows {
        let size = (count / width / ChunkBuilder.fill + 1) * ChunkBuilder.fill
        let leaves = await sideBySide(
            stride(from: 0, to: count, by: size).map { start in
                { Self.leaves(of: (start..<min(start + size, count)).map(row)) }
            })
        return OrderedRows(leaves.flatMap { $0 }, chunks, order)
    }

    private init(_ leaves: [Leaf], _ chunks: ContiguousArray<IndexChunk>, _ order: ItemOrder) {
        self.leaves = ChunkList(leaves)
        self.chunks = chunks
        self.order = order
    }

    private static func leaves(of rows: [Row]) -> [Leaf] {
        stride(from: 0, to: rows.count, by: ChunkBuilder.fill).map {
            Leaf(rows: rows[$0..<min($0 + ChunkBuilder.fill, rows.count)])
        }
    }

    /// The rows of parts in manual order, those with the most points first and others as they are.
    /// O(n), unless the points are very many.
    static func bestFirst(
        _ parts: [RankedRows], in chunks: ContiguousArray<IndexChunk>
    ) -> OrderedRows {
        OrderedRows(leaves(of: RankedRows.bestFirst(parts)), chunks, .manual)
    }

    /// The same, made by `width` tasks side by side.
    static func bestFirst(
        _ parts: [RankedRows], in chunks: ContiguousArray<IndexChunk>, width: Int
    ) async -> OrderedRows {
        let leaves = await sideBySide(
            RankedRows.divide(parts, between: width).map { share in
                { Self.leaves(of: RankedRows.bestFirst(parts, share)) }
            })
        return OrderedRows(leaves.flatMap { $0 }, chunks, .manual)
    }

    private func chunk(_ number: Int) -> IndexChunk {
        number < chunks.count ? chunks[number] : added[number - chunks.count]
    }

    // MARK: Finding

    /// The row of an item that was found with `points`, or where it would be, and whether it is
    /// there. O(log n).
    func row(of item: Item, points: Int32) -> (row: Int, isPresent: Bool) {
        guard let (place, row, isPresent) = position(of: item, points) else { return (0, false) }
        return (leaves.shown(before: place) + row, isPresent)
    }

    func item(at row: Int) -> SharedEntity<Item>? {
        guard let (place, rest) = leaves.place(ofRow: row) else { return nil }
        let found = leaves[place][rest].place
        return chunk(found.chunk).columns.items[found.row]
    }

    /// The points of the rows by ``RowPlace/number``, -1 for other places; nil if they are not rows
    /// of these chunks alone. O(n).
    func points(in chunks: ContiguousArray<IndexChunk>) -> ContiguousArray<Int32>? {
        guard added.isEmpty, self.chunks.elementsEqual(chunks, by: ===) else { return nil }
        var points = ContiguousArray<Int32>(
            repeating: -1, count: chunks.count * ChunkBits.capacity)
        points.withUnsafeMutableBufferPointer { points in
            for leaf in leaves.chunks {
                for row in leaf.rows { points[Int(row.place.number)] = row.points }
            }
        }
        return points
    }

    private func position(
        of item: Item, _ points: Int32
    ) -> (place: ChunkList<Leaf>.Place, row: Int, isPresent: Bool)? {
        let key = order.key(of: item)
        func isBefore(_ row: Row) -> Bool? {
            if points != row.points { return points > row.points }
            return order.isBefore(key, item, chunk(row.place.chunk), row.place.row)
        }
        guard let place = leaves.lastPlace(where: { !(isBefore($0.pointee[0]) ?? false) })
        else {
            return nil
        }
        let leaf = leaves[place]
        let found = findRow(among: leaf.shown) { isBefore(leaf[$0]) }
        return (place, found.row, found.isPresent)
    }

    // MARK: Editing

    /// Adds an item. O(log n).
    mutating func insert(_ item: SharedEntity<Item>, points: Int32) {
        guard let (place, row, isPresent) = position(of: item.value, points) else {
            leaves = ChunkList([Leaf(rows: [add(item, points)])])
            return
        }
        guard !isPresent else { return }
        var rows = leaves[place].rows
        rows.insert(add(item, points), at: rows.startIndex + row)
        guard rows.count > ChunkBits.capacity else {
            return leaves.replace(place, with: [Leaf(rows: rows)])
        }
        let half = rows.startIndex + rows.count / 2
        leaves.replace(
            place,
            with: [Leaf(rows: rows[..<half]), Leaf(rows: rows[half...])])
    }

    private mutating func add(_ item: SharedEntity<Item>, _ points: Int32) -> Row {
        var builder = ChunkBuilder()
        // Tags have no numbers here: an item says itself which it has.
        var numbers = TagNumbers()
        builder.append(item, &numbers)
        added.append(builder.leaf().chunk)
        return Row(
            place: RowPlace(chunk: chunks.count + added.count - 1, row: 0), points: points)
    }

    /// Takes an item out that was found with `points`. O(log n).
    mutating func remove(_ item: Item, points: Int32) {
        guard let (place, row, isPresent) = position(of: item, points), isPresent else { return }
        var rows = leaves[place].rows
        rows.remove(at: rows.startIndex + row)
        leaves.replace(place, with: rows.isEmpty ? [] : [Leaf(rows: rows)])
    }
}
