import SheafCore

/// The file that a list lives in, its links followed once, and where what belongs to the list lies.
///
/// Whatever is about a list takes this value instead of a path, so that its storage, its logs, its
/// backups, its rescue files and its remembered view are those of one file, whichever way a link
/// leads meanwhile.
public struct FilePlace: Sendable {
    /// The file as the user named it, which messages show.
    public let url: StoreURL
    /// `$XDG_STATE_HOME/sheaf`, which holds what is remembered of the list, or nil where there is
    /// no home.
    public let state: StateFolder?

    let file: StoreFile

    /// The place of the list at `url`. Nothing need be there.
    ///
    /// - Throws: `StorageError` if links lead in a circle, or the working folder is gone.
    public init(_ url: StoreURL, environment: [String: String]) throws {
        self.url = url
        file = try StoreFile(resolving: url.path)
        state = StateFolder(environment: environment)
    }

    /// The list by its absolute path, links followed: equal for all names of one list.
    public var resolved: StoreURL { StoreURL(url.backend, path: file.path) }

    /// A word for the list, wherever it is called from and by whichever link: the hash of its path,
    /// because a path may be longer than a file's name.
    public var key: String { String(StableHash.hash(file.path), radix: 16) }
}
