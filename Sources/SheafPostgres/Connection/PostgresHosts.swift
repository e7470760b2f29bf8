/// The hosts of a connection, one by one.
///
/// libpq goes to the next one where a host refuses a connection or does not answer, but gives up
/// where one takes it and then ends it, as a container's proxy or a tunnel does whose server is
/// gone. So each is tried by itself, whatever is wrong with those before.
enum PostgresHosts {
    /// True if every host that libpq tries by `parameters` is this machine.
    static func areLocal(_ parameters: [String: String]) -> Bool {
        func parts(_ name: String) -> [Substring] {
            (parameters[name] ?? "").split(separator: ",", omittingEmptySubsequences: false)
        }
        // libpq connects to the address; the name beside it serves only to check the certificate.
        let (names, addresses) = (parts("host"), parts("hostaddr"))
        return (0..<max(names.count, addresses.count)).allSatisfy { index in
            let address = index < addresses.count ? addresses[index] : ""
            let host = address.isEmpty && index < names.count ? names[index] : address
            return PostgresURL.isLocal(String(host))
        }
    }

    private static let lists = ["host", "hostaddr", "port"]

    /// `settings` for each host in turn; `settings` alone if it has one, or if its lists differ in
    /// length, which libpq then refuses.
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
