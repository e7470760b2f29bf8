import FoundationEssentials
import Swidux

/// One list kept somewhere: a file, and later a server.
///
/// Methods may be called from any isolation and concurrently; a backend puts them in order itself.
/// They throw ``StorageError`` and nothing else. One value serves the whole life of the process and
/// holds its connection.
public protocol ListStorage: Sendable {
    /// The name for the header: a file's name.
    var displayName: String { get }

    /// Why the store cannot be written to, as a sentence for the user, or nil if it can.
    var readOnlyReason: String? { get }

    /// Checks again whether a store that could only be read can be written to, and if so makes it
    /// writable: ``readOnlyReason`` is nil then. A store that was opened to be only read stays so.
    func reconsiderAccess() async

    /// Whether a commit outlives the process. Where none does, there is nothing to save before
    /// leaving, and nothing to ask.
    var isDurable: Bool { get }

    /// True if it is known which list this is. A log of a list on a server that has never been
    /// reached from this machine names no list, so no other process may take it in.
    var isIdentified: Bool { get }

    /// True if the answer of a commit was lost and nothing has told its outcome since.
    var mayHaveCommitted: Bool { get }

    /// All entities of one kind by (rank, id).
    func load<Entity: SmallEntity>(_ kind: Entity.Type) async throws -> [Entity]

    /// Up to `limit` items by (rank, id), those after `cursor` or the first; an empty page is the
    /// end. Outside of a snapshot the read is closed when the page is returned, so that commits can
    /// go between two pages.
    func loadItems(after cursor: ItemPosition?, limit: Int) async throws -> [Item]

    /// Up to `limit` items by (rank, id), the last of those before `cursor`; an empty page is the
    /// beginning.
    func loadItems(before cursor: ItemPosition, limit: Int) async throws -> [Item]

    /// Returns up to `limit` items that `search` finds, by (rank, id), after `cursor` or from the
    /// first one, and the position to continue from. A call reads a bounded number of items, so
    /// that commits can come between two calls. It may find none and still not be the last.
    ///
    /// - Parameter parts: the parts of the items to load. Other parts may be missing.
    func findItems(
        _ search: ItemSearch, _ parts: ItemParts, after cursor: ItemPosition?, limit: Int
    ) async throws -> FoundItems

    /// Those of the items `ids` that storage has, in no particular order.
    func loadItems(ids: [Item.ID]) async throws -> [Item]

    /// Returns up to `limit` ids of items in `range`, ascending, for a prefix of an id.
    func itemIDs(in range: ClosedRange<Item.ID>, limit: Int) async throws -> [Item.ID]

    /// The number of items.
    func itemCount() async throws -> Int

    /// The rank of the last item by (rank, id), or nil if there is none.
    func lastItemRank() async throws -> Rank?

    /// A sentence for the user about a better place for a list of its size, or nil if this one is
    /// good.
    func advice() async throws -> String?

    /// Begins a snapshot: until ``endSnapshot()`` reads return the present state of the list, even
    /// if other processes commit. ``snapshot(_:)`` calls both, the latter after a failure too.
    func beginSnapshot() async throws

    func endSnapshot() async

    /// Commits `changes` in one transaction and returns when they are durable.
    ///
    /// Changes of other processes are not overwritten. An edit whose base is not the stored value
    /// is merged into that (``StorageMerge``), and an item that was edited since is not deleted. If
    /// no other process has committed, a change replaces the stored value, except for the next
    /// occurrence of a repeating item (``StorageChanges/haveNext``).
    ///
    /// A new tag with the name of another tag is refused, and its items get that one: one name is
    /// one tag. The new name of a stored tag is refused in that case, and so are the queries of
    /// views that use that name; both keep their values, and the rest of the tag is stored. A view
    /// with the name of another view gets a free name. Both are conflicts. Any other row that
    /// storage refuses (a constraint) is left out, reported in the result, and the rest is
    /// committed. Any other failure commits nothing and throws. A write that has begun continues
    /// even if its task is cancelled.
    ///
    /// A tag is deleted even if another process has put it on items meanwhile, and an item is
    /// stored without a tag that another process has deleted: both are conflicts of the item. The
    /// caller that deletes a tag therefore removes it from the items that are known to have it. A
    /// view is stored without a deleted tag, and loses one that is deleted, which is no conflict,
    /// because the user sees the result.
    ///
    /// The result contains every row that is stored otherwise than requested, with its value: it
    /// was merged, was not deleted, lost a deleted tag, or got another one; and each tag that
    /// replaces a refused one. Other changes of other processes must be fetched.
    func commit(_ changes: StorageChanges) async throws -> CommitResult

    /// Returns the changes that other processes have committed since the last call, or since the
    /// first page of the list was read. They may include changes of this process.
    ///
    /// - Parameter known: returns the rows that the caller knows, as upserts. Called only if the
    ///   store cannot tell which rows were deleted, or has lost commits.
    func changesOfOthers(
        known: @Sendable () async -> StorageChanges
    ) async throws -> FetchedChanges<StorageChanges>

    /// Calls `body`, from any thread, soon after the store may have been changed by others, for as
    /// long as the returned value lives. A commit through this value causes no call where the store
    /// can tell. Nil if changes cannot be noticed.
    func watch(_ body: @escaping @Sendable () -> Void) -> (any StorageWatch)?

    /// A sentence for the user about unexpected changes since the last call, or nil.
    func takeNotice() async -> String?

    /// True if the server has made a commit. If it has not, it will not make that one later.
    func hasCommitted(_ batch: BatchName) async throws -> Bool

    /// Checks the whole store, for commands that write a copy of the list: rows that a damaged
    /// index hides would be missing from it. O(size).
    ///
    /// - Throws: `StorageError` of `.corrupt` if it is damaged.
    func checkIntegrity() async throws

    /// Ends the connection. Later calls throw.
    func close() async
}

/// Something that looks out for changes of a store until it is released.
public protocol StorageWatch: Sendable {}

extension ListStorage {
    /// All tags by (rank, id).
    public func loadTags() async throws -> [Tag] { try await load(Tag.self) }

    /// All saved views by (rank, id).
    public func loadViews() async throws -> [SavedView] { try await load(SavedView.self) }

    /// The rows of all kinds that are read as a whole, as upserts.
    public func loadSmall() async throws -> StorageChanges {
        var rows = StorageChanges()
        func load<Entity: SmallEntity>(_ kind: Entity.Type) async throws {
            rows[kind].upsert(try await self.load(kind))
        }
        for kind in Kinds.small { try await load(kind) }
        return rows
    }

    /// Returns the result of `body`, whose reads all see one state of the list.
    ///
    /// `body` commits nothing, and waits neither for the user nor for another program: meanwhile
    /// other processes may be unable to commit to a list in a file.
    public func snapshot<T>(_ body: () async throws -> T) async throws -> T {
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

    /// Does nothing, for storage that no other process writes to.
    public func beginSnapshot() async throws {}

    /// Does nothing, as ``beginSnapshot()``.
    public func endSnapshot() async {}

    /// True by default.
    public var isDurable: Bool { true }

    /// True: a file is the list.
    public var isIdentified: Bool { true }

    /// False: no answer is lost.
    public var mayHaveCommitted: Bool { false }

    /// Does nothing: access never changes.
    public func reconsiderAccess() async {}

    /// Nothing to say.
    public func advice() async throws -> String? { nil }

    /// Returns nil.
    public func takeNotice() async -> String? { nil }

    /// Returns false: commits have no names.
    public func hasCommitted(_ batch: BatchName) async throws -> Bool { false }

    /// Does nothing, for storage without an index that could hide rows.
    public func checkIntegrity() async throws {}

    /// Returns no changes: no other process writes.
    public func changesOfOthers(
        known: @Sendable () async -> StorageChanges
    ) async throws -> FetchedChanges<StorageChanges> {
        FetchedChanges(StorageChanges())
    }

    /// Returns nil: no other process writes.
    public func watch(_ body: @escaping @Sendable () -> Void) -> (any StorageWatch)? { nil }
}

/// Default implementations for backends without an index, which read all pages. O(n).
extension ListStorage {
    public func loadItems(before cursor: ItemPosition, limit: Int) async throws -> [Item] {
        var last: [Item] = []
        try await readPages { page in
            let earlier = page.prefix { $0.position < cursor }
            last = Array((last + earlier).suffix(limit))
            return earlier.count == page.count
        }
        return last
    }

    public func loadItems(ids: [Item.ID]) async throws -> [Item] {
        let wanted = Set(ids)
        guard !wanted.isEmpty else { return [] }
        var found: [Item] = []
        try await readPages { page in
            found += page.filter { wanted.contains($0.id) }
            return found.count < wanted.count
        }
        return found
    }

    public func itemIDs(in range: ClosedRange<Item.ID>, limit: Int) async throws -> [Item.ID] {
        var found: [Item.ID] = []
        try await readPages { page in
            found += page.lazy.map(\.id).filter(range.contains)
            return true
        }
        return Array(found.sorted().prefix(limit))
    }

}

extension ListStorage {
    /// Hands on one page after the other in list order, until there are no more or `body` returns
    /// false. Bounded in memory; O(items).
    public func readPages(of size: Int = 1_000, _ body: ([Item]) throws -> Bool) async throws {
        var cursor: ItemPosition?
        while true {
            let page = try await loadItems(after: cursor, limit: size)
            guard let last = page.last, try body(page) else { return }
            cursor = last.position
        }
    }
}
