import SheafApp
import SheafStorage
import SheafTestSupport
import Synchronization
import Testing

/// All steps between the key and "saved", and during writes of another process, on a watched list.
@Suite("The stations of one rename", .timeLimit(.minutes(1)))
@MainActor
struct OneRenameTests {
    private let folder: TemporaryFolder
    private let stations = Stations()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(_ backend: StoreURL.Backend) throws -> any ListStorage {
        let path = folder.file("list.\(backend.rawValue)")
        return try StoreURL(backend, path: path).location.openStorage(.readWriteCreate)
    }

    /// The screen's store over a list of one item, read and watched.
    private func store(over storage: CountingStorage) async throws -> AppStore {
        var changes = StorageChanges()
        changes.items.upsert(Fixtures.items(["ice"]))
        _ = try await storage.commit(changes)
        let store = AppStore(
            initialState: AppState(), environment: .fixture(storage: storage), log: stations,
            middleware: [
                Middleware { [stations] action, _, next in
                    stations.seen.append(Station(action))
                    next(action)
                }
            ])
        await store.load()
        await storage.fetches(reach: 1)
        return store
    }

    /// Renames the item through `storage`.
    private func rename(to name: String, in storage: any ListStorage) async throws {
        let item = try #require(try await storage.loadItems(after: nil, limit: 1).first)
        var renamed = item
        renamed.name = name
        var changes = StorageChanges()
        changes.items.replace(item, with: renamed)
        _ = try await storage.commit(changes)
    }

    @Test(
        "one's own is read by nobody, and another's is one action",
        arguments: StoreURL.Backend.allCases)
    func stations(_ backend: StoreURL.Backend) async throws {
        let storage = CountingStorage(try open(backend))
        let store = try await store(over: storage)
        // Another watcher of the file is notified of the commit at the same time.
        let other = try open(backend)
        let (notices, continuation) = AsyncStream.makeStream(of: Void.self)
        let watch = other.watch { continuation.yield() }
        stations.seen = []
        let item = try #require(store.state.items.first)
        store.send(.items(.rename(item.id, newName: "snow")))
        await store.flush()
        var next = notices.makeAsyncIterator()
        _ = await next.next()
        _ = try await storage.itemCount()
        withExtendedLifetime(watch) {}
        #expect(storage.fetches == 1)
        let own: [Station] = [
            .action, .append, .status(.unsaved), .handOver, .status(.saving), .committed,
            .status(.saved),
        ]
        #expect(stations.seen == own)

        stations.seen = []
        let (rain, isThere) = AsyncStream.makeStream(of: Void.self)
        let subscription = store.subscribe { state in
            // The status follows the arrival.
            if state.items.first?.name == "rain", state.saving.counters.adoptions == 1 {
                isThere.yield()
            }
        }
        try await rename(to: "rain", in: other)
        var there = rain.makeAsyncIterator()
        _ = await there.next()
        subscription.cancel()
        // An adopted change is reported by its action, and counted by the status.
        #expect(stations.seen == [.arrival, .status(.saved)])
        #expect(store.state.items.first?.name == "rain")
    }
}

/// An event on the way.
private enum Station: Equatable {
    case action, arrival
    case status(PersistenceStatus.Phase)
    case append, renewal, handOver, committed

    init(_ action: AppAction) {
        self =
            switch action {
            case .saving(.statusChanged(let status)): .status(status.phase)
            case .saving(.arrived): .arrival
            default: .action
            }
    }
}

/// An intent log that keeps nothing and records its calls.
@MainActor
private final class Stations: ListLog {
    var isSuspended = false
    var seen: [Station] = []

    func append(_ changes: StorageChanges) { seen.append(.append) }
    func replace(with changes: StorageChanges) { seen.append(.renewal) }
    func handOver() { seen.append(.handOver) }
    func committed() { seen.append(.committed) }
    func keep(_ changes: StorageChanges) -> String { "" }
    func close() {}
    func close(givingUp changes: StorageChanges) {}
    func countAbandoned() -> Int { 0 }
    func abandoned() -> AbandonedLogContent { AbandonedLogContent() }
    func adopt(_ body: () -> Void) { body() }
}

/// A storage that counts the fetches.
private final class CountingStorage: ListStorage {
    private let base: any ListStorage
    private let count = Mutex(0)
    private let (asked, continuation) = AsyncStream.makeStream(of: Int.self)

    init(_ base: any ListStorage) { self.base = base }

    var fetches: Int { count.withLock { $0 } }

    func fetches(reach number: Int) async {
        for await count in asked where count >= number { return }
    }

    var displayName: String { base.displayName }
    var readOnlyReason: String? { base.readOnlyReason }
    func load<Entity: SmallEntity>(_ kind: Entity.Type) async throws -> [Entity] {
        try await base.load(kind)
    }
    func loadItems(after cursor: ItemPosition?, limit: Int) async throws -> [Item] {
        try await base.loadItems(after: cursor, limit: limit)
    }
    func itemCount() async throws -> Int { try await base.itemCount() }
    func lastItemRank() async throws -> Rank? { try await base.lastItemRank() }
    func commit(_ changes: StorageChanges) async throws -> CommitResult {
        try await base.commit(changes)
    }
    func externalChanges(
        known: @Sendable () async -> StorageChanges
    ) async throws -> FetchedChanges<StorageChanges> {
        let fetched = try await base.externalChanges(known: known)
        continuation.yield(
            count.withLock {
                $0 += 1
                return $0
            })
        return fetched
    }
    func watch(_ body: @escaping @Sendable () -> Void) -> (any StorageWatch)? { base.watch(body) }
    func close() async { await base.close() }
}
