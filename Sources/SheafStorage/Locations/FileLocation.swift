import SheafList

/// The location of a list in a file, with its links followed once.
///
/// Functions about such a list take this value instead of a path. Storage, logs, backups, rescue
/// files and remembered view then belong to one file even if a link changes later.
package struct FileLocation: Sendable {
    /// The file as the user named it, for messages.
    package let url: StoreURL
    package let state: StateFolder?

    let store: StoreFile
    /// The ids of the list, once it has been opened.
    let currentIdentity = CurrentListIdentity()

    /// Creates the location of the list at `url`. The file need not exist.
    ///
    /// - Throws: `StorageError` if links lead in a circle, or the working folder is gone.
    package init(_ url: StoreURL, environment: [String: String]) throws {
        self.url = url
        store = try StoreFile(resolving: url.path)
        state = StateFolder(environment: environment)
    }

    package var name: String { url.path }
    package var address: String { StoreURL(url.backend, path: store.path).description }
}
