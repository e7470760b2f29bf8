import Dispatch
import FoundationEssentials
import SheafList
import SheafStorage
import SwiduxFiles
import Synchronization

/// A list on a PostgreSQL server.
///
/// Each commit is one call of a function on the server. It is durable there when it returns, and
/// also on a synchronous standby if there is one. The list need not be reopened after a failure. A
/// call without a connection creates one, and a watch reconnects as soon as the server is
/// available.
///
/// If the server cannot be reached, calls throw `.busy`, and callers wait as for a locked file.
package final class PostgresStorage: ListStorage {
    package var displayName: String { shown.withLock(\.title) }
    package var readOnlyReason: String? { shown.withLock(\.readOnlyReason) }
    package var isIdentified: Bool { shown.withLock(\.isIdentified) }
    package var mayHaveCommitted: Bool { shown.withLock(\.mayHaveCommitted) }

    private let url: PostgresURL
    private let shown: Mutex<Shown>
    /// The queue on which the connection is used, one call after the other.
    let queue = DispatchQueue(label: "sheaf.postgres")
    /// The session, which is used only on `queue`.
    let session: PostgresSession

    private struct Shown {
        var title: String
        var readOnlyReason: String?
        var isIdentified: Bool
        var mayHaveCommitted = false
    }

    /// - Parameter server: The record that receives the list's identity. Its state folder remembers
    ///   the list to which a bare reference leads.
    /// - Throws: `StorageError`, if the list cannot be opened now.
    package convenience init(
        _ url: PostgresURL, at server: ServerList? = nil, mode: OpenMode
    ) throws {
        self.init(later: url, at: server, mode: mode)
        _ = try connect(within: .seconds(60))
    }

    /// Creates a list that connects on its first call.
    package init(later url: PostgresURL, at server: ServerList? = nil, mode: OpenMode) {
        self.url = url
        session = PostgresSession(url, at: server, mode: mode)
        shown = Mutex(
            Shown(
                title: url.title(of: nil),
                readOnlyReason: mode == .readOnly ? "It was opened with --read-only." : nil,
                isIdentified: session.isIdentified))
    }

    // A watch may still use the session on the queue.
    deinit { queue.async { [session] in session.close() } }

    /// Connects. If this takes longer than `timeout`, returns false, and connecting continues in
    /// the background.
    ///
    /// - Returns: True if it is connected.
    func connect(within timeout: Duration) throws(StorageError) -> Bool {
        let outcome = Mutex<Result<Void, StorageError>?>(nil)
        let end = DispatchSemaphore(value: 0)
        queue.async { [self] in
            let result = Result { () throws(StorageError) in try session.connect() }
            show()
            outcome.withLock { $0 = result }
            end.signal()
        }
        let (seconds, attoseconds) = timeout.components
        let interval = Double(seconds) + Double(attoseconds) / 1e18
        guard end.wait(timeout: .now() + interval) == .success else { return false }
        try outcome.withLock(\.self)?.get()
        return true
    }

    // MARK: Calls

    package func load<Entity: SmallEntity>(_ kind: Entity.Type) async throws -> [Entity] {
        try await perform { try $0.load(kind) }
    }
    package func loadItems(after cursor: ItemPosition?, limit: Int) async throws -> [Item] {
        try await perform { try $0.loadItems(after: cursor, limit: limit) }
    }
    package func loadItems(before cursor: ItemPosition, limit: Int) async throws -> [Item] {
        try await perform { try $0.loadItems(before: cursor, limit: limit) }
    }
    package func loadItems(ids: [Item.ID]) async throws -> [Item] {
        try await perform { try $0.loadItems(ids: ids) }
    }
    package func itemIDs(in range: ClosedRange<Item.ID>, limit: Int) async throws -> [Item.ID] {
        try await perform { try $0.itemIDs(in: range, limit: limit) }
    }
    package func itemCount() async throws -> Int { try await perform { try $0.itemCount() } }
    package func lastItemRank() async throws -> Rank? {
        try await perform { try $0.lastItemRank() }
    }

    package func beginSnapshot() async throws { try await perform { try $0.beginSnapshot() } }
    package func endSnapshot() async {
        await BlockingCalls.run(on: queue) { [self] in session.endSnapshot() }
    }

    package func commit(_ changes: StorageChanges) async throws -> CommitResult {
        guard let fitting = try await changes.withShorterRanks(in: self) else {
            return try await perform { try $0.commit(changes) }
        }
        var result = try await perform { try $0.commit(fitting) }
        var stored = fitting.only(
            Set(fitting.ids.filter { fitting.ranks[$0] != changes.ranks[$0] }))
        if let others = result.stored { stored.add(others) }
        result.stored = stored
        return result
    }

    package func hasCommitted(_ batch: BatchName) async throws -> Bool {
        try await perform { try $0.hasCommitted(batch) }
    }

    package func externalChanges(
        known: @Sendable () async -> StorageChanges
    ) async throws -> FetchedChanges<StorageChanges> {
        var (fetched, remaining) = try await perform { try $0.externalChanges() }
        if let remaining {
            let known = await known()
            fetched.changes.delete(known.without(remaining))
        }
        return fetched
    }

    package func consumeNotice() async -> String? {
        await BlockingCalls.run(on: queue) { [self] in
            session.consumeNotice()
        }
    }

    package func recheckAccess() async {
        await BlockingCalls.run(on: queue) { [self] in
            session.recheckAccess()
            show()
        }
    }

    package func watch(_ body: @escaping @Sendable () -> Void) -> (any StorageWatch)? {
        let throttle = NotificationThrottle(on: queue, body)
        return PostgresWatch(session, on: queue) { throttle.notify() }
    }

    package func close() async {
        await BlockingCalls.run(on: queue) { [self] in
            session.close()
        }
    }

    /// Publishes the session's title and status for other threads.
    private func show() {
        let new = Shown(
            title: url.title(of: session.list?.name), readOnlyReason: session.readOnlyReason,
            isIdentified: session.isIdentified, mayHaveCommitted: session.isOutcomeUnknown)
        shown.withLock { $0 = new }
    }

    /// Runs `body` on the queue.
    private func perform<T: Sendable>(
        _ body: @escaping @Sendable (PostgresSession) throws -> T
    ) async throws -> T {
        let result = await BlockingCalls.run(on: queue) { [self] in
            Result {
                defer { show() }
                return try body(session)
            }
        }
        return try result.get()
    }
}
