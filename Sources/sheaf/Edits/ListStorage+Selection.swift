import SheafCore

extension ListStorage {
    /// Hands on the items that `selection` finds, in its order, until there are `limit`: in parts
    /// that are bounded in memory in the manual order, and otherwise at once, after all were read.
    ///
    /// - Throws: `StorageError`, or ``CommandFailure`` for a query that the list cannot answer.
    func readItems(
        of selection: ItemSelection, in tags: [Tag], _ parts: ItemParts = .all,
        limit: Int? = nil, _ body: ([Item]) throws -> Void
    ) async throws {
        let search = try selection.search(in: tags)
        let order = selection.order(in: tags)
        var left = limit ?? .max
        guard left > 0 else { return }
        guard order.isManual else {
            let items = try await allItems(of: search, order.needsTags ? .all : parts)
            return try body(Array(order.sorted(items).prefix(left)))
        }
        try await readItems(search, parts) { items in
            let shown = items.prefix(left)
            try body(Array(shown))
            left -= shown.count
            return left > 0
        }
    }

    /// All items that `search` finds, in list order.
    func allItems(of search: ItemSearch, _ parts: ItemParts = .all) async throws -> [Item] {
        var items: [Item] = []
        try await readItems(search, parts) { found in
            items += found
            return true
        }
        return items
    }

    /// The number of items that `search` finds.
    func count(of search: ItemSearch) async throws -> Int {
        if search.isEverything { return try await itemCount() }
        var count = 0
        try await readItems(search, .allButTags) { found in
            count += found.count
            return true
        }
        return count
    }
}
