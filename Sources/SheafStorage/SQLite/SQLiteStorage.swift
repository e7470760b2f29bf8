import CSQLite
import Dispatch
import FoundationEssentials
import Glibc
import SheafList
import SwiduxFiles
import Synchronization

/// A list in an SQLite file, with one connection that lives as long as this value.
///
/// Every commit is one transaction of the rollback journal with `synchronous = EXTRA`. When it
/// returns, the change survives a crash and a power loss. `StorageChanges.reconciled` merges the
/// changes with those of other processes.
///
/// After a failure the store need not be reopened: the next commit succeeds once the cause is gone.
/// But a store that turns out to be damaged is not written until all of it is sound.
package final class SQLiteStorage: ListStorage {
    /// The version of SQLite that the program runs with.
    package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

    package let displayName: String
    package var readOnlyReason: String? { access.withLock(\.self) }

    private let file: StoreFile
    private let opener: SQLiteOpener
    /// The reason why the store cannot be written, or nil.
    private let access: Mutex<String?>
    /// The serial queue on which the connection is used.
    private let queue = DispatchQueue(label: "sheaf.storage")
    private let pollBackoff = PollBackoff()
    /// The connection. Read and written only on `queue`.
    private nonisolated(unsafe) var connection: Connection
    private nonisolated(unsafe) var replacement = RefusedReplacement()
    private nonisolated(unsafe) var overwriting = RefusedReplacement()
    /// The saved rows on the screen when a fetch found that the content of the file is no longer
    /// the list. Empty while it is.
    private nonisolated(unsafe) var shown = StorageChanges()
    /// Nil after closing. Read and written only on `queue`.
    private nonisolated(unsafe) var mark: OpenMark?

    private enum Connection {
        /// The store is not open, because another process had it locked. The next call retries.
        case waiting
        case open(SQLiteOpener.Opened)
        case closed
    }

    /// Opens the store in `file`; see `openStorage` for the errors.
    ///
    /// - Parameters:
    ///   - busyTimeout: the time to wait for the lock of another process.
    ///   - openingTimeout: the time to wait while the store is being opened, or nil for
    ///     `busyTimeout`.
    ///   - currentIdentity: receives the ids of the list.
    ///   - isDraft: true for a new file that only this process sees. Its commits are durable once
    ///     the file is synced.
    init(
        _ file: StoreFile, mode: OpenMode, busyTimeout: Duration = .seconds(5),
        openingTimeout: Duration? = nil, schema: Schema = .current,
        currentIdentity: CurrentListIdentity = CurrentListIdentity(), isDraft: Bool = false
    ) throws {
        opener = SQLiteOpener(
            file: file, mode: mode, busyTimeout: busyTimeout,
            openingTimeout: openingTimeout ?? busyTimeout, schema: schema,
            currentIdentity: currentIdentity,
            isDraft: isDraft)
        let opened = try opener.open()
        displayName = file.displayName
        self.file = file
        access = Mutex(opened.readOnlyReason)
        connection = .open(opened)
        mark = OpenMark(at: file.path)
    }

    /// Creates a storage that opens the store in `file` with the first call that finds it unlocked.
    /// Calls before that throw `.busy`.
    init(
        later file: StoreFile, mode: OpenMode,
        currentIdentity: CurrentListIdentity = CurrentListIdentity()
    ) {
        displayName = file.displayName
        self.file = file
        access = Mutex(SQLiteOpener.reasonAgainstWriting(file, mode))
        opener = SQLiteOpener(
            file: file, mode: mode, busyTimeout: .seconds(5), openingTimeout: .seconds(1),
            schema: .current, currentIdentity: currentIdentity)
        connection = .waiting
        mark = OpenMark(at: file.path)
    }

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

    package func findItems(
        _ search: ItemSearch, _ parts: ItemParts, after cursor: ItemPosition?, limit: Int
    ) async throws -> FoundItems {
        try await perform { try $0.findItems(search, parts, after: cursor, limit: limit) }
    }

    package func itemIDs(in range: ClosedRange<Item.ID>, limit: Int) async throws -> [Item.ID] {
        try await perform { try $0.itemIDs(in: range, limit: limit) }
    }

    package func itemCount() async throws -> Int {
        try await perform { try $0.countItems() }
    }

    package func lastItemRank() async throws -> Rank? {
        try await perform { try $0.lastItemRank() }
    }

    package func beginSnapshot() async throws {
        try await perform { try $0.beginSnapshot() }
    }

    package func endSnapshot() async {
        await BlockingCalls.run(on: queue) { [self] in
            if case .open(let opened) = connection { opened.session.endSnapshot() }
        }
    }

    package func commit(_ changes: StorageChanges) async throws -> CommitResult {
        try await onQueue { storage in
            try storage.regainAccess()
            let session = try storage.presentSession()
            if let error = storage.overwriting.knownError(at: storage.file) { throw error }
            var result: CommitResult
            do {
                result = try session.commit(changes)
            } catch let error as StorageError where [.foreign, .corrupt].contains(error.code) {
                throw try storage.refusal(of: error)
            }
            // If the file was replaced meanwhile, the commit is in the old file and is repeated in
            // the new one.
            let present: SQLiteSession
            do {
                present = try storage.presentSession()
            } catch var error as StorageError {
                let advice = error.advice.map { " \($0)" } ?? ""
                error.advice = storage.whereabouts(ofCommitIn: session) + advice
                throw error
            }
            if present !== session {
                try present.recommitLostChanges()
                result.isBehind = true
            }
            return result
        }
    }

    package func externalChanges(
        known: @Sendable () async -> StorageChanges
    ) async throws -> FetchedChanges<StorageChanges> {
        var ((fetched, remaining), isOlder) = try await pollBackoff.run {
            do {
                return try await onQueue {
                    let session = try $0.presentSession()
                    let page = try session.externalChanges(limit: 2_000)
                    ($0.overwriting, $0.shown) = (RefusedReplacement(), StorageChanges())
                    return (page, session.isOlder)
                }
            } catch let error as StorageError where [.foreign, .corrupt].contains(error.code) {
                let rows = await known()
                throw try await onQueue {
                    $0.shown = rows
                    return try $0.refusal(of: error)
                }
            }
        }
        if isOlder {
            let rows = await known()
            try await perform { $0.copyMissingRows(rows) }
        }
        if let remaining {
            fetched.changes.delete(await known().without(remaining))
        }
        return fetched
    }

    package func checkIntegrity() async throws {
        try await perform { try $0.checkIntegrity() }
    }

    package func mayLackCommits() async -> Bool {
        await BlockingCalls.run(on: queue) { [self] in
            guard case .open(let opened) = connection else { return false }
            return opened.session.mayLackCommits && !replacement.isKnown(at: file)
        }
    }

    package func consumeNotice() async -> String? {
        await BlockingCalls.run(on: queue) { [self] in
            guard case .open(let opened) = connection else { return nil }
            defer { opened.session.notice = nil }
            return opened.session.notice
        }
    }

    /// Watches the file, and signs all later commits. A process that watches the list runs for long
    /// and may find the file replaced.
    package func watch(_ body: @escaping @Sendable () -> Void) -> (any StorageWatch)? {
        queue.async { [weak self] in
            guard let self, case .open(let opened) = connection else { return }
            opened.session.beginWatching()
        }
        // A commit ends when its journal is removed.
        return FileWatch(file, alsoNamed: ["-journal"], backoff: pollBackoff) { [weak self] in
            guard let self else { return }
            queue.async { [self] in
                guard case .open(let opened) = connection else { return }
                if opened.session.hasExternalChanges() || opened.readOnlyReason != nil { body() }
            }
        }
    }

    package func close() async {
        await BlockingCalls.run(on: queue) { [self] in end() }
    }

    deinit { end() }

    /// Closes the connection. Its session's statements must end before it.
    private func end() {
        mark = nil
        guard case .open(let opened) = connection else {
            connection = .closed
            return
        }
        let handle = opened.connection
        connection = .closed
        handle.close()
    }

    /// Returns the open session, and opens the store if necessary. Must run on `queue`.
    private func session() throws -> SQLiteSession {
        switch connection {
        case .open(let opened): return opened.session
        case .closed: throw FileFailure.closed(at: file.location)
        case .waiting:
            let opened = try opener.open()
            access.withLock { $0 = opened.readOnlyReason }
            connection = .open(opened)
            return opened.session
        }
    }

    /// Reopens a read-only list that has become writable.
    private func regainAccess() throws {
        guard case .open(let old) = connection, old.readOnlyReason != nil,
            SQLiteOpener.reasonAgainstWriting(file, opener.mode) == nil
        else { return }
        try reopen(old)
    }

    package func recheckAccess() async {
        await BlockingCalls.run(on: queue) { [self] in
            do {
                try regainAccess()
            } catch {
                // The list stays read-only, and a later call retries.
                pollBackoff.recordEnd(false)
            }
        }
    }

    /// Returns the session for commits and fetches, on the file that is at the path now. A list
    /// that is being loaded is read completely from the file in which loading began.
    private func presentSession() throws -> SQLiteSession {
        let session = try session()
        guard !session.isInPlace, case .open(let old) = connection else {
            // The old record is dropped: if a later file is refused, the list at that time is
            // copied.
            replacement = RefusedReplacement()
            return session
        }
        return try reopen(old)
    }

    /// Returns a sentence about the file with the last commit after another file has replaced it. A
    /// command does not retry, so it copies the list. For the screen, see ``RefusedReplacement``.
    private func whereabouts(ofCommitIn session: SQLiteSession) -> String {
        do {
            if !session.signs {
                let copy = try RefusedReplacement.makeCopy(beside: file) {
                    try session.copy(to: $0)
                }
                return "The list as it was, with the change, is in \(copy.lastPathName)."
            }
        } catch {
            // The sentence below is true in this case too.
        }
        return "The change is in the file that was there before, and lost if that was deleted."
    }

    /// Returns `error`, which a fetch or commit threw. If the content of the file is no longer the
    /// list, copies the rows on the screen to a new list beside it, and adds the name of that list.
    private func refusal(of error: StorageError) throws -> StorageError {
        let session = try session()
        guard session.isInPlace, session.signs, !shown.isEmpty else { return error }
        return overwriting.refusal(
            error, at: file, isCopied: readOnlyReason == nil, isOverwritten: true
        ) { try SQLiteCopy.makeList(of: shown, at: $0) }
    }

    /// Opens the file at the path and replaces `old` with it.
    @discardableResult
    private func reopen(_ old: SQLiteOpener.Opened) throws -> SQLiteSession {
        let opened = try replacement.open(by: opener, after: old)
        replacement = RefusedReplacement()
        connection = .open(opened)
        old.connection.close()
        access.withLock { $0 = opened.readOnlyReason }
        return opened.session
    }

    /// Runs `body` on the queue with the open session.
    func perform<T: Sendable>(
        _ body: @escaping @Sendable (SQLiteSession) throws -> T
    ) async throws -> T {
        try await onQueue { try body($0.session()) }
    }

    /// Runs `body` on the queue.
    private func onQueue<T: Sendable>(
        _ body: @escaping @Sendable (SQLiteStorage) throws -> T
    ) async throws -> T {
        let result = await BlockingCalls.run(on: queue) { [self] in
            Result { try body(self) }
        }
        return try result.get()
    }
}
