import FoundationEssentials
import SheafList
import SheafStorage

/// The use of one list on a server through successive connections. The state of the session
/// survives a broken connection.
///
/// This class is not thread-safe: ``PostgresStorage`` calls it only on its queue, which justifies
/// `@unchecked`. Its calls throw `StorageError`.
final class PostgresSession: @unchecked Sendable {
    let url: PostgresURL
    /// The record of the list. The session reports the list's identity to it, which becomes the
    /// owner of the list's logs.
    private let server: ServerList?
    private let remembered: RememberedLists
    private let mode: OpenMode
    private(set) var connection: PostgresConnection?
    /// The list, as the server last described it.
    private(set) var list: ListRow?
    /// The list and its database, as the first connection found them. A dump can copy a list, so a
    /// list with the same id in another database is a different list.
    private var identity: ServerList.Identity?
    /// The failure of a server that has accepted no writes since the list was opened, or `nil`. The
    /// list is then read-only. If the server stops accepting writes later, this stays `nil`: only
    /// commits fail, and editing continues.
    private var readOnlyFailure: PostgresFailure?
    private var isOnReadOnlyServer: Bool { readOnlyFailure != nil }
    /// The time when the server first refused a commit on this connection because it accepts no
    /// writes.
    private var refusedAt: ContinuousClock.Instant?
    /// The reason why the list is not writable.
    private var refusal: StorageError?
    /// ``refusal`` in sentences.
    var readOnlyReason: String? {
        refusal.map { refusal in
            let reason = refusal.reason.prefix(1).uppercased() + refusal.reason.dropFirst() + "."
            return refusal.advice.map { "\(reason) \($0)" } ?? reason
        }
    }
    /// Called with each new connection, and with `nil` before it is closed.
    var onConnection: (PostgresConnection?) -> Void = { _ in }
    /// Called when another process has announced a commit.
    var onExternalCommit: () -> Void = {}
    /// True if the watch requests notifications.
    var listens = false
    /// True if the server sends notifications. A standby in recovery does not.
    private(set) var isNotified = false

    private var reader: PostgresReader?
    private var writer: PostgresWriter
    /// The number of the last commit up to which other clients' commits are known.
    private var known: Int64?
    private var history = PostgresHistory()
    /// True if the server lacks commits that this process has made or seen. The next fetch then
    /// reads the whole list, and reports entities that the server lacks as deleted.
    private var serverLostCommits = false
    /// A sentence for the user that has not been shown yet.
    var notice: String?
    /// True if the right to read was missing at the last check. If the right returns, that counts
    /// as a change even without a new commit.
    private var wasDenied = false
    /// Fetched items of other clients that have not been returned yet.
    private var backlog: [Item] = []
    private var backlogAuthors: [UUID: Author] = [:]
    /// True if the tables were those of an older version at the last check.
    private var readsOlder = false
    private var page: PrefetchedItems?
    /// True if reads are parts of one transaction, which cannot continue on another connection.
    private var isInSnapshot = false
    private var isClosed = false
    /// The error that every call throws until a certain time, without an attempt.
    private var lastFailure: (error: StorageError, until: ContinuousClock.Instant)?

    private static let prefetchCount = 20_000
    private static let maxFetched = 2_000

    init(_ url: PostgresURL, at server: ServerList? = nil, mode: OpenMode) {
        self.url = url
        self.server = server
        remembered = RememberedLists(of: server)
        self.mode = mode
        writer = PostgresWriter()
        server?.nextBatch = writer.nextBatch
    }

    /// True if the list of the URL is known, from this connection or an earlier one.
    var isIdentified: Bool { server.map { $0.identity != nil } ?? (list != nil) }

    /// True if a commit was sent whose answer was lost.
    var isOutcomeUnknown: Bool { writer.isOutcomeUnknown }

    // MARK: Connecting

    /// Connects, if there is no connection: see ``connected()``.
    func connect() throws(StorageError) { _ = try connected() }

    /// Returns the reader of the connection, and connects if there is none. After a failed attempt,
    /// there is a short pause before the next one.
    private func connected() throws(StorageError) -> PostgresReader {
        guard !isClosed else {
            throw StorageError(.cannotOpen, at: url.location, reason: "the list is closed")
        }
        if let reader { return reader }
        guard !isInSnapshot else {
            throw StorageError(
                .busy, at: url.location, reason: "the connection was lost while the list was read")
        }
        if let lastFailure, lastFailure.until > .now { throw lastFailure.error }
        do {
            let reader = try begin()
            lastFailure = nil
            return reader
        } catch {
            disconnect()
            let error = self.error(error)
            lastFailure = (error, .now + .milliseconds(400))
            throw error
        }
    }

    private func begin() throws -> PostgresReader {
        let connection = try PostgresConnection(url)
        let row =
            try list.map { try Self.row(of: $0.id, on: connection) }
            ?? ListRow.named(url.list, on: connection, remembered: remembered)
        let identity = try row.identity(on: connection)
        if let first = self.identity ?? server?.bound { try check(identity, against: first) }
        guard row.version <= PostgresSchema.version else {
            throw PostgresFailure(state: "SHV01", "a newer version set this up")
        }
        // A commit may be called saved only if it survives a crash of the server and is on the
        // standby.
        try connection.run(
            """
            \(PostgresSchema.planning)
            SELECT set_config('synchronous_commit', 'on', false)
              WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write');
            """)
        isNotified = false
        if listens { try listen(to: row.id, on: connection) }
        let schema =
            row.version == PostgresSchema.version
            ? PostgresSchema.current : try Self.olderSchema(on: connection)
        let reader = PostgresReader(connection: connection, list: row.id, schema: schema)
        if self.identity == nil || isOnReadOnlyServer {
            readOnlyFailure = try reader.readOnlyFailure()
        }
        refusedAt = nil
        self.identity = identity
        server?.found(identity)
        self.connection = connection
        self.reader = reader
        update(from: row)
        try compareHistory(reader)
        if history.numbers.isEmpty, let id = row.lastCommit {
            history.add(row.lastNumber, id, StorageChanges(), isOwn: false)
        }
        if let known, row.lastNumber < known { self.known = row.lastNumber }
        if known == nil { known = row.lastNumber }
        onConnection(connection)
        return reader
    }

    /// Checks that a connection leads to the same list as `first`, the identity in this session or
    /// in the last run.
    ///
    /// - Throws: `StorageError` if it does not. The error for another database is `.busy`, because
    ///   the right database may answer again later.
    private func check(
        _ identity: ServerList.Identity, against first: ServerList.Identity
    ) throws(StorageError) {
        guard identity.id == first.id else { throw ListRow.isOther(at: url) }
        guard identity.database == first.database else {
            throw StorageError(
                .busy, at: url.location,
                reason: "\(ListRow.isCopied); your changes are kept for the first one")
        }
    }

    private static func row(of id: UUID, on connection: PostgresConnection) throws -> ListRow {
        try PostgresReader(connection: connection, list: id, schema: .current).row()
    }

    private static func channel(of list: UUID) -> String {
        "sheaf" + list.uuidString.lowercased().filter { $0 != "-" }
    }

    /// Enables notifications of other clients' commits, on the present connection and on later
    /// ones.
    func listen() throws {
        listens = true
        guard let connection, let list else { return }
        try guarded { _ in try listen(to: list.id, on: connection) }
    }

    /// Requests notifications, unless the server is in recovery, where LISTEN fails.
    private func listen(to list: UUID, on connection: PostgresConnection) throws {
        guard try !connection.rows("SELECT pg_is_in_recovery()").flag(0, 0) else { return }
        try connection.run("LISTEN \(Self.channel(of: list))")
        isNotified = true
    }

    private static func olderSchema(on connection: PostgresConnection) throws -> PostgresSchema {
        let rows = try connection.rows(
            """
            SELECT c.relname::text, a.attname::text
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE c.relnamespace = to_regnamespace('sheaf') AND a.attnum > 0 AND NOT a.attisdropped
            """)
        var present: [String: Set<String>] = [:]
        for row in 0..<rows.count {
            present[rows.text(row, 0), default: []].insert(rows.text(row, 1))
        }
        return PostgresSchema(present: present)
    }

    /// Updates the session's state from the server's description of the list.
    private func update(from row: ListRow) {
        list = row
        let isOlder = row.version < PostgresSchema.version
        if readsOlder, !isOlder { restart(row) }
        readsOlder = isOlder
        refusal =
            if mode == .readOnly {
                StorageError(.readOnly, at: url.location, reason: "it was opened with --read-only")
            } else if isOlder {
                PostgresFailure.older(at: url.location)
            } else if row.right != .write && row.right != .own {
                StorageError(
                    .readOnly, at: url.location, reason: "you may only read this list",
                    advice: "\(row.owner) lets you write with: sheaf share invite"
                        + " \(connection?.user ?? "YOU") write")
            } else {
                readOnlyFailure?.error(at: url.location)
            }
    }

    /// Restarts with upgraded tables. Rows that were read before lack columns. So the whole list
    /// counts as changed, and no incomplete row replaces a stored one.
    private func restart(_ row: ListRow) {
        if let connection {
            reader = PostgresReader(connection: connection, list: row.id, schema: .current)
        }
        writer.reset()
        history = PostgresHistory()
        page = nil
        known = 0
    }

    /// Closes the connection. The next call makes another one.
    func disconnect() {
        guard connection != nil else { return }
        onConnection(nil)
        reader = nil
        connection = nil
        page = nil
    }

    /// Runs `body` on the connection. Drops the connection if it turns out to be broken.
    private func guarded<T>(_ body: (PostgresReader) throws -> T) throws -> T {
        // Runs after a failure too, because the log must not use one name for two commits.
        defer { server?.nextBatch = writer.nextBatch }
        let reader = try connected()
        defer { if reader.connection.takeNotifications() { onExternalCommit() } }
        do {
            return try body(reader)
        } catch {
            let failure = error as? PostgresFailure
            let error = self.error(error)
            if error.code == .denied { wasDenied = true }
            // The state of a connection that broke within a pipeline is unknown. If the server no
            // longer accepts writes, another host of the URL may accept them.
            if let failure, failure.isOfConnection || failure.isOfStandby && url.hasSeveralHosts {
                disconnect()
            }
            // Calls that are queued behind this one must fail at once, without waiting for each
            // host again.
            if failure?.isTimeout ?? false { lastFailure = (error, .now + .seconds(2)) }
            throw error
        }
    }

    private func error(_ error: any Error) -> StorageError {
        switch error {
        case let error as StorageError: error
        case let failure as PostgresFailure: failure.error(at: url.location)
        case let error as StoreURLError:
            StorageError(.cannotOpen, at: url.location, reason: error.description)
        default: StorageError(.io, at: url.location, reason: "\(error)")
        }
    }

    // MARK: Reading

    func load<Entity: SmallEntity>(_ kind: Entity.Type) throws -> [Entity] {
        try guarded { try $0.all(kind) }
    }
    func itemCount() throws -> Int { try guarded { try $0.itemCount() } }
    func lastItemRank() throws -> Rank? { try guarded { try $0.lastItemRank() } }
    func loadItems(ids: [UUID]) throws -> [Item] {
        ids.isEmpty ? [] : try guarded { try $0.items(ids: ids) }
    }
    func loadItems(before cursor: ItemPosition, limit: Int) throws -> [Item] {
        try guarded { try $0.items(before: cursor, limit: limit) }
    }
    func itemIDs(in range: ClosedRange<UUID>, limit: Int) throws -> [UUID] {
        try guarded { try $0.itemIDs(in: range, limit: limit) }
    }

    /// Begins a transaction in which all reads return one state of the list.
    func beginSnapshot() throws {
        try guarded { reader in
            try reader.connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            isInSnapshot = true
            page = nil
        }
    }

    func endSnapshot() {
        isInSnapshot = false
        page = nil
        connection?.rollBack()
    }

    /// Returns a page. From the second page on, it requests many items at once.
    func loadItems(after cursor: ItemPosition?, limit: Int) throws -> [Item] {
        guard limit > 0 else { return [] }
        if let page = prefetched(limit, after: cursor) { return page }
        return try guarded { reader in
            guard let cursor else { return try reader.items(after: nil, limit: limit) }
            let count = max(limit, Self.prefetchCount)
            let items = try reader.items(after: cursor, limit: count)
            page = PrefetchedItems(items: items[...], cursor: cursor, isLast: items.count < count)
            return prefetched(limit, after: cursor) ?? []
        }
    }

    private func prefetched(_ limit: Int, after cursor: ItemPosition?) -> [Item]? {
        let taken = page?.removeFirst(limit, after: cursor)
        if page?.isExhausted == true { page = nil }
        return taken
    }

    // MARK: Changes of other clients

    /// Returns true if the list may have changes that were not fetched.
    func hasExternalChanges() -> Bool {
        do {
            let row = try guarded { reader in
                // If another host has become the primary, its commits would never arrive on this
                // connection.
                if url.hasSeveralHosts { try reader.expectWrites() }
                // A standby may have been promoted.
                if listens, !isNotified { try listen(to: reader.list, on: reader.connection) }
                return try readRow(reader)
            }
            // A changed setting of the role or the database applies only to new connections.
            if isOnReadOnlyServer, isNotified { disconnect() }
            // The list went back to an earlier state. The next connection compares the commits.
            if let known, row.lastNumber < known { disconnect() }
            // `readRow` has checked whether the server accepts writes, but the user's right may
            // have changed.
            let mayBeWritable = readOnlyReason != nil && !isOnReadOnlyServer
            let isChanged =
                row.lastNumber != known || serverLostCommits || mayBeWritable || wasDenied
            wasDenied = false
            if mode != .readOnly || readOnlyReason == nil { update(from: row) }
            return isChanged
        } catch {
            // The fetch will report the error.
            return true
        }
    }

    /// Checks again whether the list is writable.
    func recheckAccess() {
        do { update(from: try guarded(readRow)) } catch { return }
    }

    /// Reads the server's description of the list. If the server accepted no writes before, checks
    /// that again.
    private func readRow(_ reader: PostgresReader) throws -> ListRow {
        if isOnReadOnlyServer { readOnlyFailure = try reader.readOnlyFailure() }
        return try reader.row()
    }

    func externalChanges() throws -> (
        fetched: FetchedChanges<StorageChanges>, remaining: Set<UUID>?
    ) {
        guard backlog.isEmpty else { return (fetchedOfBacklog(StorageChanges()), nil) }
        return try guarded { reader in
            // If this fails, nothing that is read below is lost.
            try writer.resolve(reader)
            let later = try reader.laterCommits(after: known ?? 0, client: writer.client)
            let readOlder = readsOlder
            update(from: later.row)
            if readOlder, !readsOlder { return try externalChanges() }
            let remaining = later.forgets || serverLostCommits ? try reader.everyID() : nil
            serverLostCommits = false
            if later.row.lastNumber != known {
                known = later.row.lastNumber
                page = nil
                if let id = later.row.lastCommit {
                    history.add(later.row.lastNumber, id, later.changes, isOwn: false)
                }
            }
            var changes = later.changes
            backlog = changes.items.upserts
            backlogAuthors = changes.authors
            changes.items = EntityChanges(upserts: [], deletions: changes.items.deletions)
            var fetched = fetchedOfBacklog(changes)
            // Another client's edit may be newer than the commit whose answer was lost.
            let confirmed = writer.consumeConfirmed()
            if !confirmed.isEmpty { fetched.confirmed = confirmed }
            return (fetched, remaining)
        }
    }

    private func fetchedOfBacklog(_ changes: StorageChanges) -> FetchedChanges<StorageChanges> {
        var changes = changes
        let page = backlog.prefix(Self.maxFetched)
        changes.items.upsert(page)
        backlog.removeFirst(page.count)
        changes.authors = backlogAuthors
        if backlog.isEmpty { backlogAuthors = [:] }
        return FetchedChanges(changes, isComplete: backlog.isEmpty)
    }

    // MARK: Writing

    func commit(_ changes: StorageChanges) throws -> CommitResult {
        leaveReadOnlyConnection()
        do {
            return try guarded { reader in
                // An empty commit checks whether the list is still writable.
                if changes.isEmpty { update(from: try readRow(reader)) }
                if let refusal {
                    if isOnReadOnlyServer { refusedAt = refusedAt ?? .now }
                    throw refusal
                }
                guard !changes.isEmpty else { return CommitResult() }
                return try write(changes, reader)
            }
        } catch var error as StorageError where writer.isOutcomeUnknown {
            error.isOutcomeUnknown = true
            error.advice = "The edit may have been saved: look at the list before you try again."
            throw error
        }
    }

    /// Closes a connection that refused a commit because the server accepts no writes. If a setting
    /// of the role or the database caused that, its removal applies only to new connections.
    ///
    /// A commit that follows within 200 ms stays on the connection. Otherwise it would be retried
    /// without a pause, because every new connection causes a fetch, and the pipeline retries after
    /// a fetch.
    private func leaveReadOnlyConnection() {
        guard let refusedAt, refusedAt.duration(to: .now) > .milliseconds(200) else { return }
        disconnect()
    }

    func hasCommitted(_ batch: BatchName) throws -> Bool {
        try guarded { reader in
            try batch.clients.contains { try reader.hasCommitted(batch.number, of: $0) }
        }
    }

    private func write(_ changes: StorageChanges, _ reader: PostgresReader) throws -> CommitResult {
        let outcome = try committed(changes, reader)
        page = nil
        if let commit = outcome.commit {
            history.add(commit.number, commit.id, outcome.written, isOwn: true)
            if !outcome.result.isBehind, !serverLostCommits { known = commit.number }
        }
        return outcome.result
    }

    private func committed(
        _ changes: StorageChanges, _ reader: PostgresReader
    ) throws -> PostgresWriter.Outcome {
        // Determines the reason during the wait, so that the message is not delayed further.
        var reason: String?
        reader.connection.onDelay = { [url] in reason = Self.reasonForWaiting(at: url) }
        defer { reader.connection.onDelay = nil }
        do {
            return try writer.commit(changes, reader, known: known ?? 0)
        } catch var failure as PostgresFailure
            where failure.isTimeout || failure.state == "55P03"
        {
            guard let reason else { throw failure }
            failure.message = reason
            if !failure.isTimeout { failure.state = PostgresFailure.waiting }
            throw failure
        } catch let failure as PostgresFailure where failure.isOfStandby {
            refusedAt = refusedAt ?? .now
            throw failure
        } catch let failure as PostgresFailure where failure.state == "42501" && !failure.isOfGrant
        {
            // The role has lost the right to write, or also the right to read.
            update(from: try reader.row())
            throw refusal ?? failure
        }
    }

    /// Returns the reason why a commit waits, or `nil` if it cannot be determined. Uses a separate
    /// connection, because one that waits for an answer cannot run another query.
    private static func reasonForWaiting(at url: PostgresURL) -> String? {
        do {
            let connection = try PostgresConnection(url, isBrief: true)
            return try PostgresReader.reasonForWaiting(on: connection)
        } catch {
            return nil
        }
    }

    /// Compares the commits that this process has made or seen with the server's, and sends the
    /// lost ones again.
    private func compareHistory(_ reader: PostgresReader) throws {
        guard !history.numbers.isEmpty else { return }
        let commits = try reader.commits(history.numbers)
        guard !history.isWhole(in: commits) else { return }
        let shared = history.lastShared(with: commits) ?? (history.numbers[0] - 1)
        var copy = history
        var lost = copy.removeLost(after: shared)
        // The base of a lost change is the server's row, if no other client has written it since.
        try lost.changes.loadBases(reader, notAfter: shared)
        // The whole list counts as changed, because the screen must also show the result of the
        // merge.
        writer.reset()
        known = 0
        serverLostCommits = true
        notice = "The server went back to an earlier state; edits of others may be missing"
        guard !lost.changes.isEmpty, readOnlyReason == nil else {
            history = copy
            return
        }
        let outcome = try writer.sendAgain(lost, reader, after: shared)
        writer.reset()
        if let commit = outcome.commit {
            copy.add(commit.number, commit.id, outcome.written, isOwn: true)
        }
        history = copy
    }

    /// Returns and clears the sentence for the user. If there is none, returns the one from opening
    /// a list whose server was unavailable at first.
    func consumeNotice() -> String? {
        defer { notice = nil }
        return notice ?? server?.consumeNotice()
    }

    /// Closes the connection permanently: later calls throw an error.
    func close() {
        isClosed = true
        disconnect()
    }
}

extension StorageChanges {
    /// Uses the server's rows as bases of the changes, if they were not written after commit
    /// `number`.
    fileprivate mutating func loadBases(_ reader: PostgresReader, notAfter number: Int64) throws {
        let rows = try reader.rows(of: ids, notAfter: number)
        func take(_ kind: (some ListEntity).Type) {
            for row in rows[kind].upserts { self[kind][row.id]?.before = row }
        }
        for kind in Kinds.all { take(kind) }
    }
}
