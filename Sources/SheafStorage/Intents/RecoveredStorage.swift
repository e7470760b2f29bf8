import FoundationEssentials
import SheafCore
import Swidux
import Synchronization

/// A list as it would be if its storage had taken what a run that ended suddenly left.
///
/// It serves where storage cannot take it yet: the list is read-only, or the disk is full. What was
/// left stays in its intent log, locked as long as this value lives, and is committed before the
/// first commit that succeeds.
public final class RecoveredStorage: ForwardingStorage {
    /// What of it the list will not take; it is not shown.
    public let refused: [RefusedRow]

    let base: any ListStorage
    private let replay: IntentReplay
    /// How the list differs from what is stored: nil once all is committed.
    private let rows: Mutex<RecoveredRows?>

    /// Puts what `replay` found over what `storage` has now.
    ///
    /// - Throws: `StorageError` if that cannot be read.
    public init(_ replay: IntentReplay, over storage: any ListStorage) async throws {
        base = storage
        self.replay = replay
        let recovered = try await RecoveredRows(replay.batches, over: storage)
        refused = recovered.refused
        rows = Mutex(recovered)
    }

    public var owesCommit: Bool { recovered != nil }

    /// Whether the next commit takes it along.
    private var isWaiting: Bool { readOnlyReason == nil && recovered != nil }

    private var recovered: RecoveredRows? { rows.withLock { $0 } }

    public func loadTags() async throws -> [Tag] {
        if let recovered { return recovered.tags }
        return try await base.loadTags()
    }

    public func loadItems(after cursor: ItemCursor?, limit: Int) async throws -> [Item] {
        guard let recovered else { return try await base.loadItems(after: cursor, limit: limit) }
        var start = cursor
        while true {
            let page = try await base.loadItems(after: start, limit: limit)
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

    public func loadItems(before cursor: ItemCursor, limit: Int) async throws -> [Item] {
        guard let recovered else { return try await base.loadItems(before: cursor, limit: limit) }
        var end = cursor
        while true {
            let page = try await base.loadItems(before: end, limit: limit)
            let start = page.count < limit ? nil : page.first.map(ItemCursor.init(after:))
            let items = recovered.replacing(page) { item in
                let place = ItemCursor(after: item)
                return place < end && start.map { $0 <= place } ?? true
            }
            // All of a page may have been deleted.
            guard items.isEmpty, let start else { return Array(items.suffix(limit)) }
            end = start
        }
    }

    public func loadItems(ids: [Item.ID]) async throws -> [Item] {
        let items = try await base.loadItems(ids: ids)
        guard let recovered else { return items }
        let wanted = Set(ids)
        return recovered.replacing(items) { wanted.contains($0.id) }
    }

    public func itemIDs(in range: ClosedRange<Item.ID>, limit: Int) async throws -> [Item.ID] {
        guard let recovered else { return try await base.itemIDs(in: range, limit: limit) }
        let ids = try await base.itemIDs(in: range, limit: limit + recovered.touched.count)
        return Array(recovered.replacing(ids, in: range).prefix(limit))
    }

    public func itemCount() async throws -> Int {
        try await base.itemCount() + (recovered?.surplus ?? 0)
    }

    /// The rank of the last item, or a later one that a deleted item had.
    public func lastItemRank() async throws -> Rank? {
        [try await base.lastItemRank(), recovered?.lastRank].compactMap(\.self).max()
    }

    public func commit(_ changes: StorageChanges) async throws -> CommitResult {
        guard isWaiting else { return try await base.commit(changes) }
        let left = try await replay.commit(to: base)
        rows.withLock { $0 = nil }
        var result = changes.isEmpty ? CommitResult() : try await base.commit(changes)
        // Somebody else's change came between what was shown and what is stored.
        let told = Set(refused)
        let lost = left.lost.lazy.filter { !told.contains($0) }.compactMap(\.id)
        result.conflicts += left.conflicts.union(lost).map { $0 }
        result.isBehind = true
        return result
    }

    public func commit(leftBehind changes: StorageChanges) async throws -> CommitResult {
        if isWaiting { _ = try await commit(StorageChanges()) }
        return try await base.commit(leftBehind: changes)
    }

    public func changesOfOthers(
        known: @Sendable () async -> KnownIDs
    ) async throws -> FetchedChanges<StorageChanges> {
        // What is fetched counts as known, and is not merged any more: it waits for what was
        // recovered.
        guard !isWaiting else { return FetchedChanges(StorageChanges()) }
        var fetched = try await base.changesOfOthers(known: known)
        guard let recovered else { return fetched }
        fetched.changes.items.upserts.removeAll { recovered.covers($0.id) }
        fetched.changes.items.deletions.removeAll(where: recovered.covers)
        fetched.changes.tags.upserts.removeAll { recovered.covers($0.id) }
        fetched.changes.tags.deletions.removeAll(where: recovered.covers)
        return fetched
    }
}
