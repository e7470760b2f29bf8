/// Reading and changing the order.
///
/// Among ``Ranked`` entities every change of order is an edit of ranks, recorded as such: a move
/// edits one entity. Among others the order is the store's own: an entity that is moved is recorded
/// with an equal value, for storage that keeps the order in which it is given entities.
extension EntityStore {
    /// The row of the entity with this id, or nil if there is none. O(log n).
    @inlinable public func position(of id: Entity.ID) -> Int? {
        table[id].map { order.position(of: place(of: key(of: $0))) }
    }

    /// The id at a row, or nil if there is no such row. O(log n).
    @inlinable public func id(at position: Int) -> Entity.ID? {
        guard position >= 0, position < count else { return nil }
        return order[position].value.id
    }

    /// The entity at a row, or nil if there is no such row. O(log n).
    @inlinable package func entity(at position: Int) -> Entity? {
        guard position >= 0, position < count else { return nil }
        return order[position].value
    }

    /// Up to `count` entities from a row on, for a screen. O(count × log n).
    @inlinable public func page(at position: Int, count: Int) -> [Entity] {
        order.page(at: position, count: count).map(\.value)
    }

    /// The first entity in order, or nil if there is none. O(log n).
    @inlinable public var first: Entity? { order.first?.value }
    /// The last entity in order, or nil if there is none. O(log n).
    @inlinable public var last: Entity? { order.last?.value }

    /// Inserts an entity after all others; one that is already here is replaced and moved there. A
    /// ranked entity is given its rank, and the entity is returned as stored. O(log n).
    @discardableResult
    @inlinable public mutating func append(_ entity: Entity) -> Entity {
        insert(entity, at: count)
    }

    /// Inserts an entity before the one with id `next`, or last if that is not here; one that is
    /// already here is replaced and moved. A ranked entity is given its rank, and the entity is
    /// returned as stored. O(log n).
    @discardableResult
    @inlinable public mutating func insert(_ entity: Entity, before next: Entity.ID) -> Entity {
        guard next != entity.id else { return keepPlace(entity) }
        guard let position = position(of: next) else { return append(entity) }
        return insert(entity, at: position)
    }

    /// Inserts an entity after the one with id `previous`, or last if that is not here; otherwise
    /// as ``insert(_:before:)``.
    @discardableResult
    @inlinable public mutating func insert(_ entity: Entity, after previous: Entity.ID) -> Entity {
        guard previous != entity.id else { return keepPlace(entity) }
        guard let position = position(of: previous) else { return append(entity) }
        return insert(entity, at: position + 1)
    }

    /// Moves an entity directly before another. Nothing happens if either is missing, if they are
    /// the same, or if it is there already. One entity changes, unless neighbours must
    /// make room. O(log n), amortized.
    @inlinable public mutating func move(_ id: Entity.ID, before next: Entity.ID) {
        guard id != next, let entity = self[id], contains(next) else { return }
        insert(entity, before: next)
    }

    /// Moves an entity directly after another. Nothing happens if either is missing, if they are
    /// the same, or if it is there already. One entity changes, unless neighbours must
    /// make room. O(log n), amortized.
    @inlinable public mutating func move(_ id: Entity.ID, after previous: Entity.ID) {
        guard id != previous, let entity = self[id], contains(previous) else { return }
        insert(entity, after: previous)
    }

    /// Sorts the entities, keeping the order of those that compare equal. O(n log n).
    ///
    /// Of ranked entities as few as possible get new ranks: a longest run of those that already
    /// ascend stays. Of others each one whose position has changed is recorded.
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

    /// Gives every entity without a rank the place that `place` returns, in that order.
    @inlinable mutating func reorder(by place: (Entity.ID) -> Rank?) {
        let wanted = order.compactMap { shared in
            place(shared.value.id).map { (shared, $0) }
        }
        for (box, rank) in wanted where key(of: box).rank != rank {
            self.place(box.value, at: rank)
        }
    }

    @inlinable mutating func keepPlace(_ entity: Entity) -> Entity {
        guard let box = table[entity.id] else { return append(entity) }
        return place(entity, at: key(of: box).rank)
    }

    /// Stores `entity` under `rank`: its own or, if it has none, the place that its store gave it.
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

    /// The positions of entities that are to stand at `place`, in the order of `ids`, and of those
    /// that make room for them: see `Position.room(for:below:above:)`. O(result × log n).
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

    /// Stores `entity` between the rows `position - 1` and `position`, counted with its old row if
    /// it has one.
    @inlinable mutating func insert(_ entity: Entity, at position: Int) -> Entity {
        let above = position - 1
        let below = position
        if let own = self.position(of: entity.id) {
            if own == above || own == below { return keepPlace(entity) }
        }
        let lower = above >= 0 ? key(at: above) : nil
        let upper = below < count ? key(at: below) : nil
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

/// The indices of a longest strictly ascending subsequence, ascending: patience sorting, O(n log
/// n).
///
/// Source: C. Schensted, "Longest increasing and decreasing subsequences" (1961).
@inlinable package func longestAscent<Key>(
    of keys: [Key], by isAscending: (Key, Key) -> Bool
) -> [Int] {
    // For each length, the index of the least key that ends a subsequence of it.
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
