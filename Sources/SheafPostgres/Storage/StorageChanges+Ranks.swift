import FoundationEssentials
import SheafList
import Swidux

/// Replacement of ranks that are too long for the server's tables. Such ranks come from lists in
/// files, and from logs of versions that did not limit the length of ranks.
extension StorageChanges {
    /// The new ranks of entities, by id.
    var ranks: [UUID: Rank] {
        var ranks: [UUID: Rank] = [:]
        func add(_ kind: (some ListEntity).Type) {
            for entity in self[kind].upserts { ranks[entity.id] = entity.rank }
        }
        for kind in Kinds.all { add(kind) }
        return ranks
    }

    /// Returns the changes with shorter ranks in place of those that are too long. Entities keep
    /// their order, and changes of stored entities that make room are added. Returns `nil` if no
    /// rank is too long.
    func withShorterRanks(in storage: some ListStorage) async throws -> StorageChanges? {
        func haveLongRanks(_ kind: (some ListEntity).Type) -> Bool { self[kind].haveLongRanks }
        guard Kinds.all.contains(where: { haveLongRanks($0) }) else { return nil }
        var changes = self
        func shorten(_ kind: (some SmallEntity).Type) async throws {
            guard self[kind].haveLongRanks else { return }
            changes[kind].shortenRanks(among: try await storage.load(kind))
        }
        for kind in Kinds.small { try await shorten(kind) }
        var rest = items.longRanked[...]
        let ids = Set(rest.map(\.id))
        while let first = rest.first {
            let above = try await storage.item(above: first.position, without: ids)
            let below = try await storage.loadItems(after: above?.position, limit: ids.count + 1)
                .first { !ids.contains($0.id) }
            let group = rest.prefix { item in below.map { item.position < $0.position } ?? true }
            let room = try await storage.room(for: group.map(\.id), below: above)
            for (item, rank) in zip(group, room.ranks) { changes.items.setRank(rank, of: item) }
            for item in room.changes.upserts where !ids.contains(item.id) {
                if let change = room.changes[item.id] { changes.items.setRank(of: item, change) }
            }
            rest = rest.dropFirst(max(group.count, 1))
        }
        return changes
    }
}

extension EntityChanges where Entity: Ranked {
    fileprivate var haveLongRanks: Bool {
        elements.contains { $0.change.after.map { Self.isLong($0.rank) } ?? false }
    }

    /// The entities whose ranks are too long, by (rank, id).
    fileprivate var longRanked: [Entity] {
        upserts.filter { Self.isLong($0.rank) }.sorted { $0.position < $1.position }
    }

    private static func isLong(_ rank: Rank) -> Bool {
        rank.isTooLong && rank.text.utf8.count > PostgresSchema.maxDigitsOfRank
    }

    /// - Parameter stored: All stored entities of the kind, by (rank, id).
    fileprivate mutating func shortenRanks(among stored: [Entity]) {
        for entity in longRanked {
            var others = stored.filter { $0.id != entity.id }
            for index in others.indices {
                if let rank = self[others[index].id]?.after?.rank { others[index].rank = rank }
            }
            others.sort { $0.position < $1.position }
            let index = others.firstIndex { entity.position < $0.position } ?? others.count
            place([entity], at: index, among: others)
        }
    }

    fileprivate mutating func setRank(_ rank: Rank, of entity: Entity) {
        var entity = entity
        entity.rank = rank
        upsert(entity)
    }

    /// Sets the rank of an entity that makes room. If the changes already contain the entity, only
    /// its rank is set, unless they delete it.
    fileprivate mutating func setRank(of entity: Entity, _ change: EntityChange<Entity>) {
        guard let own = self[entity.id] else { return self[entity.id] = change }
        if let after = own.after { setRank(entity.rank, of: after) }
    }
}

extension ListStorage {
    /// Returns the last item before `position` that is not among `ids`.
    fileprivate func item(
        above position: ItemPosition, without ids: Set<Item.ID>
    ) async throws -> Item? {
        try await loadItems(before: position, limit: ids.count + 1).last { !ids.contains($0.id) }
    }
}
