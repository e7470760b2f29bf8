import SheafCore

/// Where a list lives, as `--store` names it.
///
///     let place = try Place("reading.sqlite", environment: environment)
///     let list = try await place.openForScreen(.readWriteCreate)
///
/// All that belongs to a list in a file is found through ``file``; a place without one has no
/// backups, logs or view.
public enum Place: Sendable {
    /// In a file.
    case file(FilePlace)
    /// In memory, for trying the screen: nothing is written to disk.
    case memory

    /// The place that `name` names, or that of the standard list if it is nil.
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

    /// The file, or nil if the list is in memory.
    public var file: FilePlace? {
        switch self {
        case .file(let file): file
        case .memory: nil
        }
    }

    /// Opens the list for the screen without waiting.
    ///
    /// - Throws: as `FilePlace.openForScreen`.
    public func openForScreen(_ mode: OpenMode) async throws -> OpenList {
        switch self {
        case .file(let file): try await file.openForScreen(mode)
        case .memory: OpenList(place: self, storage: MemoryStorage(mode: mode))
        }
    }
}
