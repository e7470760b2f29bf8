import SheafList

/// Finds the items that ids on the command line mean: each exactly one, or none of them.
struct ItemLookup: Sendable {
    let storage: any ListStorage
    /// True if the command has `--where`, to which an error then points.
    var hasQuery = false

    /// How many items an ambiguous id is answered with.
    private static let shownCandidates = 5

    /// The items in the order of `references`; one that is named twice comes once. Whole ids are
    /// asked for together, beginnings one by one.
    ///
    /// - Throws: ``CommandFailure`` for an id that no item has, or several, or `StorageError`.
    func items(_ references: [ItemReference]) async throws -> [Item] {
        var ids: [Item.ID] = []
        var seen: Set<Item.ID> = []
        for reference in references {
            let id = try await id(reference)
            if seen.insert(id).inserted { ids.append(id) }
        }
        let found = Dictionary(
            try await storage.loadItems(ids: ids).map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first })
        return try ids.map { id in
            guard let item = found[id] else { throw unknown(id.uuidString.lowercased()) }
            return item
        }
    }

    /// The item that `reference` means.
    func item(_ reference: ItemReference) async throws -> Item {
        try await items([reference])[0]
    }

    private func id(_ reference: ItemReference) async throws -> Item.ID {
        if reference.prefix.isWhole { return reference.prefix.range.lowerBound }
        let limit = Self.shownCandidates + 1
        let ids = try await storage.itemIDs(in: reference.prefix.range, limit: limit)
        guard let id = ids.first else { throw unknown(reference.text) }
        guard ids.count > 1 else { return id }
        let candidates = try await storage.loadItems(ids: Array(ids.prefix(Self.shownCandidates)))
            .sorted { $0.id < $1.id }
        throw CommandFailure(
            .failure,
            "\(cited(reference.text)): several items match this id; give more digits."
                + " Nothing was changed.",
            details: candidates.map { "\($0.id.uuidString.lowercased())  \(quoted($0.name))" }
                + (ids.count == limit ? ["…"] : []))
    }

    private func unknown(_ id: String) -> CommandFailure {
        let pointer = hasQuery ? " To find items by words, use --where." : ""
        return CommandFailure(
            .failure, "\(cited(id)): no item has this id. Nothing was changed.\(pointer)")
    }
}
