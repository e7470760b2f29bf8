import FoundationEssentials
import Swidux

/// The outcome of committing changes that interrupted sessions left.
package struct AbandonedOutcome: Sendable {
    /// The number of entities that were not committed before.
    package var count: Int
    /// The committed changes, merged with the stored rows.
    package var changes: StorageChanges
    /// The refused rows, with their names. The log keeps them; all other rows are in the list.
    package var lost: [Refusal]
    /// The stored rows that differ from the changes, or nil.
    package var stored: StorageChanges?
    /// The number of entities in which another process changed the same field.
    package var conflicts: Int
    /// Sentences about tags and names: ``CommitResult/sentences(on:)``.
    package var sentences: [String] = []
    /// The reason why the log still holds committed changes, or nil if it does not.
    package var obstacle: String?
    /// The log that holds the refused rows, if there are several logs.
    package var path: String?
}

extension ListStorage {
    /// Returns the changes of interrupted sessions that no commit has stored. If the answer to a
    /// commit was lost, the logs still contain its changes, although another process may have
    /// deleted the stored rows since.
    package func notCommitted(_ batches: [StorageChanges]) async throws -> [StorageChanges] {
        guard readOnlyReason == nil else { return batches }
        var last: [[UUID]: Int64] = [:]
        // Asks for the oldest first: when the server answers, it forgets earlier commits of the
        // session.
        for batch in batches.compactMap(\.batch) {
            if try await hasCommitted(batch) { last[batch.clients] = batch.number }
        }
        // A commit includes everything that earlier commits of its session should have stored.
        return batches.filter { changes in
            changes.batch.map { $0.number > last[$0.clients] ?? .min } ?? true
        }
    }

    /// Commits the changes that interrupted sessions left, merged with the stored rows.
    ///
    /// - Throws: `StorageError`. Nothing is stored then.
    package func commit(abandoned: [StorageChanges]) async throws -> AbandonedOutcome {
        let batches = try await notCommitted(abandoned)
        let count = AbandonedChanges.count(batches)
        let touched = AbandonedChanges.touchedItems(batches)
        var rows = try await loadSmall()
        rows.items.upsert(try await loadItems(ids: Array(touched)))
        let merged = AbandonedChanges(batches, rows: rows)
        let changes = merged.changes
        guard !changes.isEmpty else {
            return AbandonedOutcome(
                count: count, changes: changes, lost: [], stored: nil,
                conflicts: merged.conflicts.count,
                sentences: merged.sentences)
        }
        let result = try await commit(changes)
        return AbandonedOutcome(
            count: count, changes: changes, lost: result.lost(of: changes), stored: result.stored,
            conflicts: merged.conflicts.union(
                result.conflicts.lazy.filter { !$0.hasOwnSentence }.map(\.id)
            ).count,
            sentences: merged.sentences + result.sentences(on: changes))
    }
}
