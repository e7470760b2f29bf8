/// The locations that names lead to in a given environment.
package struct Locations: Sendable {
    /// A function that finds the list on a server that a URL names.
    ///
    /// - Throws: ``StoreURLError`` if the URL names none.
    package typealias Servers =
        @Sendable (_ url: String, _ environment: [String: String]) throws -> any Location

    private let environment: [String: String]
    private let servers: Servers

    package init(environment: [String: String], servers: @escaping Servers) {
        self.environment = environment
        self.servers = servers
    }

    /// Returns the location that `name`, a value of `--store`, leads to, or the location of the
    /// standard list if `name` is nil.
    ///
    /// - Parameter allowsMemory: true to accept `memory:`.
    /// - Throws: `StoreURLError`, or `StorageError` if links lead in a circle.
    package func named(_ name: String?, allowsMemory: Bool = false) throws -> any Location {
        if allowsMemory, name?.lowercased() == "memory:" { return MemoryLocation() }
        if let name, StoreURL.isOfServer(name) { return try servers(name, environment) }
        return try FileLocation(
            StoreURL(named: name, environment: environment), environment: environment)
    }
}
