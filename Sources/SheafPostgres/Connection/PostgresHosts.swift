/// The hosts of a connection, one by one.
///
/// libpq tries the next host if one refuses a connection or does not answer. It gives up if a host
/// accepts the connection and then closes it, as the proxy of a container or a tunnel does if its
/// server is down. So Sheaf tries each host separately, regardless of the error of the previous
/// one.
enum PostgresHosts {
    /// Returns true if every host that libpq tries with `parameters` is this machine.
    static func areLocal(_ parameters: [String: String]) -> Bool {
        func parts(_ name: String) -> [Substring] {
            (parameters[name] ?? "").split(separator: ",", omittingEmptySubsequences: false)
        }
        // libpq connects to the address, and uses the host name only to verify the certificate.
        let (names, addresses) = (parts("host"), parts("hostaddr"))
        return (0..<max(names.count, addresses.count)).allSatisfy { index in
            let address = index < addresses.count ? addresses[index] : ""
            let host = address.isEmpty && index < names.count ? names[index] : address
            return PostgresURL.isLocal(String(host))
        }
    }

    private static let lists = ["host", "hostaddr", "port"]

    /// Returns `settings` for each host in turn. Returns `settings` unchanged if there is only one
    /// host, or if the lists have different lengths, which libpq then refuses.
    static func each(of settings: [String: String]) -> [[String: String]] {
        let parts = lists.compactMap { name in
            settings[name].map {
                (name, $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init))
            }
        }.filter { $0.1.count > 1 }
        guard let count = parts.first?.1.count, parts.allSatisfy({ $0.1.count == count }),
            parts.contains(where: { $0.0 != "port" })
        else { return [settings] }
        return (0..<count).map { index in
            settings.merging(parts.map { ($0.0, $0.1[index]) }) { $1 }
        }
    }
}
