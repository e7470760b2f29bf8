/// Elements by number: a persistent radix tree whose copies share what none of them has changed.
///
/// Reading, writing and appending are O(log n) with a base of 8.
@usableFromInline struct SlotVector<Element: Sendable>: Sendable {
    /// All leaves lie equally deep.
    @usableFromInline enum Node: Sendable {
        case leaf(ContiguousArray<Element?>)
        case branch(ContiguousArray<Node>)
    }

    @usableFromInline var root = Node.leaf([])
    /// The number of slots, vacant ones included.
    @usableFromInline var count: UInt32 = 0
    /// How far a slot's number is shifted at the root: three bits for each lower level.
    @usableFromInline var rootShift: UInt32 = 0

    @inlinable static var bits: UInt32 { 3 }
    @inlinable static var fanOut: UInt32 { 8 }

    @inlinable init() {}

    @inlinable static func child(_ slot: UInt32, at shift: UInt32) -> Int {
        Int((slot &>> shift) & (fanOut - 1))
    }

    /// The element in a slot that exists, or nil if the slot is vacant.
    @inlinable subscript(slot: UInt32) -> Element? {
        get {
            var shift = rootShift
            var node = root
            while true {
                switch node {
                case .branch(let children):
                    node = children[Self.child(slot, at: shift)]
                    shift -= Self.bits
                case .leaf(let elements):
                    return elements[Self.child(slot, at: 0)]
                }
            }
        }
        set { Self.set(newValue, at: slot, in: &root, shift: rootShift) }
    }

    /// Adds a slot and returns its number.
    @inlinable mutating func append(_ element: Element) -> UInt32 {
        let slot = count
        if slot == Self.fanOut << rootShift {
            root = .branch([root])
            rootShift += Self.bits
        }
        Self.set(element, at: slot, in: &root, shift: rootShift)
        count += 1
        return slot
    }

    @inlinable static func set(
        _ element: Element?, at slot: UInt32, in node: inout Node, shift: UInt32
    ) {
        let child = child(slot, at: shift)
        switch node {
        case .branch(var children):
            // Released before it is changed, so that it is copied only if it is shared.
            node = .leaf([])
            if child == children.count {
                if child == 0 { children.reserveCapacity(Int(fanOut)) }
                children.append(shift == bits ? .leaf([]) : .branch([]))
            }
            set(element, at: slot, in: &children[child], shift: shift - bits)
            node = .branch(children)
        case .leaf(var elements):
            node = .leaf([])
            if child == elements.count {
                // Growing by doubling, a leaf of 8 would end with room for 15.
                if child == 0 { elements.reserveCapacity(Int(fanOut)) }
                elements.append(element)
            } else {
                elements[child] = element
            }
            node = .leaf(elements)
        }
    }
}
