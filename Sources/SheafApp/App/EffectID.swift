/// The ids of effects that a later effect of the same id cancels.
enum EffectID: Hashable {
    /// The search for the rows.
    case search
    /// The search for marked items that the rows do not contain.
    case hiddenMarks
    /// The text of a copy.
    case copy
    /// The counts of the tag picker.
    case tagUses
    /// The wait for a pause in typing.
    case pause
}
