import SheafCore

/// A list that was opened: its storage, its place, and what there is to say of it.
public struct OpenList: Sendable {
    /// Where it lives.
    public let place: Place
    /// What reads and writes it.
    public let storage: any ListStorage
    /// What was recovered of runs that ended suddenly, why it could not be, or what waits to be, as
    /// a sentence.
    public var recovery: String?
    /// What opening waits for, where ``storage`` opens the list later.
    public var obstacle: String?
}
