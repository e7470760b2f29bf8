import HashTreeCollections

/// Filling a store from elsewhere, and returning it to earlier content.
extension EntityStore {
    /// Adds entities that storage has, a page or all of them, and records nothing.
    ///
    /// What is already here stays as it is, and what was deleted here since the first page stays
    /// deleted: a page may have been read before the edit. O(m log n), one pass if the page
    /// outnumbers what is here. Of several values with one id the last is used.
    @inlinable public mutating func hydrate(_ entities: some Sequence<Entity>) {
        if erased == nil { erased = [] }
        var positions: [ID: Int] = [:]
        var missing: [Entity] = []
        for entity in entities where !contains(entity.id) && erased?.contains(entity.id) != true {
            if let position = positions[entity.id] {
                missing[position] = entity
            } else {
                positions[entity.id] = missing.count
                missing.append(entity)
            }
        }
        addMissing(missing)
    }

    /// Makes room for `count` entities in all, of which few are here yet. Where pages are to come,
    /// and storage has said how many entities they have, call it before the first: the store then
    /// takes less memory. O(count).
    ///
    /// It changes nothing in a store that has more than a few dozen entities. Of a number that is
    /// too large the room is wasted, for 16 million entities at most.
    @inlinable public mutating func reserveCapacity(_ count: Int) {
        // A box has a header of 16 bytes, and a place of its own where the entity has no rank.
        let place = ranking == nil ? MemoryLayout<Rank>.stride : 0
        table.index.reserveCapacity(count, entitySize: 16 + place + MemoryLayout<Entity>.size)
    }

    /// Ends hydration: the last page has arrived, or there is none. ``hydrate(_:)`` no longer needs
    /// to know the deletions, and a pipeline that waits for the end of loading waits no longer for
    /// this store.
    @inlinable public mutating func endHydration() {
        erased = nil
        isHydrated = true
    }

    /// Takes over what storage has now and records nothing: values replace what is here, deletions
    /// remove it. O(changes × log n).
    ///
    /// The counterpart of ``hydrate(_:)`` for a list that is loaded: a reducer calls it with what
    /// an ``Arrival`` brings, before it changes anything itself.
    @inlinable public mutating func adopt(_ changes: EntityChanges<Entity>) {
        for (id, change) in changes {
            if let entity = change.after {
                put(entity, place: nil, isRecorded: false)
            } else {
                remove(id, isRecorded: false)
            }
        }
    }

    /// Adds what `other` has and this store lacks, in `other`'s order, and records nothing: it is
    /// hydration.
    ///
    /// An entity that both have stays as it is here, unless `preferExisting`, called as (theirs,
    /// own), returns true; then theirs replaces it, which records nothing either. O(m log n).
    @inlinable public mutating func merge(
        from other: EntityStore,
        preferExisting: (_ theirs: Entity, _ own: Entity) -> Bool = { _, _ in false }
    ) {
        var preferred: [Entity] = []
        for theirs in other {
            if let own = self[theirs.id], preferExisting(theirs, own) { preferred.append(theirs) }
        }
        hydrate(other)
        for entity in preferred { put(entity, place: nil, isRecorded: false) }
    }

    /// Makes the content equal to `other`'s and records every difference as an edit, so that it
    /// reaches the disk.
    ///
    /// Entities without a rank also take `other`'s order. O(n).
    @inlinable public mutating func restore(from other: EntityStore) {
        for delta in other.differences(from: self) {
            guard let box = delta.afterBox else {
                remove(delta.id)
                continue
            }
            put(box.entity, place: ranking == nil ? other.key(of: box).rank : nil)
        }
        guard ranking == nil else { return }
        reorder { id in other.table[id].map { other.key(of: $0).rank } }
    }
}
