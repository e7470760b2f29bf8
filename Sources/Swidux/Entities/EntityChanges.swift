/// What one flush does to the entities of one store. An id is in one of the two lists only.
public struct EntityChanges<Entity: Identifiable & Sendable>: Sendable where Entity.ID: Sendable {
    /// Values to insert or replace, in the order in which they first became pending.
    public var upserts: [Entity] = []
    /// Ids to delete, in the order in which they first became pending.
    public var deletions: [Entity.ID] = []

    /// What storage is known to have had before the first of these changes, by id; nothing for an
    /// entity that is new. The deletion of an entity that was inserted and not yet committed has
    /// that entity. With it, storage can tell a write from one that would undo another process's
    /// edit.
    public var bases: [Entity.ID: Entity] = [:]

    /// Nothing to do.
    @inlinable public init() {}

    /// Replaces `base`, as it was read, by `entity`.
    @inlinable public mutating func replace(_ base: Entity, with entity: Entity) {
        upserts.append(entity)
        bases[base.id] = base
    }

    /// Deletes `base`, as it was read.
    @inlinable public mutating func delete(_ base: Entity) {
        deletions.append(base.id)
        bases[base.id] = base
    }

    /// Whether there is nothing to do.
    @inlinable public var isEmpty: Bool { upserts.isEmpty && deletions.isEmpty }
    /// The number of rows that it touches.
    @inlinable public var count: Int { upserts.count + deletions.count }
}

extension EntityChanges: Equatable where Entity: Equatable {}
