import SheafList

/// A storage that wraps another one and forwards all calls that it does not implement itself.
protocol ForwardingStorage: ListStorage {
    var base: any ListStorage { get }
}

extension ForwardingStorage {
    public var displayName: String { base.displayName }
    public var readOnlyReason: String? { base.readOnlyReason }
    public var isDurable: Bool { base.isDurable }
    public var isIdentified: Bool { base.isIdentified }
    public var mayHaveCommitted: Bool { base.mayHaveCommitted }
    public func reconsiderAccess() async { await base.reconsiderAccess() }

    public func load<Entity: SmallEntity>(_ kind: Entity.Type) async throws -> [Entity] {
        try await base.load(kind)
    }
    public func loadItems(after cursor: ItemPosition?, limit: Int) async throws -> [Item] {
        try await base.loadItems(after: cursor, limit: limit)
    }
    public func loadItems(before cursor: ItemPosition, limit: Int) async throws -> [Item] {
        try await base.loadItems(before: cursor, limit: limit)
    }
    public func loadItems(ids: [Item.ID]) async throws -> [Item] {
        try await base.loadItems(ids: ids)
    }
    public func findItems(
        _ search: ItemSearch, _ parts: ItemParts, after cursor: ItemPosition?, limit: Int
    ) async throws -> FoundItems {
        try await base.findItems(search, parts, after: cursor, limit: limit)
    }
    public func itemIDs(in range: ClosedRange<Item.ID>, limit: Int) async throws -> [Item.ID] {
        try await base.itemIDs(in: range, limit: limit)
    }
    public func itemCount() async throws -> Int { try await base.itemCount() }
    public func lastItemRank() async throws -> Rank? { try await base.lastItemRank() }
    public func advice() async throws -> String? { try await base.advice() }

    public func beginSnapshot() async throws { try await base.beginSnapshot() }
    public func endSnapshot() async { await base.endSnapshot() }

    public func commit(_ changes: StorageChanges) async throws -> CommitResult {
        try await base.commit(changes)
    }
    public func changesOfOthers(
        known: @Sendable () async -> StorageChanges
    ) async throws -> FetchedChanges<StorageChanges> {
        try await base.changesOfOthers(known: known)
    }
    public func watch(_ body: @escaping @Sendable () -> Void) -> (any StorageWatch)? {
        base.watch(body)
    }
    public func takeNotice() async -> String? { await base.takeNotice() }
    public func hasCommitted(_ batch: BatchName) async throws -> Bool {
        try await base.hasCommitted(batch)
    }
    public func checkIntegrity() async throws { try await base.checkIntegrity() }
    public func close() async { await base.close() }
}
