import Swidux

extension EntityChanges where Entity: Ranked {
    /// Adds new entities after all others, and any changes of the others' ranks that make room.
    ///
    /// - Parameter others: all other entities, by (rank, id).
    package mutating func append(_ new: [Entity], after others: [Entity]) {
        place(new, at: others.count, among: others)
    }

    /// Adds entities at a place among others, and any changes of the others' ranks that make room.
    ///
    /// - Parameters:
    ///   - index: the index in `others` of the first entity after the placed ones.
    ///   - others: all other entities, by (rank, id).
    package mutating func place(_ entities: [Entity], at index: Int, among others: [Entity]) {
        let room = Position.room(
            for: entities.map(\.id), below: others[..<index].reversed().lazy.map(\.position),
            above: others[index...].lazy.map(\.position))
        for (entity, position) in zip(entities, room) {
            var entity = entity
            entity.rank = position.rank
            upsert(entity)
        }
        replace(others, at: Array(room.dropFirst(entities.count)))
    }

    /// Gives each of `entities` that has one of `positions` the rank of that position.
    package mutating func replace(_ entities: [Entity], at positions: [Position<Entity.ID>]) {
        guard !positions.isEmpty else { return }
        let byID = Dictionary(entities.map { ($0.id, $0) }) { first, _ in first }
        for position in positions {
            guard let old = byID[position.id], old.rank != position.rank else { continue }
            var entity = old
            entity.rank = position.rank
            replace(old, with: entity)
        }
    }
}
