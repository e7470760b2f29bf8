/// Slots by hash: a persistent hash trie whose copies share what none of them has changed.
///
/// It holds references to its own nodes alone, so a leaf is copied as bytes, and may be long.
/// Branches are small on purpose: a copied one retains its children, each of them a cache miss
/// among a million.
@usableFromInline struct SlotIndex: Sendable {
    @usableFromInline struct Item: Hashable, Sendable {
        @usableFromInline let hash: UInt32
        @usableFromInline let slot: UInt32

        @usableFromInline init(hash: UInt32, slot: UInt32) {
            self.hash = hash
            self.slot = slot
        }
    }

    /// A leaf lists its items in any order; a branch has a child for each value of the next three
    /// bits of the hash.
    @usableFromInline enum Node: Sendable {
        case leaf(ContiguousArray<Item>)
        case branch(ContiguousArray<Node>)

        fileprivate var isEmpty: Bool {
            if case .leaf(let items) = self { return items.isEmpty }
            return false
        }
    }

    private var root = Node.leaf([])
    /// How much room an empty leaf gets with its first item.
    private var leafRoom = 1

    private static let bits: UInt32 = 3
    private static let fanOut = 8
    /// A leaf with more items becomes a branch, unless the bits of the hash are used up. With 16,
    /// of which an eighth is left after that, arrays' headers took more than what is in them.
    private static let leafCapacity = 64

    @usableFromInline init() {}

    private static func child(_ hash: UInt32, at shift: UInt32) -> Int {
        Int((hash >> shift) & UInt32(fanOut - 1))
    }

    /// Calls `body` with every slot under `hash` until it returns false. O(log n).
    @usableFromInline func forEach(with hash: UInt32, _ body: (UInt32) -> Bool) {
        var shift: UInt32 = 0
        var node = root
        while case .branch(let children) = node {
            node = children[Self.child(hash, at: shift)]
            shift += Self.bits
        }
        guard case .leaf(let items) = node else { return }
        for item in items where item.hash == hash {
            guard body(item.slot) else { return }
        }
    }

    /// Splits an index that is still one leaf into the branches that `count` items will need.
    /// O(`count`).
    ///
    /// While a list grows, each page of it copies thousands of leaves, and what those leave behind
    /// is given to entities. Where no whole number of these fits, a piece is left that nobody can
    /// use. Sizes are those of glibc's heap: on another one only the saving is lost.
    ///
    /// - Parameter entitySize: how many bytes an entity takes on the heap.
    @usableFromInline mutating func reserveCapacity(_ count: Int, entitySize: Int) {
        guard case .leaf(let items) = root, count > Self.leafCapacity else { return }
        var depth: UInt32 = 0
        // A count that cannot be true makes no more nodes than this.
        var share = min(count, 1 << 24)
        while share > Self.leafCapacity * 3 / 4 {
            share /= Self.fanOut
            depth += 1
        }
        root = Self.empty(depth)
        // Most leaves have no more than this.
        let room = Self.blockSize(items: share + share / 6 + 2)
        let entity = Self.blockSize(bytes: entitySize)
        let block = (room + entity - 1) / entity * entity
        leafRoom = (block - Self.blockSize(items: 0)) / MemoryLayout<Item>.stride
        for item in items { insert(item) }
    }

    /// What the C library takes for an array of so many items.
    private static func blockSize(items count: Int) -> Int {
        blockSize(bytes: 32 + count * MemoryLayout<Item>.stride)
    }

    /// What the C library takes for so many bytes: those and eight of its own, in steps of 16.
    private static func blockSize(bytes: Int) -> Int { (bytes + 8 + 15) & ~15 }

    private static func empty(_ depth: UInt32) -> Node {
        depth == 0
            ? .leaf([])
            : .branch(ContiguousArray((0..<fanOut).map { _ in empty(depth - 1) }))
    }

    /// Adds an item, which must not be there. O(log n).
    @usableFromInline mutating func insert(_ item: Item) {
        Self.insert(item, into: &root, at: 0, leafRoom)
    }

    /// Removes an item, which must be there. O(log n).
    @usableFromInline mutating func remove(_ item: Item) { Self.remove(item, from: &root, at: 0) }

    private static func insert(
        _ item: Item, into node: inout Node, at shift: UInt32, _ leafRoom: Int
    ) {
        switch node {
        case .branch(var children):
            // Released before it is changed, so that it is copied only if it is shared.
            node = .leaf([])
            insert(
                item, into: &children[child(item.hash, at: shift)], at: shift + bits, leafRoom)
            node = .branch(children)
        case .leaf(var items):
            node = .leaf([])
            if items.isEmpty { items.reserveCapacity(leafRoom) }
            items.append(item)
            let isFull = items.count > leafCapacity && shift < UInt32(UInt32.bitWidth)
            node = isFull ? split(items, at: shift) : .leaf(items)
        }
    }

    private static func split(_ items: ContiguousArray<Item>, at shift: UInt32) -> Node {
        var leaves = ContiguousArray<ContiguousArray<Item>>(repeating: [], count: fanOut)
        for item in items { leaves[child(item.hash, at: shift)].append(item) }
        return .branch(ContiguousArray(leaves.map { Node.leaf($0) }))
    }

    private static func remove(_ item: Item, from node: inout Node, at shift: UInt32) {
        switch node {
        case .branch(var children):
            node = .leaf([])
            remove(item, from: &children[child(item.hash, at: shift)], at: shift + bits)
            node = children.allSatisfy { $0.isEmpty } ? .leaf([]) : .branch(children)
        case .leaf(var items):
            node = .leaf([])
            if let index = items.firstIndex(of: item) { items.remove(at: index) }
            node = .leaf(items)
        }
    }
}
