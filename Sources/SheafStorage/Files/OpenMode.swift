import SheafCore

/// How a store is opened.
public enum OpenMode: Hashable, Sendable {
    /// Read and write; a missing store is made, with its folders, and has nothing in it.
    case readWriteCreate
    /// The same, but a store that is made has the views that a new list begins with.
    case readWriteBegin
    /// Read and write an existing store.
    case readWrite
    /// Read an existing store and never write to it.
    case readOnly

    /// Whether a missing store is made.
    public var makes: Bool { self == .readWriteCreate || self == .readWriteBegin }

    /// What a store has that is made.
    var views: [SavedView] { self == .readWriteBegin ? [.agenda] : [] }
}
