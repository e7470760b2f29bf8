import SheafCore

/// What became of a log whose changes were taken in.
public struct UnsavedOutcome: Sendable {
    /// What the list did not take; the file is still there and holds it. All else is in the list.
    public var refused: [RefusedRow]
    /// Why the file still holds what the list took, or nil if it does not.
    public var obstacle: String?
    /// How many entities were changed otherwise too.
    public var conflicts = 0
    /// The file that is still there, if there are several.
    public var path: String?
    /// Sentences about tags and names among the stored changes.
    public var sentences: [String] = []
}
