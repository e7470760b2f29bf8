import SheafList

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
    /// A word for the list in the names of files: the same from every folder, through every link
    /// and, once the server has been asked, by every URL.
    public var key: String { server?.key ?? file?.key ?? "" }
    /// `$XDG_STATE_HOME/sheaf`, or nil if there is no home folder.
    public let state: StateFolder?

    /// The file that holds the list, or nil if it is on a server.
    let file: StoreFile?
    /// Ids of the list in the file, once it has been opened.
    let sample: ListSample?
    /// The list on the server, or nil if it is in a file.
    public let server: ServerList?

    init(
        of file: StoreFile, _ backend: StoreURL.Backend, _ sample: ListSample, state: StateFolder?
    ) {
        self.sample = sample
        name = file.location
        origin = .file(StoreURL(backend, path: file.path))
        self.state = state
        self.file = file
        server = nil
    }

    /// The home of a list on a server.
    ///
    /// - Parameters:
    ///   - url: what opens the list, from any folder and without other options. It is written to
    ///     files and shown in messages, so no password may be in it.
    ///   - server: the list that it leads to.
    public init(_ url: String, on server: ServerList) {
        name = url
        origin = .server(url)
        state = server.state
        (file, sample) = (nil, nil)
        self.server = server
    }
}
