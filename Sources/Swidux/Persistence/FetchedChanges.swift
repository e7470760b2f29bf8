/// What others have committed to shared storage since it was asked last.
public struct FetchedChanges<Changes: Sendable>: Sendable {
    /// Rows as they are in storage now, and the ids of those that are gone. Rows that this process
    /// wrote itself may be among them.
    public var changes: Changes
    /// Whether that is all. If not, the rest is fetched next, with the user's actions going in
    /// between.
    public var isComplete: Bool

    /// What was fetched, all of it unless said otherwise.
    public init(_ changes: Changes, isComplete: Bool = true) {
        self.changes = changes
        self.isComplete = isComplete
    }
}
