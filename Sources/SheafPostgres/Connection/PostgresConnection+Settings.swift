import CLibPQ
import FoundationEssentials
import Glibc
import SheafStorage

/// The parameters of connections, from URLs, the environment and service files.
extension PostgresConnection {
    /// Sheaf's defaults of parameters that a URL need not set. Times are in seconds, except the
    /// last, which is in milliseconds.
    private static let defaults = [
        ("application_name", "sheaf"), ("connect_timeout", "4"), ("keepalives", "1"),
        ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
        ("tcp_user_timeout", "5000"),
    ]

    /// Returns the non-nil results of `body`, by the names of the parameters. Frees `options`.
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

    /// Returns the parameters that have a value. Frees `options`.
    private static func values(of options: UnsafeMutablePointer<CPQoption>?) -> [String: String] {
        each(of: options) { $0.val.map { String(cString: $0) } }.filter { !$0.value.isEmpty }
    }

    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    // MARK: A URL

    /// Returns the parameters of a connection to `url`. `given` has the parameters to pass to
    /// libpq. `resolved` also has those that libpq takes from the environment and from service
    /// files. No host name is resolved.
    ///
    /// - Throws: `StoreURLError` if a parameter is invalid, regardless of its source.
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
        if !url.setsTLS, !PostgresHosts.areLocal(resolved) { given["sslmode"] = "verify-full" }
        resolved["sslmode"] = given["sslmode"] ?? resolved["sslmode"]
        try checkCertificate(resolved, given)
        if url.hasSeveralHosts, given["target_session_attrs"] == nil {
            given["target_session_attrs"] = "read-write"
        }
        return (given, resolved)
    }

    /// Returns the server, the database, the role and the list reference to which a URL leads,
    /// taking the environment and service files into account. The result is equal for URLs that
    /// lead to the same place. Without libpq, it is the URL's ``PostgresURL/identity``.
    ///
    /// - Throws: `StoreURLError` if a parameter is invalid, regardless of its source.
    static func destination(of url: PostgresURL) throws(StoreURLError) -> String {
        guard CPQload() == nil else { return url.identity }
        let resolved = try parameters(of: url).resolved
        let parts = ["user", "host", "hostaddr", "port", "dbname"].map {
            "\($0)=\(resolved[$0] ?? "")"
        }
        return (parts + ["list=\(url.list ?? "")"]).joined(separator: "&")
    }

    /// Returns the role, the host and the port to which a URL leads, in the form for messages.
    /// Returns an empty string without libpq.
    ///
    /// - Throws: See ``destination(of:)``.
    static func address(of url: PostgresURL) throws(StoreURLError) -> String {
        guard CPQload() == nil else { return "" }
        let resolved = try parameters(of: url).resolved
        let host = resolved["hostaddr"] ?? resolved["host"] ?? "localhost"
        return "\(resolved["user"] ?? "")@\(host):\(resolved["port"] ?? "5432")"
    }

    /// Returns the error for a URL that libpq rejects: ``PostgresURL`` has checked everything but
    /// the names.
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

    /// Returns `given` with the parameters that libpq adds.
    ///
    /// libpq reports these parameters only for a connection object. So this function creates one in
    /// which one parameter has an invalid value. libpq refuses that value after it has checked all
    /// others, and before it resolves a host. The true value of that parameter is read from a
    /// second object.
    ///
    /// - Throws: `StoreURLError` if a parameter is invalid.
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
        // The message of libpq may be in any language.
        guard objection.contains(refusedValue) else {
            let wrong = resolved.filter { name, value in
                !PostgresURL.secrets.contains(name) && objection.contains(name)
                    && objection.contains(value)
            }.max { $0.key.count < $1.key.count }
            throw StoreURLError(
                wrong.map { "\(source($0, $1, given)) is not a value of this parameter" }
                    ?? "the parameters of the server contradict each other: \(objection)")
        }
        return resolved
    }

    private static let refusedValue = "refused by Sheaf"

    /// Returns the parameters of a connection that libpq refuses, and its message. The cause is the
    /// invalid value of `name`, unless libpq refuses another parameter first.
    private static func attempt(
        _ given: [String: String], refusing name: String
    ) -> (values: [String: String], objection: String) {
        do {
            let handle = try connect(given.merging([name: refusedValue]) { $1 })
            defer { CPQfinish(handle) }
            return (values(of: CPQconninfo(handle)), PostgresFailure(of: handle).message)
        } catch {
            // The allocation failed.
            return ([:], "")
        }
    }

    /// Refuses a service file that is not a regular file, because libpq reads it to the end, and a
    /// device may have no end.
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
            "there is no service “\(service)”: correct its name, or its entry in \(file)")
    }

    /// Returns the description of a parameter for errors, including its source.
    static func source(_ name: String, _ value: String, _ given: [String: String]) -> String {
        if given[name] == value { return "\(name)=\(value) in the URL" }
        let variables = each(of: CPQconndefaults()) { $0.envvar.map { String(cString: $0) } }
        if let known = variables[name], variable(known) == value {
            return "\(known)=\(value) in the environment"
        }
        return "\(name)=\(value) of the service"
    }

    // MARK: Failures

    /// Returns the failure of a connection, and names a password file that libpq refused to read.
    /// libpq itself only prints this to stderr.
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
            failure.message = "the password file \(path) is readable by others, so it is ignored"
        }
        return failure
    }
}
