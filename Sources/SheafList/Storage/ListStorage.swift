import FoundationEssentials
import Swidux

/// Storage of one list: in a file, on a server, or in memory.
///
/// Methods may be called from any isolation and concurrently; the backend serializes them. They
/// throw only ``StorageError``. One value exists for the whole life of the process and holds the
/// connection.
package protocol ListStorage: Sendable {
    /// The name for the header, such as a file's name.
    var displayName: String { get }

    /// The reason why the store is read-only, as a sentence for the user, or nil if it is writable.
    var readOnlyReason: String? { get }

    /// Checks again whether a read-only store has become writable. If so, makes it writable and
    /// sets ``readOnlyReason`` to nil. A store that was opened as read-only stays read-only.
    func recheckAccess() async

    /// True if committed changes outlive the process. If not, no changes have to be saved before
    /// the user leaves, and no question is asked.
    var isDurable: Bool { get }

    /// True if the identity of the list is known. It is unknown if the list is on a server that has
    /// never been reached from this machine. A log of such a list names no list, so no other
    /// process can adopt it.
    var isIdentified: Bool { get }

    /// True if the answer to a commit was lost and its outcome is still unknown.
    var mayHaveCommitted: Bool { get }

    /// Returns all entities of one kind by (rank, id).
    func load<Entity: SmallEntity>(_ kind: Entity.Type) async throws -> [Entity]

    /// Returns up to `limit` items by (rank, id), after `cursor` or from the first one. An empty
    /// page is the end. Outside of a snapshot, the read ends when the page is returned, so that
    /// commits can happen between two pages.
    func loadItems(after cursor: ItemPosition?, limit: Int) async throws -> [Item]

    /// Returns up to `limit` items by (rank, id), the last ones before `cursor`. An empty page is
    /// the beginning.
    func loadItems(before cursor: ItemPosition, limit: Int) async throws -> [Item]

    /// Returns up to `limit` items that `search` finds, by (rank, id), after `cursor` or from the
    /// first one, and the position to continue from. One call reads a bounded number of items, so
    /// that commits can happen between two calls. It may find no items although more follow.
    ///
    /// - Parameter parts: the parts of the items to load. Other parts may be missing.
    func findItems(
        _ search: ItemSearch, _ parts: ItemParts, after cursor: ItemPosition?, limit: Int
    ) async throws -> FoundItems

    /// Returns those of the items `ids` that the list contains, in no particular order.
    func loadItems(ids: [Item.ID]) async throws -> [Item]

    /// Returns up to `limit` ids of items in `range`, ascending, for a prefix of an id.
    func itemIDs(in range: ClosedRange<Item.ID>, limit: Int) async throws -> [Item.ID]

    /// Returns the number of items.
    func itemCount() async throws -> Int

    /// Returns the rank of the last item by (rank, id), or nil if there is none.
    func lastItemRank() async throws -> Rank?

    /// Returns a sentence for the user about better storage for a list of this size, or nil if this
    /// storage suits it.
    func advice() async throws -> String?

    /// Begins a snapshot: until ``endSnapshot()``, reads return the present state of the list, even
    /// if other processes commit. ``snapshot(_:)`` calls both methods, and ends the snapshot after
    /// a failure too.
    func beginSnapshot() async throws

    func endSnapshot() async

    /// Commits `changes` in one transaction and returns when they are durable.
    ///
    /// Changes of other processes are not overwritten. An edit whose base is not the stored value
    /// is merged into the stored value (``StorageMerge``), and an item that another process has
    /// edited since is not deleted. If no other process has committed, a change replaces the stored
    /// value, except for the next occurrence of a recurring item (``StorageChanges/haveNext``).
    ///
    /// Tag names are unique. A new tag with the name of another tag is refused, and its items get
    /// the other tag. A stored tag that is renamed to the name of another tag keeps its old name,
    /// and views keep their old queries if the new ones use that name; the rest of the tag is
    /// stored. A view with the name of another view gets a free name. A kept tag name and a changed
    /// view name are conflicts. Any other row that a constraint refuses is omitted and reported in
    /// the result, and the rest is committed. Any other failure commits nothing and throws. A write
    /// that has begun continues even if its task is cancelled.
    ///
    /// A tag is deleted even if another process has added it to items meanwhile, and an item is
    /// stored without a tag that another process has deleted. Both are conflicts of the item. The
    /// caller that deletes a tag therefore removes it from the items that it knows to have the tag.
    /// A view loses a deleted tag in both cases, which is not a conflict, because the user sees the
    /// result.
    ///
    /// The result contains the value of every row that is stored differently from the request
    /// because it was merged, was not deleted, lost a deleted tag, or got another tag; and each tag
    /// that replaces a refused one. The caller must fetch other changes of other processes.
    func commit(_ changes: StorageChanges) async throws -> CommitResult

    /// Returns the changes that other processes have committed since the last call, or since the
    /// first page of the list was read. They may include changes of this process.
    ///
    /// - Parameter known: returns the rows that the caller knows, as upserts. Called only if the
    ///   store cannot tell which rows were deleted, or has lost commits.
    func externalChanges(
        known: @Sendable () async -> StorageChanges
    ) async throws -> FetchedChanges<StorageChanges>

    /// Calls `body`, from any thread, soon after other processes may have changed the store, until
    /// the returned value is released. Commits through this value cause no call if the store can
    /// recognize them. Returns nil if the store cannot be watched.
    func watch(_ body: @escaping @Sendable () -> Void) -> (any StorageWatch)?

    /// Returns true if the store may lack commits of this process, because another program has
    /// changed or replaced the file since this process last read or wrote it. The next call of
    /// ``externalChanges(known:)`` or ``commit(_:)`` finds out. O(1): waits for no lock.
    func mayLackCommits() async -> Bool

    /// Returns a sentence for the user about unexpected changes since the last call, or nil.
    func consumeNotice() async -> String?

    /// Returns true if the server has made a commit. If it has not, it will not make that commit
    /// later.
    func hasCommitted(_ batch: BatchName) async throws -> Bool

    /// Checks the whole store, for commands that write a copy of the list: without the check, rows
    /// that a damaged index hides would be missing from the copy. O(size).
    ///
    /// - Throws: `StorageError` with the code `.corrupt` if the store is damaged.
    func checkIntegrity() async throws

    /// Closes the connection. Later calls throw.
    func close() async
}

/// An observer of changes to a store, which is active until it is released.
package protocol StorageWatch: Sendable {}

extension ListStorage {
    /// Returns all tags by (rank, id).
    package func loadTags() async throws -> [Tag] { try await load(Tag.self) }

    /// Returns all saved views by (rank, id).
    package func loadViews() async throws -> [SavedView] { try await load(SavedView.self) }

    /// Returns the rows of all kinds that are read as a whole, as upserts.
    package func loadSmall() async throws -> StorageChanges {
        var rows = StorageChanges()
        func load<Entity: SmallEntity>(_ kind: Entity.Type) async throws {
            rows[kind].upsert(try await self.load(kind))
        }
        for kind in Kinds.small { try await load(kind) }
        return rows
    }

    /// Returns the result of `body`. All reads in `body` see the same state of the list.
    ///
    /// `body` must not commit, and must not wait for the user or for another program, because other
    /// processes may be unable to commit to a list in a file until it returns.
    package func snapshot<T>(_ body: () async throws -> T) async throws -> T {
        do {
            try await beginSnapshot()
            let result = try await body()
            await endSnapshot()
            return result
        } catch {
            await endSnapshot()
            throw error
        }
    }

    /// Does nothing. For storage that no other process writes to.
    package func beginSnapshot() async throws {}

    /// Does nothing, like ``beginSnapshot()``.
    package func endSnapshot() async {}

    /// True by default.
    package var isDurable: Bool { true }

    /// True, because a file is the list.
    package var isIdentified: Bool { true }

    /// False, because no answer is lost.
    package var mayHaveCommitted: Bool { false }

    /// Does nothing, because access never changes.
    package func recheckAccess() async {}

    /// Returns nil.
    package func advice() async throws -> String? { nil }

    /// Returns false. For storage that no other program can replace.
    package func mayLackCommits() async -> Bool { false }

    /// Returns nil.
    package func consumeNotice() async -> String? { nil }

    /// Returns false, because commits have no names.
    package func hasCommitted(_ batch: BatchName) async throws -> Bool { false }

    /// Does nothing. For storage without an index that could hide rows.
    package func checkIntegrity() async throws {}

    /// Returns no changes, because no other process writes.
    package func externalChanges(
        known: @Sendable () async -> StorageChanges
    ) async throws -> FetchedChanges<StorageChanges> {
        FetchedChanges(StorageChanges())
    }

    /// Returns nil, because no other process writes.
    package func watch(_ body: @escaping @Sendable () -> Void) -> (any StorageWatch)? { nil }
}

/// Default implementations for backends without an index, which read all pages. O(n).
extension ListStorage {
    package func loadItems(before cursor: ItemPosition, limit: Int) async throws -> [Item] {
        var last: [Item] = []
        try await readPages { page in
            let earlier = page.prefix { $0.position < cursor }
            last = Array((last + earlier).suffix(limit))
            return earlier.count == page.count
        }
        return last
    }

    package func loadItems(ids: [Item.ID]) async throws -> [Item] {
        let wanted = Set(ids)
        guard !wanted.isEmpty else { return [] }
        var found: [Item] = []
        try await readPages { page in
            found += page.filter { wanted.contains($0.id) }
            return found.count < wanted.count
        }
        return found
    }

    package func itemIDs(in range: ClosedRange<Item.ID>, limit: Int) async throws -> [Item.ID] {
        var found: [Item.ID] = []
        try await readPages { page in
            found += page.lazy.map(\.id).filter(range.contains)
            return true
        }
        return Array(found.sorted().prefix(limit))
    }

}

extension ListStorage {
    /// Passes one page after another to `body` in list order, until there are no more or `body`
    /// returns false. Bounded in memory; O(items).
    package func readPages(of size: Int = 1_000, _ body: ([Item]) throws -> Bool) async throws {
        var cursor: ItemPosition?
        while true {
            let page = try await loadItems(after: cursor, limit: size)
            guard let last = page.last, try body(page) else { return }
            cursor = last.position
        }
    }
}
