import Swidux

/// What a search found, best first; those of equal points in manual order.
struct RankedRows: Sendable {
    private struct Leaf: ListChunk {
        var items: ContiguousArray<SharedEntity<Item>> = []
        var points: ContiguousArray<Int32> = []

        var shown: Int { items.count }
    }

    private var leaves = ChunkList<Leaf>()

    var count: Int { leaves.shown }

    /// The rows of what was found, in manual order, with the points. O(n).
    init(_ found: [Found]) {
        var leaves: [Leaf] = []
        var leaf = Leaf()
        for index in Self.sorted(found) {
            leaf.items.append(found[index].item)
            leaf.points.append(found[index].points)
            if leaf.shown == ChunkBuilder.fill {
                leaves.append(leaf)
                leaf = Leaf()
            }
        }
        if leaf.shown > 0 { leaves.append(leaf) }
        self.leaves = ChunkList(leaves)
    }

    struct Found: Sendable {
        let item: SharedEntity<Item>
        let points: Int32
    }

    /// The indices of `found`, the most points first, those of equal ones in their order: a
    /// counting sort, unless the points are very many.
    private static func sorted(_ found: [Found]) -> [Int] {
        let most = Int(found.lazy.map(\.points).max() ?? 0)
        guard most < 1 << 16 else {
            return found.indices.sorted {
                (found[$1].points, $0) < (found[$0].points, $1)
            }
        }
        var starts = Array(repeating: 0, count: most + 2)
        for one in found { starts[most - Int(one.points) + 1] += 1 }
        for points in 1..<starts.count { starts[points] += starts[points - 1] }
        var result = Array(repeating: 0, count: found.count)
        for (index, one) in found.enumerated() {
            let bucket = most - Int(one.points)
            result[starts[bucket]] = index
            starts[bucket] += 1
        }
        return result
    }

    // MARK: Finding

    /// The row of an item that was found with `points`, or where it would be, and whether it is
    /// there. O(log n).
    func row(of item: Item, points: Int32) -> (row: Int, isPresent: Bool) {
        guard let (place, row, isPresent) = position(of: item, points) else { return (0, false) }
        return (leaves.shown(before: place) + row, isPresent)
    }

    func item(at row: Int) -> SharedEntity<Item>? {
        leaves.place(ofRow: row).map { leaves[$0.place].items[$0.rest] }
    }

    private func position(
        of item: Item, _ points: Int32
    ) -> (place: ChunkList<Leaf>.Place, row: Int, isPresent: Bool)? {
        guard
            let place = leaves.lastPlace(where: {
                !(Self.isBefore(item, points, $0, 0) ?? false)
            })
        else { return nil }
        let leaf = leaves[place]
        var low = 0
        var high = leaf.items.count
        while low < high {
            let middle = (low + high) / 2
            switch Self.isBefore(item, points, leaf, middle) {
            case nil: return (place, middle, true)
            case true?: high = middle
            case false?: low = middle + 1
            }
        }
        return (place, low, false)
    }

    /// Whether an item stands before a row; nil if it is that very item.
    private static func isBefore(
        _ item: Item, _ points: Int32, _ leaf: Leaf, _ row: Int
    ) -> Bool? {
        if points != leaf.points[row] { return points > leaf.points[row] }
        return ItemOrder.manual.precedesManually(item, leaf.items[row].value)
    }

    // MARK: Editing

    /// Adds an item. O(log n).
    mutating func insert(_ item: SharedEntity<Item>, points: Int32) {
        guard let (place, row, isPresent) = position(of: item.value, points) else {
            leaves = ChunkList([Leaf(items: [item], points: [points])])
            return
        }
        guard !isPresent else { return }
        var leaf = leaves[place]
        leaf.items.insert(item, at: row)
        leaf.points.insert(points, at: row)
        guard leaf.shown > ChunkBits.capacity else { return leaves.replace(place, with: [leaf]) }
        let half = leaf.shown / 2
        leaves.replace(
            place,
            with: [
                Leaf(
                    items: ContiguousArray(leaf.items[..<half]),
                    points: ContiguousArray(leaf.points[..<half])),
                Leaf(
                    items: ContiguousArray(leaf.items[half...]),
                    points: ContiguousArray(leaf.points[half...])),
            ])
    }

    /// Takes an item out that was found with `points`. O(log n).
    mutating func remove(_ item: Item, points: Int32) {
        guard let (place, row, isPresent) = position(of: item, points), isPresent else { return }
        var leaf = leaves[place]
        leaf.items.remove(at: row)
        leaf.points.remove(at: row)
        leaves.replace(place, with: leaf.shown == 0 ? [] : [leaf])
    }
}
