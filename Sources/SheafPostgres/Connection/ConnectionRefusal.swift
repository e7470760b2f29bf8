import SheafList

/// The reason why a connection was refused. It is recognized in the message of libpq or of the
/// server, because a failed connection gives no other information. The user or an administrator
/// must correct the cause, so the reason is shown at once, although the connection is retried.
///
/// A message in another language is not recognized. It is shown as it is, and the connection is
/// retried.
struct ConnectionRefusal {
    private var words: [String]
    var code: StorageError.Code
    /// The reason to show instead of the message, or `nil`.
    var reason: String?
    /// - Parameter login: `HOST:PORT:DATABASE:USER` of the connection.
    var advice: @Sendable (_ login: String) -> String

    private init(
        _ words: String..., code: StorageError.Code = .cannotOpen, reason: String? = nil,
        advice: @escaping @Sendable (_ login: String) -> String
    ) {
        self.words = words
        self.code = code
        self.reason = reason
        self.advice = advice
    }

    /// Returns the refusal that `message` describes, or `nil` if the message is not recognized. Its
    /// cause may then be temporary.
    static func of(_ message: String) -> ConnectionRefusal? {
        let text = message.lowercased()
        return all.first { $0.words.allSatisfy(text.contains) }
    }

    /// The known refusals. If two match, the first applies.
    private static let all = [
        ConnectionRefusal("pg_hba.conf") { _ in
            "The server's administrator allows this role from this machine: a line in pg_hba.conf,"
                + " then a reload."
        },
        ConnectionRefusal("role \"", "does not exist") { _ in
            "Name your role on the server in the URL: postgresql://ROLE@HOST/DATABASE."
        },
        ConnectionRefusal("not permitted to log in") { _ in
            "The server's administrator allows it with: ALTER ROLE … LOGIN."
        },
        // libpq passes these variables to the server, which alone can check their values.
        ConnectionRefusal("parameter \"timezone\"", code: .usage, advice: variable("PGTZ")),
        ConnectionRefusal("parameter \"datestyle\"", code: .usage, advice: variable("PGDATESTYLE")),
        ConnectionRefusal("parameter \"geqo\"", code: .usage, advice: variable("PGGEQO")),
        ConnectionRefusal("parameter \"", code: .usage, advice: options),
        ConnectionRefusal("command-line argument", code: .usage, advice: options),
        ConnectionRefusal("requires a value", code: .usage, advice: options),
        ConnectionRefusal("actual peer user name") { _ in
            "Another user runs the server: correct requirepeer= in the URL, or PGREQUIREPEER."
        },
        ConnectionRefusal("gssapi encryption required") { _ in
            "Get a ticket with kinit, or set gssencmode=prefer in the URL."
        },
        ConnectionRefusal("channel binding required") { _ in
            "Connect by TLS as a role with a password, or set channel_binding=prefer in the URL."
        },
        ConnectionRefusal("password") { pgpass($0) },
        ConnectionRefusal("authentication failed") { _ in
            "The server requires another method than a password: see its pg_hba.conf, or name a"
                + " host in the URL."
        },
        ConnectionRefusal("does not match host name") { _ in
            "Name the server in the URL as its certificate does."
        },
        // The message for an expired certificate has no more details.
        ConnectionRefusal("certificate verify failed") { _ in
            "The server's certificate has expired, or ~/.postgresql/root.crt is not that of its"
                + " authority. Ask the server's administrator for a new one, or name the right file"
                + " with sslrootcert= in the URL."
        },
        ConnectionRefusal("read certificate file") { _ in
            "Correct sslcert= in the URL, or PGSSLCERT; without it ~/.postgresql/postgresql.crt is"
                + " sent."
        },
        ConnectionRefusal("private key") { _ in
            "Correct sslkey= in the URL, or PGSSLKEY, and chmod 600 the file; or leave out sslcert."
        },
        // Does not look for "SSL", which the message for a broken connection also contains,
        // although a certificate does not help there.
        ConnectionRefusal("certificate") { _ in
            "The certificate of a server on another machine is verified: put its authority's"
                + " certificate into ~/.postgresql/root.crt, or name the file with sslrootcert="
                + " in the URL."
        },
        ConnectionRefusal("not support ssl") { _ in
            "The server's administrator sets ssl = on and installs a certificate."
        },
        ConnectionRefusal("permission denied to set", advice: options),
        ConnectionRefusal("permission denied") { _ in
            "The server's administrator allows it with: GRANT CONNECT ON DATABASE."
        },
        ConnectionRefusal("database \"", "does not exist", code: .notFound) { _ in
            "Correct its name in the URL, or ask the server's administrator to create it: createdb."
        },
        ConnectionRefusal(
            "remaining connection slots", code: .busy, reason: noneFree, advice: connections),
        ConnectionRefusal("too many clients", code: .busy, reason: noneFree, advice: connections),
        ConnectionRefusal("could not access file") { _ in
            "Ask the server's administrator to correct the settings of the server or of the role."
        },
        ConnectionRefusal(
            "no such file or directory", code: .busy, reason: noServer
        ) { _ in
            "Start PostgreSQL, correct the host or the port, or name another server in the URL:"
                + " postgresql://HOST/DATABASE?list=NAME"
        },
        ConnectionRefusal("connection refused", code: .busy) { _ in
            "No server listens there: start it, or correct the host or the port in the URL."
        },
        ConnectionRefusal(
            "session is read-only", code: .busy, reason: standby
        ) { _ in
            "Ask the servers' administrator to promote one, so that it accepts writes. PGOPTIONS"
                + " can also make the connection read-only."
        },
        ConnectionRefusal("timeout expired", code: .busy, reason: "the server does not answer") {
            _ in
            "Connect this machine to the server's network, or correct the host or the port in the"
                + " URL."
        },
        ConnectionRefusal("could not translate host name", code: .busy) { _ in
            "Correct the host in the URL, or connect this machine to its network."
        },
    ]

    static let standby = "the server is a standby, or set to read-only"

    static let noServer = "no server listens there"

    private static let noneFree = "the server has no free connection"

    private static func variable(_ name: String) -> @Sendable (_ login: String) -> String {
        { login in
            guard let value = PostgresConnection.variable(name) else { return options(login) }
            return "Correct \(name)=\(value) in the environment."
        }
    }

    private static func options(_: String) -> String {
        "Correct options= in the URL, or PGOPTIONS."
    }

    private static func connections(_: String) -> String {
        "Close a screen, or ask the server's administrator to raise max_connections."
    }

    static func pgpass(_ login: String) -> String {
        for name in ["PGPASSWORD", "PGPASSFILE"] where PostgresConnection.variable(name) != nil {
            return "Correct \(name), or unset it and put the role's password into ~/.pgpass, as"
                + " \(login):PASSWORD."
        }
        return
            "Put the role's password into ~/.pgpass, as \(login):PASSWORD, and chmod 600 ~/.pgpass."
    }
}
