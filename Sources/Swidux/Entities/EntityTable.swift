/// The boxes of an ``EntityStore`` by id. A copy is free, and the next mutation of either copies
/// one leaf of some hundred entities.
///
/// The table is a trie over the bits of the hash, and its leaves are dictionaries. A full leaf
/// becomes a branch on its own, so no insertion reorganizes the whole table.
@usableFromInline struct EntityTable<Entity: Identifiable & Sendable>: Sendable
where Entity.ID: Hashable & Sendable {
    @usableFromInline typealias ID = Entity.ID
    @usableFromInline typealias Box = SharedEntity<Entity>

    @usableFromInline enum Node: Sendable {
        case leaf([ID: Box])
        case branch(ContiguousArray<Node>)
    }

    @usableFromInline var root = Node.leaf([:])

    @inlinable static var bits: Int { 4 }
    @inlinable static var leafCapacity: Int { 512 }

    @inlinable init() {}

    @inlinable static func child(_ hash: Int, at shift: Int) -> Int {
        (hash >> shift) & (1 << bits - 1)
    }

    /// The box under an id, or nil. O(log n).
    @inlinable subscript(id: ID) -> Box? {
        var node = root
        let hash = id.hashValue
        var shift = 0
        while case .branch(let children) = node {
            node = children[Self.child(hash, at: shift)]
            shift += Self.bits
        }
        guard case .leaf(let boxes) = node else { return nil }
        return boxes[id]
    }

    /// Stores a box under its entity's id, and returns the one that it replaces. O(log n).
    @inlinable @discardableResult
    mutating func update(_ box: Box) -> Box? {
        let id = box.value.id
        return Self.update(id, with: box, in: &root, hash: id.hashValue, shift: 0)
    }

    /// Stores a box under its entity's id and returns nil. If the table already has a box for this
    /// id, keeps and returns that one instead. O(log n).
    @inlinable mutating func insert(_ box: Box) -> Box? {
        guard let old = update(box) else { return nil }
        update(old)
        return old
    }

    /// Removes the box under an id and returns it, or nil if there is none. O(log n).
    @inlinable @discardableResult
    mutating func remove(_ id: ID) -> Box? {
        Self.update(id, with: nil, in: &root, hash: id.hashValue, shift: 0)
    }

    @inlinable static func update(
        _ id: ID, with box: Box?, in node: inout Node, hash: Int, shift: Int
    ) -> Box? {
        switch node {
        case .branch(var children):
            // `node` releases the children before they change, so that they are copied only if
            // shared.
            node = .leaf([:])
            defer { node = .branch(children) }
            return update(
                id, with: box, in: &children[child(hash, at: shift)], hash: hash,
                shift: shift + bits)
        case .leaf(var boxes):
            node = .leaf([:])
            guard let box else {
                let old = boxes.removeValue(forKey: id)
                node = .leaf(boxes)
                return old
            }
            let old = boxes.updateValue(box, forKey: id)
            // The bits of the hash run out only if many ids have the same hash.
            let isFull = boxes.count > leafCapacity && shift < Int.bitWidth
            node = isFull ? divided(boxes, at: shift) : .leaf(boxes)
            return old
        }
    }

    @inlinable static func divided(_ boxes: [ID: Box], at shift: Int) -> Node {
        var leaves = [[ID: Box]](repeating: [:], count: 1 << bits)
        for (id, box) in boxes { leaves[child(id.hashValue, at: shift)][id] = box }
        return .branch(ContiguousArray(leaves.map { Node.leaf($0) }))
    }
}
