import FoundationEssentials
import Swidux

/// One list kept somewhere: a file, and later a server.
///
/// Methods may be called from any isolation and concurrently; a backend puts them in order itself.
/// They throw ``StorageError`` and nothing else. One value serves the whole life of the process and
/// holds its connection.
public protocol ListStorage: Sendable {
    /// What the header shows: a file's name.
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

    /// Up to `limit` items that `search` finds, by (rank, id), of those after `cursor` or of all,
    /// and where to go on. A call looks at a bounded number of items, so that commits can go
    /// between two of them; it may find none, and still not be the last.
    ///
    /// - Parameter parts: what of the items is wanted: the rest may be missing in them.
    func findItems(
        _ search: ItemSearch, _ parts: ItemParts, after cursor: ItemPosition?, limit: Int
    ) async throws -> FoundItems

    /// Those of the items `ids` that storage has, in no particular order.
    func loadItems(ids: [Item.ID]) async throws -> [Item]

    /// Up to `limit` ids of items that lie in `range`, ascending: what a prefix of an id stands
    /// for.
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
    /// What another process has changed since is not overwritten: an edit whose base is not what is
    /// stored is merged into that (``StorageMerge``), and a deletion of what was edited since is
    /// not done. While no other process has committed, a change replaces whatever is there, but for
    /// the next of an item that repeats (``StorageChanges/haveNext``).
    ///
    /// A new tag whose name another tag has is refused, and its items get that one: one name is one
    /// tag. The new name of a stored tag is refused in that case, and so are the queries of views
    /// that ask for it by that name; both stay as they were, and the rest of the tag is stored. A
    /// view that would have the name of another view gets a free one. Both are conflicts. Any other
    /// row that storage refuses for itself (a constraint) is left out, reported in
    /// the result, and the rest is committed. Any other failure commits nothing and throws. A write
    /// that has begun is not ended by the cancellation of the task that asked for it.
    ///
    /// A tag goes even if another process has put it on items meanwhile, and an item is stored
    /// without a tag that another process has deleted: both are conflicts of the item. Whoever
    /// deletes a tag therefore takes it off the items that are known to have it. A view is stored
    /// without a tag that is gone, and loses one that goes, which is no conflict: what it shows
    /// then is seen.
    ///
    /// The result has every row that is stored otherwise than it was asked for, with its value: it
    /// was merged, was not deleted, lost a tag that is gone, or got another one; and each tag that
    /// stands in for a refused one. What others have committed beside that is to be fetched.
    func commit(_ changes: StorageChanges) async throws -> CommitResult

    /// What others have committed since this was called last, or since the first page of the list
    /// was asked for; what this process wrote itself may be among it.
    ///
    /// - Parameter known: returns the rows that the list is known to have, as upserts. Called only
    ///   if the store cannot tell which were deleted, or has lost commits.
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

    /// It is.
    public var isDurable: Bool { true }

    /// True: a file is the list.
    public var isIdentified: Bool { true }

    /// False: no answer is lost.
    public var mayHaveCommitted: Bool { false }

    /// What it is never changes.
    public func reconsiderAccess() async {}

    /// Nothing to say.
    public func advice() async throws -> String? { nil }

    /// Returns nil.
    public func takeNotice() async -> String? { nil }

    /// Returns false: commits have no names.
    public func hasCommitted(_ batch: BatchName) async throws -> Bool { false }

    /// Does nothing, for storage without an index that could hide rows.
    public func checkIntegrity() async throws {}

    /// Nobody else writes.
    public func changesOfOthers(
        known: @Sendable () async -> StorageChanges
    ) async throws -> FetchedChanges<StorageChanges> {
        FetchedChanges(StorageChanges())
    }

    /// Nobody else writes.
    public func watch(_ body: @escaping @Sendable () -> Void) -> (any StorageWatch)? { nil }
}

/// What a backend without an index does: it looks through all pages. O(n).
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
