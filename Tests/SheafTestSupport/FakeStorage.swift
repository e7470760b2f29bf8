import Foundation
import SheafApp
import Synchronization

/// Storage that keeps everything in memory, and fails when it is told to.
package actor FakeStorage: ListStorage {
    package nonisolated let displayName: String
    package nonisolated var readOnlyReason: String? { access.withLock(\.self) }
    private nonisolated let access: Mutex<String?>
    package nonisolated let isIdentified: Bool
    package nonisolated var mayHaveCommitted: Bool { isOutcomeUnknown.withLock(\.self) }
    private nonisolated let isOutcomeUnknown = Mutex(false)
    private var isWritable = false
    private var rows: StorageChanges
    private var failure: StorageError?
    private var readFailure: StorageError?
    private var failingReads = 0
    private var answer: (@Sendable (StorageChanges) -> CommitResult)?
    private var notice: String?
    private var known: Set<BatchName> = []
    package private(set) var commits: [StorageChanges] = []

    package init(
        tags: [Tag] = [], views: [SavedView] = [], items: [Item] = [],
        name: String = "reading.sqlite", readOnlyReason: String? = nil, isIdentified: Bool = true
    ) {
        displayName = name
        self.isIdentified = isIdentified
        access = Mutex(readOnlyReason)
        rows = StorageChanges(tags: tags, views: views, items: items)
    }

    /// Lets a list that can only be read be written to as soon as that is reconsidered.
    package func allowWriting() { isWritable = true }

    /// Takes the right to write from a list that is open.
    package func refuseWriting(because reason: String) {
        access.withLock { $0 = reason }
        failure = StorageError(.readOnly, at: displayName, reason: reason)
    }

    package func recheckAccess() {
        if isWritable { access.withLock { $0 = nil } }
    }

    /// Has something to say once.
    package func notice(_ text: String) { notice = text }

    package func consumeNotice() -> String? {
        defer { notice = nil }
        return notice
    }

    /// Has made a commit whose answer was lost.
    package func know(_ batch: BatchName) { known.insert(batch) }

    package func hasCommitted(_ batch: BatchName) -> Bool { known.contains(batch) }

    /// Makes every commit fail with `error`, or none with nil.
    package func fail(with error: StorageError?) {
        failure = error
        isOutcomeUnknown.withLock { $0 = error?.isOutcomeUnknown ?? false }
    }

    /// Makes commits return the result of `answer`, and keeps the values in it.
    package func answer(with answer: @escaping @Sendable (StorageChanges) -> CommitResult) {
        self.answer = answer
    }

    /// Makes the next `count` looks at the tags or the last rank fail with `error`.
    package func failReads(with error: StorageError, count: Int) {
        readFailure = error
        failingReads = count
    }

    package func load<Entity: SmallEntity>(_ kind: Entity.Type) throws -> [Entity] {
        if kind == Tag.self { try failRead() }
        return rows[kind].upserts.sorted { $0.position < $1.position }
    }

    package func loadItems(after cursor: ItemPosition?, limit: Int) -> [Item] {
        let sorted = rows.items.upserts.sorted { $0.position < $1.position }
        let rest = sorted.drop { item in
            cursor.map { (item.rank, item.id) <= ($0.rank, $0.id) } ?? false
        }
        return Array(rest.prefix(limit))
    }

    package func loadItems(ids: [Item.ID]) -> [Item] { ids.compactMap { rows.items[$0]?.after } }

    package func itemCount() -> Int { rows.items.upserts.count }

    package func lastItemRank() throws -> Rank? {
        try failRead()
        return rows.items.upserts.map(\.rank).max()
    }

    private func failRead() throws {
        guard let readFailure, failingReads > 0 else { return }
        failingReads -= 1
        throw readFailure
    }

    package func commit(_ changes: StorageChanges) throws -> CommitResult {
        if let failure { throw failure }
        commits.append(changes)
        rows.add(changes)
        for item in rows.items.upserts where !item.tags.isDisjoint(with: changes.tags.deletions) {
            rows.items[item.id]?.after?.tags.subtract(changes.tags.deletions)
        }
        let result = answer?(changes) ?? CommitResult()
        for id in result.refused.compactMap({ $0.id.value(as: Item.ID.self) }) {
            rows.tags[id] = nil
            rows.items[id] = nil
        }
        if let stored = result.stored { rows.add(stored) }
        return result
    }

    package func close() {}
}

/// A terminal without a user: it edits notes as told, and records its calls.
@MainActor
package final class FakeTerminal: TerminalControl {
    package var editedText: String?
    package private(set) var suspensions = 0
    package private(set) var redraws = 0

    /// The texts that were copied, the last one last.
    package private(set) var copied: [String] = []
    package var clipboardAnswer = ClipboardAnswer.sent

    package nonisolated init() {}

    package func edit(
        _ text: String, _ take: @MainActor @Sendable (Result<String, any Error>) -> Void
    ) async { take(.success(editedText ?? text)) }
    package func suspend() async { suspensions += 1 }

    package func copy(_ text: String) -> ClipboardAnswer {
        copied.append(text)
        return clipboardAnswer
    }

    package func redraw() { redraws += 1 }
}

extension AppEnvironment {
    /// An environment at the time of the fixtures, in which sleeps end at once.
    @MainActor
    package static func fixture(
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in },
        storage: any ListStorage = FakeStorage(), terminal: FakeTerminal = FakeTerminal()
    ) -> AppEnvironment {
        AppEnvironment(
            now: { Fixtures.now }, makeID: { Fixtures.id(99) }, sleep: sleep, storage: storage,
            terminal: terminal)
    }
}
