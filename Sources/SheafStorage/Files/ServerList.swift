import FoundationEssentials
import SheafCore
import Synchronization

/// The list that a URL of a server leads to. Its identity is known once the server has been asked.
///
/// Logs and the remembered view belong to the list's id and the role, not to the text of the URL:
/// with other variables in the environment, the same text leads to another list.
public final class ServerList: Sendable {
    /// A list and the role that uses it.
    public struct Identity: Hashable, Sendable {
        public var id: UUID
        public var role: String

        public init(id: UUID, role: String) {
            self.id = id
            self.role = role
        }
    }

    /// The server, the role and the reference that the URL and the environment lead to. It stands
    /// for the list until the identity is known.
    let settings: String
    /// A word for the text of the URL in the names of files.
    let urlKey: String
    /// `$XDG_STATE_HOME/sheaf`, or nil if there is no home folder.
    public let state: StateFolder?

    private struct Findings {
        var identity: Identity?
        var notice: String?
    }

    private let findings = Mutex(Findings())

    /// - Parameters:
    ///   - url: equal for all URLs that differ only in how the server is reached. Without a
    ///     password, as `settings`.
    public init(url: String, settings: String, environment: [String: String]) {
        urlKey = StableHash.word(url)
        self.settings = settings
        state = StateFolder(environment: environment)
    }

    /// The list and the role, once the server has been asked.
    public var identity: Identity? { findings.withLock(\.identity) }

    /// A sentence for the user about how the list was found, or nil.
    public var notice: String? { findings.withLock(\.notice) }

    /// Called with each new connection to the list.
    public func found(_ identity: Identity) { findings.withLock { $0.identity = identity } }

    /// Keeps a sentence for the user.
    public func report(_ notice: String) { findings.withLock { $0.notice = notice } }

    /// A word for the list in the names of files.
    var key: String { keys[0] }

    /// The words that a file of the list can have, the best first.
    var keys: [String] {
        let known = identity.map { [StableHash.word("\($0.id.uuidString) \($0.role)")] } ?? []
        return known + [StableHash.word(settings)]
    }

    /// Returns true if a log with this owner belongs to the list.
    func owns(_ owner: LogOwner) -> Bool {
        if let identity, let other = owner.identity { return identity == other }
        return owner.settings == settings
    }
}

/// The list on a server that an intent log is of.
struct LogOwner: Equatable {
    /// Nil if the process that wrote the log never reached the server.
    var identity: ServerList.Identity?
    /// ``ServerList/settings`` of that process; nil if an earlier version wrote the log.
    var settings: String?

    /// The reason why the log at `path` is left as it is where it belongs to another list.
    func objection(at path: String) -> StorageError {
        let restore = "sheaf restore \(ShellText.quoted(path))"
        guard let identity else {
            return StorageError(
                .foreign, at: path,
                reason: settings == nil
                    ? "an earlier version wrote these unsaved changes, without the id of their list"
                    : "these unsaved changes were made in another environment, or by another role",
                advice: "If they are of this list: \(restore) --store URL")
        }
        return StorageError(
            .foreign, at: path,
            reason: "these unsaved changes are of another list or role: the list"
                + " \(identity.id.uuidString.lowercased()), as \(identity.role)",
            advice: "They stay there. To save them, as \(identity.role): \(restore)")
    }
}
