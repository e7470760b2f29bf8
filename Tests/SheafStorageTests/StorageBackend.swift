import Dispatch
import SheafCore
import SheafPostgres
import SheafStorage
import SheafTestSupport
import Testing

/// One kind of storage, as the contract needs it.
struct StorageBackend: Sendable, CustomTestStringConvertible {
    /// What a backend may lack. What it declares is tested; what it does not is left out, or must
    /// say that it lacks it.
    enum Capability: Hashable, Sendable {
        /// What is opened again is the list that was closed.
        case durability
        /// It lives in a file, and all who open that have one list.
        case file
        /// Changes by others are noticed.
        case watch
    }

    var testDescription: String
    /// What the name that it shows ends with: that of the file in its folder, if it is in one.
    var fileName: String
    var capabilities: Set<Capability> = [.durability, .file, .watch]
    var open: @Sendable (_ path: String) throws -> any ListStorage

    func has(_ capability: Capability) -> Bool { capabilities.contains(capability) }

    /// Every backend keeps the same contract.
    static let all = [
        StorageBackend(testDescription: "SQLite", fileName: "list.sqlite") {
            try openStorage(StoreURL(.sqlite, path: $0).place, mode: .readWriteCreate)
        },
        StorageBackend(testDescription: "JSON", fileName: "list.json") {
            try openStorage(StoreURL(.json, path: $0).place, mode: .readWriteCreate)
        },
        StorageBackend(testDescription: "SQLite behind faults of none", fileName: "list.sqlite") {
            FaultyStorage(
                try openStorage(StoreURL(.sqlite, path: $0).place, mode: .readWriteCreate))
        },
        StorageBackend(
            testDescription: "PostgreSQL", fileName: "list on localhost",
            capabilities: [.durability, .watch]
        ) {
            try SharedLists.open($0, as: "anna")
        },
        StorageBackend(testDescription: "memory", fileName: "memory", capabilities: []) { _ in
            MemoryStorage()
        },
    ]

    /// Those that declare `capability`.
    static func all(with capability: Capability) -> [StorageBackend] {
        all.filter { $0.has(capability) }
    }
}

/// Lists on the tests' own server, each named for a path: what a test opens twice is one list.
enum SharedLists {
    /// Set up once a run, by whoever owns the database.
    static let server = Result<PostgresServer, any Error> {
        let server = try PostgresServer.shared.get()
        _ = try PostgresSharing(PostgresURL(server.url("owner"), environment: [:])).setUp()
        return server
    }

    /// Opens the list named for `path`, made if there is none, as an ordinary role.
    static func open(_ path: String, as role: String) throws -> any ListStorage {
        try PostgresStorage(url(path, as: role), mode: .readWrite)
    }

    static func url(_ path: String, as role: String) throws -> PostgresURL {
        let server = try server.get()
        let name = path.split(separator: "/").suffix(2).joined(separator: "-")
            .replacing(" on localhost", with: "")
        let sharing = try PostgresSharing(PostgresURL(server.url(role), environment: [:]))
        if try !sharing.lists().contains(where: { $0.name == name }) { try sharing.create(name) }
        return try PostgresURL(server.url(role, list: name), environment: [:])
    }
}

extension ListStorage {
    /// Whether it notices within `seconds` that `change` was made: false rather than waiting for
    /// ever.
    func notices(
        within seconds: Int = 10, _ change: () async throws -> Void
    ) async throws -> Bool {
        let (calls, continuation) = AsyncStream.makeStream(of: Bool.self)
        guard let watch = watch({ continuation.yield(true) }) else { return false }
        try await change()
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) {
            continuation.yield(false)
        }
        let isNoticed = await calls.first { _ in true } ?? false
        return withExtendedLifetime(watch) { isNoticed }
    }
}
