import Swidux

/// The items of a list in manual order, and the layer of each item that is a row. The rows of the
/// first layer come first, and each layer is in manual order. There is one layer, or one for each
/// ``MatchClass``, best first.
struct ListRows: Sendable {
    /// A chunk of items with the rows found in it.
    struct Leaf: Sendable {
        let chunk: ItemChunk
        /// The layer of each row, or ``hidden``.
        private(set) var layers: [UInt8]
        /// The rows that count for the numbers beside the tags.
        let counted: ChunkBits
        /// The number of rows in each layer.
        fileprivate private(set) var counts = SIMD8<Int32>.zero

        /// Creates a leaf without rows, for a chunk that has not been searched yet.
        init(unseen chunk: ItemChunk) {
            self.init(
                chunk: chunk, layers: [UInt8](repeating: hidden, count: chunk.count),
                counted: ChunkBits())
        }

        init(chunk: ItemChunk, layers: [UInt8], counted: ChunkBits) {
            self.chunk = chunk
            self.layers = layers
            self.counted = counted
            var counts = [Int32](repeating: 0, count: Int(UInt8.max) + 1)
            for layer in layers { counts[Int(layer)] &+= 1 }
            for layer in 0..<8 { self.counts[layer] = counts[layer] }
        }

        /// True if no item is a row.
        var isEmpty: Bool { counts == .zero }

        /// The items that are rows.
        var rows: [SharedEntity<Item>] {
            zip(chunk.elements, layers).compactMap { $1 == hidden ? nil : $0 }
        }

        fileprivate mutating func set(_ layer: UInt8, at index: Int) {
            if layers[index] != ListRows.hidden { counts[Int(layers[index])] -= 1 }
            if layer != ListRows.hidden { counts[Int(layer)] += 1 }
            layers[index] = layer
        }
    }

    /// The layer of an item that is not a row.
    static let hidden = UInt8.max

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
            let (layer, leaf) = (UInt8(place / leaves.count), leaves[place % leaves.count])
            var row = Int(starts[place])
            for index in leaf.layers.indices where leaf.layers[index] == layer {
                if range.contains(row) { items.append(leaf.chunk.elements[index]) }
                row += 1
            }
            place += 1
        }
        return items
    }

    // MARK: Items

    typealias Place = ItemSequence.Place

    /// The layer of an item, or ``hidden``. O(1), and O(chunks) to set.
    subscript(layerAt place: Place) -> UInt8 {
        get { leaves[place.chunk].layers[place.index] }
        set {
            leaves[place.chunk].set(newValue, at: place.index)
            countRows()
        }
    }

    /// Returns the number of rows before the place that an item has, or would have, in a layer.
    func rows(before place: Place, layer: UInt8) -> Int {
        Int(starts[Int(layer) * leaves.count + place.chunk])
            + leaves[place.chunk].layers[..<place.index].reduce(0) { $0 + ($1 == layer ? 1 : 0) }
    }

    /// Returns the row of an item, or `nil` if it is not a row. O(log n).
    func row(of item: Item) -> Int? {
        guard let place = items.place(of: item) else { return nil }
        let layer = self[layerAt: place]
        return layer == Self.hidden ? nil : rows(before: place, layer: layer)
    }

    // MARK: Editing

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
