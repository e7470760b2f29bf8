import SheafCore

extension ListStorage {
    /// Hands on the items that `filter` includes, page by page in list order, until there are `limit`. Bounded in
    /// memory; O(items).
    func forEachPage(
        of filter: ItemFilter = ItemFilter(), limit: Int? = nil,
        _ body: ([Item]) throws -> Void
    ) async throws {
        var left = limit ?? .max
        var cursor: ItemCursor?
        while left > 0 {
            let page = try await loadItems(after: cursor, limit: 1_000)
            guard let last = page.last else { return }
            let shown = Array(page.lazy.filter(filter.includes).prefix(left))
            if !shown.isEmpty { try body(shown) }
            left -= shown.count
            cursor = ItemCursor(after: last)
        }
    }
}
