import Dispatch
import FoundationEssentials
import Glibc
import SheafCore
import Swidux
import Synchronization

/// A store that could not be opened at once, because another process had it locked or there was something to recover:
/// every call opens it first, until that has succeeded once. Calls that come meanwhile share one attempt.
public final class LateStorage: ListStorage {
    /// Opens the store; also returns what was recovered, as a sentence, or nil.
    public typealias Opening = @Sendable () throws -> (any ListStorage, recovery: String?)

    public let displayName: String
    public let readOnlyReason: String?

    public var owesCommit: Bool { state.withLock { $0.opened?.storage }?.owesCommit ?? false }

    private let open: Opening
    private let state = Mutex(State())

    private struct State {
        var opened: (storage: any ListStorage, recovery: String?)?
        /// Calls that wait for the attempt that is being made.
        var waiting: [CheckedContinuation<Result<Void, any Error>, Never>] = []
    }

    /// A store at `url`, which `open` will open in `mode` off the caller's thread, as often as it takes.
    ///
    /// - Throws: `StorageError` if links lead in a circle.
    public init(for url: StoreURL, mode: OpenMode, _ open: @escaping Opening) throws {
        let file = try StoreFile(resolving: url.path)
        displayName = file.displayName
        readOnlyReason = file.reasonAgainstWriting(mode)
        self.open = open
    }

    public func loadTags() async throws -> [Tag] {
        try await opened().loadTags()
    }

    public func loadItems(after cursor: ItemCursor?, limit: Int) async throws -> [Item] {
        try await opened().loadItems(after: cursor, limit: limit)
    }

    public func loadItems(before cursor: ItemCursor, limit: Int) async throws -> [Item] {
        try await opened().loadItems(before: cursor, limit: limit)
    }

    public func loadItems(ids: [Item.ID]) async throws -> [Item] {
        try await opened().loadItems(ids: ids)
    }

    public func itemIDs(in range: ClosedRange<Item.ID>, limit: Int) async throws -> [Item.ID] {
        try await opened().itemIDs(in: range, limit: limit)
    }

    public func itemCount() async throws -> Int {
        try await opened().itemCount()
    }

    public func lastItemRank() async throws -> Rank? {
        try await opened().lastItemRank()
    }

    /// What was recovered when it was opened goes before advice.
    public func advice() async throws -> String? {
        let storage = try await opened()
        if let recovery = state.withLock({ $0.opened?.recovery }) { return recovery }
        return try await storage.advice()
    }

    public func commit(_ changes: StorageChanges) async throws -> CommitResult {
        try await opened().commit(changes)
    }

    public func commit(leftBehind changes: StorageChanges) async throws -> CommitResult {
        try await opened().commit(leftBehind: changes)
    }

    public func changesOfOthers(
        known: @Sendable () async -> KnownIDs
    ) async throws -> FetchedChanges<StorageChanges> {
        try await opened().changesOfOthers(known: known)
    }

    /// Nil before it is open.
    public func watch(_ body: @escaping @Sendable () -> Void) -> (any StorageWatch)? {
        state.withLock { $0.opened?.storage }?.watch(body)
    }

    public func close() async {
        await state.withLock { $0.opened?.storage }?.close()
    }

    private func opened() async throws -> any ListStorage {
        while true {
            if let storage = state.withLock({ $0.opened?.storage }) { return storage }
            let result = await withCheckedContinuation { continuation in
                let isFirst = state.withLock { state in
                    state.waiting.append(continuation)
                    return state.waiting.count == 1
                }
                // It waits for locks, which no thread of Swift's own pool should do.
                if isFirst { DispatchQueue.global().async { self.attempt() } }
            }
            try result.get()
        }
    }

    private func attempt() {
        let isOpen = state.withLock { $0.opened != nil }
        let result = Result { isOpen ? nil : try open() }
        let waiting = state.withLock { state in
            if case .success(let opened?) = result { state.opened = opened }
            defer { state.waiting = [] }
            return state.waiting
        }
        for call in waiting { call.resume(returning: result.map { _ in }) }
    }
}
