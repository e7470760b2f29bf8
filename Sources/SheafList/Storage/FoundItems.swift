/// How much of an item is read.
public enum ItemParts: Hashable, Sendable {
    case all
    /// All but its tags, which are other rows in a table and cost as much as the rest.
    case allButTags
}

/// A part of the results of a search.
public struct FoundItems: Sendable {
    public var items: [Item]
    /// After which item to go on, or nil at the end of the list.
    public var end: ItemPosition?

    /// The size of the parts in which a whole list is read: of so large a page, storage may prepare
    /// the following ones.
    public static let longPage = 4_000

    public init(_ items: [Item], end: ItemPosition?) {
        self.items = items
        self.end = end
    }
}

extension ListStorage {
    /// Searches for a backend that cannot search its own rows: reads a page, and leaves out items
    /// that do not match.
    public func findItems(
        _ search: ItemSearch, _ parts: ItemParts, after cursor: ItemPosition?, limit: Int
    ) async throws -> FoundItems {
        let page = try await loadItems(after: cursor, limit: limit)
        return FoundItems(search.found(in: page), end: page.last?.position)
    }

    /// Passes the results of `search` to `body`, one part after the other in list order, until
    /// there are no more or `body` returns false. Bounded in memory; O(items).
    public func readItems(
        _ search: ItemSearch, _ parts: ItemParts = .all, of size: Int = 1_000,
        _ body: ([Item]) throws -> Bool
    ) async throws {
        var cursor: ItemPosition?
        // Long parts are worth a thread: the next one is read while `body` has this one.
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
