import Dispatch
import Foundation
import SheafCore
import Swidux
import Synchronization

/// A storage whose writes are slow or fail on purpose, so that everyone can watch nothing get lost:
/// what `--slow-writes` and `--fail-writes` put around the real one.
///
/// Reads pass through. A write that fails has changed nothing.
public final class FaultyStorage: ListStorage {
    private let base: any ListStorage
    private let delay: Duration
    private let failureProbability: Double
    private let generator: Mutex<SplitMix64>

    /// - Parameters:
    ///   - base: the storage that is read and written.
    ///   - delay: how long every commit waits before it begins.
    ///   - failureProbability: how often a commit fails, from 0 (never) to 1 (always).
    ///   - seed: decides which commits fail; the same seed, the same ones.
    public init(
        _ base: any ListStorage, delay: Duration = .zero, failureProbability: Double = 0,
        seed: UInt64 = .random(in: .min ... .max)
    ) {
        self.base = base
        self.delay = delay
        self.failureProbability = failureProbability
        self.generator = Mutex(SplitMix64(seed: seed))
    }

    public var displayName: String { base.displayName }

    public var readOnlyReason: String? { base.readOnlyReason }

    public var owesCommit: Bool { base.owesCommit }

    public func loadTags() async throws -> [Tag] {
        try await base.loadTags()
    }

    public func loadItems(after cursor: ItemCursor?, limit: Int) async throws -> [Item] {
        try await base.loadItems(after: cursor, limit: limit)
    }

    public func loadItems(before cursor: ItemCursor, limit: Int) async throws -> [Item] {
        try await base.loadItems(before: cursor, limit: limit)
    }

    public func loadItems(ids: [Item.ID]) async throws -> [Item] {
        try await base.loadItems(ids: ids)
    }

    public func itemIDs(in range: ClosedRange<Item.ID>, limit: Int) async throws -> [Item.ID] {
        try await base.itemIDs(in: range, limit: limit)
    }

    public func itemCount() async throws -> Int {
        try await base.itemCount()
    }

    public func lastItemRank() async throws -> Rank? {
        try await base.lastItemRank()
    }

    public func advice() async throws -> String? {
        try await base.advice()
    }

    /// Waits, then commits or fails with `.injected`.
    public func commit(_ changes: StorageChanges) async throws -> CommitResult {
        try await hinder()
        return try await base.commit(changes)
    }

    /// As ``commit(_:)``.
    public func commit(leftBehind changes: StorageChanges) async throws -> CommitResult {
        try await hinder()
        return try await base.commit(leftBehind: changes)
    }

    private func hinder() async throws {
        await wait()
        let fails = generator.withLock { generator in
            Double.random(in: 0..<1, using: &generator) < failureProbability
        }
        guard !fails else {
            throw StorageError(.injected, at: displayName, reason: "write failed on purpose")
        }
    }

    public func changesOfOthers(
        known: @Sendable () async -> KnownIDs
    ) async throws -> FetchedChanges<StorageChanges> {
        try await base.changesOfOthers(known: known)
    }

    public func watch(_ body: @escaping @Sendable () -> Void) -> (any StorageWatch)? {
        base.watch(body)
    }

    public func close() async {
        await base.close()
    }

    /// Waits on a timer rather than with `Task.sleep`, which a cancelled task would cut short.
    private func wait() async {
        guard delay > .zero else { return }
        let (seconds, attoseconds) = delay.components
        let interval = Double(seconds) + Double(attoseconds) / 1e18
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + interval) {
                continuation.resume()
            }
        }
    }
}
