/// A node of ``OrderedTree``, leaf or inner.
///
/// Unchecked because a node is changed only while a single tree holds it
/// (`isKnownUniquelyReferenced`); a node that two trees share, perhaps on two threads, is only
/// read. A copied node shares its arrays in turn until one is written, so that a path copy moves
/// only what changes. For the same reason exclusive access needs no check at run time, which would
/// cost a tenth of an edit.
@usableFromInline final class OrderedTreeNode<Key: Comparable & Sendable>: @unchecked Sendable {
    /// In a leaf the keys, ascending; in an inner node the lower bounds of the children.
    @exclusivity(unchecked) @usableFromInline var keys: ContiguousArray<Key>
    /// The children; empty in a leaf.
    @exclusivity(unchecked) @usableFromInline var children: ContiguousArray<OrderedTreeNode>
    /// How many keys lie under each child.
    @exclusivity(unchecked) @usableFromInline var counts: ContiguousArray<Int>

    @inlinable static var leafCapacity: Int { 32 }
    /// Smaller than that of a leaf: a copied inner node retains every child, each of them a cache
    /// miss.
    @inlinable static var innerCapacity: Int { 16 }
    @inlinable var capacity: Int { isLeaf ? Self.leafCapacity : Self.innerCapacity }
    /// A node with fewer slots is merged with a neighbour or filled from it.
    @inlinable var minimum: Int { capacity / 4 }

    /// The right half of a node that was split, with the lower bound of its keys.
    @usableFromInline typealias Split = (bound: Key, node: OrderedTreeNode)

    @inlinable init(leaf keys: ContiguousArray<Key>) {
        self.keys = keys
        children = []
        counts = []
    }

    @inlinable init(
        bounds: ContiguousArray<Key>, children: ContiguousArray<OrderedTreeNode>,
        counts: ContiguousArray<Int>
    ) {
        keys = bounds
        self.children = children
        self.counts = counts
    }

    /// The new root above a root that was split.
    @inlinable convenience init(above left: OrderedTreeNode, _ right: Split) {
        self.init(
            bounds: [right.bound, right.bound], children: [left, right.node],
            counts: [left.total, right.node.total])
    }

    @inlinable var isLeaf: Bool { children.isEmpty }

    @inlinable var total: Int { isLeaf ? keys.count : counts.reduce(0, +) }

    @inlinable func copied() -> OrderedTreeNode {
        OrderedTreeNode(bounds: keys, children: children, counts: counts)
    }

    /// The number of keys here that are smaller than `key`.
    @inlinable func lowerBound(of key: Key) -> Int {
        keys.withUnsafeBufferPointer { keys in
            var low = 0
            var high = keys.count
            while low < high {
                let middle = (low + high) / 2
                if keys[middle] < key { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    /// The child under which `key` belongs.
    @inlinable func childIndex(for key: Key) -> Int {
        keys.withUnsafeBufferPointer { bounds in
            var low = 1
            var high = bounds.count
            while low < high {
                let middle = (low + high) / 2
                if key < bounds[middle] { high = middle } else { low = middle + 1 }
            }
            return low - 1
        }
    }

    /// The child that holds the position `rest`, which becomes the position in that child. The
    /// position after the last key is in the last child.
    @inlinable func child(at rest: inout Int) -> Int {
        var child = 0
        while child < counts.count - 1, rest >= counts[child] {
            rest -= counts[child]
            child += 1
        }
        return child
    }

    /// Inserts `key` under `node`, which is copied if it is shared.
    @inlinable static func insert(
        _ key: Key, into node: inout OrderedTreeNode
    ) -> (inserted: Bool, split: Split?) {
        if !isKnownUniquelyReferenced(&node) { node = node.copied() }
        if node.isLeaf {
            let index = node.lowerBound(of: key)
            if index < node.keys.count, node.keys[index] == key { return (false, nil) }
            node.keys.insert(key, at: index)
            guard node.keys.count > leafCapacity else { return (true, nil) }
            return (true, node.splitLeaf(insertedAt: index))
        }
        let index = node.childIndex(for: key)
        let outcome = insert(key, into: &node.children[index])
        if outcome.inserted { node.counts[index] += 1 }
        guard let split = outcome.split else { return (outcome.inserted, nil) }
        let moved = split.node.total
        node.counts[index] -= moved
        node.keys.insert(split.bound, at: index + 1)
        node.counts.insert(moved, at: index + 1)
        node.children.insert(split.node, at: index + 1)
        guard node.children.count > innerCapacity else { return (outcome.inserted, nil) }
        return (outcome.inserted, node.splitInner(insertedAt: index + 1))
    }

    /// Where to split: in the middle, but at the end when that is where keys arrive, so that
    /// appended keys fill their leaves.
    @inlinable static func splitPoint(count: Int, insertedAt index: Int) -> Int {
        index == count - 1 ? count - 1 : count / 2
    }

    @inlinable func splitLeaf(insertedAt index: Int) -> Split {
        let point = Self.splitPoint(count: keys.count, insertedAt: index)
        let right = OrderedTreeNode(leaf: ContiguousArray(keys[point...]))
        if point == keys.count - 1 {
            // More keys will be appended, and an array that doubles leaves pieces of memory behind.
            right.keys.reserveCapacity(Self.leafCapacity + 1)
        }
        if keys.capacity < 2 * Self.leafCapacity {
            keys.removeSubrange(point...)
        } else {
            // It has doubled with the last key.
            keys = ContiguousArray(keys[..<point])
        }
        return (right.keys[0], right)
    }

    @inlinable func splitInner(insertedAt index: Int) -> Split {
        let point = Self.splitPoint(count: children.count, insertedAt: index)
        let right = OrderedTreeNode(
            bounds: ContiguousArray(keys[point...]), children: ContiguousArray(children[point...]),
            counts: ContiguousArray(counts[point...]))
        keys.removeSubrange(point...)
        children.removeSubrange(point...)
        counts.removeSubrange(point...)
        return (right.keys[0], right)
    }

    /// Removes `key` from under `node`, which is copied if it is shared.
    @inlinable static func remove(_ key: Key, from node: inout OrderedTreeNode) -> Bool {
        if !isKnownUniquelyReferenced(&node) { node = node.copied() }
        if node.isLeaf {
            let index = node.lowerBound(of: key)
            guard index < node.keys.count, node.keys[index] == key else { return false }
            node.keys.remove(at: index)
            return true
        }
        let index = node.childIndex(for: key)
        guard remove(key, from: &node.children[index]) else { return false }
        node.counts[index] -= 1
        if node.children[index].slots < node.children[index].minimum, node.children.count > 1 {
            node.level(at: index + 1 < node.children.count ? index : index - 1)
        }
        return true
    }

    @inlinable var slots: Int { isLeaf ? keys.count : children.count }

    /// Merges the child at `index` with the next, or divides their slots evenly if they are too
    /// many for one.
    @inlinable func level(at index: Int) {
        let left = children[index]
        let right = children[index + 1]
        var keys = left.keys
        keys += right.keys
        var below = left.children
        below += right.children
        var counts = left.counts
        counts += right.counts
        // An inner node's first bound means nothing, so the parent's bound of the right one takes
        // its place.
        if !right.isLeaf { keys[left.keys.count] = self.keys[index + 1] }
        if keys.count <= left.capacity {
            let merged = OrderedTreeNode(bounds: keys, children: below, counts: counts)
            children[index] = merged
            self.counts[index] = merged.total
            children.remove(at: index + 1)
            self.counts.remove(at: index + 1)
            self.keys.remove(at: index + 1)
            return
        }
        let half = keys.count / 2
        let isLeaf = below.isEmpty
        let first = OrderedTreeNode(
            bounds: ContiguousArray(keys[..<half]),
            children: isLeaf ? [] : ContiguousArray(below[..<half]),
            counts: isLeaf ? [] : ContiguousArray(counts[..<half]))
        let second = OrderedTreeNode(
            bounds: ContiguousArray(keys[half...]),
            children: isLeaf ? [] : ContiguousArray(below[half...]),
            counts: isLeaf ? [] : ContiguousArray(counts[half...]))
        children[index] = first
        children[index + 1] = second
        self.counts[index] = first.total
        self.counts[index + 1] = second.total
        self.keys[index + 1] = second.keys[0]
    }

    /// The root of a tree of `keys`, which must ascend. Nodes are filled to three quarters, to
    /// leave room.
    @inlinable static func build(ascending keys: [Key]) -> OrderedTreeNode {
        let leafFill = leafCapacity * 3 / 4
        let fill = innerCapacity * 3 / 4
        var level: [Split] = stride(from: 0, to: keys.count, by: leafFill).map { start in
            let leaf = OrderedTreeNode(
                leaf: ContiguousArray(keys[start..<min(start + leafFill, keys.count)]))
            return (keys[start], leaf)
        }
        while level.count > 1 {
            level = stride(from: 0, to: level.count, by: fill).map { start in
                let group = level[start..<min(start + fill, level.count)]
                let inner = OrderedTreeNode(
                    bounds: ContiguousArray(group.map(\.bound)),
                    children: ContiguousArray(group.map(\.node)),
                    counts: ContiguousArray(group.map { $0.node.total }))
                return (level[start].bound, inner)
            }
        }
        return level.first?.node ?? OrderedTreeNode(leaf: [])
    }
}
