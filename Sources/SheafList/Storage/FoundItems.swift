/// The parts of an item to read.
package enum ItemParts: Hashable, Sendable {
    case all
    /// All but the tags, which are rows of another table and take as long to read as the rest.
    case allButTags
}

/// A part of the results of a search.
package struct FoundItems: Sendable {
    package var items: [Item]
    /// The position of the item to continue after, or nil at the end of the list.
    package var end: ItemPosition?

    /// The page size for reading a whole list. For pages of at least this size, storage prepares
    /// the following pages.
    package static let longPage = 4_000

    package init(_ items: [Item], end: ItemPosition?) {
        self.items = items
        self.end = end
    }
}

extension ListStorage {
    /// Reads a page and omits items that do not match, for a backend that cannot search its rows.
    package func findItems(
        _ search: ItemSearch, _ parts: ItemParts, after cursor: ItemPosition?, limit: Int
    ) async throws -> FoundItems {
        let page = try await loadItems(after: cursor, limit: limit)
        return FoundItems(search.found(in: page), end: page.last?.position)
    }

    /// Passes the results of `search` to `body`, one part after another in list order, until there
    /// are no more or `body` returns false. Bounded in memory; O(items).
    package func readItems(
        _ search: ItemSearch, _ parts: ItemParts = .all, of size: Int = 1_000,
        _ body: ([Item]) throws -> Bool
    ) async throws {
        var cursor: ItemPosition?
        // Handling a long part takes so long that another task can read the next one meanwhile.
        var next: Task<FoundItems, any Error>?
        defer { next?.cancel() }
        repeat {
            let found: FoundItems
            if let next {
                found = try await next.value
            } else {
                found = try await findItems(search, parts, after: cursor, limit: size)
            }
            cursor = found.end
            if size >= FoundItems.longPage, let cursor {
                next = Task.detached {
                    try await findItems(search, parts, after: cursor, limit: size)
                }
            }
            if !found.items.isEmpty, try !body(found.items) { return }
        } while cursor != nil
    }
}
