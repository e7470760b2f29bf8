import SheafList

/// How a store is opened.
public enum OpenMode: Hashable, Sendable {
    /// Read and write; a missing store is made, with its folders, and has nothing in it.
    case readWriteCreate
    /// Like `readWriteCreate`, and a new store gets the default views. A list without items, tags
    /// and id gets an id, by which an intent log can tell it from another list.
    case readWriteBegin
    /// Read and write an existing store.
    case readWrite
    /// Read an existing store and never write to it.
    case readOnly

    /// Whether a missing store is made.
    public var makes: Bool { self == .readWriteCreate || self == .readWriteBegin }

    /// Whether an empty list without an id gets one.
    var identifies: Bool { self == .readWriteBegin }

    /// The entities of a new store, as upserts.
    var rows: StorageChanges {
        var rows = StorageChanges()
        if self == .readWriteBegin { rows.views.upsert(.agenda) }
        return rows
    }
}
