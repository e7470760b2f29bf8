import SheafList

/// Where a list lives, as `--store` names it.
///
///     let place = try Place("reading.sqlite", environment: environment, servers: servers)
///     let list = try await place.open(.readWrite)
///
/// What belongs to a list besides its rows is found through ``home``, and what only a list in a
/// file has, such as backups, through ``file``.
public enum Place: Sendable {
    /// In a file.
    case file(FilePlace)
    /// On a server.
    case server(any ServerPlace)
    /// In memory, for trying the screen: nothing is written to disk.
    case memory

    /// The place that `name` names, or that of the standard list if it is nil.
    ///
    /// - Parameters:
    ///   - servers: finds lists on servers.
    ///   - allowsMemory: whether `memory:` names one.
    /// - Throws: `StoreURLError`, or `StorageError` if links lead in a circle.
    public init(
        _ name: String?, environment: [String: String], servers: ServerPlaces,
        allowsMemory: Bool = false
    ) throws {
        if allowsMemory, name?.lowercased() == "memory:" {
            self = .memory
        } else if let name, StoreURL.isOfServer(name) {
            self = .server(try servers(name, environment))
        } else {
            let url = try StoreURL(named: name, environment: environment)
            self = .file(try FilePlace(url, environment: environment))
        }
    }

    /// The place of the list that a log names.
    ///
    /// - Throws: as ``init(_:environment:servers:allowsMemory:)``.
    public init(
        _ origin: ListOrigin, environment: [String: String], servers: ServerPlaces
    ) throws {
        switch origin {
        case .file(let url): self = .file(try FilePlace(url, environment: environment))
        case .server(let url): self = .server(try servers(url, environment))
        }
    }

    /// The file, or nil if the list is in none.
    public var file: FilePlace? {
        switch self {
        case .file(let file): file
        case .server, .memory: nil
        }
    }

    /// Where its logs and its remembered view lie, or nil if the list is in memory.
    public var home: ListHome? {
        switch self {
        case .file(let file): file.home
        case .server(let server): server.home
        case .memory: nil
        }
    }

    /// What messages call the list: its path as the user gave it, or its URL without a password.
    public var name: String { home?.name ?? "memory:" }
}
