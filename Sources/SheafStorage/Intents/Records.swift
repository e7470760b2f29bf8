import SheafList
import Swidux

/// Records put over each other: one operation for an id, the last, with the first base.
struct Records {
    private var tags = Operations<Tag>()
    private var views = Operations<SavedView>()
    private var items = Operations<Item>()

    mutating func add(_ changes: StorageChanges) {
        tags.add(changes.tags)
        views.add(changes.views)
        items.add(changes.items)
    }

    var changes: StorageChanges {
        StorageChanges(tags: tags.changes, views: views.changes, items: items.changes)
    }

    /// The changes, with the values of `earlier` ones for bases that were said there.
    func changes(after earlier: Records) -> StorageChanges {
        var changes = changes
        changes.tags.bases.merge(earlier.tags.values(of: changes.tags)) { own, _ in own }
        changes.views.bases.merge(earlier.views.values(of: changes.views)) { own, _ in own }
        changes.items.bases.merge(earlier.items.values(of: changes.items)) { own, _ in own }
        return changes
    }

    private struct Operations<Entity: Identifiable & Sendable> where Entity.ID: Sendable {
        private var order: [Entity.ID] = []
        private var values: [Entity.ID: Entity?] = [:]
        private var bases: [Entity.ID: Entity] = [:]

        mutating func add(_ changes: EntityChanges<Entity>) {
            let operations =
                changes.upserts.map { ($0.id, $0) } + changes.deletions.map { ($0, nil) }
            for (id, value) in operations {
                guard values.updateValue(value, forKey: id) == nil else { continue }
                order.append(id)
                bases[id] = changes.bases[id]
            }
        }

        /// What is written here of those that `later` changes.
        func values(of later: EntityChanges<Entity>) -> [Entity.ID: Entity] {
            let ids = later.upserts.map(\.id) + later.deletions
            return ids.reduce(into: [:]) { found, id in found[id] = values[id] ?? nil }
        }
        var changes: EntityChanges<Entity> {
            var changes = EntityChanges<Entity>()
            for id in order {
                if case .some(.some(let entity)) = values[id] {
                    changes.upserts.append(entity)
                } else {
                    changes.deletions.append(id)
                }
            }
            changes.bases = bases
            return changes
        }
    }
}
