/// The changes of one command. Not nested, since it would be generic there, and its type looked up
/// at every use.
struct UndoStep {
    var number: Int
    var name: String
    var bytes: Int
    var time: ContinuousClock.Instant
    /// The only entity that it touched, or nil if there are several.
    var single: UndoSubject?
    var coalesces: Bool
    /// The number of the command that this is a part of, or nil.
    var part: Int?
    /// True if changes of it depend on each other.
    var isTied: Bool
    /// True if the last undo or redo of it skipped everything.
    var isRefused = false
    /// The keys of its parts so far, or nil if it has none.
    var keys: UndoKeys?
}

/// An undo or a redo that storage may still refuse part of, because another process has changed
/// something that is not known here.
struct UnsettledStep {
    let number: Int
    let name: String
    let direction: UndoReport.Direction
    /// The number of the flush that stores it.
    let flush: Int
    /// True if it can neither be redone nor undone any more, so that its changes go with this.
    var isDropped = false
}

/// An undo or a redo that goes on.
struct UndoApplication {
    var step: UndoStep
    var direction: UndoReport.Direction
    var progress: UndoProgress
}

/// An entity of one track.
struct UndoSubject: Equatable {
    var track: Int
    var id: AnyID
}
