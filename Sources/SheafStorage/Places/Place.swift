import SheafCore

/// Where a list lives, as `--store` names it.
///
///     let place = try Place("reading.sqlite", environment: environment)
///     let list = try await place.openForScreen(.readWriteCreate)
///
/// What belongs to a list that lives in a file hangs on ``file``; a place without one has none of
/// it.
public enum Place: Sendable {
    /// In a file.
    case file(FilePlace)
    /// In memory, for trying the screen: nothing of it is ever on disk.
    case memory

    /// The place that `name` says, or that of the standard list without a name.
    ///
    /// - Throws: `StoreURLError`, or `StorageError` if links lead in a circle.
    public init(_ name: String?, environment: [String: String]) throws {
        if name?.lowercased() == "memory:" {
            self = .memory
            return
        }
        let url = try StoreURL(named: name, environment: environment)
        self = .file(try FilePlace(url, environment: environment))
    }

    /// The file, or nil where the list is in none.
    public var file: FilePlace? {
        switch self {
        case .file(let file): file
        case .memory: nil
        }
    }

    /// Opens the list for the screen, which waits for nothing.
    ///
    /// - Throws: as `FilePlace.openForScreen`.
    public func openForScreen(_ mode: OpenMode) async throws -> OpenList {
        switch self {
        case .file(let file): try await file.openForScreen(mode)
        case .memory: OpenList(place: self, storage: MemoryStorage(mode: mode))
        }
    }
}
