import Dispatch
import SheafList
import SheafStorage
import SheafTestSupport
import Testing

/// One kind of storage, as the contract needs it.
struct StorageBackend: Sendable, CustomTestStringConvertible {
    /// A property that a backend may lack. Declared ones are tested; a missing one is skipped, or
    /// the backend must report its absence.
    enum Capability: Hashable, Sendable {
        /// A list that is opened again is the one that was closed.
        case durability
        /// It lives in a file, and all who open that have one list.
        case file
        /// Changes by others are noticed.
        case watch
    }

    var testDescription: String
    /// The end of the displayed name: that of the file in its folder, if it is in one.
    var fileName: String
    var capabilities: Set<Capability> = [.durability, .file, .watch]
    var open: @Sendable (_ path: String) throws -> any ListStorage

    func has(_ capability: Capability) -> Bool { capabilities.contains(capability) }

    /// Every backend keeps the same contract.
    static let all = [
        StorageBackend(testDescription: "SQLite", fileName: "list.sqlite") {
            try StoreURL(.sqlite, path: $0).location.openStorage(.readWriteCreate)
        },
        StorageBackend(testDescription: "JSON", fileName: "list.json") {
            try StoreURL(.json, path: $0).location.openStorage(.readWriteCreate)
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

extension ListStorage {
    /// Returns true if it notices `change` within `seconds`, and false afterwards.
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
