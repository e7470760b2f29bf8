/// How a store is opened.
public enum OpenMode: Hashable, Sendable {
    /// Read and write; a missing store is made, with its folders.
    case readWriteCreate
    /// Read and write an existing store.
    case readWrite
    /// Read an existing store and never write to it.
    case readOnly
}
