import Dispatch
import FoundationEssentials
import SheafList
import SheafStorage
import SwiduxFiles

/// The examination of a list on a server by `sheaf doctor`: the connection and its security, the
/// list and its server, the rights of the role, replication, and poolers.
struct PostgresExamination: Sendable {
    private let url: PostgresURL
    private let list: ServerList

    /// - Parameter list: The list, which receives the identity that the examination finds.
    init(of url: PostgresURL, at list: ServerList) {
        self.url = url
        self.list = list
    }

    func run() async -> Diagnosis {
        await BlockingCalls.run(on: .global()) { examine() }
    }

    private func examine() -> Diagnosis {
        var diagnosis = Diagnosis()
        do {
            let connection = try PostgresConnection(url)
            try describe(connection, in: &diagnosis)
            try examineSchema(connection, in: &diagnosis)
            try examineNames(connection, in: &diagnosis)
            let row = try ListRow.named(
                url.list, on: connection,
                remembered: RememberedLists(in: list.state) { diagnosis.add(.warning, $0) })
            let identity = try row.identity(on: connection)
            list.found(identity)
            if !ListRow.namesCluster(identity.database) {
                diagnosis.add(
                    .note,
                    "the server cannot be told from a copy of it: \(connection.user) may not ask for"
                        + " the number of its cluster",
                    advice: "The server's administrator allows it with: GRANT EXECUTE ON FUNCTION"
                        + " pg_control_system() TO PUBLIC")
            }
            describe(row, connection, in: &diagnosis)
            guard row.version <= PostgresSchema.version else { return diagnosis }
            try count(row, connection, in: &diagnosis)
            try examineClock(connection, in: &diagnosis)
            try examineReplication(connection, in: &diagnosis)
            try examinePooler(connection, in: &diagnosis)
        } catch let failure as PostgresFailure {
            diagnosis.add(failure.error(at: url.location))
        } catch {
            diagnosis.add(error)
        }
        return diagnosis
    }

    private func describe(
        _ connection: PostgresConnection, in diagnosis: inout Diagnosis
    ) throws {
        let version = connection.serverVersion
        let server = "PostgreSQL \(version / 10_000).\(version % 10_000)"
        let (host, address) = (connection.host, connection.address)
        let place =
            host.isEmpty
            ? "this machine"
            : address.isEmpty || address == host ? host : "\(host) (\(address))"
        diagnosis.add(.fine, "\(server) on \(place), as \(connection.user)")
        if version < 130_000 {
            diagnosis.add(
                .warning, "the server is older than PostgreSQL 13, which lists need",
                advice: "Upgrade the server.")
        }
        var isForwarded = false
        if connection.isLocal {
            let (local, server) = try ends(of: connection)
            isForwarded = local != server
            diagnosis.add(
                isForwarded ? .note : .fine,
                "the connection goes to \(local)"
                    + (isForwarded
                        ? " on this machine, from where it is forwarded to \(server), perhaps on"
                            + " another machine"
                        : ", and appears to stay on this machine"))
        }
        let isOnThisMachine = connection.isLocal && !isForwarded
        if let tls = connection.tls {
            let encrypted = "the connection is encrypted (\(tls))"
            switch connection.verification {
            case .certificateAndName:
                diagnosis.add(.fine, "\(encrypted), and the server's certificate verified")
            case _ where isOnThisMachine: diagnosis.add(.fine, encrypted)
            case .certificate:
                diagnosis.add(
                    .warning,
                    "\(encrypted), and the server's certificate is verified, but not its name",
                    advice: "Without sslmode=verify-full, anyone on the way who has another"
                        + " certificate of the same authority can pose as the server.")
            case .none:
                diagnosis.add(
                    .warning, "\(encrypted), but the server is not verified",
                    advice: "Without sslmode=verify-full, anyone on the way can pose as the server."
                )
            }
        } else if isForwarded {
            diagnosis.add(
                .note, "the connection is not encrypted, unless by the tunnel that forwards it",
                advice: "If that is no tunnel, such as that of ssh -L, set sslmode=verify-full.")
        } else if !connection.isLocal {
            diagnosis.add(
                .warning, "the connection is not encrypted",
                advice: "Leave out sslmode= in the URL, so that the server is verified.")
        }
    }

    /// Returns the address and port of a connection to this machine, and those at which the server
    /// was reached. They differ if a tunnel listens on this machine. A remote server with the same
    /// address and port cannot be distinguished.
    private func ends(
        of connection: PostgresConnection
    ) throws -> (local: String, server: String) {
        func shown(_ address: String, _ port: String) -> String {
            address.isEmpty
                ? "a socket" : address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
        }
        let rows = try connection.rows("SELECT host(inet_server_addr()), inet_server_port()")
        let port = connection.port.isEmpty ? "5432" : connection.port
        return (
            shown(connection.address, port), shown(rows.text(0, 0), "\(rows.integer(0, 1))")
        )
    }

    /// Checks the owners and the rights of the schema, that it is complete, and that the numbers of
    /// the members' roles are valid.
    private func examineSchema(
        _ connection: PostgresConnection, in diagnosis: inout Diagnosis
    ) throws {
        let owners = try PostgresSchema.owners(on: connection)
        if owners.count > 1 {
            let parts = owners.map { "\($0.part) to \($0.role)" }.joined(separator: ", ")
            diagnosis.add(
                .warning,
                "several roles own parts of the schema sheaf, and each of them can read and change"
                    + " every list: \(parts)",
                advice: "The server's administrator drops the functions of a role that must not run"
                    + " Sheaf. If it owns a table or the schema: export the lists, drop the schema,"
                    + " and run sheaf share init.")
        }
        let privileged = try PostgresSchema.privileged(on: connection)
        if !privileged.isEmpty {
            diagnosis.add(
                .warning,
                "rights on the schema sheaf, which allow reading or changing lists of others, also"
                    + " belong to: \(privileged.joined(separator: ", "))",
                advice: "The server's administrator revokes them with: sheaf share init")
        }
        let rows = try connection.rows("SELECT max(version) FROM sheaf.about")
        guard rows.integer(0, 0) == Int64(PostgresSchema.version) else { return }
        let missing = try PostgresSchema.current.missing(on: connection)
        if !missing.isEmpty {
            diagnosis.add(
                .damage,
                "parts of the schema sheaf are missing, or may not be used by \(connection.user):"
                    + " \(missing.prefix(5).joined(separator: ", "))"
                    + (missing.count > 5 ? ", …" : ""),
                advice: "The server's administrator repairs it with: sheaf share init")
        }
        let void = try PostgresSchema.voidMembers(on: connection)
        if !void.isEmpty {
            let report = PostgresSchema.report(ofVoid: void)
            diagnosis.add(.warning, report.text, advice: report.advice)
        }
    }

    private func describe(
        _ row: ListRow, _ connection: PostgresConnection, in diagnosis: inout Diagnosis
    ) {
        if row.version > PostgresSchema.version {
            diagnosis.refusal = .newer
            diagnosis.add(
                .warning,
                "a newer version of Sheaf set up this server (\(row.version), this one"
                    + " knows \(PostgresSchema.version))", advice: "Update Sheaf.")
        } else if row.version < PostgresSchema.version {
            diagnosis.add(
                .warning,
                "an older version of Sheaf set up this server, so the list can only be read",
                advice: "Its owner upgrades it with: sheaf share init")
        } else {
            diagnosis.add(.fine, "tables of version \(row.version)")
        }
        switch row.right {
        case .own: diagnosis.add(.fine, "you own the list \(row.reference)")
        case .write: diagnosis.add(.fine, "you may change the list \(row.reference)")
        default:
            diagnosis.add(
                .note, "you may only read the list \(row.reference)",
                advice: "For more, \(row.owner) runs: sheaf share invite \(connection.user) write")
        }
    }

    /// Warns of lists whose names look like references to others. The owner of the tables can give
    /// such names.
    private func examineNames(
        _ connection: PostgresConnection, in diagnosis: inout Diagnosis
    ) throws {
        for row in try ListRow.all(on: connection) where !ListRow.isBare(row.name) {
            diagnosis.add(
                .warning,
                "a list of \(row.owner) is called \(row.name), like a reference to another list",
                advice: "Name it by its id: list=\(row.reference)")
        }
    }

    private func count(
        _ row: ListRow, _ connection: PostgresConnection, in diagnosis: inout Diagnosis
    ) throws {
        let rows = try connection.rows(
            """
            SELECT sheaf.count_items($1::uuid),
              (SELECT count(*) FROM sheaf.read_tags($1::uuid, -1, NULL)),
              (SELECT count(*) FROM sheaf.read_views($1::uuid, -1, NULL))
            """, [row.id.uuidString])
        diagnosis.addCounts(
            items: Int(rows.integer(0, 0)), tags: Int(rows.integer(0, 1)),
            views: Int(rows.integer(0, 2)))
    }

    /// Compares the clocks, because they decide which of two edits of a field is later.
    private func examineClock(
        _ connection: PostgresConnection, in diagnosis: inout Diagnosis
    ) throws {
        let before = Timestamp.now
        let rows = try connection.rows(
            "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        let after = Timestamp.now
        let server = Timestamp(milliseconds: rows.integer(0, 0))
        let ahead = server.milliseconds(since: after)
        let behind = before.milliseconds(since: server)
        if ahead > 5_000 || behind > 5_000 {
            let seconds = max(ahead, behind) / 1_000
            diagnosis.add(
                .warning,
                "this machine's clock is \(seconds) s \(ahead > 0 ? "behind" : "ahead of") the"
                    + " server's",
                advice: "Synchronize both by NTP: of two edits the later one is kept.")
        } else {
            let milliseconds = before.milliseconds(since: after) * -1
            diagnosis.add(
                .fine, "the clocks agree; the server answers in \(milliseconds) ms")
        }
    }

    private func examineReplication(
        _ connection: PostgresConnection, in diagnosis: inout Diagnosis
    ) throws {
        let rows = try connection.rows(
            """
            SELECT pg_is_in_recovery(), current_setting('synchronous_standby_names'),
              current_setting('fsync'), current_setting('default_transaction_read_only'),
              (SELECT source FROM pg_settings WHERE name = 'default_transaction_read_only'),
              \(PostgresReader.standbyIsDisconnected)
            """)
        if rows.flag(0, 0) {
            diagnosis.add(
                .warning, "the server is a standby, which cannot be written to",
                advice: "Name all servers in the URL: postgresql://ONE,TWO/DATABASE?list=NAME")
        }
        if rows.text(0, 3) == "on" {
            let isAsked = rows.text(0, 4) == "client"
            diagnosis.add(
                .warning,
                "\(isAsked ? "the connection" : "the server") is set to read-only, so nothing is saved",
                advice: isAsked
                    ? "Remove default_transaction_read_only = on from PGOPTIONS or the URL."
                    : "Ask its administrator to set default_transaction_read_only = off.")
        }
        let standbys = rows.text(0, 1)
        if rows.flag(0, 5) {
            diagnosis.add(
                .warning, "the synchronous standby is away (\(standbys)), so nothing is saved",
                advice: "Start it, or ask the server's administrator to set"
                    + " synchronous_standby_names = '' and reload.")
        } else if !rows.flag(0, 0) {
            diagnosis.add(
                .fine,
                standbys.isEmpty
                    ? "no synchronous standby: saved changes are on one server"
                    : "saved changes are also on a synchronous standby (\(standbys))")
        }
        if rows.text(0, 2) == "off" {
            diagnosis.add(
                .warning,
                "the server runs with fsync = off: a crash of its machine loses what is"
                    + " saved", advice: "Set fsync = on.")
        }
    }

    /// Detects a pooler. A pooler that assigns server processes per transaction drops a session's
    /// LISTEN. It is recognized because two idle connections have the same server process.
    private func examinePooler(
        _ connection: PostgresConnection, in diagnosis: inout Diagnosis
    ) throws {
        func server(_ connection: PostgresConnection) throws -> Int {
            Int(try connection.rows("SELECT pg_backend_pid()").integer(0, 0))
        }
        let first = try server(connection)
        if first == connection.process {
            diagnosis.add(.fine, "the connection uses no pooler")
        } else if try server(PostgresConnection(url)) == first || server(connection) != first {
            diagnosis.add(
                .warning,
                "the connection uses a pooler, which drops notifications: edits of others arrive"
                    + " only every 20 s",
                advice: "Use the pooler's session mode, or the server's own port.")
        } else {
            diagnosis.add(.fine, "the connection uses a pooler in session mode")
        }
    }
}
