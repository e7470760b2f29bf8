import FoundationEssentials
import Glibc
import SheafStorage

/// A list on a PostgreSQL server, as `--store` names it: a connection URI of libpq with one
/// parameter of our own, `list`.
///
///     try PostgresURL("postgresql://anna@db.example.org/lists?list=home", environment: [:])
///
/// The form is that of libpq (PostgreSQL 15, 34.1.1.2), several hosts included. It holds no
/// password: one in the text is refused, so that none can show in a title, a log or a file name.
public struct PostgresURL: Hashable, Sendable, CustomStringConvertible {
    /// The text as it was given, which has no password.
    public let description: String
    /// What libpq is given: the same without `list`.
    public let connection: String
    /// What the list is called: a UUID, `NAME` or `OWNER/NAME`. Nil names the only one there is.
    public let list: String?
    /// The first host, or nil where it is this machine, by a socket.
    public let host: String?
    /// True if the URL says how TLS is to be used. An empty value, for which libpq would verify
    /// nothing, does not.
    public let namesTLS: Bool
    /// Whether it names several hosts, one of which takes writes.
    public let hasSeveralHosts: Bool
    /// What is equal for all spellings of one list by one user: without parameters that say how to
    /// reach it.
    public let identity: String
    /// The hosts and ports as the URL has them in front of the database; empty where parameters
    /// say another place.
    let authority: String
    /// What messages call it: as short as it can be.
    let place: String
    /// The parameter that says how TLS is to be used, with `&` before it, or nothing.
    let tls: String

    /// Whether `text` is such a URL.
    public static func isOne(_ text: String) -> Bool { scheme(of: text) != nil }

    private static func scheme(of text: String) -> String? {
        let lowercased = text.prefix(13).lowercased()
        return ["postgresql://", "postgres://"].first { lowercased.hasPrefix($0) }
    }

    /// - Throws: `StoreURLError` if `text` is no such URL, or has a password. It does not repeat
    ///   the text, which may have one.
    public init(_ text: String, environment: [String: String]) throws(StoreURLError) {
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
        // One with a slash in it cuts the authority short, and stands where a port does.
        guard Self.hasPorts(hosts), path.count == 1 || !path[1].contains("@") else {
            throw Self.password()
        }
        let parameters = try Self.parameters(parts.count > 1 ? parts[1] : "")
        guard parameters.count(where: { $0.name == "list" }) < 2 else {
            throw StoreURLError("the URL names two lists; name one")
        }
        list = try Self.list(parameters.first { $0.name == "list" }?.value)
        let others = parameters.filter { $0.name != "list" }
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
        namesTLS = !mode.isEmpty
        let names = ["user", "host", "hostaddr", "port", "dbname", "service"]
        let reaching = others.filter { names.contains($0.name) }
            .map { "\($0.name)=\($0.value)" }.sorted()
        place = "\(scheme)\(parts[0])" + (list.map { "?list=\(PercentText.encoded($0))" } ?? "")
        tls = mode.isEmpty ? "" : "&sslmode=\(mode)"
        identity =
            "postgresql://\(parts[0])?\((reaching + ["list=\(list ?? "")"]).joined(separator: "&"))"
    }

    /// What libpq takes a secret from. It reads names without their percent-encoding.
    private static let secrets: Set = [
        "password", "sslpassword", "scram_client_key", "scram_server_key", "oauth_client_secret",
    ]

    private static func parameters(
        _ text: Substring
    ) throws(StoreURLError) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        for parameter in text.split(separator: "&") {
            let sides = parameter.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, let name = PercentText.decoded(sides[0]),
                PercentText.decoded(sides[1]) != nil
            else {
                throw StoreURLError(
                    "what follows the ? in the URL of a server must be NAME=VALUE&NAME=VALUE…,"
                        + " with % only before two digits")
            }
            if secrets.contains(name.lowercased()) { throw password() }
            parameters.append((name, String(sides[1])))
        }
        return parameters
    }

    /// Whether what follows the hosts, behind a colon each, can be ports.
    private static func hasPorts(_ hosts: Substring) -> Bool {
        hosts.split(separator: ",").allSatisfy { host in
            let end = host.lastIndex(of: "]").map { host[host.index(after: $0)...] } ?? host
            guard let colon = end.firstIndex(of: ":") else { return true }
            return end[end.index(after: colon)...].utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
        }
    }

    private static func list(_ value: String?) throws(StoreURLError) -> String? {
        guard let value else { return nil }
        guard let name = PercentText.decoded(value), !name.isEmpty,
            name.utf8.allSatisfy({ $0 != 0 })
        else {
            throw StoreURLError("list= in the URL needs the name of a list, such as list=home")
        }
        return name
    }

    /// The hosts that libpq tries: those of the parameters, of the authority, or of the
    /// environment. An address goes before a name, which then only names what a certificate is for.
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
            let host = PercentText.decoded(host) ?? String(host)
            if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
            if host.hasPrefix("/") || host.count(where: { $0 == ":" }) > 1 { return host }
            return String(host.prefix { $0 != ":" })
        }
    }

    /// True if `host` is this machine: a socket, `localhost` or a loopback address.
    static func isLocal(_ host: String) -> Bool {
        if host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") { return true }
        if host.lowercased() == "localhost" || host == "::1" { return true }
        // 127.0.0.0/8, and no name that begins like it.
        var address = in_addr()
        guard inet_pton(AF_INET, host, &address) == 1 else { return false }
        return UInt32(bigEndian: address.s_addr) >> 24 == 127
    }

    private static func password() -> StoreURLError {
        StoreURLError(
            "a password in the URL could be read by others; leave it out and put it into ~/.pgpass"
                + " (a line HOST:PORT:DATABASE:USER:PASSWORD; chmod 600 ~/.pgpass)")
    }

    /// The same server, naming another list.
    public func naming(list: String) -> String {
        let separator = connection.contains("?") ? "&" : "?"
        return "\(connection)\(separator)list=\(PercentText.encoded(list))"
    }
}

extension PostgresURL {
    /// What the header shows: `home on db.example.org`.
    ///
    /// - Parameter name: what the list is called, once that is known.
    func title(of name: String?) -> String {
        let name = name ?? list.map { String($0.split(separator: "/").last ?? "") } ?? "list"
        return "\(name) on \(host ?? "this machine")"
    }
}
