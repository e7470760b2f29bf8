import SheafList

/// Where a list is, with everything that belongs to it: its storage, intent logs, rescue files,
/// backups and remembered view.
///
///     let locations = Locations(environment: environment, servers: servers)
///     let location = try locations.named("reading.sqlite")
///     let list = try await location.open(.readWrite)
///
/// The logs of a list in a file lie beside it, or in the state folder where nothing can be written
/// there. Everything else, and everything of a list on a server, lies in the state folder. Members
/// that only a list in a file has, such as backups, are members of ``FileLocation``.
public protocol Location: Sendable {
    /// The name of the list in messages: its path as the user gave it, or its URL without a
    /// password.
    var name: String { get }
    /// The URL that opens the list from any folder and without other options. Logs name the list
    /// by it. Equal for all names of one list in a file. Without a password, because it is written
    /// to files and shown in messages.
    var address: String { get }
    /// `$XDG_STATE_HOME/sheaf`, or nil if there is no home folder, or nothing to keep there.
    var state: StateFolder? { get }
    /// The list on a server, or nil if it is on none.
    var server: ServerList? { get }

    /// Opens the list as it is, without recovering anything. It can be slow (it waits for locks or
    /// a server, and undoes interrupted writes), so it is not called on the main thread.
    ///
    /// A list that cannot be written to opens all the same, with a `readOnlyReason`. A file that is
    /// corrupt, foreign, newer or empty is left as it is, byte for byte.
    ///
    /// - Parameter patience: how long the server, and locks of other processes, are waited for.
    /// - Throws: `StorageError`, with advice where there is any: `.notFound` for a missing list
    ///   unless `mode` makes one, `.busy` if another try may succeed, `.cannotOpen`, `.foreign`,
    ///   `.corrupt`, `.newer`, `.io`. Without a password in its texts.
    func openStorage(_ mode: OpenMode, patience: Duration) throws -> any ListStorage

    /// Opens the list as it is without waiting. A list that another process has locked, or whose
    /// server cannot be reached, is opened by the first call that succeeds; calls before it throw.
    ///
    /// - Returns: the storage, and the `StorageError/reason` why it is not open yet, or nil.
    /// - Throws: as ``openStorage(_:patience:)``, but never `.busy`.
    func openStorageLater(
        _ mode: OpenMode
    ) throws -> (storage: any ListStorage, obstacle: String?)

    /// Examines the list and everything that belongs to it, without writing to it, and advises.
    func examine() async -> Diagnosis
}

extension Location {
    public var address: String { name }
    public var server: ServerList? { nil }
    /// The file, or nil if the list is in none.
    public var file: FileLocation? { self as? FileLocation }
    /// A word for the list in the names of files: the same from every folder, through every link
    /// and, once the server has been asked, by every URL.
    public var key: String { server?.key ?? file?.store.key ?? "" }
}
