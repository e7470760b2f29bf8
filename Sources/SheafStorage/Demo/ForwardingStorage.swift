import SheafList

/// A storage that wraps another one and forwards all calls that it does not implement itself.
protocol ForwardingStorage: ListStorage {
    var base: any ListStorage { get }
}

extension ForwardingStorage {
    package var displayName: String { base.displayName }
    package var readOnlyReason: String? { base.readOnlyReason }
    package var isDurable: Bool { base.isDurable }
    package var isIdentified: Bool { base.isIdentified }
    package var mayHaveCommitted: Bool { base.mayHaveCommitted }
    package func recheckAccess() async { await base.recheckAccess() }

    package func load<Entity: SmallEntity>(_ kind: Entity.Type) async throws -> [Entity] {
        try await base.load(kind)
    }
    package func loadItems(after cursor: ItemPosition?, limit: Int) async throws -> [Item] {
        try await base.loadItems(after: cursor, limit: limit)
    }
    package func loadItems(before cursor: ItemPosition, limit: Int) async throws -> [Item] {
        try await base.loadItems(before: cursor, limit: limit)
    }
    package func loadItems(ids: [Item.ID]) async throws -> [Item] {
        try await base.loadItems(ids: ids)
    }
    package func findItems(
        _ search: ItemSearch, _ parts: ItemParts, after cursor: ItemPosition?, limit: Int
    ) async throws -> FoundItems {
        try await base.findItems(search, parts, after: cursor, limit: limit)
    }
    package func itemIDs(in range: ClosedRange<Item.ID>, limit: Int) async throws -> [Item.ID] {
        try await base.itemIDs(in: range, limit: limit)
    }
    package func itemCount() async throws -> Int { try await base.itemCount() }
    package func lastItemRank() async throws -> Rank? { try await base.lastItemRank() }
    package func advice() async throws -> String? { try await base.advice() }

    package func beginSnapshot() async throws { try await base.beginSnapshot() }
    package func endSnapshot() async { await base.endSnapshot() }

    package func commit(_ changes: StorageChanges) async throws -> CommitResult {
        try await base.commit(changes)
    }
    package func externalChanges(
        known: @Sendable () async -> StorageChanges
    ) async throws -> FetchedChanges<StorageChanges> {
        try await base.externalChanges(known: known)
    }
    package func watch(_ body: @escaping @Sendable () -> Void) -> (any StorageWatch)? {
        base.watch(body)
    }
    package func mayLackCommits() async -> Bool { await base.mayLackCommits() }
    package func consumeNotice() async -> String? { await base.consumeNotice() }
    package func hasCommitted(_ batch: BatchName) async throws -> Bool {
        try await base.hasCommitted(batch)
    }
    package func checkIntegrity() async throws { try await base.checkIntegrity() }
    package func close() async { await base.close() }
}
