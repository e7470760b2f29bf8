import CLibPQ
import FoundationEssentials
import Glibc
import SheafStorage

/// The parameters of connections, from URLs, the environment and service files.
extension PostgresConnection {
    /// The parameters that a URL need not set: seconds, and milliseconds for the last.
    private static let defaults = [
        ("application_name", "sheaf"), ("connect_timeout", "4"), ("keepalives", "1"),
        ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
        ("tcp_user_timeout", "5000"),
    ]

    /// The results of `body` by the names of the parameters, without nil.
    private static func each(
        of options: UnsafeMutablePointer<CPQoption>?, _ body: (CPQoption) -> String?
    ) -> [String: String] {
        var results: [String: String] = [:]
        defer { CPQconninfoFree(options) }
        var next = options
        while let option = next?.pointee, let keyword = option.keyword {
            results[String(cString: keyword)] = body(option)
            next? += 1
        }
        return results
    }

    /// The parameters that have a value. Frees `options`.
    private static func values(of options: UnsafeMutablePointer<CPQoption>?) -> [String: String] {
        each(of: options) { $0.val.map { String(cString: $0) } }.filter { !$0.value.isEmpty }
    }

    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    // MARK: A URL

    /// The parameters of a connection to `url`: `given` for libpq, and `resolved`, which adds those
    /// that libpq takes from the environment and from service files. No host is resolved.
    ///
    /// - Throws: `StoreURLError` if a parameter is wrong, wherever it comes from.
    static func parameters(
        of url: PostgresURL
    ) throws(StoreURLError) -> (given: [String: String], resolved: [String: String]) {
        guard let options = CPQconninfoParse(url.connection, nil) else { throw unknown(in: url) }
        // libpq ignores empty values.
        var given = values(of: options)
        for (keyword, value) in defaults where given[keyword] == nil {
            given[keyword] = value
        }
        var resolved = try resolved(given)
        if !url.namesTLS, !PostgresHosts.areLocal(resolved) { given["sslmode"] = "verify-full" }
        resolved["sslmode"] = given["sslmode"] ?? resolved["sslmode"]
        try checkCertificate(resolved, given)
        if url.hasSeveralHosts, given["target_session_attrs"] == nil {
            given["target_session_attrs"] = "read-write"
        }
        return (given, resolved)
    }

    /// The server, the database, the role and the reference that a URL leads to, environment and
    /// service files included: equal for URLs that lead to the same place. The URL itself where
    /// there is no libpq.
    ///
    /// - Throws: `StoreURLError` if a parameter is wrong, wherever it comes from.
    static func destination(of url: PostgresURL) throws(StoreURLError) -> String {
        guard CPQload() == nil else { return url.identity }
        let resolved = try parameters(of: url).resolved
        let parts = ["user", "host", "hostaddr", "port", "dbname"].map {
            "\($0)=\(resolved[$0] ?? "")"
        }
        return (parts + ["list=\(url.list ?? "")"]).joined(separator: "&")
    }

    /// The role, the host and the port that a URL leads to, as messages name them. Nothing where
    /// there is no libpq.
    ///
    /// - Throws: as ``destination(of:)``.
    static func address(of url: PostgresURL) throws(StoreURLError) -> String {
        guard CPQload() == nil else { return "" }
        let resolved = try parameters(of: url).resolved
        let host = resolved["hostaddr"] ?? resolved["host"] ?? "localhost"
        return "\(resolved["user"] ?? "")@\(host):\(resolved["port"] ?? "5432")"
    }

    /// The error of a URL that libpq does not read: ``PostgresURL`` has checked all but the names.
    private static func unknown(in url: PostgresURL) -> StoreURLError {
        let known = each(of: CPQconndefaults()) { _ in "" }
        guard let name = url.parameters.first(where: { known[$0] == nil }) else {
            return StoreURLError(
                "the URL of a server is postgresql://[ROLE@]HOST[:PORT]/DATABASE?list=NAME")
        }
        return StoreURLError(
            "the URL of a server has no parameter “\(name)”; correct its name, or leave it out")
    }

    // MARK: Environment and services

    /// `given` with the parameters that libpq adds to it.
    ///
    /// libpq tells them of a connection object alone. So one is made with a value that libpq
    /// refuses after it has checked all others, and before it resolves a host. The parameter that
    /// has this value is read from a second one.
    ///
    /// - Throws: `StoreURLError` if one is wrong.
    private static func resolved(
        _ given: [String: String]
    ) throws(StoreURLError) -> [String: String] {
        try checkServiceFile(given)
        let last = "target_session_attrs"
        var (resolved, objection) = attempt(given, refusing: last)
        guard resolved[last] != nil else { throw unusableService(given) }
        resolved[last] = attempt(given, refusing: "sslmode").values[last]
        for (name, value) in resolved.sorted(by: { $0.key < $1.key }) {
            try check(name, value, given)
        }
        try checkLists(resolved, given)
        // libpq may speak any language.
        guard objection.contains(refusedValue) else {
            let wrong = resolved.filter { name, value in
                !PostgresURL.secrets.contains(name) && objection.contains(name)
                    && objection.contains(value)
            }.max { $0.key.count < $1.key.count }
            throw StoreURLError(
                wrong.map { "\(source($0, $1, given)) is not a value that this parameter has" }
                    ?? "the parameters of the server do not fit: \(objection)")
        }
        return resolved
    }

    private static let refusedValue = "refused by Sheaf"

    /// The parameters of a connection that libpq refuses, for `name` at the latest, and the reason.
    private static func attempt(
        _ given: [String: String], refusing name: String
    ) -> (values: [String: String], objection: String) {
        do {
            let handle = try connect(given.merging([name: refusedValue]) { $1 })
            defer { CPQfinish(handle) }
            return (values(of: CPQconninfo(handle)), PostgresFailure(of: handle).message)
        } catch {
            // There is no memory.
            return ([:], "")
        }
    }

    /// libpq reads a service file to its end, which a device may not have.
    private static func checkServiceFile(_ given: [String: String]) throws(StoreURLError) {
        guard given["service"] ?? variable("PGSERVICE") != nil,
            let path = variable("PGSERVICEFILE")
                ?? variable("HOME").map({ "\($0)/.pg_service.conf" }),
            isNoFile(path)
        else { return }
        throw StoreURLError("\(path) is not a file of services; correct it, or PGSERVICEFILE")
    }

    private static func unusableService(_ given: [String: String]) -> StoreURLError {
        let service = given["service"] ?? variable("PGSERVICE") ?? ""
        let file = variable("PGSERVICEFILE") ?? "~/.pg_service.conf"
        return StoreURLError(
            "there is no service “\(service)”: correct its name, or what \(file) says of it")
    }

    /// A parameter as an error names it, with where it comes from.
    static func source(_ name: String, _ value: String, _ given: [String: String]) -> String {
        if given[name] == value { return "\(name)=\(value) in the URL" }
        let variables = each(of: CPQconndefaults()) { $0.envvar.map { String(cString: $0) } }
        if let known = variables[name], variable(known) == value {
            return "\(known)=\(value) in the environment"
        }
        return "\(name)=\(value) of the service"
    }

    // MARK: Failures

    /// Names a password file that libpq refused to read. libpq itself prints that to stderr only.
    static func failure(
        of handle: OpaquePointer, _ settings: [String: String]
    ) -> PostgresFailure {
        var failure = PostgresFailure(of: handle)
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
