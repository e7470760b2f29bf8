/// How a file that belongs to a list names it, such as an intent log that may be moved: equal for
/// all names of one list.
public enum ListOrigin: Hashable, Sendable, CustomStringConvertible {
    /// A list in a file, by its absolute path, links followed.
    case file(StoreURL)
    /// A list on a server, by the URL that opens it, without a password.
    case server(String)

    /// The list that `text` names, which ``description`` once was. Nil for anything else.
    init?(_ text: String) {
        if StoreURL.isOfServer(text) {
            self = .server(text)
            return
        }
        guard StoreURL.Backend.allCases.contains(where: { text.hasPrefix("\($0.rawValue):/") })
        else { return nil }
        do { self = .file(try StoreURL(text)) } catch { return nil }
    }

    /// What `--store` takes.
    public var description: String {
        switch self {
        case .file(let url): url.description
        case .server(let url): url
        }
    }
}
