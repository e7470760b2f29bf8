/// The changes that other processes have committed to shared storage since the last fetch.
package struct FetchedChanges<Changes: Sendable>: Sendable {
    /// The present rows of storage, and the ids of deleted rows. Rows that this process itself
    /// wrote may be among them.
    package var changes: Changes
    /// True if there are no more changes. If false, the pipeline fetches the rest next, and handles
    /// the user's actions in between.
    package var isComplete: Bool

    /// Changes of this process that storage has made although their commit seemed to fail, or nil.
    /// They are older than ``changes``, and no longer pending.
    package var confirmed: Changes?

    /// Creates the result of a fetch, which is complete by default.
    package init(_ changes: Changes, isComplete: Bool = true, confirmed: Changes? = nil) {
        self.changes = changes
        self.isComplete = isComplete
        self.confirmed = confirmed
    }
}
