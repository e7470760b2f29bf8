import FoundationEssentials
import Glibc
import SheafStorage

/// A list on a PostgreSQL server, as `--store` names it: a connection URI of libpq with `list` as
/// an additional parameter.
///
///     try PostgresURL("postgresql://anna@db.example.org/lists?list=home", environment: [:])
///
/// The form is that of libpq (PostgreSQL 15, 34.1.1.2), including several hosts. A text with a
/// password is refused, so that no password can appear in a title, a log or a file name.
package struct PostgresURL: Hashable, Sendable, CustomStringConvertible {
    /// The original text, which has no password.
    package let description: String
    /// The URI for libpq: the text without `list`.
    package let connection: String
    /// The names of the parameters for libpq.
    let parameters: [String]
    /// The reference to the list: a UUID, `NAME` or `OWNER/NAME`. `nil` means the only list on the
    /// server.
    package let list: String?
    /// The first host, or `nil` for a socket on this machine.
    package let host: String?
    /// True if the URL sets the use of TLS. An empty value, with which libpq would verify nothing,
    /// does not count.
    package let setsTLS: Bool
    /// True if the URL names several hosts. Only one of them accepts writes.
    package let hasSeveralHosts: Bool
    /// A key that is equal for all URLs of one list and user that differ only in parameters of the
    /// connection.
    package let identity: String
    /// The hosts and ports before the database in the URL. Empty if parameters name another server.
    let authority: String
    /// The name of the list in messages, as short as possible.
    let location: String
    /// The parameter that sets the use of TLS, preceded by `&`, or an empty string.
    let tls: String

    /// Returns true if `text` has the scheme of a PostgreSQL URL.
    package static func hasScheme(_ text: String) -> Bool { scheme(of: text) != nil }

    private static func scheme(of text: String) -> String? {
        let lowercased = text.prefix(13).lowercased()
        return ["postgresql://", "postgres://"].first { lowercased.hasPrefix($0) }
    }

    /// - Throws: `StoreURLError` if `text` is not such a URL, or has a password. The error does not
    ///   repeat the text, because that may contain a password.
    package init(_ text: String, environment: [String: String]) throws(StoreURLError) {
        guard let scheme = Self.scheme(of: text) else {
            throw StoreURLError("a list on a server is postgresql://HOST/DATABASE?list=NAME")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw StoreURLError(
                "the URL of a server has a space or a control character; write it as %20")
        }
        let rest = text.dropFirst(scheme.count)
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let at = path[0].lastIndex(of: "@")
        let user = at.map { String(path[0][..<$0]) }
        let hosts = at.map { path[0][path[0].index(after: $0)...] } ?? path[0]
        if let user, user.contains(":") { throw Self.password() }
        // If a password contains a slash or a question mark, the authority ends early, and the
        // beginning of the password is in the place of a port.
        let areHosts = Self.areHosts(hosts)
        let isCut = rest[path[0].endIndex...].contains("@") && !areHosts
        if isCut || path.count > 1 && path[1].contains("@") { throw Self.password() }
        guard areHosts else {
            throw StoreURLError(
                "what follows a host in the URL of a server must be a port, as in h:5432 or"
                    + " [::1]:5432")
        }
        guard Self.text(parts[0]) != nil else { throw Self.percent() }
        let parameters = try Self.parameters(parts.count > 1 ? parts[1] : "")
        guard parameters.count(where: { $0.name == "list" }) < 2 else {
            throw StoreURLError("the URL names two lists; name one")
        }
        list = try Self.list(parameters.first { $0.name == "list" }?.value)
        let others = parameters.filter { $0.name != "list" }
        self.parameters = others.map(\.name)
        let elsewhere = others.contains { ["host", "hostaddr", "port"].contains($0.name) }
        authority = elsewhere ? "" : String(hosts)
        var connection = scheme + parts[0]
        if !others.isEmpty {
            connection += "?" + others.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        }
        self.connection = connection
        description = text
        let places = Self.hosts(hosts, others, environment)
        host = places.first { !$0.isEmpty && !$0.hasPrefix("/") }
        hasSeveralHosts = places.count > 1
        let mode = others.last { $0.name == "sslmode" }?.value ?? ""
        setsTLS = !mode.isEmpty
        let names = ["user", "host", "hostaddr", "port", "dbname", "service"]
        let reaching = others.filter { names.contains($0.name) }
            .map { "\($0.name)=\($0.value)" }.sorted()
        location =
            "\(scheme)\(parts[0])" + (list.map { "?list=\($0.urlPart)" } ?? "")
        tls = mode.isEmpty ? "" : "&sslmode=\(mode)"
        identity =
            "postgresql://\(parts[0])?\((reaching + ["list=\(list ?? "")"]).joined(separator: "&"))"
    }

    /// The parameters of libpq that contain secrets. libpq decodes their percent-encoded names.
    static let secrets: Set = [
        "password", "sslpassword", "scram_client_key", "scram_server_key", "oauth_client_secret",
    ]

    private static func parameters(
        _ text: Substring
    ) throws(StoreURLError) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        for parameter in text.split(separator: "&") {
            let sides = parameter.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, !sides[0].isEmpty else { throw form() }
            guard let name = Self.text(sides[0]), Self.text(sides[1]) != nil else {
                throw percent()
            }
            if secrets.contains(name.lowercased()) { throw password() }
            guard name != "replication" else {
                throw StoreURLError("a list needs an ordinary connection; leave out replication=")
            }
            // libpq would read such a value as another parameter.
            if sides[1].contains("="), name != "list" { throw form() }
            parameters.append((name, String(sides[1])))
        }
        return parameters
    }

    /// Returns true if `text` is a list of hosts, each with or without a port after a colon.
    private static func areHosts(_ text: Substring) -> Bool {
        text.split(separator: ",").allSatisfy { host in
            var port = host.drop { $0 != ":" }
            if host.hasPrefix("[") {
                guard let end = host.firstIndex(of: "]"), !host.hasPrefix("[]") else {
                    return false
                }
                port = host[end...].dropFirst()
                guard port.isEmpty || port.hasPrefix(":") else { return false }
            }
            return port.dropFirst().utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
        }
    }

    /// Returns the decoded text of a part of a URL, or `nil` if libpq would not accept it.
    private static func text(_ part: Substring) -> String? {
        String(urlPart: part).flatMap { $0.utf8.contains(0) ? nil : $0 }
    }

    private static func form() -> StoreURLError {
        StoreURLError(
            "what follows the ? in the URL of a server must be NAME=VALUE&NAME=VALUE…, with %3D for"
                + " = in a value")
    }

    private static func percent() -> StoreURLError {
        StoreURLError(
            "a % in the URL of a server must begin a byte of UTF-8 other than 00, as %20 does for a"
                + " space")
    }

    private static func list(_ value: String?) throws(StoreURLError) -> String? {
        guard let value else { return nil }
        guard let name = text(Substring(value)), !name.isEmpty else {
            throw StoreURLError("list= in the URL needs the name of a list, such as list=home")
        }
        return name
    }

    /// Returns the hosts that libpq tries: those of the parameters, of the authority, or of the
    /// environment. An address takes precedence over a name, which is then used only to verify the
    /// certificate.
    private static func hosts(
        _ authority: Substring, _ parameters: [(name: String, value: String)],
        _ environment: [String: String]
    ) -> [String] {
        func given(_ name: String, _ variable: String) -> String? {
            parameters.last { $0.name == name }?.value
                ?? environment[variable].flatMap {
                    $0.isEmpty ? nil : $0
                }
        }
        let isNamed = !authority.isEmpty && !parameters.contains { $0.name == "host" }
        let named = isNamed ? String(authority) : given("host", "PGHOST")
        let text = given("hostaddr", "PGHOSTADDR") ?? named ?? ""
        return text.split(separator: ",", omittingEmptySubsequences: false).map { host in
            let host = String(urlPart: host) ?? String(host)
            if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
            if host.hasPrefix("/") || host.count(where: { $0 == ":" }) > 1 { return host }
            return String(host.prefix { $0 != ":" })
        }
    }

    /// Returns true if `host` is this machine: a socket, a loopback address, or `localhost` if that
    /// resolves only to such addresses.
    static func isLocal(_ host: String) -> Bool {
        if host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") { return true }
        return host.lowercased() == "localhost"
            ? addresses(of: host).allSatisfy(isLoopback) : isLoopback(host)
    }

    /// Returns true for 127.0.0.0/8 and `::1`, but not for a name that begins like one.
    private static func isLoopback(_ address: String) -> Bool {
        if address == "::1" { return true }
        var number = in_addr()
        guard inet_pton(AF_INET, address, &number) == 1 else { return false }
        return UInt32(bigEndian: number.s_addr) >> 24 == 127
    }

    /// Returns the addresses to which the system resolves a name, or none.
    static func addresses(of name: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        return sequence(first: list) { $0?.pointee.ai_next }.compactMap(\.self).compactMap {
            entry in
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let size = socklen_t(text.count)
            guard
                getnameinfo(
                    entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, size, nil, 0,
                    NI_NUMERICHOST) == 0
            else { return nil }
            return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        }
    }

    private static func password() -> StoreURLError {
        StoreURLError(
            "others could read a password in the URL; leave it out and put it into ~/.pgpass"
                + " (a line HOST:PORT:DATABASE:USER:PASSWORD; chmod 600 ~/.pgpass)")
    }

    /// Returns the URL of another list on the same server.
    package func naming(list: String) -> String {
        let separator = connection.contains("?") ? "&" : "?"
        return "\(connection)\(separator)list=\(list.urlPart)"
    }
}

extension PostgresURL {
    /// Returns the title for the header: `home on db.example.org`.
    ///
    /// - Parameter name: The name of the list, if it is known.
    func title(of name: String?) -> String {
        let name = name ?? list.map { String($0.split(separator: "/").last ?? "") } ?? "list"
        return "\(name) on \(host ?? "this machine")"
    }
}
