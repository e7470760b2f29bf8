import Swidux

/// What a search found, best first; those of equal points in manual order.
///
/// It holds places in the chunks that were searched, and no item of its own: a word of one letter
/// finds most of a million, and counting each item's owners up and down would take longer than
/// finding it.
struct RankedRows: Sendable {
    /// An item that was found: with how many points, and where it stands.
    struct Found: Sendable {
        let points: Int32
        fileprivate let place: UInt32

        /// - Parameter chunk: the number of the chunk among those that are searched.
        init(points: Int32, chunk: Int, row: Int) {
            self.points = points
            place = UInt32(chunk * ChunkBits.capacity + row)
        }

        fileprivate init(points: Int32, place: Int) {
            self.points = points
            self.place = UInt32(place)
        }
    }

    private struct Leaf: ListChunk {
        var rows: ContiguousArray<Found>

        var shown: Int { rows.count }
    }

    private var leaves: ChunkList<Leaf>
    private let chunks: ContiguousArray<IndexChunk>
    /// The items that came later: their places are those after the chunks.
    private var added: ContiguousArray<SharedEntity<Item>> = []

    var count: Int { leaves.shown }

    /// The rows of what was found in `chunks`, in manual order, with the points. O(n).
    init(_ found: [Found], in chunks: ContiguousArray<IndexChunk>) {
        let sorted = Self.sorted(found)
        leaves = ChunkList(
            stride(from: 0, to: sorted.count, by: ChunkBuilder.fill).map { start in
                Leaf(
                    rows: ContiguousArray(
                        sorted[start..<min(start + ChunkBuilder.fill, sorted.count)]))
            })
        self.chunks = chunks
    }

    /// `found` with the most points first, those of equal ones in their order: a counting sort,
    /// unless the points are very many.
    private static func sorted(_ found: [Found]) -> [Found] {
        let most = Int(found.lazy.map(\.points).max() ?? 0)
        guard most < 1 << 16 else {
            return found.sorted { ($1.points, $0.place) < ($0.points, $1.place) }
        }
        var starts = Array(repeating: 0, count: most + 2)
        for one in found { starts[most - Int(one.points) + 1] += 1 }
        for points in 1..<starts.count { starts[points] += starts[points - 1] }
        return Array(unsafeUninitializedCapacity: found.count) { sorted, count in
            for one in found {
                let bucket = most - Int(one.points)
                sorted.initializeElement(at: starts[bucket], to: one)
                starts[bucket] += 1
            }
            count = found.count
        }
    }

    private func item(_ found: Found) -> SharedEntity<Item> {
        let place = Int(found.place)
        let chunk = place / ChunkBits.capacity
        return chunk < chunks.count
            ? chunks[chunk].items[place % ChunkBits.capacity]
            : added[place - chunks.count * ChunkBits.capacity]
    }

    // MARK: Finding

    /// The row of an item that was found with `points`, or where it would be, and whether it is
    /// there. O(log n).
    func row(of item: Item, points: Int32) -> (row: Int, isPresent: Bool) {
        guard let (place, row, isPresent) = position(of: item, points) else { return (0, false) }
        return (leaves.shown(before: place) + row, isPresent)
    }

    func item(at row: Int) -> SharedEntity<Item>? {
        leaves.place(ofRow: row).map { item(leaves[$0.place].rows[$0.rest]) }
    }

    private func position(
        of item: Item, _ points: Int32
    ) -> (place: ChunkList<Leaf>.Place, row: Int, isPresent: Bool)? {
        guard
            let place = leaves.lastPlace(where: {
                !(isBefore(item, points, $0.rows[0]) ?? false)
            })
        else { return nil }
        let rows = leaves[place].rows
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) / 2
            switch isBefore(item, points, rows[middle]) {
            case nil: return (place, middle, true)
            case true?: high = middle
            case false?: low = middle + 1
            }
        }
        return (place, low, false)
    }

    /// Whether an item stands before a row; nil if it is that very item.
    private func isBefore(_ item: Item, _ points: Int32, _ row: Found) -> Bool? {
        if points != row.points { return points > row.points }
        return ItemOrder.manual.precedesManually(item, self.item(row).value)
    }

    // MARK: Editing

    /// Adds an item. O(log n).
    mutating func insert(_ item: SharedEntity<Item>, points: Int32) {
        let found = Found(points: points, place: chunks.count * ChunkBits.capacity + added.count)
        guard let (place, row, isPresent) = position(of: item.value, points) else {
            added.append(item)
            leaves = ChunkList([Leaf(rows: [found])])
            return
        }
        guard !isPresent else { return }
        added.append(item)
        var rows = leaves[place].rows
        rows.insert(found, at: row)
        guard rows.count > ChunkBits.capacity else {
            return leaves.replace(place, with: [Leaf(rows: rows)])
        }
        let half = rows.count / 2
        leaves.replace(
            place,
            with: [
                Leaf(rows: ContiguousArray(rows[..<half])),
                Leaf(rows: ContiguousArray(rows[half...])),
            ])
    }

    /// Takes an item out that was found with `points`. O(log n).
    mutating func remove(_ item: Item, points: Int32) {
        guard let (place, row, isPresent) = position(of: item, points), isPresent else { return }
        var rows = leaves[place].rows
        rows.remove(at: row)
        leaves.replace(place, with: rows.isEmpty ? [] : [Leaf(rows: rows)])
    }
}
