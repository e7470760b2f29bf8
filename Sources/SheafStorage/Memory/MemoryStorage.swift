import SheafList
import Synchronization

/// A list that exists only in memory, for trying the screen. It starts empty and is lost when the
/// process ends.
package final class MemoryStorage: ListStorage {
    package let displayName = "memory"
    package let readOnlyReason: String?
    package let isDurable = false

    /// The list. Nil after the storage has been closed.
    private let list: Mutex<WholeList?>

    /// Creates the list that `mode` makes.
    package init(mode: OpenMode = .readWriteCreate) {
        list = Mutex(WholeList(mode.rows))
        readOnlyReason = mode == .readOnly ? "It was opened read-only." : nil
    }

    package func load<Entity: SmallEntity>(_ kind: Entity.Type) async throws -> [Entity] {
        try read { $0[kind].values }
    }

    package func loadItems(after cursor: ItemPosition?, limit: Int) async throws -> [Item] {
        try read { $0.items(after: cursor, limit: limit) }
    }

    package func loadItems(ids: [Item.ID]) async throws -> [Item] {
        try read { list in Set(ids).compactMap { list.items[$0] } }
    }

    package func itemCount() async throws -> Int {
        try read { $0.items.count }
    }

    package func lastItemRank() async throws -> Rank? {
        try read { $0.items.last?.rank }
    }

    package func commit(_ changes: StorageChanges) async throws -> CommitResult {
        if let readOnlyReason {
            throw FileFailure.readOnly(at: displayName, advice: readOnlyReason)
        }
        // True, because no other process writes to this list.
        return try use { $0.apply(changes, isCurrent: true) }
    }

    package func close() async {
        list.withLock { $0 = nil }
    }

    private func read<T: Sendable>(_ body: (WholeList) -> T) throws -> T {
        try use { body($0) }
    }

    private func use<T: Sendable>(_ body: (inout WholeList) throws -> T) throws -> T {
        try list.withLock { list in
            guard var open = list else { throw FileFailure.closed(at: displayName) }
            defer { list = open }
            return try body(&open)
        }
    }
}
