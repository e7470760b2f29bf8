import FoundationEssentials
import SheafList
import Swidux

/// What could be read of a damaged list.
struct Salvage {
    /// A row that could be read.
    struct Row<Entity> {
        var entity: Entity
        /// Its place, or nil if that is invalid: then it comes last.
        var rank: Rank?
        /// Whether it got a new id, because its own was invalid.
        var isMended = false
    }

    var tags: [Row<Tag>] = []
    var views: [Row<SavedView>] = []
    var items: [Row<Item>] = []
    /// The known rows, or lines of a text, that could not be read.
    var lost: [String] = []

    /// The rows in their order, each id and each name of a tag once, with ranks for all.
    func changes() -> StorageChanges {
        var changes = StorageChanges()
        var tagsByName: [String: Tag.ID] = [:]
        var same: [Tag.ID: Tag.ID] = [:]
        for tag in Self.ranked(tags) {
            if let other = tagsByName[tag.foldedName] {
                same[tag.id] = other
            } else {
                tagsByName[tag.foldedName] = tag.id
                changes.tags.upsert(tag)
            }
        }
        changes.views.upsert(Self.ranked(views).map { $0.replacingTag(same) })
        changes.items.upsert(Self.ranked(items).map { $0.replacingTags(same) })
        return changes
    }

    private static func ranked<Entity: Ranked>(_ rows: [Row<Entity>]) -> [Entity]
    where Entity.ID == UUID {
        var seen: Set<UUID> = []
        let unique = rows.filter { seen.insert($0.entity.id).inserted }
        let last = unique.compactMap(\.rank).max()
        var spare = Rank.spread(unique.count { $0.rank == nil }, between: last, and: nil)
            .makeIterator()
        return unique.map { row in
            var entity = row.entity
            entity.rank = row.rank ?? spare.next() ?? entity.rank
            return entity
        }
        .sorted { $0.position < $1.position }
    }
}
