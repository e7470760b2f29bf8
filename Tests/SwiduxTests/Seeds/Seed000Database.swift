import Foundation

/// The database of the original README: a dictionary with a foreign key, behind one actor.
extension Seed000 {
    protocol ItemDBProtocol: Sendable {
        func upsert(_ item: Item) async throws
        func delete(id: UUID) async throws
    }

    protocol TagDBProtocol: Sendable {
        func upsert(_ tag: Tag) async throws
        func delete(id: UUID) async throws
    }

    enum DatabaseError: Error, Equatable {
        case tagIsMissing(UUID)
        case tagIsInUse(UUID)
    }

    actor Database {
        private(set) var items: [UUID: Item] = [:]
        private(set) var tags: [UUID: Tag] = [:]
        /// The written values, in order.
        private(set) var log: [String] = []

        func upsert(_ item: Item) throws {
            if let tag = item.tagID, tags[tag] == nil { throw DatabaseError.tagIsMissing(tag) }
            items[item.id] = item
            log.append("item \(item.name)")
        }

        func deleteItem(_ id: UUID) {
            items[id] = nil
            log.append("no item")
        }

        func upsert(_ tag: Tag) {
            tags[tag.id] = tag
            log.append("tag \(tag.name)")
        }

        func deleteTag(_ id: UUID) throws {
            guard !items.values.contains(where: { $0.tagID == id }) else {
                throw DatabaseError.tagIsInUse(id)
            }
            tags[id] = nil
            log.append("no tag")
        }
    }

    struct ItemDB: ItemDBProtocol {
        let database: Database

        func upsert(_ item: Item) async throws { try await database.upsert(item) }
        func delete(id: UUID) async throws { await database.deleteItem(id) }
    }

    struct TagDB: TagDBProtocol {
        let database: Database

        func upsert(_ tag: Tag) async throws { await database.upsert(tag) }
        func delete(id: UUID) async throws { try await database.deleteTag(id) }
    }
}
