import CLibPQ
import FoundationEssentials
import Glibc
import SheafList

/// One connection to a server, whose calls wait, each no longer than its patience.
///
/// Not safe by itself: whoever has it calls it on one queue. The deadline is our own: a network
/// that is gone is noticed by `tcp_user_timeout` while a query is outstanding and by keepalives
/// while none is, but a server process that is stopped by neither.
final class PostgresConnection {
    /// A query, with parameters in text; NULL where one is nil.
    struct Query {
        var text: String
        var parameters: [String?] = []
    }

    enum Verification { case none, certificate, certificateAndName }

    private let handle: OpaquePointer
    /// True once a transaction has been committed without the standby that it waited for. No answer
    /// of the connection is believed from then on.
    private let missesStandby: UnsafeMutablePointer<Bool>
    let url: PostgresURL
    /// How far the server was verified, if the connection is encrypted.
    let verification: Verification
    /// The names of what has been prepared, by its text.
    private var statements: [String: String] = [:]
    private var preparesStatements = true

    /// How long a server may be silent while something is asked of it.
    private let patience: Duration
    /// Called when the server has been silent for half of that. It may take most of the rest, but
    /// must not use this connection.
    var onSilence: (() -> Void)?

    /// Connects, which may wait for names to be resolved and for each host in turn.
    ///
    /// - Parameter isBrief: true if the caller cannot wait long: two seconds for each host, and for
    ///   each answer.
    /// - Throws: ``PostgresFailure``, or `StoreURLError` if a parameter is wrong.
    init(_ url: PostgresURL, isBrief: Bool = false) throws {
        self.url = url
        patience = .seconds(isBrief ? 2 : 10)
        if let problem = CPQload() {
            throw PostgresFailure(state: PostgresFailure.noLibrary, String(cString: problem))
        }
        var (settings, resolved) = try Self.parameters(of: url)
        verification = Self.verification(by: resolved)
        settings["client_encoding"] = "UTF8"
        // libpq takes one second for two.
        if isBrief { settings["connect_timeout"] = "2" }
        handle = try Self.connect(inTurn: PostgresHosts.each(of: settings))
        missesStandby = .allocate(capacity: 1)
        missesStandby.initialize(to: false)
        guard CPQstatus(handle) == Int32(CPQ_CONNECTION_OK) else {
            // `deinit` ends what is there of it.
            throw Self.failure(of: handle, settings)
        }
        guard url.namesTLS || isLocal || tls != nil else {
            throw PostgresFailure(
                state: "08P01",
                "the connection to \(host) is not encrypted, and was closed before any list was read"
            )
        }
        CPQwatchNotices(handle, missesStandby)
        CPQsetnonblocking(handle, 1)
        // Rights are those of the login, even where settings on the server put another role first.
        // Without a search path other roles could offer functions for those that a query calls.
        // Warnings tell of commits that the standby lacks; settings on the server may hide them.
        // The check of the connection ends the queries of a process that has ended, which could
        // otherwise run after a retry.
        try run(
            """
            SET ROLE NONE; SET search_path = pg_catalog; SET client_min_messages = warning;
            SELECT set_config('client_connection_check_interval', '1s', false)
              WHERE current_setting('client_connection_check_interval', true) = '0'
                AND version() LIKE '%linux%';
            """)
    }

    deinit {
        CPQfinish(handle)
        missesStandby.deallocate()
    }

    /// A connection by the first settings that make one, or what is there of the last.
    private static func connect(inTurn settings: [[String: String]]) throws -> OpaquePointer {
        for setting in settings.dropLast() {
            let handle = try connect(setting)
            if CPQstatus(handle) == Int32(CPQ_CONNECTION_OK) { return handle }
            CPQfinish(handle)
        }
        return try connect(settings.last ?? [:])
    }

    static func connect(_ settings: [String: String]) throws(PostgresFailure) -> OpaquePointer {
        let pairs = settings.sorted { $0.key < $1.key }
        let keywords = pairs.map { strdup($0.key) } + [nil]
        let values = pairs.map { strdup($0.value) } + [nil]
        defer { for text in keywords + values { free(text) } }
        let handle = keywords.map { UnsafePointer($0) }.withUnsafeBufferPointer { keywords in
            values.map { UnsafePointer($0) }.withUnsafeBufferPointer { values in
                CPQconnectdbParams(keywords.baseAddress, values.baseAddress, 0)
            }
        }
        guard let handle else { throw PostgresFailure("out of memory") }
        return handle
    }

    // MARK: Asking

    /// The rows of one query.
    ///
    /// - Throws: ``PostgresFailure``.
    func rows(_ text: String, _ parameters: [String?] = []) throws -> PostgresResult {
        try send(Query(text: text, parameters: parameters))
        let deadline = Deadline(patience + Self.extra(for: parameters))
        let result = try next(deadline)
        let failure = try failureAfterRows(deadline)
        let rows = try Self.rows(result, handle)
        if let failure { throw failure }
        return rows
    }

    /// Reads the end of a query after its rows. The transaction can fail as it is committed, when
    /// the function that wrote has returned its row already.
    private func failureAfterRows(_ deadline: Deadline) throws -> PostgresFailure? {
        var failure: PostgresFailure?
        while let more = try waited(deadline) {
            do { _ = try Self.rows(more, handle) } catch { failure = failure ?? error }
        }
        return failure
    }

    /// The rows of several queries that change nothing, in one round trip.
    ///
    /// - Parameter arePrepared: whether they are asked again and again, with other parameters: the
    ///   server then reads and plans them once.
    /// - Throws: ``PostgresFailure``, that of the first which fails.
    func rows(_ queries: [Query], arePrepared: Bool = false) throws -> [PostgresResult] {
        guard arePrepared, preparesStatements else {
            return try pipelined { try queries.map { try send($0) } }
        }
        do {
            return try pipelined { try queries.flatMap { try sendPrepared($0) } }
        } catch let failure as PostgresFailure where failure.isOfStatement {
            // A pooler has given this connection another server process.
            preparesStatements = false
            return try rows(queries)
        }
    }

    /// The rows of the queries that `send` sends, in one round trip.
    ///
    /// - Parameter send: returns what each message was for.
    private func pipelined(_ send: () throws -> [Sent]) throws -> [PostgresResult] {
        guard CPQenterPipelineMode(handle) == 1 else { throw PostgresFailure(of: handle) }
        let sent = try send()
        guard CPQpipelineSync(handle) == 1 else { throw PostgresFailure(of: handle) }
        let deadline = Deadline(patience)
        var results: [PostgresResult] = []
        var failure: PostgresFailure?
        for message in sent {
            let result = try next(deadline)
            if CPQresultStatus(result) == Int32(CPQ_PIPELINE_ABORTED) {
                CPQclear(result)
            } else {
                do {
                    let rows = try Self.rows(result, handle)
                    switch message {
                    case .query: results.append(rows)
                    case .statement(let text, let name): statements[text] = name
                    }
                } catch {
                    failure = failure ?? error
                }
            }
            while let more = try waited(deadline) { CPQclear(more) }
        }
        let end = try next(deadline)
        CPQclear(end)
        guard CPQexitPipelineMode(handle) == 1 else { throw PostgresFailure(of: handle) }
        if let failure { throw failure }
        return results
    }

    /// Runs statements without parameters, one after the other, in one transaction unless they say
    /// otherwise.
    ///
    /// - Throws: ``PostgresFailure``.
    func run(_ script: String) throws {
        guard CPQsendQuery(handle, script) == 1 else { throw PostgresFailure(of: handle) }
        let deadline = Deadline(patience)
        var failure: PostgresFailure?
        while let result = try waited(deadline) {
            do { _ = try Self.rows(result, handle) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// What a message to the server is for.
    private enum Sent {
        case query
        /// It prepares a text under a name.
        case statement(String, name: String)
    }

    @discardableResult
    private func send(_ query: Query) throws -> Sent {
        try send(query) { count, values in
            CPQsendQueryParams(handle, query.text, count, nil, values, nil, nil, 1)
        }
    }

    /// Sends a query by the name that its text has on this connection, and first what prepares it
    /// if it has none.
    private func sendPrepared(_ query: Query) throws -> [Sent] {
        if let name = statements[query.text] { return [try send(query, as: name)] }
        // Nobody else's, whoever else a pooler lets use the same server process.
        let name = "sheaf" + UUID.random().uuidString
        guard CPQsendPrepare(handle, name, query.text, 0, nil) == 1 else {
            throw PostgresFailure(of: handle)
        }
        return [.statement(query.text, name: name), try send(query, as: name)]
    }

    private func send(_ query: Query, as name: String) throws -> Sent {
        try send(query) { count, values in
            CPQsendQueryPrepared(handle, name, count, values, nil, nil, 1)
        }
    }

    private func send(
        _ query: Query, by send: (Int32, UnsafePointer<UnsafePointer<CChar>?>?) -> Int32
    ) throws -> Sent {
        let values = query.parameters.map { $0.map { strdup($0) } ?? nil }
        defer { for value in values { free(value) } }
        let isSent = values.map { UnsafePointer($0) }.withUnsafeBufferPointer {
            send(Int32($0.count), $0.baseAddress)
        }
        guard isSent == 1 else { throw PostgresFailure(of: handle) }
        return .query
    }

    private static func rows(
        _ result: OpaquePointer, _ handle: OpaquePointer
    ) throws(PostgresFailure) -> PostgresResult {
        switch CPQresultStatus(result) {
        case Int32(CPQ_TUPLES_OK), Int32(CPQ_COMMAND_OK), Int32(CPQ_EMPTY_QUERY):
            return PostgresResult(result)
        default:
            defer { CPQclear(result) }
            throw PostgresFailure(of: result, on: handle)
        }
    }

    /// Ends a transaction after an error. A connection whose query timed out takes no more
    /// commands; the server rolls back when it ends, so a failure here says nothing new.
    func rollBack() {
        do { try run("ROLLBACK") } catch {}
    }

    private func next(_ deadline: Deadline) throws -> OpaquePointer {
        guard let result = try waited(deadline) else { throw PostgresFailure(of: handle) }
        return result
    }

    /// A second for each MB that goes to the server, which it works on without a word.
    private static func extra(for parameters: [String?]) -> Duration {
        .seconds(parameters.reduce(0) { $0 + ($1?.utf8.count ?? 0) } >> 20)
    }

    // MARK: Waiting

    /// The next result of what was sent, or nil when there is no more.
    ///
    /// - Throws: ``PostgresFailure`` also at the end of a transaction that was committed without
    ///   the standby.
    private func waited(_ deadline: Deadline) throws -> OpaquePointer? {
        var deadline = deadline
        while true {
            let unsent = CPQflush(handle)
            guard unsent >= 0 else { throw PostgresFailure(of: handle) }
            guard unsent == 1 || CPQisBusy(handle) == 1 else {
                let result = CPQgetResult(handle)
                if result == nil, missesStandby.pointee { throw PostgresFailure.missingStandby }
                return result
            }
            let events = unsent == 1 ? POLLIN | POLLOUT : POLLIN
            if let onSilence, try !wait(for: events, deadline.halved()) { onSilence() }
            guard try wait(for: events, deadline) else { throw PostgresFailure.silence }
            // Whatever moves shows that it is there.
            deadline = deadline.begunAnew()
            guard CPQconsumeInput(handle) == 1 else { throw PostgresFailure(of: handle) }
        }
    }

    private func wait(for events: Int32, _ deadline: Deadline) throws -> Bool {
        var poller = pollfd(fd: CPQsocket(handle), events: Int16(events), revents: 0)
        guard poller.fd >= 0 else { throw PostgresFailure(of: handle) }
        while true {
            let count = poll(&poller, 1, deadline.milliseconds)
            if count > 0 { return true }
            if count == 0 { return false }
            guard errno == EINTR else { throw PostgresFailure(of: handle) }
        }
    }

    private struct Deadline {
        private let length: Duration
        private let end: ContinuousClock.Instant

        init(_ length: Duration) {
            self.length = length
            end = .now + length
        }

        func begunAnew() -> Deadline { Deadline(length) }
        /// Half of it, and less than locks are waited for.
        func halved() -> Deadline { Deadline(min(length / 2, .seconds(5))) }

        /// What is left, for `poll`.
        var milliseconds: Int32 {
            let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            return Int32(max(0, min(left.rounded(.up), 86_400_000)))
        }
    }

    // MARK: Hearing

    /// What to watch for input; another one after each connection.
    var socket: Int32 { CPQsocket(handle) }

    /// Takes in all that has come without being asked for.
    ///
    /// All of it, up to the end of the connection where it has ended: Dispatch on Linux tells of
    /// the last words and of the end in one event, after which there is no other
    /// (`_dispatch_event_merge_fd` in libdispatch's `event_epoll.c`).
    ///
    /// - Returns: whether somebody else's notification is among it.
    /// - Throws: ``PostgresFailure`` if the connection is gone.
    func heard() throws -> Bool {
        var isNews = false
        repeat {
            guard CPQconsumeInput(handle) == 1, CPQstatus(handle) == Int32(CPQ_CONNECTION_OK) else {
                throw PostgresFailure(of: handle)
            }
            isNews = takeNotifications() || isNews
        } while try wait(for: POLLIN, Deadline(.zero))
        return isNews
    }

    /// Takes the notifications out that came with the answers to queries: what has been read of a
    /// socket makes it readable no more.
    ///
    /// - Returns: whether somebody else's is among them.
    func takeNotifications() -> Bool {
        var isNews = false
        while let notification = CPQnotifies(handle) {
            if notification.pointee.process != CPQbackendPID(handle) { isNews = true }
            CPQfreemem(notification)
        }
        return isNews
    }

    // MARK: What it is

    var serverVersion: Int { Int(CPQserverVersion(handle)) }
    var process: Int { Int(CPQbackendPID(handle)) }
    var user: String { CPQuser(handle).map { String(cString: $0) } ?? "" }
    var database: String { CPQdb(handle).map { String(cString: $0) } ?? "" }
    var host: String { CPQhost(handle).map { String(cString: $0) } ?? "" }
    var port: String { CPQport(handle).map { String(cString: $0) } ?? "" }

    /// The address that is connected, or nothing for a socket. With `hostaddr` or `PGHOSTADDR`,
    /// ``host`` is only a name for it.
    var address: String { CPQhostaddr(handle).map { String(cString: $0) } ?? "" }

    /// True if the server is on this machine, by the address that is connected.
    var isLocal: Bool {
        PostgresURL.isLocal(address.isEmpty ? host : address)
    }

    /// `TLSv1.3`, or nil where the connection is not encrypted.
    var tls: String? {
        guard CPQsslInUse(handle) == 1 else { return nil }
        return CPQsslAttribute(handle, "protocol").map { String(cString: $0) } ?? "TLS"
    }

    /// What the server says of itself: `server_encoding`, `is_superuser`.
    func parameter(_ name: String) -> String? {
        CPQparameterStatus(handle, name).map { String(cString: $0) }
    }
}
