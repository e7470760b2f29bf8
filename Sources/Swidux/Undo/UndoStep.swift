/// The changes of one command. Not nested in ``UndoHistory``, because the type would then be
/// generic, and be looked up at every use.
struct UndoStep {
    var number: Int
    var name: String
    var bytes: Int
    var time: ContinuousClock.Instant
    /// The only entity that the step touched, or nil if there are several.
    var single: (track: Int, id: AnyID)?
    var coalesces: Bool
    /// The number that the parts of the command share, or nil if it has no parts.
    var part: Int?
    /// True if changes of the step depend on each other.
    var isTied: Bool
    /// True if the last undo or redo of the step skipped everything.
    var isRefused = false
    /// The keys of the parts so far, or nil if the step has no parts.
    var keys: UndoKeys?
}

/// An undo or a redo that storage may still refuse in part, because another process may have made
/// changes that this process does not know yet.
struct UnsettledStep {
    let number: Int
    let name: String
    let isRedo: Bool
    /// The number of the flush that stores the step.
    let flush: Int
    /// True if the history has dropped the step. Its changes are then released when it is settled.
    var isDropped = false
}

/// An undo or a redo in progress.
struct UndoProgress {
    let step: UndoStep
    let isRedo: Bool
    /// The number of the current pass. If there are groups, every track first checks; then every
    /// track restores; then every track removes, in reverse.
    var pass = 0
    /// The index of the next change of the pass's track.
    var place = 0
    /// The number of entities that the current action may still process.
    var room = 0
    /// The number of entities of the step that are not processed yet.
    var remaining: Int
    /// The changes that depend on each other, or nil if none do.
    var groups: UndoGroups?
    /// The number in ``groups`` of the first change of the pass's track.
    var first = 0
}
