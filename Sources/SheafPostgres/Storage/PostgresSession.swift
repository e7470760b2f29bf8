import FoundationEssentials
import SheafList
import SheafStorage

/// One list on a server, through one connection at a time: what is known of it outlives the
/// connection.
///
/// Not safe by itself: ``PostgresStorage`` calls it on its queue alone, which is what `@unchecked`
/// rests on. Its calls throw `StorageError`.
final class PostgresSession: @unchecked Sendable {
    let url: PostgresURL
    /// The list that the URL leads to, for those who keep its logs.
    private let server: ServerList?
    private let remembered: RememberedLists
    private let mode: OpenMode
    private(set) var connection: PostgresConnection?
    /// The list, as it was when it was last looked at.
    private(set) var list: ListRow?
    /// The list and its database, as the first connection found them. A dump takes the list along:
    /// another database with it is another list.
    private var identity: ServerList.Identity?
    /// Why the server took no writes when the list was opened, and still does not; nil if it takes
    /// them. The list is then read-only. A server that stops taking writes later only fails
    /// commits: editing goes on.
    private var readOnlyFailure: PostgresFailure?
    private var isOnReadOnlyServer: Bool { readOnlyFailure != nil }
    /// When the server first refused a commit on this connection because it takes no writes.
    private var refusedAt: ContinuousClock.Instant?
    /// Why the list cannot be written to.
    private var refusal: StorageError?
    /// The same in sentences.
    var readOnlyReason: String? {
        refusal.map { refusal in
            let reason = refusal.reason.prefix(1).uppercased() + refusal.reason.dropFirst() + "."
            return refusal.advice.map { "\(reason) \($0)" } ?? reason
        }
    }
    /// Called with each new connection, and with nil when it is gone.
    var onConnection: (PostgresConnection?) -> Void = { _ in }
    /// Called when another process has told of a commit meanwhile.
    var onNews: () -> Void = {}
    /// Whether notifications are wanted.
    var listens = false
    /// True if the server sends them. A standby does not while it is in recovery.
    private(set) var isNotified = false

    private var reader: PostgresReader?
    private var writer: PostgresWriter
    /// The number up to which others' commits are known here.
    private var known: Int64?
    private var history = PostgresHistory()
    /// Whether the server lacks commits that this process has made or seen. The next fetch then
    /// reads the whole list, and reports entities that the server lacks as deleted.
    private var isSetBack = false
    /// A sentence for the user that has not been shown.
    var notice: String?
    /// Whether the right to read was missing when the list was last asked for. That it is back is
    /// news, though there may be no new commit.
    private var wasDenied = false
    /// Items of others that have been read and not handed on.
    private var backlog: [Item] = []
    private var backlogAuthors: [UUID: Author] = [:]
    /// Whether the tables were those of an older version when they were last looked at.
    private var readsOlder = false
    private var page: PageAhead?
    /// True if reads are parts of one transaction, which no other connection continues.
    private var isInSnapshot = false
    private var isClosed = false
    /// What every call is told until a moment, without trying.
    private var lastFailure: (error: StorageError, until: ContinuousClock.Instant)?

    private static let pageAhead = 20_000
    private static let mostFetched = 2_000

    init(_ url: PostgresURL, at server: ServerList? = nil, mode: OpenMode) {
        self.url = url
        self.server = server
        remembered = RememberedLists(of: server)
        self.mode = mode
        writer = PostgresWriter()
        server?.nextBatch = writer.nextBatch
    }

    /// True if it is known which list the URL leads to, from this connection or an earlier one.
    var isIdentified: Bool { server.map { $0.identity != nil } ?? (list != nil) }

    /// True if a commit was sent whose answer was lost.
    var isUnsure: Bool { writer.isUnsure }

    // MARK: Connecting

    /// Connects, unless it is connected: see ``connected()``.
    func connect() throws(StorageError) { _ = try connected() }

    /// The reads on the connection, made first if there is none. A server that has just refused
    /// one is not asked again at once.
    private func connected() throws(StorageError) -> PostgresReader {
        guard !isClosed else {
            throw StorageError(.cannotOpen, at: url.location, reason: "the list is closed")
        }
        if let reader { return reader }
        guard !isInSnapshot else {
            throw StorageError(
                .busy, at: url.location, reason: "the connection broke while the list was read")
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
        // "Saved" means that it survives a crash of the server, and that the standby has it.
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
        judge(row)
        try compareHistory(reader)
        if history.numbers.isEmpty, let id = row.lastCommit {
            history.add(row.lastNumber, id, StorageChanges(), isOwn: false)
        }
        if let known, row.lastNumber < known { self.known = row.lastNumber }
        if known == nil { known = row.lastNumber }
        onConnection(connection)
        return reader
    }

    /// Checks that a connection leads to the list that this session or the last run had.
    ///
    /// - Throws: `StorageError` if it does not. It is `.busy` for another database, in whose place
    ///   the right one may answer again.
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

    /// Begins to hear of others' commits, where there is a connection.
    func listen() throws {
        listens = true
        guard let connection, let list else { return }
        try guarded { _ in try listen(to: list.id, on: connection) }
    }

    /// Asks for notifications, unless the server is in recovery, where LISTEN fails.
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

    /// Takes in what the server says of the list.
    private func judge(_ row: ListRow) {
        list = row
        let isOlder = row.version < PostgresSchema.version
        if readsOlder, !isOlder { beginAnew(row) }
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

    /// Goes on with tables that were upgraded: what has been read of them lacks columns, so all of
    /// it is news, and no row is written over by one that lacks some.
    private func beginAnew(_ row: ListRow) {
        if let connection {
            reader = PostgresReader(connection: connection, list: row.id, schema: .current)
        }
        writer.beginAnew()
        history = PostgresHistory()
        page = nil
        known = 0
    }

    /// Ends the connection; the next call makes another one.
    func disconnect() {
        guard connection != nil else { return }
        onConnection(nil)
        reader = nil
        connection = nil
        page = nil
    }

    /// Runs `body` on the connection. One that turns out to be gone is given up.
    private func guarded<T>(_ body: (PostgresReader) throws -> T) throws -> T {
        // Also after a failure: the log must not give two commits one name.
        defer { server?.nextBatch = writer.nextBatch }
        let reader = try connected()
        defer { if reader.connection.takeNotifications() { onNews() } }
        do {
            return try body(reader)
        } catch {
            let failure = error as? PostgresFailure
            let error = self.error(error)
            if error.code == .denied { wasDenied = true }
            // Nothing can be said of what a connection has left that broke within a pipeline.
            // One that takes no writes any more is left for another of the hosts.
            if let failure, failure.isOfConnection || failure.isOfStandby && url.hasSeveralHosts {
                disconnect()
            }
            // What has waited behind this is not to wait for each host as well before it is told.
            if failure?.isSilence ?? false { lastFailure = (error, .now + .seconds(2)) }
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

    /// A page; from the second one on the server is asked for many at once.
    func loadItems(after cursor: ItemPosition?, limit: Int) throws -> [Item] {
        guard limit > 0 else { return [] }
        if let page = take(limit, after: cursor) { return page }
        return try guarded { reader in
            guard let cursor else { return try reader.items(after: nil, limit: limit) }
            let count = max(limit, Self.pageAhead)
            let items = try reader.items(after: cursor, limit: count)
            page = PageAhead(items: items[...], cursor: cursor, isLast: items.count < count)
            return take(limit, after: cursor) ?? []
        }
    }

    private func take(_ limit: Int, after cursor: ItemPosition?) -> [Item]? {
        let taken = page?.take(limit, after: cursor)
        if page?.isUsedUp == true { page = nil }
        return taken
    }

    // MARK: What others do

    /// Whether the list may have something that has not been fetched. Asks the server.
    func hasNews() -> Bool {
        do {
            let row = try guarded { reader in
                // What is on another of the hosts by now would never be seen here.
                if url.hasSeveralHosts { try reader.expectWrites() }
                // A standby may have been promoted.
                if listens, !isNotified { try listen(to: reader.list, on: reader.connection) }
                return try look(reader)
            }
            // A setting of the role or the database changes for new connections alone.
            if isOnReadOnlyServer, isNotified { disconnect() }
            // The list went back under this connection. The next one compares the commits.
            if let known, row.lastNumber < known { disconnect() }
            // Whether the server takes writes is known; the user's right may be another one.
            let mayBeWritable = readOnlyReason != nil && !isOnReadOnlyServer
            let isNews = row.lastNumber != known || isSetBack || mayBeWritable || wasDenied
            wasDenied = false
            if mode != .readOnly || readOnlyReason == nil { judge(row) }
            return isNews
        } catch {
            // The fetch tells why.
            return true
        }
    }

    /// Looks again whether the list can be written to.
    func reconsiderAccess() {
        do { judge(try guarded(look)) } catch { return }
    }

    /// Reads the list's own row. Asks a server that took no writes whether it does by now.
    private func look(_ reader: PostgresReader) throws -> ListRow {
        if isOnReadOnlyServer { readOnlyFailure = try reader.readOnlyFailure() }
        return try reader.row()
    }

    func changesOfOthers() throws -> (
        fetched: FetchedChanges<StorageChanges>, remaining: Set<UUID>?
    ) {
        guard backlog.isEmpty else { return (fetchedOfBacklog(StorageChanges()), nil) }
        return try guarded { reader in
            let news = try reader.news(after: known ?? 0, client: writer.client)
            let readOlder = readsOlder
            judge(news.row)
            if readOlder, !readsOlder { return try changesOfOthers() }
            let remaining = news.forgets || isSetBack ? try reader.everyID() : nil
            isSetBack = false
            if news.row.lastNumber != known {
                known = news.row.lastNumber
                page = nil
                if let id = news.row.lastCommit {
                    history.add(news.row.lastNumber, id, news.changes, isOwn: false)
                }
            }
            var changes = news.changes
            backlog = changes.items.upserts
            backlogAuthors = changes.authors
            changes.items = EntityChanges(upserts: [], deletions: changes.items.deletions)
            var fetched = fetchedOfBacklog(changes)
            // An edit of others may be newer than the commit whose answer was lost.
            let made = try writer.takeMade(reader)
            if !made.isEmpty { fetched.confirmed = made }
            return (fetched, remaining)
        }
    }

    private func fetchedOfBacklog(_ changes: StorageChanges) -> FetchedChanges<StorageChanges> {
        var changes = changes
        let page = backlog.prefix(Self.mostFetched)
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
                // Asked for without changes, it tells whether the list can still be written to.
                if changes.isEmpty { judge(try look(reader)) }
                if let refusal {
                    if isOnReadOnlyServer { refusedAt = refusedAt ?? .now }
                    throw refusal
                }
                guard !changes.isEmpty else { return CommitResult() }
                return try write(changes, reader)
            }
        } catch var error as StorageError where writer.isUnsure {
            error.isUnsure = true
            error.advice = "The edit may have been saved: look at the list before you try again."
            throw error
        }
    }

    /// Ends a connection that refused a commit because it takes no writes: the end of a setting of
    /// the role or the database reaches new connections alone.
    ///
    /// A commit that follows at once stays on it: with each new connection the list is fetched, and
    /// the pipeline tries again after a fetch.
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
            if !outcome.result.isBehind, !isSetBack { known = commit.number }
        }
        return outcome.result
    }

    private func committed(
        _ changes: StorageChanges, _ reader: PostgresReader
    ) throws -> PostgresWriter.Outcome {
        // Ask during the wait, so that the question does not delay the message.
        var reason: String?
        reader.connection.onSilence = { [url] in reason = Self.reasonForWaiting(at: url) }
        defer { reader.connection.onSilence = nil }
        do {
            return try writer.commit(changes, reader, known: known ?? 0)
        } catch var failure as PostgresFailure
            where failure.isSilence || failure.state == "55P03"
        {
            guard let reason else { throw failure }
            failure.message = reason
            if !failure.isSilence { failure.state = PostgresFailure.waiting }
            throw failure
        } catch let failure as PostgresFailure where failure.isOfStandby {
            refusedAt = refusedAt ?? .now
            throw failure
        } catch let failure as PostgresFailure where failure.state == "42501" && !failure.isOfGrant
        {
            // The right to write is gone, or the right to read, too.
            judge(try reader.row())
            throw refusal ?? failure
        }
    }

    /// The reason why a commit waits, or nil if that cannot be learned: by a connection of its own,
    /// because on one that waits for an answer nothing else can be asked.
    private static func reasonForWaiting(at url: PostgresURL) -> String? {
        do {
            let connection = try PostgresConnection(url, isBrief: true)
            return try PostgresReader.reasonForWaiting(on: connection)
        } catch {
            return nil
        }
    }

    /// Sends again what a server has lost that was committed or seen here.
    private func compareHistory(_ reader: PostgresReader) throws {
        guard !history.numbers.isEmpty else { return }
        let commits = try reader.commits(history.numbers)
        guard !history.isWhole(in: commits) else { return }
        let shared = history.lastShared(with: commits) ?? (history.numbers[0] - 1)
        var copy = history
        var lost = copy.takeLost(after: shared)
        // What a row was before is what the server has, if nobody has written it since.
        try lost.changes.takeBases(reader, notAfter: shared)
        // All that is written from here on is news: what was merged shows on this screen, too.
        writer.beginAnew()
        known = 0
        isSetBack = true
        notice = "The server went back to an earlier state; edits of others may be missing"
        guard !lost.changes.isEmpty, readOnlyReason == nil else {
            history = copy
            return
        }
        let outcome = try writer.sendAgain(lost, reader, after: shared)
        writer.beginAnew()
        if let commit = outcome.commit {
            copy.add(commit.number, commit.id, outcome.written, isOwn: true)
        }
        history = copy
    }

    /// A sentence for the user, also about how the list was found if the server was away at first.
    func takeNotice() -> String? {
        defer { notice = nil }
        return notice ?? server?.takeNotice()
    }

    /// Ends the connection for good: later calls throw.
    func close() {
        isClosed = true
        disconnect()
    }
}

extension StorageChanges {
    /// Takes as bases the rows that the server has had since commit `number` at the latest.
    fileprivate mutating func takeBases(_ reader: PostgresReader, notAfter number: Int64) throws {
        let rows = try reader.rows(of: ids, notAfter: number)
        func take(_ kind: (some ListEntity).Type) {
            for row in rows[kind].upserts { self[kind][row.id]?.before = row }
        }
        for kind in Kinds.all { take(kind) }
    }
}
