import SheafCore

extension ListStorage {
    /// Hands on the items that `filter` includes, as many of each page as there are, in list order,
    /// until there are `limit`.
    func readItems(
        of filter: ItemFilter, limit: Int? = nil, _ body: ([Item]) throws -> Void
    ) async throws {
        var left = limit ?? .max
        guard left > 0 else { return }
        try await readPages { page in
            let shown = Array(page.lazy.filter(filter.includes).prefix(left))
            if !shown.isEmpty { try body(shown) }
            left -= shown.count
            return left > 0
        }
    }
}
