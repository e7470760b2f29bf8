import OrderedCollections

/// The changes of the entities of one store: one for each id, in the order in which the ids were
/// first changed.
///
/// This one type holds pending, in-flight, logged, fetched and committed changes. (The name
/// `Changes` is left to applications, for the value that holds the changes of all their stores.)
public struct EntityChanges<Entity: Identifiable & Sendable>: Sendable
where Entity.ID: Hashable & Sendable {
    @usableFromInline var byID: OrderedDictionary<Entity.ID, EntityChange<Entity>> = [:]

    /// Creates changes that insert or replace `upserts` and delete `deletions`. O(changes).
    @inlinable public init(
        upserts: [Entity] = [], deletions: [Entity.ID] = []
    ) {
        upsert(upserts)
        delete(deletions)
    }

    /// True if there are no changes.
    @inlinable public var isEmpty: Bool { byID.isEmpty }
    /// The number of entities.
    @inlinable public var count: Int { byID.count }
    /// The ids of the entities.
    @inlinable package var ids: some RandomAccessCollection<Entity.ID> { byID.keys }

    /// Values to insert or replace. O(changes).
    @inlinable public var upserts: [Entity] { byID.values.compactMap(\.after) }
    /// Ids to delete. O(changes).
    @inlinable public var deletions: [Entity.ID] {
        byID.compactMap { $1.afterBox == nil ? $0 : nil }
    }
    /// True if any of the changes is a deletion. O(changes).
    @inlinable package var hasDeletions: Bool { byID.values.contains { $0.afterBox == nil } }

    /// The change of the entity `id`. O(1); setting nil removes it in O(changes).
    @inlinable package subscript(id: Entity.ID) -> EntityChange<Entity>? {
        get { byID[id] }
        set { byID[id] = newValue }
    }

    // MARK: Adding

    /// Inserts or replaces `entity`. An earlier change of the entity keeps its `before`.
    @inlinable package mutating func upsert(_ entity: Entity) {
        add(EntityChange(before: nil, after: SharedEntity(entity)), to: entity.id)
    }

    /// Inserts or replaces `entities`.
    @inlinable package mutating func upsert(_ entities: some Sequence<Entity>) {
        byID.reserveCapacity(byID.count + entities.underestimatedCount)
        for entity in entities { upsert(entity) }
    }

    /// Replaces `base`, the value that was read, with `entity`.
    @inlinable package mutating func replace(_ base: Entity, with entity: Entity) {
        add(EntityChange(before: base, after: entity), to: base.id)
    }

    /// Deletes `base`, the value that was read.
    @inlinable package mutating func delete(_ base: Entity) {
        add(EntityChange(before: base, after: nil), to: base.id)
    }

    /// Deletes the entities with these ids, whose earlier values are not known.
    @inlinable package mutating func delete(_ ids: some Sequence<Entity.ID>) {
        for id in ids { add(EntityChange(before: SharedEntity?.none, after: nil), to: id) }
    }

    /// Adds a later change. An earlier change of the entity keeps its `before`.
    @inlinable mutating func add(_ change: EntityChange<Entity>, to id: Entity.ID) {
        byID[id] = byID[id]?.followed(by: change) ?? change
    }

    /// Adds later changes. An earlier change of the same entity keeps its `before`. O(later
    /// changes), or O(1) if this collection is empty.
    @inlinable package mutating func add(_ later: EntityChanges) {
        if isEmpty { return byID = later.byID }
        for (id, change) in later.byID { add(change, to: id) }
    }

    /// Returns these changes followed by later ones. O(changes).
    @inlinable package func followed(by later: EntityChanges) -> EntityChanges {
        var all = self
        all.add(later)
        return all
    }

    // MARK: Choosing

    /// Returns the changes of the entities whose ids `isIncluded` chooses. O(changes).
    @inlinable package func only(_ isIncluded: (Entity.ID) throws -> Bool) rethrows
        -> EntityChanges
    {
        var some = EntityChanges()
        some.byID = try byID.filter { try isIncluded($0.key) }
        return some
    }
}

extension EntityChanges {
    /// The changes in order, each with the id of its entity.
    @inlinable package var elements:
        some RandomAccessCollection<(id: Entity.ID, change: EntityChange<Entity>)>
    {
        byID.elements.lazy.map { (id: $0.key, change: $0.value) }
    }
}

extension EntityChanges: Equatable where Entity: Equatable {}
