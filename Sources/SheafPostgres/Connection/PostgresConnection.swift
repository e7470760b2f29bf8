import CLibPQ
import FoundationEssentials
import Glibc
import SheafList

/// One connection to a server. Its calls block, at most for the connection's timeout.
///
/// This class is not thread-safe: its owner calls it on one queue. It has its own deadlines,
/// because `tcp_user_timeout` detects a lost network only during a query, keepalives detect it only
/// between queries, and neither detects a stopped server process.
final class PostgresConnection {
    /// A query with parameters in text form; `nil` stands for NULL.
    struct Query {
        var text: String
        var parameters: [String?] = []
    }

    enum Verification { case none, certificate, certificateAndName }

    private let handle: OpaquePointer
    /// True after a transaction was committed without the standby for which it waited. The
    /// connection's answers do not count as confirmed from then on.
    private let missesStandby: UnsafeMutablePointer<Bool>
    let url: PostgresURL
    /// The verification of the server, if the connection is encrypted.
    let verification: Verification
    /// The names of prepared statements, by their texts.
    private var statements: [String: String] = [:]
    private var preparesStatements = true

    /// The maximum time without any answer to a request.
    private let timeout: Duration
    /// Called when the server has been silent for five seconds, or for half of a shorter
    /// ``timeout``. The function may use most of the remaining time, but must not use this
    /// connection.
    var onDelay: (() -> Void)?

    /// Connects. This can wait for name resolution and for each host in turn.
    ///
    /// - Parameter isBrief: True to limit the wait to two seconds for each host and for each
    ///   answer.
    /// - Throws: ``PostgresFailure``, or `StoreURLError` if a parameter is invalid.
    init(_ url: PostgresURL, isBrief: Bool = false) throws {
        self.url = url
        timeout = .seconds(isBrief ? 2 : 10)
        if let problem = CPQload() {
            throw PostgresFailure(state: PostgresFailure.noLibrary, String(cString: problem))
        }
        var (settings, resolved) = try Self.parameters(of: url)
        verification = Self.verification(by: resolved)
        settings["client_encoding"] = "UTF8"
        // libpq raises one second to two.
        if isBrief { settings["connect_timeout"] = "2" }
        handle = try Self.connect(inTurn: PostgresHosts.each(of: settings))
        missesStandby = .allocate(capacity: 1)
        missesStandby.initialize(to: false)
        guard CPQstatus(handle) == Int32(CPQ_CONNECTION_OK) else {
            // `deinit` releases the failed connection.
            throw Self.failure(of: handle, settings)
        }
        guard url.setsTLS || isLocal || tls != nil else {
            throw PostgresFailure(
                state: "08P01",
                "the connection to \(host) is not encrypted, and was closed before any list was read"
            )
        }
        CPQwatchNotices(handle, missesStandby)
        CPQsetnonblocking(handle, 1)
        // These settings override those of the server. `ROLE NONE` uses the rights of the login
        // role. With another search path, other roles could substitute functions that a query
        // calls. Warnings report commits that the standby lacks. The connection check cancels the
        // queries of a client that has ended, which could otherwise run after its retry.
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

    /// Returns a connection made with the first settings that succeed, or the failed one of the
    /// last settings.
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

    /// Returns the rows of one query.
    ///
    /// - Throws: ``PostgresFailure``.
    func rows(_ text: String, _ parameters: [String?] = []) throws -> PostgresResult {
        try send(Query(text: text, parameters: parameters))
        let deadline = Deadline(timeout + Self.extra(for: parameters))
        let result = try next(deadline)
        let failure = try failureAfterRows(deadline)
        let rows = try Self.rows(result, handle)
        if let failure { throw failure }
        return rows
    }

    /// Reads the end of a query after its rows, and returns its failure or nil. A transaction can
    /// fail at its commit, after the server's function has returned its row.
    private func failureAfterRows(_ deadline: Deadline) throws -> PostgresFailure? {
        var failure: PostgresFailure?
        while let more = try waited(deadline) {
            do { _ = try Self.rows(more, handle) } catch { failure = failure ?? error }
        }
        return failure
    }

    /// Returns the rows of several read-only queries, in one round trip.
    ///
    /// - Parameter arePrepared: True for queries that are repeated with other parameters, so that
    ///   the server parses and plans them only once.
    /// - Throws: ``PostgresFailure`` of the first query that fails.
    func rows(_ queries: [Query], arePrepared: Bool = false) throws -> [PostgresResult] {
        guard arePrepared, preparesStatements else {
            return try pipelined { try queries.map { try send($0) } }
        }
        do {
            return try pipelined { try queries.flatMap { try sendPrepared($0) } }
        } catch let failure as PostgresFailure where failure.isOfStatement {
            // A pooler has assigned another server process to this connection.
            preparesStatements = false
            return try rows(queries)
        }
    }

    /// Returns the rows of the queries that `send` sends, in one round trip.
    ///
    /// - Parameter send: Returns the purpose of each message that it sent.
    private func pipelined(_ send: () throws -> [Sent]) throws -> [PostgresResult] {
        guard CPQenterPipelineMode(handle) == 1 else { throw PostgresFailure(of: handle) }
        let sent = try send()
        guard CPQpipelineSync(handle) == 1 else { throw PostgresFailure(of: handle) }
        let deadline = Deadline(timeout)
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

    /// Runs statements without parameters, in order, in one transaction unless they contain
    /// transaction commands.
    ///
    /// - Throws: ``PostgresFailure``.
    func run(_ script: String) throws {
        guard CPQsendQuery(handle, script) == 1 else { throw PostgresFailure(of: handle) }
        let deadline = Deadline(timeout)
        var failure: PostgresFailure?
        while let result = try waited(deadline) {
            do { _ = try Self.rows(result, handle) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// The purpose of a message to the server.
    private enum Sent {
        case query
        /// Prepares a text under a name.
        case statement(String, name: String)
    }

    @discardableResult
    private func send(_ query: Query) throws -> Sent {
        try send(query) { count, values in
            CPQsendQueryParams(handle, query.text, count, nil, values, nil, nil, 1)
        }
    }

    /// Sends a query as the prepared statement for its text, and prepares that statement first if
    /// necessary.
    private func sendPrepared(_ query: Query) throws -> [Sent] {
        if let name = statements[query.text] { return [try send(query, as: name)] }
        // The name is unique, because a pooler may share the server process with other connections.
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

    /// Ends a transaction after an error. A connection whose query timed out accepts no more
    /// commands. The server rolls back when the connection closes, so a failure here is ignored.
    func rollBack() {
        do { try run("ROLLBACK") } catch {}
    }

    private func next(_ deadline: Deadline) throws -> OpaquePointer {
        guard let result = try waited(deadline) else { throw PostgresFailure(of: handle) }
        return result
    }

    /// Returns additional time: one second for each MB of parameters, because the server sends
    /// nothing while it processes them.
    private static func extra(for parameters: [String?]) -> Duration {
        .seconds(parameters.reduce(0) { $0 + ($1?.utf8.count ?? 0) } >> 20)
    }

    // MARK: Waiting

    /// Returns the next result, or `nil` after the last one.
    ///
    /// - Throws: ``PostgresFailure``, also at the end of a transaction that was committed without
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
            if let onDelay, try !wait(for: events, deadline.halved()) { onDelay() }
            guard try wait(for: events, deadline) else { throw PostgresFailure.timedOut }
            // Any progress shows that the server is available.
            deadline = deadline.restarted()
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

        func restarted() -> Deadline { Deadline(length) }
        /// Returns a deadline of half the length, at most 5 s, which is less than the timeout of
        /// locks.
        func halved() -> Deadline { Deadline(min(length / 2, .seconds(5))) }

        /// The remaining time, for `poll`.
        var milliseconds: Int32 {
            let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            return Int32(max(0, min(left.rounded(.up), 86_400_000)))
        }
    }

    // MARK: Hearing

    /// The descriptor to watch for input. It differs for each connection.
    var socket: Int32 { CPQsocket(handle) }

    /// Reads all input that arrived without a request.
    ///
    /// It reads up to the end of the stream, if the connection has closed: Dispatch on Linux
    /// reports the last data and the end in one event, and no other event follows
    /// (`_dispatch_event_merge_fd` in libdispatch's `event_epoll.c`).
    ///
    /// - Returns: True if the input contains a notification from another connection.
    /// - Throws: ``PostgresFailure`` if the connection has closed.
    func readNotifications() throws -> Bool {
        var isNews = false
        repeat {
            guard CPQconsumeInput(handle) == 1, CPQstatus(handle) == Int32(CPQ_CONNECTION_OK) else {
                throw PostgresFailure(of: handle)
            }
            isNews = takeNotifications() || isNews
        } while try wait(for: POLLIN, Deadline(.zero))
        return isNews
    }

    /// Removes the notifications that arrived with the answers to queries. Without this, they would
    /// be noticed only with the next input, because input that was already read does not make the
    /// socket readable again.
    ///
    /// - Returns: True if one is from another connection.
    func takeNotifications() -> Bool {
        var isNews = false
        while let notification = CPQnotifies(handle) {
            if notification.pointee.process != CPQbackendPID(handle) { isNews = true }
            CPQfreemem(notification)
        }
        return isNews
    }

    // MARK: Properties

    var serverVersion: Int { Int(CPQserverVersion(handle)) }
    var process: Int { Int(CPQbackendPID(handle)) }
    var user: String { CPQuser(handle).map { String(cString: $0) } ?? "" }
    var database: String { CPQdb(handle).map { String(cString: $0) } ?? "" }
    var host: String { CPQhost(handle).map { String(cString: $0) } ?? "" }
    var port: String { CPQport(handle).map { String(cString: $0) } ?? "" }

    /// The connected address, or an empty string for a socket. With `hostaddr` or `PGHOSTADDR`,
    /// ``host`` is only a name for it.
    var address: String { CPQhostaddr(handle).map { String(cString: $0) } ?? "" }

    /// True if the connected address is on this machine.
    var isLocal: Bool {
        PostgresURL.isLocal(address.isEmpty ? host : address)
    }

    /// The TLS version, such as `TLSv1.3`, or `nil` if the connection is not encrypted.
    var tls: String? {
        guard CPQsslInUse(handle) == 1 else { return nil }
        return CPQsslAttribute(handle, "protocol").map { String(cString: $0) } ?? "TLS"
    }

    /// Returns a parameter that the server reports: `server_encoding`, `is_superuser`.
    func parameter(_ name: String) -> String? {
        CPQparameterStatus(handle, name).map { String(cString: $0) }
    }
}
