/// A sorted set that also counts: the key at a position and the position of a key in O(log n).
///
/// A B+tree of reference-counted nodes that are copied only while shared: a copy of the tree is
/// free, and the next mutation of either copies one path. ``EntityStore`` keeps its order in one,
/// and ``EntityView`` its rows.
///
/// Leaves hold up to 32 keys, inner nodes up to 16 children. An inner node keeps for each child a
/// lower bound of its keys (that of the first child means nothing) and its count, so that a search
/// touches one node per level.
@usableFromInline struct OrderedTree<Key: Comparable & Sendable>: Sendable {
    @usableFromInline typealias Node = OrderedTreeNode<Key>

    @usableFromInline var root: Node
    /// The number of keys. O(1).
    @usableFromInline var count: Int

    @inlinable init() {
        root = Node(leaf: [])
        count = 0
    }

    /// The tree of `keys`, which must ascend without repeats. O(n).
    @inlinable init(ascending keys: [Key]) {
        count = keys.count
        root = Node.build(ascending: keys)
    }

    @inlinable var first: Key? { count == 0 ? nil : self[0] }
    @inlinable var last: Key? { count == 0 ? nil : self[count - 1] }

    /// The key at a position from 0 to `count - 1`.
    @inlinable subscript(position: Int) -> Key {
        precondition(position >= 0 && position < count, "position out of range")
        var node = root
        var rest = position
        while !node.isLeaf {
            let child = node.child(at: &rest)
            node = node.children[child]
        }
        return node.keys[rest]
    }

    @inlinable func contains(_ key: Key) -> Bool { position(of: key) != nil }

    /// The position of `key`, or nil if it is not there.
    @inlinable func position(of key: Key) -> Int? {
        let found = bound(of: key)
        return found.isPresent ? found.position : nil
    }

    /// How many keys are smaller than `key`.
    @inlinable func lowerBound(of key: Key) -> Int { bound(of: key).position }

    @inlinable func bound(of key: Key) -> (position: Int, isPresent: Bool) {
        var node = root
        var position = 0
        while !node.isLeaf {
            let child = node.childIndex(for: key)
            for index in 0..<child { position += node.counts[index] }
            node = node.children[child]
        }
        let index = node.lowerBound(of: key)
        return (position + index, index < node.keys.count && node.keys[index] == key)
    }

    /// Inserts `key` and returns whether it was new.
    @discardableResult
    @inlinable mutating func insert(_ key: Key) -> Bool {
        let outcome = Node.insert(key, into: &root)
        if let split = outcome.split { root = Node(above: root, split) }
        if outcome.inserted { count += 1 }
        return outcome.inserted
    }

    /// Removes `key` and returns whether it was there.
    @discardableResult
    @inlinable mutating func remove(_ key: Key) -> Bool {
        guard Node.remove(key, from: &root) else { return false }
        count -= 1
        while root.children.count == 1 { root = root.children[0] }
        if count == 0 { root = Node(leaf: []) }
        return true
    }

    /// The keys at the positions of `range`, clamped to those that exist. O(log n + size of the
    /// range).
    @inlinable func keys(in range: Range<Int>) -> [Key] {
        let range = range.clamped(to: 0..<count)
        guard !range.isEmpty else { return [] }
        var result: [Key] = []
        result.reserveCapacity(range.count)
        var iterator = makeIterator(from: range.lowerBound)
        while result.count < range.count, let key = iterator.next() { result.append(key) }
        return result
    }

    /// Up to `count` keys from a position on; one before the first counts as the first. O(log n +
    /// count).
    @inlinable func page(at position: Int, count: Int) -> [Key] {
        let start = Swift.max(0, position)
        guard count > 0, start < self.count else { return [] }
        return keys(in: start..<start + Swift.min(count, self.count - start))
    }
}

extension OrderedTree: Sequence {
    /// Iterates over the keys in order, one leaf at a time. It holds the nodes, so the tree may
    /// change meanwhile.
    @usableFromInline struct Iterator: IteratorProtocol {
        @usableFromInline var path: [(node: Node, next: Int)] = []
        @usableFromInline var leaf: Node
        @usableFromInline var index: Int

        @inlinable init(root: Node, position: Int) {
            var node = root
            var rest = position
            while !node.isLeaf {
                let child = node.child(at: &rest)
                path.append((node, child + 1))
                node = node.children[child]
            }
            leaf = node
            index = rest
        }

        @inlinable mutating func next() -> Key? {
            while index >= leaf.keys.count {
                guard let (node, child) = path.popLast() else { return nil }
                guard child < node.children.count else { continue }
                path.append((node, child + 1))
                var below = node.children[child]
                while !below.isLeaf {
                    path.append((below, 1))
                    below = below.children[0]
                }
                leaf = below
                index = 0
            }
            defer { index += 1 }
            return leaf.keys[index]
        }
    }

    @inlinable func makeIterator() -> Iterator { makeIterator(from: 0) }

    /// An iterator that begins at `position`, from 0 to `count`.
    @inlinable func makeIterator(from position: Int) -> Iterator {
        Iterator(root: root, position: position)
    }

    @inlinable var underestimatedCount: Int { count }
}
