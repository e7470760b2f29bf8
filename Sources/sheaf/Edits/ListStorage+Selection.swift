import SheafApp
import SheafFormats

extension ListStorage {
    /// The number of items in one part.
    private static var partSize: Int { FoundItems.longPage }

    /// Passes the items that `search` finds to `body`, part by part in this order, up to `limit`.
    /// Memory is bounded in the manual order. In any other order, all found items are read first.
    func readItems(
        _ search: ItemSearch, by order: ItemOrder, _ parts: ItemParts = .all, limit: Int? = nil,
        _ body: ([Item]) throws -> Void
    ) async throws {
        var left = limit ?? .max
        guard left > 0 else { return }
        guard order.isManual else {
            let items = try await allItems(of: search, order.needsTags ? .all : parts)
            var rest = await order.sorted(items, foundBy: search).prefix(left)
            while !rest.isEmpty {
                try body(Array(rest.prefix(Self.partSize)))
                rest = rest.dropFirst(Self.partSize)
            }
            return
        }
        try await readItems(search, parts, of: min(left, Self.partSize)) { items in
            let shown = items.prefix(left)
            try body(Array(shown))
            left -= shown.count
            return left > 0
        }
    }

    /// Returns all items that `search` finds, in list order.
    func allItems(of search: ItemSearch, _ parts: ItemParts = .all) async throws -> [Item] {
        var items: [Item] = []
        try await readItems(search, parts) { found in
            items += found
            return true
        }
        return items
    }

    /// Returns the number of items that `search` finds.
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
