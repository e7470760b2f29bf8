import Glibc
import SheafStorage

/// The checks of parameters. Each error names the source of the invalid parameter. libpq itself
/// checks some parameters only when it connects, and never explains an error.
extension PostgresConnection {
    /// The allowed values of parameters that have only a few. The error lists them.
    private static let choices = [
        "channel_binding": ["disable", "prefer", "require"],
        "gssencmode": ["disable", "prefer", "require"],
        "sslmode": ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"],
        "target_session_attrs": [
            "any", "read-write", "read-only", "primary", "standby", "prefer-standby",
        ],
    ]

    /// The parameters that must be whole numbers, which libpq checks only when it connects.
    private static let numbers: Set = [
        "connect_timeout", "keepalives", "keepalives_idle", "keepalives_interval",
        "keepalives_count", "tcp_user_timeout",
    ]

    static func check(
        _ name: String, _ value: String, _ given: [String: String]
    ) throws(StoreURLError) {
        func wrong(_ rule: String) -> StoreURLError {
            StoreURLError("\(source(name, value, given)) \(rule)")
        }
        // In `options`, white space separates the options, so line breaks are allowed.
        if name != "options", !PostgresURL.secrets.contains(name),
            value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        {
            throw wrong("must not have a line break or another control character")
        }
        if let choices = choices[name], !choices.contains(value) {
            throw wrong(
                "must be \(choices.dropLast().joined(separator: ", ")) or \(choices.last ?? "")")
        }
        if numbers.contains(name), Int32(value) == nil { throw wrong("must be a whole number") }
        for part in list(value) where !part.isEmpty {
            switch name {
            case "port" where !(1...65_535 ~= Int(part) ?? 0):
                throw wrong("must be a port from 1 to 65535")
            case "hostaddr" where !isAddress(part):
                throw wrong("must be an address, such as 192.0.2.1; for a name use host")
            case "host" where part.hasPrefix("/") && part.utf8.count > longestFolder:
                throw wrong("is too long for the folder of a socket")
            default: break
            }
        }
    }

    /// The path of a socket must fit into `sockaddr_un`, including `/.s.PGSQL.65535` and a NUL.
    private static let longestFolder = 108 - 16

    private static func isAddress(_ text: Substring) -> Bool {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        defer { if let found { freeaddrinfo(found) } }
        return getaddrinfo(String(text), nil, &hints, &found) == 0
    }

    static func checkLists(
        _ resolved: [String: String], _ given: [String: String]
    ) throws(StoreURLError) {
        func source(_ name: String) -> String {
            Self.source(name, resolved[name] ?? "", given)
        }
        let (hosts, addresses, ports) =
            (list(resolved["host"]), list(resolved["hostaddr"]), list(resolved["port"]))
        guard hosts.isEmpty || addresses.isEmpty || hosts.count == addresses.count else {
            throw StoreURLError(
                "\(source("hostaddr")) has \(counted(addresses, "address", "addresses")), and"
                    + " \(source("host")) \(counted(hosts, "host", "hosts")); name one address for"
                    + " each host")
        }
        let places = addresses.isEmpty ? hosts : addresses
        guard ports.count < 2 || ports.count == max(places.count, 1) else {
            throw StoreURLError(
                "\(source("port")) has \(ports.count) ports for"
                    + " \(places.isEmpty ? "1 host" : counted(places, "host", "hosts")); name one port"
                    + " for all, or one for each host")
        }
    }

    private static func counted(_ parts: [Substring], _ one: String, _ several: String) -> String {
        "\(parts.count) \(parts.count == 1 ? one : several)"
    }

    /// Checks that certificate files are regular files, and that a required file of the authority's
    /// certificate is readable. The user's certificate need not exist until the server asks for it.
    static func checkCertificate(
        _ resolved: [String: String], _ given: [String: String]
    ) throws(StoreURLError) {
        let files = [
            "sslrootcert": "root.crt", "sslcert": "postgresql.crt", "sslkey": "postgresql.key",
            "sslcrl": "root.crl",
        ]
        for (name, file) in files.sorted(by: { $0.key < $1.key }) {
            // libpq reads these files in the user's home folder if no others are named.
            let standard = "\(variable("HOME") ?? "")/.postgresql/\(file)"
            if let path = resolved[name], !path.isEmpty {
                guard isNoFile(path) else { continue }
                throw StoreURLError("\(source(name, path, given)) must be a file")
            } else if isNoFile(standard) {
                throw StoreURLError("\(standard) must be a file")
            }
        }
        guard resolved["sslmode"]?.hasPrefix("verify-") == true,
            let path = resolved["sslrootcert"], !["", "system"].contains(path),
            access(path, R_OK) != 0
        else { return }
        throw StoreURLError(
            "\(source("sslrootcert", path, given)) must be a file that can be read;"
                + " without it ~/.postgresql/root.crt is read")
    }

    /// Returns how far libpq verifies a server with `parameters`. With `require`, it verifies the
    /// certificate if the authority's certificate exists (PostgreSQL 15, 34.19.1).
    static func verification(by parameters: [String: String]) -> Verification {
        switch parameters["sslmode"] {
        case "verify-full": return .certificateAndName
        case "verify-ca": return .certificate
        case "require":
            let path =
                parameters["sslrootcert"] ?? "\(variable("HOME") ?? "")/.postgresql/root.crt"
            return access(path, F_OK) == 0 ? .certificate : .none
        default: return .none
        }
    }

    /// Returns true if `path` exists and is not a regular file. libpq might wait for such a file,
    /// or read it endlessly.
    static func isNoFile(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT != S_IFREG
            && path != "/dev/null"
    }

    private static func list(_ value: String?) -> [Substring] {
        guard let value, !value.isEmpty else { return [] }
        return value.split(separator: ",", omittingEmptySubsequences: false)
    }
}
