import SheafCore

/// Where all that belongs to a list lies besides its rows: intent logs, rescue files, the
/// remembered view.
///
/// The logs of a list in a file lie beside it, or in the state folder where nothing can be written
/// there. All else, and all of a list on a server, lies in the state folder.
public struct ListHome: Sendable {
    /// What messages call the list: its path as the user gave it, or its URL without a password.
    public let name: String
    /// How the files that belong to the list name it.
    public let origin: ListOrigin
    /// A word for the list in the names of files, the same from every folder and through every
    /// link.
    public let key: String
    /// `$XDG_STATE_HOME/sheaf`, or nil if there is no home folder.
    public let state: StateFolder?

    /// The file that holds the list, or nil if it is on a server.
    let file: StoreFile?

    init(of file: StoreFile, _ backend: StoreURL.Backend, state: StateFolder?) {
        name = file.location
        origin = .file(StoreURL(backend, path: file.path))
        key = file.key
        self.state = state
        self.file = file
    }

    /// The home of a list on a server.
    ///
    /// - Parameters:
    ///   - url: what opens the list, from any folder and without other options. It is written to
    ///     files and shown in messages, so no password may be in it.
    ///   - identity: equal for all URLs of the list that are to share logs and the remembered view.
    ///     It is hashed to a file name. Nil takes `url`.
    public init(server url: String, identity: String? = nil, environment: [String: String]) {
        name = url
        origin = .server(url)
        key = StableHash.word(identity ?? url)
        state = StateFolder(environment: environment)
        file = nil
    }
}
