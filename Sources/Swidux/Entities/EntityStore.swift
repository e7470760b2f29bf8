import HashTreeCollections

/// An ordered, keyed collection of entities that records its own changes.
///
/// Use it for entities that a list shows and storage keeps. A reducer edits it like a dictionary.
/// Persistence, undo and ``EntityView`` read the changes from it, so no code has to save:
///
/// ```swift
/// var cards = EntityStore<Card>()
/// cards[card.id] = card                              // insert or replace
/// cards.modify(card.id) { $0.title = "New title" }   // edit in place
/// cards[card.id] = nil                               // delete
/// ```
///
/// **Order.** Entities keep the order of their insertion, unless they are ``Ranked``: then their
/// order is (rank, id), however they arrive.
///
/// **Keys.** An entity is always stored under its own id, whichever key it is assigned to. The
/// store accepts every assigned value. A value that is equal to the previous one is not recorded.
///
/// **Costs.** Lookup and every position are O(log n), and edits take some microseconds. A copy is
/// free; the next edit after it copies a small part, O(√n). Only ``values`` is O(n).
public struct EntityStore<Entity: Identifiable & Equatable & Sendable>: Sendable
where Entity.ID: Hashable & Sendable {
    @usableFromInline typealias Box = SharedEntity<Entity>
    @usableFromInline typealias Key = Position<Entity.ID>

    /// Access to the rank of an entity, or nil if the type has no ranks.
    @usableFromInline let ranking: RankAccess<Entity>?
    @usableFromInline var table: EntityTable<Entity>
    @usableFromInline var order: ChunkedArray<SharedEntity<Entity>>
    @usableFromInline var journal: Journal<Entity>
    /// The ids that were edited during hydration. Pages that were read before these edits must not
    /// bring back the old entities. Nil before and after hydration.
    @usableFromInline var editedDuringHydration: TreeSet<Entity.ID>?
    /// True once everything in storage has been loaded. A pipeline may wait for this.
    @usableFromInline var isHydrated = false

    /// The stamp of this content: equal stamps mean equal content, unequal ones a mutation in
    /// between. O(1).
    @inlinable package var revision: Revision { stamp }
    @usableFromInline var stamp: Revision

    /// Creates an empty store.
    @inlinable public init() {
        ranking = RankAccess.make()
        table = EntityTable()
        order = ChunkedArray()
        journal = Journal(from: .initial)
        stamp = .initial
    }

    /// Creates a store of `entities`, with no changes recorded. Of several values with one id the
    /// last is kept, at the place of the first. O(n log n).
    @inlinable public init(_ entities: some Sequence<Entity>) {
        self.init()
        hydrate(entities, keepsDeltas: false)
        editedDuringHydration = nil
        journal = Journal(from: revision)
    }

    // MARK: Reading

    /// The number of entities. O(1).
    @inlinable public var count: Int { order.count }
    /// True if there is no entity. O(1).
    @inlinable public var isEmpty: Bool { order.count == 0 }

    /// Returns true if there is an entity with this id. O(log n).
    @inlinable public func contains(_ id: Entity.ID) -> Bool { table[id] != nil }

    /// The entity with this id. O(log n).
    ///
    /// Setting a value inserts or replaces the entity, setting nil deletes it. An entity whose own
    /// id is not `id` is stored under its own, and the one stored under `id` stays as it is.
    @inlinable public subscript(id: Entity.ID) -> Entity? {
        get { table[id]?.value }
        set {
            if let newValue { put(newValue, place: nil) } else { remove(id) }
        }
    }

    /// All entities in order, in a new array. O(n): never call it to answer a key; see
    /// ``page(at:count:)``.
    @inlinable public var values: [Entity] { Array(self) }

    // MARK: Editing

    /// Changes the entity with this id in place, and returns whether there is one.
    ///
    /// If `body` changes the id, the old one is deleted and the new one upserted, at the same
    /// place; an entity that already had the new id is replaced.
    @discardableResult
    @inlinable public mutating func modify(_ id: Entity.ID, _ body: (inout Entity) throws -> Void)
        rethrows
        -> Bool
    {
        guard let box = table[id] else { return false }
        var entity = box.value
        try body(&entity)
        if entity.id == id {
            put(entity, place: nil)
        } else {
            let place = key(of: box).rank
            remove(id)
            remove(entity.id)
            put(entity, place: place)
        }
        return true
    }

    /// Deletes every entity for which `shouldRemove` returns true. O(n), and O(log n) for each
    /// deletion.
    @inlinable public mutating func removeAll(where shouldRemove: (Entity) throws -> Bool) rethrows
    {
        let doomed = try filter(shouldRemove)
        for entity in doomed { remove(entity.id) }
    }

    // MARK: The two mutations that all others are made of

    /// Returns the position of a box in this store.
    @inlinable func key(of box: Box) -> Key { Self.key(of: box, ranking) }

    @inlinable static func key(of box: Box, _ ranking: RankAccess<Entity>?) -> Key {
        if let ranking { return Key(rank: ranking.get(box.value), id: box.value.id) }
        return Key(
            rank: unsafeDowncast(box, to: PlacedEntity<Entity>.self).place, id: box.value.id)
    }

    /// Returns the place of a position in `order`, or the place where it would be inserted. O(log
    /// n).
    @inlinable func place(of key: Key) -> ChunkedArray<SharedEntity<Entity>>.Place {
        order.place { Self.key(of: $0, ranking) < key }
    }

    /// Returns the position of the entity at a row, which must exist. O(log n).
    @inlinable func key(at row: Int) -> Key { key(of: order[row]) }

    /// Inserts or replaces an entity. `place` is the new place of an entity without a rank. If it
    /// is nil, the entity keeps its place, and a new entity goes last.
    @inlinable mutating func put(_ entity: Entity, place: Rank?, isRecorded: Bool = true) {
        let id = entity.id
        let old = table[id]
        let oldKey = old.map(key(of:))
        let box: Box
        let newKey: Key
        if let ranking {
            box = SharedEntity(entity)
            newKey = Key(rank: ranking.get(entity), id: id)
        } else {
            let rank =
                place ?? oldKey?.rank ?? Rank.between(order.last.map { key(of: $0).rank }, nil)
            box = PlacedEntity(entity, at: rank)
            newKey = Key(rank: rank, id: id)
        }
        table.update(box)
        if let oldKey, oldKey == newKey {
            order.replace(at: self.place(of: oldKey), with: box)
            // Equal values may differ in a property that `==` leaves out.
            if old?.value == entity { return }
        } else {
            if let oldKey { order.remove(at: self.place(of: oldKey)) }
            order.insert(box, at: self.place(of: newKey))
        }
        editedDuringHydration?.insert(id)
        note((id, old, isRecorded))
    }

    /// Deletes the entity with this id, if there is one.
    @inlinable mutating func remove(_ id: Entity.ID, isRecorded: Bool = true) {
        guard let old = table.remove(id) else { return }
        order.remove(at: place(of: key(of: old)))
        editedDuringHydration?.insert(id)
        note((id, old, isRecorded))
    }

    @inlinable mutating func note(_ entry: Journal<Entity>.Entry) {
        stamp = .next()
        journal.append([entry], as: revision, to: table)
    }
}
