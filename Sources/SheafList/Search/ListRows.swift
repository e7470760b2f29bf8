import Swidux

/// The items of a list in manual order, and the layer of each item that is a row. The rows of the
/// first layer come first, and each layer is in manual order. There is one layer, or one for each
/// ``MatchClass``, best first.
struct ListRows: Sendable {
    /// A chunk of items with the rows found in it.
    struct Leaf: Sendable {
        let chunk: ItemChunk
        /// The rows of each layer.
        private(set) var layers: [ChunkBits]
        /// The rows that count for the numbers beside the tags.
        let counted: ChunkBits
        /// The number of rows in each layer.
        fileprivate private(set) var counts = SIMD8<Int32>.zero

        init(chunk: ItemChunk, layers: [ChunkBits], counted: ChunkBits) {
            self.chunk = chunk
            self.layers = layers
            self.counted = counted
            for layer in layers.indices { counts[layer] = Int32(layers[layer].count) }
        }

        /// True if no item is a row.
        var isEmpty: Bool { counts == .zero }

        /// The items that are rows, layer by layer.
        var rows: [SharedEntity<Item>] {
            var rows: [SharedEntity<Item>] = []
            for layer in layers { layer.forEach { rows.append(chunk.elements[$0]) } }
            return rows
        }

        fileprivate mutating func insert(_ index: Int, in layer: Int) {
            layers[layer][index] = true
            counts[layer] += 1
        }
    }

    /// All items, rows or not.
    private(set) var items: ItemSequence
    /// A leaf for each chunk of the items.
    private(set) var leaves: [Leaf]
    private let layerCount: Int
    /// The number of rows before each leaf in each layer, layer by layer, followed by the total.
    private var starts: [Int32] = []

    init(_ items: ItemSequence, _ leaves: [Leaf], layers: Int) {
        self.items = items
        self.leaves = leaves
        layerCount = layers
        countRows()
    }

    private mutating func countRows() {
        var starts: [Int32] = []
        starts.reserveCapacity(layerCount * leaves.count + 1)
        var total: Int32 = 0
        // A buffer, because iterating over an array would retain every leaf.
        leaves.withUnsafeBufferPointer { leaves in
            for layer in 0..<layerCount {
                for place in leaves.indices {
                    starts.append(total)
                    total += leaves[place].counts[layer]
                }
            }
        }
        starts.append(total)
        self.starts = starts
    }

    // MARK: Rows

    /// The number of rows. O(1).
    var count: Int { Int(starts.last ?? 0) }

    /// Returns the items at the rows of `range`, which must exist. O(log n + rows + chunks between
    /// them).
    func items(in range: Range<Int>) -> [SharedEntity<Item>] {
        var items: [SharedEntity<Item>] = []
        items.reserveCapacity(range.count)
        // The last place whose first row is not after the start of the range.
        var place = starts.partitioningIndex { $0 > range.lowerBound } - 1
        while items.count < range.count {
            let (layer, leaf) = (place / leaves.count, leaves[place % leaves.count])
            var row = Int(starts[place])
            leaf.layers[layer].forEach { index in
                if range.contains(row) { items.append(leaf.chunk.elements[index]) }
                row += 1
            }
            place += 1
        }
        return items
    }

    // MARK: Items

    typealias Place = ItemSequence.Place

    /// Returns the layer of an item, or `nil` if it is not a row. O(1).
    func layer(of place: Place) -> Int? {
        leaves[place.chunk].layers.firstIndex { $0[place.index] }
    }

    /// Returns the number of rows before the place that an item has, or would have, in a layer.
    func rows(before place: Place, layer: Int) -> Int {
        Int(starts[layer * leaves.count + place.chunk])
            + leaves[place.chunk].layers[layer].count(before: place.index)
    }

    /// Returns the row of an item, or `nil` if it is not a row. O(log n).
    func row(of item: Item) -> Int? {
        guard let place = items.place(of: item) else { return nil }
        return layer(of: place).map { rows(before: place, layer: $0) }
    }

    // MARK: Editing

    /// Makes an item that is not a row a row of a layer. O(chunks).
    mutating func insert(_ place: Place, in layer: Int) {
        leaves[place.chunk].insert(place.index, in: layer)
        countRows()
    }

    /// Searches the chunk at a place again.
    mutating func update(_ place: Place, _ leaf: (ItemChunk) -> Leaf) {
        leaves[place.chunk] = leaf(leaves[place.chunk].chunk)
        countRows()
    }

    /// Adopts `items`. `changes` holds the numbers of the chunks that differ. Returns the removed
    /// leaves and the new ones. O(changed chunks + chunks).
    mutating func follow(
        _ items: ItemSequence, _ changes: (old: [Int], new: [Int]), _ leaf: (ItemChunk) -> Leaf
    ) -> (gone: [Leaf], new: [Leaf]) {
        self.items = items
        let gone = changes.old.map { leaves[$0] }
        let new = changes.new.map { leaf(items.chunks[$0]) }
        if changes.old == changes.new {
            for (number, leaf) in zip(changes.new, new) { leaves[number] = leaf }
        } else {
            for number in changes.old.reversed() { leaves.remove(at: number) }
            for (number, leaf) in zip(changes.new, new) { leaves.insert(leaf, at: number) }
        }
        countRows()
        return (gone, new)
    }
}
