import SheafList

/// The place of a list and of everything that belongs to it: its storage, intent logs, rescue
/// files, backups and remembered view.
///
///     let locations = Locations(environment: environment, servers: servers)
///     let location = try locations.named("reading.sqlite")
///     let list = try await location.open(.readWrite)
///
/// The logs of a list in a file are beside it or, if the program cannot write there, in the state
/// folder. All other files, and all files of a list on a server, are in the state folder. Members
/// that only a list in a file has, such as backups, are members of ``FileLocation``.
package protocol Location: Sendable {
    /// The name of the list in messages: its path as the user gave it, or its URL without a
    /// password.
    var name: String { get }
    /// The URL that opens the list from any folder and without other options. Logs use it to name
    /// the list. All names of one list in a file have the same address. It has no password, because
    /// it is written to files and shown in messages.
    var address: String { get }
    /// `$XDG_STATE_HOME/sheaf`. Nil if there is no home folder, or for a list in memory.
    var state: StateFolder? { get }
    /// The list on a server. Nil for any other list.
    var server: ServerList? { get }

    /// Opens the list as it is, without recovering changes. Opening waits for locks or a server and
    /// rolls back interrupted writes, so it can be slow and is not called on the main thread.
    ///
    /// A list that cannot be written opens with a `readOnlyReason`. A file that is corrupt,
    /// foreign, newer or empty stays unchanged, byte for byte.
    ///
    /// - Parameter timeout: the time to wait for the server and for locks of other processes.
    /// - Throws: `StorageError`, with advice if possible and without a password in its texts:
    ///   `.notFound` for a missing list unless `mode` makes one, `.busy` if a retry may succeed,
    ///   `.cannotOpen`, `.foreign`, `.corrupt`, `.newer`, `.io`.
    func openStorage(_ mode: OpenMode, timeout: Duration) throws -> any ListStorage

    /// Opens the list as it is, without waiting. If another process has locked the list, or if its
    /// server cannot be reached, the first call that succeeds opens it. Calls before that throw.
    ///
    /// - Returns: the storage, and the `StorageError/reason` why it is not open yet, or nil.
    /// - Throws: the errors of ``openStorage(_:timeout:)``, except `.busy`.
    func openStorageLater(
        _ mode: OpenMode
    ) throws -> (storage: any ListStorage, obstacle: String?)

    /// Examines the list and everything that belongs to it without writing, and gives advice.
    func examine() async -> Diagnosis
}

extension Location {
    package var address: String { name }
    package var server: ServerList? { nil }
    /// The location as a list in a file, or nil for any other list.
    package var file: FileLocation? { self as? FileLocation }
    /// A key of the list for file names: equal from every folder, through every link and, once the
    /// server has been asked, for every URL.
    package var key: String { server?.key ?? file?.store.key ?? "" }
}
