import FoundationEssentials
import Swidux

/// The outcome of committing changes that interrupted sessions left.
public struct LeftOutcome: Sendable {
    /// The number of entities that were not committed before.
    public var count: Int
    /// The committed changes, merged with the stored rows.
    public var changes: StorageChanges
    /// The refused rows, with their names. The log still holds them; the others are in the list.
    public var lost: [Refusal]
    /// The stored rows that differ from the changes, or nil.
    public var stored: StorageChanges?
    /// How many entities were changed otherwise too.
    public var conflicts: Int
    /// Sentences about tags and names: ``CommitResult/sentences(on:)``.
    public var sentences: [String] = []
    /// The reason why the log still holds committed changes, or nil if it does not.
    public var obstacle: String?
    /// The log that holds the refused rows, if there are several logs.
    public var path: String?
}

extension ListStorage {
    /// Returns the changes of interrupted sessions that no commit has stored. If the answer to a
    /// commit was lost, its changes are in the logs too, and another process may have deleted the
    /// stored rows since.
    public func notCommitted(_ batches: [StorageChanges]) async throws -> [StorageChanges] {
        guard readOnlyReason == nil else { return batches }
        var last: [[UUID]: Int64] = [:]
        // The oldest first: with the answer the server forgets the earlier ones of a session.
        for batch in batches.compactMap(\.batch) {
            if try await hasCommitted(batch) { last[batch.clients] = batch.number }
        }
        // A commit has all that earlier ones of its session should have stored.
        return batches.filter { changes in
            changes.batch.map { $0.number > last[$0.clients] ?? .min } ?? true
        }
    }

    /// Commits the changes that interrupted sessions left, merged with the stored rows.
    ///
    /// - Throws: `StorageError`; then nothing is stored.
    public func commit(left: [StorageChanges]) async throws -> LeftOutcome {
        let batches = try await notCommitted(left)
        let count = LeftChanges.count(batches)
        let touched = LeftChanges.touchedItems(batches)
        var rows = try await loadSmall()
        rows.items.upsert(try await loadItems(ids: Array(touched)))
        let left = LeftChanges(batches, rows: rows)
        let changes = left.changes
        guard !changes.isEmpty else {
            return LeftOutcome(
                count: count, changes: changes, lost: [], stored: nil,
                conflicts: left.conflicts.count,
                sentences: left.sentences)
        }
        let result = try await commit(changes)
        return LeftOutcome(
            count: count, changes: changes, lost: result.lost(of: changes), stored: result.stored,
            conflicts: left.conflicts.union(
                result.conflicts.lazy.filter { !$0.hasOwnSentence }.map(\.id)
            ).count,
            sentences: left.sentences + result.sentences(on: changes))
    }
}
