import Dispatch
import FoundationEssentials
import Glibc
import SheafCore
import Swidux
import Synchronization

/// A store that could not be opened at once, because another process had locked it or there was
/// something to recover. Every call tries to open it first until that succeeds; concurrent calls
/// share one attempt.
final class LateStorage: ListStorage {
    /// Opens the list.
    typealias Opening = @Sendable () async throws -> OpenList

    let displayName: String
    let readOnlyReason: String?

    var owesCommit: Bool { state.withLock { $0.opened?.storage }?.owesCommit ?? false }

    private let open: Opening
    private let state = Mutex(State())

    private struct State {
        var opened: OpenList?
        /// The calls that wait for the present attempt.
        var waiting: [CheckedContinuation<Result<Void, any Error>, Never>] = []
    }

    /// The store at `place`, which `open` opens in `mode` off the caller's thread, as many times as
    /// needed.
    init(for place: FilePlace, mode: OpenMode, _ open: @escaping Opening) {
        displayName = place.file.displayName
        readOnlyReason = place.file.reasonAgainstWriting(mode)
        self.open = open
    }

    func loadTags() async throws -> [Tag] {
        try await opened().loadTags()
    }

    func loadItems(after cursor: ItemCursor?, limit: Int) async throws -> [Item] {
        try await opened().loadItems(after: cursor, limit: limit)
    }

    func loadItems(before cursor: ItemCursor, limit: Int) async throws -> [Item] {
        try await opened().loadItems(before: cursor, limit: limit)
    }

    func loadItems(ids: [Item.ID]) async throws -> [Item] {
        try await opened().loadItems(ids: ids)
    }

    func itemIDs(in range: ClosedRange<Item.ID>, limit: Int) async throws -> [Item.ID] {
        try await opened().itemIDs(in: range, limit: limit)
    }

    func itemCount() async throws -> Int {
        try await opened().itemCount()
    }

    func lastItemRank() async throws -> Rank? {
        try await opened().lastItemRank()
    }

    /// What was recovered when it was opened goes before advice.
    func advice() async throws -> String? {
        let storage = try await opened()
        if let recovery = state.withLock({ $0.opened?.recovery }) { return recovery }
        return try await storage.advice()
    }

    func commit(_ changes: StorageChanges) async throws -> CommitResult {
        try await opened().commit(changes)
    }

    func commit(leftBehind changes: StorageChanges) async throws -> CommitResult {
        try await opened().commit(leftBehind: changes)
    }

    func changesOfOthers(
        known: @Sendable () async -> KnownIDs
    ) async throws -> FetchedChanges<StorageChanges> {
        try await opened().changesOfOthers(known: known)
    }

    /// Nil before it is open.
    func watch(_ body: @escaping @Sendable () -> Void) -> (any StorageWatch)? {
        state.withLock { $0.opened?.storage }?.watch(body)
    }

    func close() async {
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
                // A task of its own, so that no cancelled caller ends it for the others.
                if isFirst { Task.detached { await self.attempt() } }
            }
            try result.get()
        }
    }

    private func attempt() async {
        let isOpen = state.withLock { $0.opened != nil }
        let result: Result<OpenList?, any Error>
        do {
            result = .success(isOpen ? nil : try await open())
        } catch {
            result = .failure(error)
        }
        let waiting = state.withLock { state in
            if case .success(let opened?) = result { state.opened = opened }
            defer { state.waiting = [] }
            return state.waiting
        }
        for call in waiting { call.resume(returning: result.map { _ in }) }
    }
}
