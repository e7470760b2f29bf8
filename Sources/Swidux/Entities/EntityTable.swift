/// The boxes of an ``EntityStore`` by id. A copy is free, and the next mutation of either copies a
/// path or two.
///
/// Boxes lie in slots, which ``SlotIndex`` finds. Slots are assigned in the order of arrival, so
/// that an edit, which copies the path to one slot and retains its neighbours, touches adjacent
/// memory; in a table ordered by hash every neighbour is a cache miss among a million entities.
/// Lookup, insertion and removal are O(log n) with a base of 8: at most 7 steps for a million.
@usableFromInline struct EntityTable<Entity: Identifiable & Sendable>: Sendable
where Entity.ID: Hashable & Sendable {
    @usableFromInline typealias ID = Entity.ID
    @usableFromInline typealias Box = EntityBox<Entity>

    @usableFromInline var index = SlotIndex()
    @usableFromInline var slots = SlotVector<Box>()
    /// The slots of removed entities.
    @usableFromInline var vacant: VacantSlot?

    @inlinable init() {}

    /// 32 bits are enough: a collision costs one comparison.
    @inlinable static func hash(_ id: ID) -> UInt32 {
        UInt32(truncatingIfNeeded: id.hashValue)
    }

    @inlinable func find(_ id: ID, hash: UInt32) -> (slot: UInt32, box: Box)? {
        var found: (slot: UInt32, box: Box)?
        index.forEach(with: hash) { slot in
            guard let box = slots[slot], box.entity.id == id else { return true }
            found = (slot, box)
            return false
        }
        return found
    }

    @inlinable subscript(id: ID) -> Box? { find(id, hash: Self.hash(id))?.box }

    /// Stores a box under its entity's id, and returns the one that it replaces.
    @inlinable @discardableResult
    mutating func update(_ box: Box) -> Box? {
        let hash = Self.hash(box.entity.id)
        if let (slot, old) = find(box.entity.id, hash: hash) {
            slots[slot] = box
            return old
        }
        if let reused = vacant {
            vacant = reused.next
            slots[reused.slot] = box
            index.insert(SlotIndex.Item(hash: hash, slot: reused.slot))
        } else {
            index.insert(SlotIndex.Item(hash: hash, slot: slots.append(box)))
        }
        return nil
    }

    /// Removes the box under an id and returns it, or nil if there is none.
    @inlinable @discardableResult
    mutating func remove(_ id: ID) -> Box? {
        let hash = Self.hash(id)
        guard let (slot, old) = find(id, hash: hash) else { return nil }
        index.remove(SlotIndex.Item(hash: hash, slot: slot))
        slots[slot] = nil
        vacant = VacantSlot(slot: slot, next: vacant)
        return old
    }
}

/// A list of slots that are free again; copies of a table share its tail.
///
/// Unchecked because `next` is a variable; it is changed only in `deinit`, when nothing else can
/// see it.
@usableFromInline final class VacantSlot: @unchecked Sendable {
    @usableFromInline let slot: UInt32
    @usableFromInline private(set) var next: VacantSlot?

    @usableFromInline init(slot: UInt32, next: VacantSlot?) {
        self.slot = slot
        self.next = next
    }

    /// Frees a long list in a loop: recursive release would use a stack frame for every slot.
    deinit {
        var rest = next
        next = nil
        while isKnownUniquelyReferenced(&rest) {
            let following = rest?.next
            rest?.next = nil
            rest = following
        }
    }
}
