import SheafList

/// The mode in which a store is opened.
package enum OpenMode: Hashable, Sendable {
    /// Reads and writes. Makes a missing store, with its folders; the new store is empty.
    case readWriteCreate
    /// Reads and writes like `readWriteCreate`, and gives a new store the default views. Gives an
    /// id to a list without items, tags and id, so that an intent log can distinguish it from other
    /// lists.
    case readWriteBegin
    /// Reads and writes an existing store.
    case readWrite
    /// Reads an existing store and never writes to it.
    case readOnly

    /// True if a missing store is made.
    package var createsStore: Bool { self == .readWriteCreate || self == .readWriteBegin }

    /// True if an empty list without an id gets one.
    var assignsID: Bool { self == .readWriteBegin }

    /// The entities of a new store, as upserts.
    var rows: StorageChanges {
        var rows = StorageChanges()
        if self == .readWriteBegin { rows.views.upsert(.agenda) }
        return rows
    }
}
