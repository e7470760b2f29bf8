import SheafList

/// The file of a list, with its links followed once, and where everything that belongs to the list
/// lies.
///
/// Functions about a list take this value instead of a path, so that storage, logs, backups, rescue
/// files and remembered view belong to one file even if a link changes meanwhile.
public struct FilePlace: Sendable {
    /// The file as the user named it, which messages show.
    public let url: StoreURL
    /// `$XDG_STATE_HOME/sheaf`, which holds the remembered view of the list, or nil if there is no
    /// home folder.
    public let state: StateFolder?

    let file: StoreFile
    /// Ids of the list, once it has been opened.
    let sample = ListSample()

    /// The place of the list at `url`. Nothing need exist there.
    ///
    /// - Throws: `StorageError` if links lead in a circle, or the working folder is gone.
    public init(_ url: StoreURL, environment: [String: String]) throws {
        self.url = url
        file = try StoreFile(resolving: url.path)
        state = StateFolder(environment: environment)
    }

    /// The list by its absolute path, links followed: equal for all names of one list.
    public var resolved: StoreURL { StoreURL(url.backend, path: file.path) }

    /// Where its logs, its rescue files and its remembered view lie.
    public var home: ListHome { ListHome(of: file, url.backend, sample, state: state) }

    /// A word for the list, the same from every folder and through every link.
    public var key: String { file.key }
}
