import FoundationEssentials
import SheafPostgres
import SheafStorage

extension Locations {
    /// Finds lists on servers. Tests replace it.
    @TaskLocal static var servers: Servers = { try PostgresLocation($0, environment: $1) }

    /// The locations that names on the command line lead to.
    static var current: Locations {
        Locations(environment: ProcessInfo.processInfo.environment, servers: servers)
    }
}
