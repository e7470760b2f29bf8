/// The changes that other processes have committed to shared storage since the last fetch.
package struct FetchedChanges<Changes: Sendable>: Sendable {
    /// Rows as they are in storage now, and the ids of those that are gone. Rows that this process
    /// wrote itself may be among them.
    package var changes: Changes
    /// Whether that is all. If not, the rest is fetched next, with the user's actions going in
    /// between.
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
