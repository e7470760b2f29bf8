import FoundationEssentials
import Swidux

/// The outcome of committing changes that interrupted sessions left.
public struct LeftOutcome: Sendable {
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
    /// Commits the changes that interrupted sessions left, merged with the stored rows.
    ///
    /// - Throws: `StorageError`; then nothing is stored.
    public func commit(left batches: [StorageChanges]) async throws -> LeftOutcome {
        let touched = LeftChanges.touchedItems(batches)
        let left = LeftChanges(
            batches, tags: try await loadTags(), views: try await loadViews(),
            items: try await loadItems(ids: Array(touched)))
        let changes = left.changes
        guard !changes.isEmpty else {
            return LeftOutcome(
                changes: changes, lost: [], stored: nil, conflicts: left.conflicts.count,
                sentences: left.sentences)
        }
        let result = try await commit(changes)
        return LeftOutcome(
            changes: changes, lost: result.lost(of: changes), stored: result.stored,
            conflicts: left.conflicts.union(
                result.conflicts.lazy.filter { !$0.hasOwnSentence }.map(\.id)
            ).count,
            sentences: left.sentences + result.sentences(on: changes))
    }
}
