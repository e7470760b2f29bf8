import SheafList

/// An open list: its storage, its place, and messages about it.
public struct OpenList: Sendable {
    /// Where it lives.
    public let place: Place
    /// Its storage.
    public let storage: any ListStorage
    /// What was recovered after runs that ended suddenly, why that failed, or what remains to be
    /// restored, as a sentence.
    public var notice: String?
    /// What opening waits for, where ``storage`` opens the list later.
    public var obstacle: String?
}
