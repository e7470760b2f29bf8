import SheafList

/// The result of committing the changes of a log.
public struct UnsavedOutcome: Sendable {
    /// The rows that the list refused. The log still holds them; all others are in the list.
    public var refused: [RefusedRow]
    /// The reason why the log still holds committed changes, or nil if it does not.
    public var obstacle: String?
    /// How many entities were changed otherwise too.
    public var conflicts = 0
    /// The file that is still there, if there are several.
    public var path: String?
    /// Sentences about tags and names among the stored changes.
    public var sentences: [String] = []
}
