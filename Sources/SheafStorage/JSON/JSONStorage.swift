import Dispatch
import FoundationEssentials
import SheafList
import SwiduxFiles
import Synchronization

/// A list in a JSON file that is easy to read and to keep under version control: one item per line.
///
/// The whole list is in memory, and every commit writes the whole file: it writes a file beside it,
/// syncs it, renames it over the old one and syncs the folder. A process that reads the path sees
/// the old list or the new one. This suits lists of up to about 10,000 items. Above that,
/// ``advice()`` recommends SQLite.
///
/// Other programs, such as an editor or `git checkout`, may change the file. Every call checks
/// whether the file is still the version that was read, and a commit applies its changes to the
/// current version. Processes that use this type take turns with a lock (`flock`) on the file.
///
/// After a failure the store need not be reopened. The next call reads the file.
package final class JSONStorage: ListStorage {
    package let displayName: String
    package var readOnlyReason: String? { access.withLock(\.self) }

    private let file: StoreFile
    /// The reason why the store cannot be written, or nil.
    private let access: Mutex<String?>
    private let queue = DispatchQueue(label: "sheaf.storage.json")
    private let pollBackoff = PollBackoff()
    /// The open list. Nil after closing. Read and written only on `queue`.
    private nonisolated(unsafe) var session: JSONSession?
    /// Nil after closing. Read and written only on `queue`.
    private nonisolated(unsafe) var mark: OpenMark?

    /// Opens the store in `file`; see `openStorage` for the errors.
    ///
    /// - Parameters:
    ///   - busyTimeout: the time to wait for the lock of another process.
    ///   - currentIdentity: receives the ids of the list.
    init(
        _ file: StoreFile, mode: OpenMode, busyTimeout: Duration = .seconds(5),
        currentIdentity: CurrentListIdentity = CurrentListIdentity()
    ) throws {
        let session = try JSONSession(
            file, mode: mode, busyTimeout: busyTimeout, currentIdentity: currentIdentity)
        displayName = file.displayName
        self.file = file
        access = Mutex(session.readOnlyReason)
        self.session = session
        mark = OpenMark(at: file.path)
    }

    package func load<Entity: SmallEntity>(_ kind: Entity.Type) async throws -> [Entity] {
        try await perform { try $0.list()[kind].values }
    }

    package func loadItems(after cursor: ItemPosition?, limit: Int) async throws -> [Item] {
        try await perform { try $0.list().items(after: cursor, limit: limit) }
    }

    package func loadItems(ids: [Item.ID]) async throws -> [Item] {
        try await perform { session in
            let list = try session.list()
            return Set(ids).compactMap { list.items[$0] }
        }
    }

    package func itemIDs(in range: ClosedRange<Item.ID>, limit: Int) async throws -> [Item.ID] {
        try await perform { try $0.itemIDs(in: range, limit: limit) }
    }

    package func itemCount() async throws -> Int {
        try await perform { try $0.list().items.count }
    }

    package func lastItemRank() async throws -> Rank? {
        try await perform { try $0.list().items.last?.rank }
    }

    package func beginSnapshot() async throws {
        try await perform { try $0.beginSnapshot() }
    }

    package func endSnapshot() async {
        await BlockingCalls.run(on: queue) { [self] in session?.endSnapshot() }
    }

    package func advice() async throws -> String? {
        let count = try await itemCount()
        guard count > WholeList.maxRecommendedItems else { return nil }
        return WholeList.sizeAdvice
    }

    package func commit(_ changes: StorageChanges) async throws -> CommitResult {
        try await perform { try $0.commit(changes) }
    }

    package func externalChanges(
        known: @Sendable () async -> StorageChanges
    ) async throws -> FetchedChanges<StorageChanges> {
        FetchedChanges(
            try await pollBackoff.run { try await perform { try $0.externalChanges() } })
    }

    package func mayLackCommits() async -> Bool {
        await BlockingCalls.run(on: queue) { [self] in session?.mayLackCommits ?? false }
    }

    package func consumeNotice() async -> String? {
        await BlockingCalls.run(on: queue) { [self] in
            defer { session?.notice = nil }
            return session?.notice
        }
    }

    package func watch(_ body: @escaping @Sendable () -> Void) -> (any StorageWatch)? {
        FileWatch(file, backoff: pollBackoff) { [weak self] in
            guard let self else { return }
            queue.async { [self] in
                guard let session else { return }
                if session.hasExternalChanges() || session.readOnlyReason != nil { body() }
            }
        }
    }

    package func recheckAccess() async {
        await BlockingCalls.run(on: queue) { [self] in
            guard let session, session.readOnlyReason != nil else { return }
            session.recheckAccess()
            let reason = session.readOnlyReason
            access.withLock { $0 = reason }
        }
    }

    package func close() async {
        await BlockingCalls.run(on: queue) { [self] in (session, mark) = (nil, nil) }
    }

    /// Runs `body` on the queue.
    func perform<T: Sendable>(
        _ body: @escaping @Sendable (JSONSession) throws -> T
    ) async throws -> T {
        let result = await BlockingCalls.run(on: queue) { [self] in
            Result {
                guard let session else { throw FileFailure.closed(at: file.location) }
                return try body(session)
            }
        }
        return try result.get()
    }
}
