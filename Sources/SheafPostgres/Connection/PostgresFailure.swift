import CLibPQ
import SheafList

/// A failure of a request to a server, with its SQLSTATE (PostgreSQL 15, appendix A), or a failure
/// of the connection.
struct PostgresFailure: Error {
    /// The five characters of the SQLSTATE, or `nil` if the connection failed.
    var state: String?
    /// The message of the server or the library, in one line.
    var message: String
    /// The server, the database and the role of the connection, in the form of `~/.pgpass`.
    var login = "HOST:PORT:DATABASE:USER"
    /// The path of the socket to which the connection failed, or `nil`.
    private var socket: String?
    /// True if the server did not answer in time.
    var isTimeout = false

    /// True if the connection cannot be used any more. The connection of a dropped role stays open,
    /// but every query fails because the role does not exist (42704).
    var isOfConnection: Bool {
        guard let state else { return true }
        return state.hasPrefix("08")
            || ["57P01", "57P02", "57P03", "57P05", "42704"].contains(state)
    }

    /// True if the commit may succeed after merging with the present rows, because a concurrent
    /// transaction came first.
    var isConflict: Bool { state == "40001" || state == "40P01" }

    /// True if a row itself was refused: by a constraint of the tables, a value that its column
    /// cannot hold, or a size that an index cannot hold.
    var isOfRow: Bool {
        guard let state else { return false }
        return state.hasPrefix("22") || state.hasPrefix("23") || ["54000", "42804"].contains(state)
    }

    /// True if the server process does not know a prepared statement.
    var isOfStatement: Bool { state == "26000" }

    /// True if the server accepts no writes on the connection, but another one may.
    var isOfStandby: Bool { state == "25006" }

    /// True if PostgreSQL itself refused the role, and not one of Sheaf's functions. A right to the
    /// schema or its tables, which Sheaf grants to every role, has then been revoked.
    var isOfGrant: Bool {
        state == "42501" && !Self.membershipRefusals.contains(where: message.hasPrefix)
    }

    /// The prefixes of the messages with which `MembershipFunctions` refuses a role, also with
    /// SQLSTATE 42501.
    private static let membershipRefusals = [
        "no right to write this list", "only an owner of the list ",
    ]

    /// Returns the error for the user of the list at `location`.
    func error(at location: String) -> StorageError {
        guard let state else { return connectionError(at: location) }
        switch state {
        case "42501" where isOfGrant:
            return StorageError(
                .cannotOpen, at: location,
                reason: "your role has no right to Sheaf's tables (\(message))",
                advice: "The server's administrator restores it with: sheaf share init")
        case "42501":
            return StorageError(
                .readOnly, at: location, reason: "you have no right to change this list",
                advice: "Ask an owner of the list for: sheaf share invite YOU write")
        case "25006": return Self.readOnly(at: location)
        case Self.askedReadOnly:
            return StorageError(
                .readOnly, at: location,
                reason: "PGOPTIONS, or the URL, asks the server for a read-only connection")
        case "28000", "28P01":
            return StorageError(
                .cannotOpen, at: location, reason: message,
                advice: ConnectionRefusal.pgpass(login))
        case "3D000":
            return StorageError(.notFound, at: location, reason: message)
        case "42883": return Self.older(at: location)
        case "3F000", "42P01":
            return StorageError(
                .notFound, at: location, reason: "the database has no lists",
                advice: "Its owner sets them up with: sheaf share init")
        case "53100":
            return StorageError(.full, at: location, reason: "the server's disk is full")
        case "53300", Self.waiting: return StorageError(.busy, at: location, reason: message)
        case "57014" where message.contains("statement timeout"):
            return StorageError(
                .busy, at: location, reason: message,
                advice:
                    "Set a longer statement_timeout in PGOPTIONS or the URL, or have the server's"
                    + " administrator set one for your role.")
        case "55P03":
            return StorageError(
                .busy, at: location, reason: "another transaction has locked the list",
                advice: "The server's administrator ends it with: SELECT pg_terminate_backend(PID)")
        case "42704":
            return StorageError(.cannotOpen, at: location, reason: "your role was dropped")
        case _ where isOfConnection:
            return StorageError(.busy, at: location, reason: message)
        case Self.noLibrary:
            return StorageError(
                .cannotOpen, at: location, reason: message,
                advice: "Lists on servers need PostgreSQL's client library. Install it (Debian:"
                    + " apt-get install libpq5).")
        case "SHV01":
            return StorageError(
                .newer, at: location, reason: "a newer version of Sheaf set up this server",
                advice: "Update Sheaf.")
        case "SHV04":
            return StorageError(
                .readOnly, at: location, reason: message,
                advice: "If you trust that role with every list, run sheaf share init as that role."
                    + " If not, export all lists, ask the server's administrator to drop"
                    + " the schema sheaf, and run it again")
        case "SHV05":
            return StorageError(
                .constraint, at: location, reason: message,
                advice:
                    "Choose another name, or have an owner of that list invite you. The server's"
                    + " administrator frees the name with: UPDATE sheaf.lists SET name = 'OTHER'"
                    + " WHERE id = 'ID'")
        case "SHV02": return Self.older(at: location)
        case Self.noRight:
            return StorageError(
                .denied, at: location, reason: "you may no longer read this list",
                advice: "Ask its owner for: sheaf share invite YOU read|write.")
        case _ where isOfRow: return StorageError(.constraint, at: location, reason: message)
        default: return StorageError(.io, at: location, reason: message)
        }
    }

    /// Returns an error that allows a retry, because a standby can be promoted.
    static func readOnly(at location: String) -> StorageError {
        StorageError(.busy, at: location, reason: ConnectionRefusal.standby)
    }

    static func older(at location: String) -> StorageError {
        StorageError(
            .readOnly, at: location, reason: "an older version of Sheaf set up this server",
            advice: "Its owner upgrades it with: sheaf share init")
    }

    /// The state of a read without a right to the list, or of a list that no longer exists. The
    /// server does not distinguish the two.
    static let noRight = "SHV06"
    /// The state of a connection that was requested as read-only. No server uses it.
    static let askedReadOnly = "SHV07"
    /// The state of a commit that waits for other transactions. No server uses it.
    static let waiting = "SHV03"
    /// The state of a machine without libpq. No server uses it.
    static let noLibrary = "SHV00"

    private func connectionError(at location: String) -> StorageError {
        let refusal = ConnectionRefusal.of(message)
        var reason = refusal?.reason ?? message
        if reason == ConnectionRefusal.noServer, let socket {
            reason = "no server listens at \(socket)"
        }
        return StorageError(
            refusal?.code ?? .busy, at: location, reason: reason, advice: refusal?.advice(login))
    }

    /// Creates the failure of a result.
    init(of result: OpaquePointer?, on connection: OpaquePointer) {
        if let result {
            state = CPQresultErrorField(result, Int32(CPQ_DIAG_SQLSTATE)).map {
                String(cString: $0)
            }
            if let text = CPQresultErrorField(result, Int32(CPQ_DIAG_MESSAGE_PRIMARY)) {
                message = Self.line(String(cString: text))
                return
            }
        }
        message = Self.sentence(CPQerrorMessage(connection))
    }

    /// Creates the failure of a connection that was not made, or that broke.
    init(of connection: OpaquePointer?) {
        message = Self.sentence(connection.flatMap { CPQerrorMessage($0) })
        guard let connection else { return }
        login = Self.login(of: connection)
        if let host = CPQhost(connection), host.pointee == UInt8(ascii: "/") {
            let port = CPQport(connection).map { String(cString: $0) } ?? ""
            socket = Self.line("\(String(cString: host))/.s.PGSQL.\(port.isEmpty ? "5432" : port)")
        }
    }

    /// Returns the login of a connection. A socket is `localhost` in `~/.pgpass`.
    private static func login(of connection: OpaquePointer) -> String {
        let words = [
            CPQhost(connection), CPQport(connection), CPQdb(connection), CPQuser(connection),
        ].map { $0.map { String(cString: $0) } ?? "" }
        let host = words[0].isEmpty || words[0].hasPrefix("/") ? "localhost" : words[0]
        let port = words[1].isEmpty ? "5432" : words[1]
        return [host, port, words[2], words[3]].map {
            line($0.replacing("\\", with: "\\\\").replacing(":", with: "\\:"))
        }.joined(separator: ":")
    }

    init(state: String? = nil, _ message: String) {
        self.state = state
        self.message = message
    }

    static var timedOut: PostgresFailure {
        var failure = PostgresFailure("the server does not answer")
        failure.isTimeout = true
        return failure
    }

    /// The failure of a transaction whose wait for the standby was cancelled. Its outcome is
    /// unknown, as after a lost answer: a failover may undo it.
    static var missingStandby: PostgresFailure {
        PostgresFailure("the server stopped waiting for its standby")
    }

    private static func sentence(_ text: UnsafeMutablePointer<CChar>?) -> String {
        let text = text.map { String(cString: $0) } ?? ""
        return text.isEmpty ? "the connection to the server was lost" : line(text)
    }

    /// Returns the last line that gives a reason, without the address before it. libpq tries
    /// several addresses, and reports a line for each, followed by details and hints.
    static func line(_ text: String) -> String {
        let lines = text.split(separator: "\n").filter { line in
            !["\t", "DETAIL:", "HINT:"].contains { line.hasPrefix($0) }
        }
        let attempts = lines.filter { $0.contains("failed: ") }
        // libpq retries without TLS. If the server requires TLS, that error hides the first one.
        let reason =
            attempts.last { !$0.contains(", no encryption") } ?? attempts.last ?? lines.last
        var line = String(reason ?? "unknown error")
        for head in ["failed: ", "FATAL:  ", "ERROR:  ", "fe_sendauth: "] {
            if let range = line.ranges(of: head).last { line = String(line[range.upperBound...]) }
        }
        let shown = line.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        return String(String.UnicodeScalarView(shown.prefix(200)))
    }
}
