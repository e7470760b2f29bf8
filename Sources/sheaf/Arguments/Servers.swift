import FoundationEssentials
import SheafPostgres
import SheafStorage

/// What finds lists on servers: the one point where the command line meets what speaks to them.
enum Servers {
    /// Tests put another one in its place.
    @TaskLocal static var places: ServerPlaces = { try PostgresPlace($0, environment: $1) }
}

extension Place {
    /// The place that `name` names on the command line, or that of the standard list if it is nil.
    ///
    /// - Throws: `StoreURLError`, or `StorageError` if links lead in a circle.
    init(named name: String?, allowsMemory: Bool = false) throws {
        try self.init(
            name, environment: ProcessInfo.processInfo.environment, servers: Servers.places,
            allowsMemory: allowsMemory)
    }

    /// The place of the list that a log names.
    ///
    /// - Throws: as ``init(named:allowsMemory:)``.
    init(of origin: ListOrigin) throws {
        try self.init(
            origin, environment: ProcessInfo.processInfo.environment, servers: Servers.places)
    }
}
