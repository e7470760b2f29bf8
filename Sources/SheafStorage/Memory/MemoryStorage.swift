import SheafCore
import Swidux
import Synchronization

/// A list in memory alone, for trying the screen: it starts empty and is lost when the process
/// ends.
public final class MemoryStorage: ListStorage {
    public let displayName = "memory"
    public let readOnlyReason: String?
    public let isDurable = false

    /// Nil once closed.
    private let lists = Mutex<Lists?>(Lists())

    private struct Lists {
        var present: WholeList
        /// The list as the caller knows it.
        var told: WholeList

        init() {
            present = WholeList()
            told = present
        }
    }

    /// An empty list.
    public init(mode: OpenMode = .readWriteCreate) {
        readOnlyReason = mode == .readOnly ? "It was opened to be read only." : nil
    }

    public func loadTags() async throws -> [Tag] {
        try read { $0.tags.values }
    }

    public func loadItems(after cursor: ItemCursor?, limit: Int) async throws -> [Item] {
        try read { $0.items(after: cursor, limit: limit) }
    }

    public func loadItems(ids: [Item.ID]) async throws -> [Item] {
        try read { list in Set(ids).compactMap { list.items[$0] } }
    }

    public func itemCount() async throws -> Int {
        try read { $0.items.count }
    }

    public func lastItemRank() async throws -> Rank? {
        try read { $0.items.last?.rank }
    }

    public func commit(_ changes: StorageChanges) async throws -> CommitResult {
        if let readOnlyReason {
            throw FileFailure.readOnly(at: displayName, advice: readOnlyReason)
        }
        return try use { lists in
            let isCurrent = lists.present.isSame(as: lists.told)
            var result = lists.present.apply(changes, isCurrent: true)
            result.isBehind = !isCurrent || !lists.present.has(changes)
            if !result.isBehind { lists.told = lists.present }
            return result
        }
    }

    /// Where a commit did something other than requested.
    public func changesOfOthers(
        known: @Sendable () async -> KnownIDs
    ) async throws -> FetchedChanges<StorageChanges> {
        try use { lists in
            guard !lists.present.isSame(as: lists.told) else {
                return FetchedChanges(StorageChanges())
            }
            defer { lists.told = lists.present }
            return FetchedChanges(lists.present.changes(since: lists.told))
        }
    }

    public func close() async {
        lists.withLock { $0 = nil }
    }

    private func read<T: Sendable>(_ body: (WholeList) -> T) throws -> T {
        try use { body($0.present) }
    }

    private func use<T: Sendable>(_ body: (inout Lists) throws -> T) throws -> T {
        try lists.withLock { lists in
            guard var open = lists else { throw FileFailure.closed(at: displayName) }
            defer { lists = open }
            return try body(&open)
        }
    }
}
