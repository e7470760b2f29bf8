import CLibPQ
import FoundationEssentials
import Glibc

/// The parameters of connections, from URLs and the environment.
extension PostgresConnection {
    /// The parameters that a URL need not set: seconds, and milliseconds for the last.
    private static let defaults = [
        ("application_name", "sheaf"), ("connect_timeout", "4"), ("keepalives", "1"),
        ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
        ("tcp_user_timeout", "5000"),
    ]

    /// The parameters that libpq takes from the environment and from the service file that it
    /// names.
    private static func environmentDefaults() -> [String: String] {
        // Without memory for them: a host that is not local, so that the server is verified.
        guard let options = CPQconndefaults() else { return ["host": "unknown.invalid"] }
        defer { CPQconninfoFree(options) }
        return values(of: options)
    }

    private static func values(of options: UnsafeMutablePointer<CPQoption>) -> [String: String] {
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                values[String(cString: keyword)] = String(cString: value)
            }
            option += 1
        }
        return values
    }

    /// libpq reads a service file to its end, which a device may not have.
    private static func checkServiceFile(_ settings: [String: String]) throws {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        guard settings["service"] ?? variable("PGSERVICE") != nil,
            let path = variable("PGSERVICEFILE")
        else { return }
        var information = stat()
        guard stat(path, &information) == 0, information.st_mode & S_IFMT != S_IFREG else { return }
        throw PostgresFailure("PGSERVICEFILE is \(path), which is not a file of services")
    }

    static func settings(of url: PostgresURL) throws -> [String: String] {
        var problem: UnsafeMutablePointer<CChar>?
        guard let options = CPQconninfoParse(url.connection, &problem) else {
            defer { CPQfreemem(problem) }
            let text = problem.map { String(cString: $0) } ?? ""
            throw PostgresFailure(state: "22023", PostgresFailure.line(text))
        }
        defer { CPQconninfoFree(options) }
        var settings = values(of: options)
        for (keyword, value) in defaults where settings[keyword] == nil {
            settings[keyword] = value
        }
        try checkServiceFile(settings)
        let inherited = environmentDefaults()
        if !url.namesTLS, !PostgresHosts.areLocal(settings, defaults: inherited) {
            settings["sslmode"] = "verify-full"
        }
        // Without row security no list can be read; the last of several options counts. Sent only
        // beside others, because poolers refuse options.
        if let options = settings["options"] ?? inherited["options"], !options.isEmpty {
            settings["options"] = options + " -c row_security=on"
        }
        if url.hasSeveralHosts, settings["target_session_attrs"] == nil {
            settings["target_session_attrs"] = "read-write"
        }
        return settings
    }

    /// The server, the database, the role and the reference that a URL leads to, environment
    /// included: equal for URLs that lead to the same place. The URL itself if libpq does not take
    /// it. No host is resolved.
    static func destination(of url: PostgresURL) -> String {
        let settings: [String: String]
        do {
            guard CPQload() == nil else { return url.identity }
            settings = try Self.settings(of: url)
        } catch {
            return url.identity
        }
        let inherited = environmentDefaults()
        let names = ["user", "host", "hostaddr", "port", "dbname", "service"]
        let parts = names.map { "\($0)=\(settings[$0] ?? inherited[$0] ?? "")" }
        return (parts + ["list=\(url.list ?? "")"]).joined(separator: "&")
    }

    /// Names a password file that libpq refused to read. libpq itself prints that to stderr only.
    static func failure(
        of handle: OpaquePointer, _ settings: [String: String]
    ) -> PostgresFailure {
        var failure = PostgresFailure(of: handle)
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        let path =
            settings["passfile"] ?? variable("PGPASSFILE") ?? "\(variable("HOME") ?? "")/.pgpass"
        var information = stat()
        if failure.message == "no password supplied", stat(path, &information) == 0,
            information.st_mode & 0o077 != 0
        {
            failure.message = "the password file \(path) is open to others, and so not read"
        }
        return failure
    }
}
