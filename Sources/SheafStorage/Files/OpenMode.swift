/// What may be done to a store that is opened.
public enum OpenMode: Hashable, Sendable {
    /// Read and write; a store that is missing is made, its folders too.
    case readWriteCreate
    /// Read and write a store that is there.
    case readWrite
    /// Read a store that is there and never write to it.
    case readOnly
}
