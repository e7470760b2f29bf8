/// How many entities of an ``EntityStore`` belong to each group, maintained from its deltas: the
/// numbers beside tags.
///
/// ```swift
/// var counts = EntityCounts<Item, Tag.ID> { $0.tags }
/// counts.update(from: state.items)      // O(changes × groups of each)
/// counts[tag.id]
/// ```
///
/// An entity may belong to any number of groups; one that belongs to none is counted in
/// ``ungrouped``. Counts are equal if their numbers are.
public struct EntityCounts<Entity: Identifiable & Equatable & Sendable, Group: Hashable & Sendable>:
    Sendable
where Entity.ID: Hashable & Sendable {
    /// The number of all entities.
    package private(set) var total = 0
    /// The number of entities that belong to no group.
    public private(set) var ungrouped = 0

    private let groups: @Sendable (Entity) -> Set<Group>
    private var counts: [Group: Int] = [:]
    private var seen: Revision?

    /// Creates empty counts, until the first update.
    ///
    /// - Parameter groups: the groups of an entity. They must depend only on the entity.
    public init(by groups: @escaping @Sendable (Entity) -> Set<Group>) { self.groups = groups }

    /// The number of entities in the group. O(1).
    public subscript(group: Group) -> Int { counts[group] ?? 0 }

    /// Applies the changes of `store` since the last update. O(changes), O(1) if there are none,
    /// and O(n) only when `store` does not continue the one of the last update.
    public mutating func update(from store: EntityStore<Entity>) {
        guard seen != store.revision else { return }
        if let deltas = seen.flatMap({ store.deltas(since: $0) }) {
            for delta in deltas {
                if let before = delta.before { count(before, by: -1) }
                if let after = delta.after { count(after, by: 1) }
            }
        } else {
            self = EntityCounts(by: groups)
            for entity in store { count(entity, by: 1) }
        }
        seen = store.revision
    }

    private mutating func count(_ entity: Entity, by step: Int) {
        total += step
        let groups = groups(entity)
        if groups.isEmpty { ungrouped += step }
        for group in groups {
            counts[group, default: 0] += step
            if counts[group] == 0 { counts[group] = nil }
        }
    }
}

extension EntityCounts: Equatable {
    public static func == (lhs: EntityCounts, rhs: EntityCounts) -> Bool {
        lhs.total == rhs.total && lhs.ungrouped == rhs.ungrouped && lhs.counts == rhs.counts
    }
}
