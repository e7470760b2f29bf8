/// Reading and changing the order.
///
/// If the entities are ``Ranked``, a change of the order edits their ranks: a move edits one
/// entity. Otherwise the store itself holds the order. It records a moved entity with an equal
/// value, for storage that keeps entities in the order in which it receives them.
extension EntityStore {
    /// Returns the row of the entity with this id, or nil if there is none. O(log n).
    @inlinable public func position(of id: Entity.ID) -> Int? {
        table[id].map { order.position(of: place(of: key(of: $0))) }
    }

    /// Returns the id at a row, or nil if there is no such row. O(log n).
    @inlinable public func id(at position: Int) -> Entity.ID? {
        guard position >= 0, position < count else { return nil }
        return order[position].value.id
    }

    /// Returns the entity at a row, or nil if there is no such row. O(log n).
    @inlinable package func entity(at position: Int) -> Entity? {
        guard position >= 0, position < count else { return nil }
        return order[position].value
    }

    /// Returns up to `count` entities from a row on, for a screen. O(count × log n).
    @inlinable public func page(at position: Int, count: Int) -> [Entity] {
        order.page(at: position, count: count).map(\.value)
    }

    /// The first entity in order, or nil if there is none. O(log n).
    @inlinable public var first: Entity? { order.first?.value }
    /// The last entity in order, or nil if there is none. O(log n).
    @inlinable public var last: Entity? { order.last?.value }

    /// Inserts an entity after all others. An entity that is already here is replaced and moved.
    /// Returns the entity as stored: a ranked entity receives its rank. O(log n).
    @discardableResult
    @inlinable public mutating func append(_ entity: Entity) -> Entity {
        insert(entity, at: count)
    }

    /// Inserts an entity before the one with id `next`, or last if the store does not have `next`.
    /// An entity that is already here is replaced and moved. Returns the entity as stored: a ranked
    /// entity receives its rank. O(log n).
    @discardableResult
    @inlinable public mutating func insert(_ entity: Entity, before next: Entity.ID) -> Entity {
        guard next != entity.id else { return keepPlace(entity) }
        guard let position = position(of: next) else { return append(entity) }
        return insert(entity, at: position)
    }

    /// Inserts an entity after the one with id `previous`, or last if the store does not have
    /// `previous`. Otherwise like ``insert(_:before:)``.
    @discardableResult
    @inlinable public mutating func insert(_ entity: Entity, after previous: Entity.ID) -> Entity {
        guard previous != entity.id else { return keepPlace(entity) }
        guard let position = position(of: previous) else { return append(entity) }
        return insert(entity, at: position + 1)
    }

    /// Moves an entity directly before another. Nothing happens if either is missing, if they are
    /// the same, or if it is there already. One entity changes, unless neighbors must
    /// make room. O(log n), amortized.
    @inlinable public mutating func move(_ id: Entity.ID, before next: Entity.ID) {
        guard id != next, let entity = self[id], contains(next) else { return }
        insert(entity, before: next)
    }

    /// Moves an entity directly after another. Nothing happens if either is missing, if they are
    /// the same, or if it is there already. One entity changes, unless neighbors must
    /// make room. O(log n), amortized.
    @inlinable public mutating func move(_ id: Entity.ID, after previous: Entity.ID) {
        guard id != previous, let entity = self[id], contains(previous) else { return }
        insert(entity, after: previous)
    }

    /// Sorts the entities, keeping the order of those that compare equal. O(n log n).
    ///
    /// As few ranked entities as possible get new ranks: those of a longest ascending subsequence
    /// keep theirs. Without ranks, each entity whose position has changed is recorded.
    @inlinable public mutating func sort(by areInIncreasingOrder: (Entity, Entity) throws -> Bool)
        rethrows
    {
        let old = values
        let sorted = try old.indices.sorted { left, right in
            if try areInIncreasingOrder(old[left], old[right]) { return true }
            if try areInIncreasingOrder(old[right], old[left]) { return false }
            return left < right
        }
        let ranks = order.map { key(of: $0).rank }
        if ranking == nil {
            for (index, rank) in zip(sorted, ranks) where ranks[index] != rank {
                place(old[index], at: rank)
            }
            return
        }
        let kept = longestAscent(of: sorted.map { ranks[$0] }, by: <)
        var fresh: [Rank] = []
        for index in kept {
            let upper = ranks[sorted[index]]
            fresh += Rank.spread(index - fresh.count, between: fresh.last, and: upper)
            fresh.append(upper)
        }
        fresh += Rank.spread(sorted.count - fresh.count, between: fresh.last, and: nil)
        if fresh.contains(where: \.isTooLong) {
            fresh = Rank.spread(sorted.count, between: nil, and: nil)
        }
        for (index, rank) in zip(sorted, fresh) where ranks[index] != rank {
            place(old[index], at: rank)
        }
    }

    @inlinable mutating func keepPlace(_ entity: Entity) -> Entity {
        guard let box = table[entity.id] else { return append(entity) }
        return place(entity, at: key(of: box).rank)
    }

    /// Stores `entity` at `rank`. This sets the rank of a ranked entity, or the store's own place
    /// of another one.
    @discardableResult
    @inlinable mutating func place(_ entity: Entity, at rank: Rank) -> Entity {
        guard let ranking else {
            put(entity, place: rank)
            return entity
        }
        var entity = entity
        ranking.set(&entity, rank)
        put(entity, place: nil)
        return entity
    }

    /// Returns the positions that the entities `ids` would have at `place`, in this order, and the
    /// new positions of entities that make room for them. See `Position.room(for:below:above:)`.
    /// O(result × log n).
    ///
    /// The store is not changed.
    @inlinable package func room(for ids: [Entity.ID], at place: Int) -> [Position<Entity.ID>] {
        let moved = Set(ids)
        let place = Swift.min(place, count)
        let others = { (row: Int) in
            let key = key(at: row)
            return moved.contains(key.id) ? nil : key
        }
        return Position.room(
            for: ids, below: (0..<place).reversed().lazy.compactMap(others),
            above: (place..<count).lazy.compactMap(others))
    }

    /// Stores `entity` between the rows `position - 1` and `position`, counted while its old row,
    /// if any, is still there.
    @inlinable mutating func insert(_ entity: Entity, at position: Int) -> Entity {
        if let own = self.position(of: entity.id), own == position - 1 || own == position {
            return keepPlace(entity)
        }
        let lower = position > 0 ? key(at: position - 1) : nil
        let upper = position < count ? key(at: position) : nil
        if let lower, let upper, lower.rank == upper.rank {
            let own = Position(rank: lower.rank, id: entity.id)
            if lower < own, own < upper { return place(entity, at: lower.rank) }
        } else {
            let rank = Rank.between(lower?.rank, upper?.rank)
            if !rank.isTooLong { return place(entity, at: rank) }
        }
        let room = room(for: [entity.id], at: position)
        for position in room.dropFirst() {
            guard let entity = self[position.id] else { continue }
            if ranking == nil {
                put(entity, place: position.rank, isRecorded: false)
            } else {
                place(entity, at: position.rank)
            }
        }
        return place(entity, at: room[0].rank)
    }
}

/// Returns the indices of a longest strictly ascending subsequence, in ascending order, found by
/// patience sorting. O(n log n).
///
/// Source: C. Schensted, "Longest increasing and decreasing subsequences" (1961).
@inlinable package func longestAscent<Key>(
    of keys: [Key], by isAscending: (Key, Key) -> Bool
) -> [Int] {
    // For each length, the index of the least key that ends a subsequence of that length.
    var tops: [Int] = []
    var previous = [Int?](repeating: nil, count: keys.count)
    for index in keys.indices {
        let length = tops.partitioningIndex { !isAscending(keys[$0], keys[index]) }
        previous[index] = length > 0 ? tops[length - 1] : nil
        if length == tops.count { tops.append(index) } else { tops[length] = index }
    }
    var ascent: [Int] = []
    var next = tops.last
    while let index = next {
        ascent.append(index)
        next = previous[index]
    }
    return ascent.reversed()
}
