import Foundation
import SheafCore
import Swidux
import Synchronization

/// A list as it would be if its storage had taken what a run that ended suddenly left.
///
/// It serves where storage cannot take it yet: the list is read-only, or the disk is full. What was
/// left stays in its intent log, locked as long as this value lives, and is committed before the
/// first commit that succeeds.
public final class RecoveredStorage: ListStorage {
    public let displayName: String
    public let readOnlyReason: String?

    private let storage: any ListStorage
    private let replay: IntentReplay
    /// How the list differs from what is stored: nil once all is committed.
    private let rows: Mutex<RecoveredRows?>

    /// Puts what `replay` found over what `storage` has now.
    ///
    /// - Throws: `StorageError` if that cannot be read.
    public init(_ replay: IntentReplay, over storage: any ListStorage) async throws {
        self.storage = storage
        self.replay = replay
        displayName = storage.displayName
        readOnlyReason = storage.readOnlyReason
        rows = Mutex(try await RecoveredRows(replay.batches, over: storage))
    }

    public var owesCommit: Bool { readOnlyReason == nil && recovered != nil }

    private var recovered: RecoveredRows? { rows.withLock { $0 } }

    public func loadTags() async throws -> [Tag] {
        if let recovered { return recovered.tags }
        return try await storage.loadTags()
    }

    public func loadItems(after cursor: ItemCursor?, limit: Int) async throws -> [Item] {
        guard let recovered else { return try await storage.loadItems(after: cursor, limit: limit) }
        var start = cursor
        while true {
            let page = try await storage.loadItems(after: start, limit: limit)
            let end = page.count < limit ? nil : page.last.map(ItemCursor.init(after:))
            let items = recovered.replacing(page) { item in
                let place = ItemCursor(after: item)
                return start.map { $0 < place } ?? true && end.map { place <= $0 } ?? true
            }
            // All of a page may have been deleted.
            if !items.isEmpty || end == nil { return Array(items.prefix(limit)) }
            start = end
        }
    }

    public func loadItems(ids: [Item.ID]) async throws -> [Item] {
        let items = try await storage.loadItems(ids: ids)
        guard let recovered else { return items }
        let wanted = Set(ids)
        return recovered.replacing(items) { wanted.contains($0.id) }
    }

    public func itemIDs(in range: ClosedRange<Item.ID>, limit: Int) async throws -> [Item.ID] {
        guard let recovered else { return try await storage.itemIDs(in: range, limit: limit) }
        let ids = try await storage.itemIDs(in: range, limit: limit + recovered.touched.count)
        return Array(recovered.replacing(ids, in: range).prefix(limit))
    }

    public func itemCount() async throws -> Int {
        try await storage.itemCount() + (recovered?.surplus ?? 0)
    }

    /// The rank of the last item, or one behind it that an item had which is gone.
    public func lastItemRank() async throws -> Rank? {
        [try await storage.lastItemRank(), recovered?.lastRank].compactMap(\.self).max()
    }

    public func advice() async throws -> String? { try await storage.advice() }

    public func commit(_ changes: StorageChanges) async throws -> CommitResult {
        guard owesCommit else { return try await storage.commit(changes) }
        let recovery = try await replay.commit(to: storage)
        rows.withLock { $0 = nil }
        var result = changes.isEmpty ? CommitResult() : try await storage.commit(changes)
        result.conflicts += recovery.conflicts
        result.isBehind = true
        return result
    }

    public func commit(leftBehind changes: StorageChanges) async throws -> CommitResult {
        if owesCommit { _ = try await commit(StorageChanges()) }
        return try await storage.commit(leftBehind: changes)
    }

    public func changesOfOthers(
        known: @Sendable () async -> KnownIDs
    ) async throws -> FetchedChanges<StorageChanges> {
        // What is fetched counts as known, and is not merged any more: it waits for what was recovered.
        guard !owesCommit else { return FetchedChanges(StorageChanges()) }
        var fetched = try await storage.changesOfOthers(known: known)
        guard let recovered else { return fetched }
        fetched.changes.items.upserts.removeAll { recovered.covers($0.id) }
        fetched.changes.items.deletions.removeAll(where: recovered.covers)
        fetched.changes.tags.upserts.removeAll { recovered.covers($0.id) }
        fetched.changes.tags.deletions.removeAll(where: recovered.covers)
        return fetched
    }

    public func watch(_ body: @escaping @Sendable () -> Void) -> (any StorageWatch)? {
        storage.watch(body)
    }

    public func close() async { await storage.close() }
}
