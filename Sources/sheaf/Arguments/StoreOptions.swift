import ArgumentParser
import FoundationEssentials
import SheafList
import SheafPostgres
import SheafStorage

/// The option that names the list of a command.
struct StoreOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The list: sqlite:PATH, json:PATH, a path, postgresql://HOST/DATABASE?list=NAME, or memory: for the screen alone (default: $XDG_DATA_HOME/sheaf/sheaf.sqlite).",
            valueName: "url"))
    var store: String?

    /// Returns the location of the list.
    ///
    /// - Throws: `StoreURLError`, or `StorageError` if links form a circle.
    func location() throws -> any Location {
        try Locations.current.named(store)
    }

    /// Returns the location of the list, which must be in a file.
    ///
    /// - Parameter advice: returns the user's alternative if the list is on a server.
    /// - Throws: errors of ``location()``, or ``CommandFailure`` if the list is not in a file.
    func file(else advice: (_ server: any Location) -> String) throws -> FileLocation {
        let location = try location()
        guard let file = location.file else {
            throw CommandFailure(.usage, "\(location.name): \(advice(location))")
        }
        return file
    }

    /// Opens the list; see ``Location/opening(_:)``.
    func open(_ mode: OpenMode) throws -> OpenList {
        try mode.making { try location() }.opening(mode)
    }

    /// Opens the list, returns the result of `body`, which reads one snapshot of it, and closes it.
    ///
    /// - Throws: errors of ``open(_:)`` and of `body`.
    func reading<T: Sendable>(
        _ body: @escaping @Sendable (OpenList) async throws -> T
    ) throws -> T {
        let list = try open(.readWrite)
        return try runBlocking {
            let result = try await list.storage.snapshot { try await body(list) }
            await list.storage.close()
            return result
        }
    }

    /// Opens the list for the screen, which reports problems itself and never waits.
    ///
    /// - Throws: errors of ``Location/opening(_:)`` except `.busy`.
    func openForScreen(_ mode: OpenMode) throws -> OpenList {
        try mode.making {
            let location = try Locations.current.named(store, allowsMemory: true)
            return try location.reportingUnsaved {
                try runBlocking { try await location.openForScreen(mode) }
            }
        }
    }
}

extension Locations {
    /// Finds lists on servers. Tests replace it.
    @TaskLocal static var servers: Servers = { try PostgresLocation($0, environment: $1) }

    /// The locations for names on the command line.
    static var current: Locations {
        Locations(environment: ProcessInfo.processInfo.environment, servers: servers)
    }
}
