import HashTreeCollections

/// Filling a store from elsewhere, and returning it to earlier content.
extension EntityStore {
    /// Adds entities from storage, a page or all of them, without recording changes.
    ///
    /// Entities that are already in the store stay unchanged, and entities that were deleted here
    /// since the first page stay deleted, because a page may have been read before the edit. O(m
    /// log n) for m entities, or a single pass if there are more than the store has. Of several
    /// values with one id, the last is used.
    @inlinable public mutating func hydrate(_ entities: some Sequence<Entity>) {
        hydrate(entities, keepsDeltas: true)
    }

    /// Hydrates as ``hydrate(_:)`` does. If nothing follows this store yet, pass false
    /// for `keepsDeltas`, which costs much less; `deltas(since:)` is then nil for old revisions.
    @inlinable package mutating func hydrate(
        _ entities: some Sequence<Entity>, keepsDeltas: Bool
    ) {
        beginHydration()
        var added: [Box] = []
        added.reserveCapacity(entities.underestimatedCount)
        var last = order.last.map { key(of: $0) }
        var isAscending = true
        var hasDuplicates = false
        for entity in entities where editedDuringHydration?.contains(entity.id) != true {
            let box: Box =
                ranking == nil
                ? PlacedEntity(entity, at: Rank.between(last?.rank, nil)) : SharedEntity(entity)
            if let old = table.insert(box) {
                // Entities that this call added are not in `order` yet.
                guard order[place(of: key(of: old))] !== old else { continue }
                added.append(
                    ranking == nil ? PlacedEntity(entity, at: key(of: old).rank) : box)
                table.update(added[added.count - 1])
                (isAscending, hasDuplicates) = (false, true)
                continue
            }
            added.append(box)
            let key = key(of: box)
            isAscending = isAscending && last.map { $0 < key } ?? true
            last = key
        }
        guard !added.isEmpty else { return }
        if hasDuplicates { added.removeAll { table[$0.value.id] !== $0 } }
        if isAscending {
            order.append(contentsOf: added)
        } else if added.count < order.count {
            for box in added { order.insert(box, at: place(of: key(of: box))) }
        } else {
            // Building a new array is faster than inserting at least as many boxes as it has.
            let boxes = (order + added).sorted { key(of: $0) < key(of: $1) }
            order = ChunkedArray(boxes)
        }
        stamp = .next()
        guard keepsDeltas else { return journal.appendGap(as: revision, to: table) }
        let entries: [Journal<Entity>.Entry] = added.map { ($0.value.id, nil, false) }
        journal.append(entries, as: revision, to: table)
    }

    /// Takes over the content of a store that was filled, on another thread, with all entities of
    /// storage or a first part of them. Records nothing. Use it to load many entities. O(edits
    /// since the first page × log n).
    ///
    /// Fill `loaded` with ``hydrate(_:)``, page by page, and hand it over at the end,
    /// or now and then. Edits and deletions made here since the first page stay, and other entities
    /// that `loaded` lacks are removed. Views start again from the whole content.
    @inlinable public mutating func hydrate(from loaded: EntityStore) {
        beginHydration()
        let own = (editedDuringHydration ?? []).map { ($0, table[$0]?.value) }
        (table, order) = (loaded.table, loaded.order)
        stamp = .next()
        journal.appendGap(as: revision, to: table)
        for (id, entity) in own {
            if let entity {
                put(entity, place: nil, isRecorded: false)
            } else {
                remove(id, isRecorded: false)
            }
        }
    }

    /// Begins hydration if it has not begun. If it is the first one, entities that are already in
    /// the store count as edited.
    @inlinable mutating func beginHydration() {
        if editedDuringHydration == nil { editedDuringHydration = isHydrated ? [] : TreeSet(ids) }
    }

    /// Ends hydration, after the last page or if there is none. The store stops remembering which
    /// entities were edited, and a pipeline that waits for loading stops waiting for this store.
    @inlinable public mutating func endHydration() {
        editedDuringHydration = nil
        isHydrated = true
    }

    /// Adopts the present values of storage without recording changes: values replace those in the
    /// store, deletions remove them. O(changes × log n).
    ///
    /// The counterpart of ``hydrate(_:)`` for a list that is already loaded.
    @inlinable public mutating func adopt(_ changes: EntityChanges<Entity>) {
        for (id, change) in changes.elements {
            if let entity = change.after {
                put(entity, place: nil, isRecorded: false)
            } else {
                remove(id, isRecorded: false)
            }
        }
    }

    /// Adds the entities of `other` that this store lacks, in `other`'s order, without recording
    /// changes, as hydration does.
    ///
    /// An entity that both stores have stays unchanged, unless `takesTheirs`, called as (theirs,
    /// own), returns true. Then the value in `other` replaces it, also without recording a change.
    /// O(m log n) for m entities in `other`.
    @inlinable public mutating func merge(
        from other: EntityStore,
        takingTheirsWhere takesTheirs: (_ theirs: Entity, _ own: Entity) -> Bool = { _, _ in
            false
        }
    ) {
        var preferred: [Entity] = []
        for theirs in other {
            if let own = self[theirs.id], takesTheirs(theirs, own) { preferred.append(theirs) }
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
            put(box.value, place: ranking == nil ? other.key(of: box).rank : nil)
        }
        guard ranking == nil else { return }
        for theirs in other.order {
            let rank = other.key(of: theirs).rank
            if let own = table[theirs.value.id], key(of: own).rank != rank {
                place(own.value, at: rank)
            }
        }
    }
}
