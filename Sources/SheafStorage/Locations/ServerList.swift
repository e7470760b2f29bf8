import FoundationEssentials
import Glibc
import SheafList
import SwiduxFiles
import Synchronization

/// The list that a URL of a server leads to.
///
/// Logs and the remembered view belong to the list's id and the role, not to the text of the URL:
/// with other variables in the environment, the same text leads to another list. The identity is
/// the one that the server named last. Until it is reached, it is the one of the last run, which a
/// small file in the folder `lists` of the state folder keeps.
public final class ServerList: Sendable {
    /// A list and the role that uses it.
    public struct Identity: Hashable, Codable, Sendable {
        public var id: UUID
        public var role: String
        /// A word for the database, which a copy of it does not share.
        public var database: String

        public init(id: UUID, role: String, database: String) {
            self.id = id
            self.role = role
            self.database = database
        }

        /// Returns true if it is the same list and role, in any database. Compares bytes, because
        /// a server can have two roles whose names Swift considers equal.
        func isOf(_ other: Identity) -> Bool {
            id == other.id && role.utf8.elementsEqual(other.role.utf8)
        }

        public static func == (first: Self, second: Self) -> Bool {
            first.isOf(second) && first.database == second.database
        }

        public func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    /// The content of the file.
    private struct Memory: Codable {
        var destination: String
        var identity: Identity
    }

    /// A word for the text of the URL in the names of files.
    let urlKey: String
    /// The server, the role and the reference that the URL and the environment lead to.
    private let destination: String
    /// The role, the host and the port that these lead to, for messages.
    public let address: String
    /// `$XDG_STATE_HOME/sheaf`, or nil if there is no home folder.
    public let state: StateFolder?

    private struct Findings {
        var identity: Identity?
        var isBound = false
        var notice: String?
        var assumed: String?
        var nextBatch: BatchName?
    }

    private let findings = Mutex(Findings())

    /// - Parameters:
    ///   - url: equal for all URLs that differ only in how the server is reached. Without a
    ///     password, as `destination`.
    ///   - destination: equal for all URLs that lead to the same server, role and reference.
    ///   - address: the role, the host and the port that it has.
    public init(
        url: String, destination: String, address: String, environment: [String: String]
    ) {
        self.address = address
        urlKey = StableHash.word(url)
        self.destination = destination
        state = StateFolder(environment: environment)
        let identity: Identity?
        do {
            identity = try Self.remembered(destination, in: state)
        } catch {
            // Opening the list tells of it.
            identity = nil
        }
        findings.withLock { $0.identity = identity }
    }

    /// The list and the role, or nil if this machine has never reached the list.
    public var identity: Identity? { findings.withLock(\.identity) }

    /// The list that the first connection has to find, or nil for any: the user may already have
    /// edited it.
    public var bound: Identity? { findings.withLock { $0.isBound ? $0.identity : nil } }

    /// A sentence for the user about how the list was found since the last call, or nil.
    public func takeNotice() -> String? {
        findings.withLock { findings in
            defer { findings.notice = nil }
            return findings.notice
        }
    }

    /// Binds the list to the identity of the last run, because editing begins before the server is
    /// reached.
    public func bind() { findings.withLock { $0.isBound = true } }

    /// Called with each new connection to the list.
    public func found(_ identity: Identity) {
        let isNews = findings.withLock { findings in
            defer { findings.identity = identity }
            return findings.identity != identity
        }
        if isNews { remember(identity) }
    }

    /// The name of the next commit of this process, which the log keeps.
    public var nextBatch: BatchName? {
        get { findings.withLock(\.nextBatch) }
        set { findings.withLock { $0.nextBatch = newValue } }
    }

    /// Keeps a sentence for the user.
    public func report(_ notice: String) { findings.withLock { $0.notice = notice } }

    /// The exact reference for URLs, `OWNER/NAME`, if the list of another role was opened by its
    /// bare name or without one.
    public var assumed: String? { findings.withLock(\.assumed) }

    /// Keeps the exact reference of the list.
    ///
    /// - Parameter notice: a message for the user, or nil.
    public func assume(_ reference: String, notice: String?) {
        findings.withLock { findings in
            findings.assumed = reference
            if let notice { findings.notice = notice }
        }
    }

    /// A word for the list in the names of files.
    var key: String {
        StableHash.word(identity.map { "\($0.id.uuidString) \($0.role)" } ?? destination)
    }

    /// The reason why the log at `path`, of the list `owner`, does not belong to this list, or nil.
    ///
    /// - Parameter owner: nil if the process that wrote the log did not know its list.
    func objection(to owner: Identity?, at path: String) -> StorageError? {
        guard let owner else { return Self.objection(toUnknownLog: path) }
        guard owner != identity else { return nil }
        let restore = "sheaf restore \(ShellText.quoted(path)) --store URL"
        if let identity, owner.isOf(identity) {
            return StorageError(
                .foreign, at: path,
                reason: "these unsaved changes were made in another database that has this list,"
                    + " too",
                advice: "The log is kept for that one. If this database has taken its place:"
                    + " \(restore)")
        }
        let id = owner.id.uuidString.lowercased()
        return StorageError(
            .foreign, at: path,
            reason: "these unsaved changes are of another list or role: the list \(id), as"
                + " \(owner.role)",
            advice: "The log is kept. To save them, as \(owner.role), with list=\(id) in the"
                + " URL: \(restore). To save them in another list, add --force")
    }

    /// The reason why the log at `path` is left as it is if it does not name its list.
    static func objection(toUnknownLog path: String) -> StorageError {
        StorageError(
            .foreign, at: path, reason: "these unsaved changes do not tell the id of their list",
            advice: "The log is kept. If they are of this list: sheaf restore"
                + " \(ShellText.quoted(path)) --store URL --force")
    }

    private static func fileName(_ destination: String) -> String {
        "lists/\(StableHash.word(destination)).json"
    }

    /// Returns the list to which URLs with `destination` led when one was used last, or nil.
    ///
    /// - Throws: `StorageError` if that may be known and cannot be read. Then no list may be
    ///   opened.
    public static func remembered(
        _ destination: String, in state: StateFolder?
    ) throws(StorageError) -> Identity? {
        let name = fileName(destination)
        guard let state, state.mayContain(name) else { return nil }
        do {
            let memory = try JSONDecoder().decode(Memory.self, from: Data(state.read(name) ?? []))
            let isSame = memory.destination.utf8.elementsEqual(destination.utf8)
            return isSame ? memory.identity : nil
        } catch {
            let path = "\(state.path)/\(name)"
            throw StorageError(
                .cannotOpen, at: path,
                reason: "this file, which says where the URL led, cannot be read",
                advice: "If the URL still leads to the same list: rm -r \(ShellText.quoted(path))")
        }
    }

    /// Forgets where URLs with `destination` led when one was used last.
    ///
    /// - Returns: the list, or nil if none was remembered.
    public static func forget(
        _ destination: String, in state: StateFolder
    ) throws(StorageError) -> Identity? {
        guard let former = try remembered(destination, in: state) else { return nil }
        drop(destination, in: state)
        return former
    }

    /// Removes the record of `destination`, which may be unreadable.
    public static func drop(_ destination: String, in state: StateFolder) {
        unlink("\(state.path)/\(fileName(destination))")
    }

    /// Forgets where those URLs led, of all that were used in the state folder, that `isMeant`
    /// returns true for.
    public static func forget(
        in state: StateFolder, where isMeant: (_ destination: String, Identity) -> Bool
    ) {
        for file in FolderContents.names(in: "\(state.path)/lists") {
            do {
                let bytes = Data(state.read("lists/\(file)") ?? [])
                let memory = try JSONDecoder().decode(Memory.self, from: bytes)
                if isMeant(memory.destination, memory.identity) {
                    unlink("\(state.path)/lists/\(file)")
                }
            } catch {
                // It says something else.
                continue
            }
        }
    }

    private func remember(_ identity: Identity) {
        do {
            let bytes = try JSONEncoder().encode(
                Memory(destination: destination, identity: identity))
            try state?.write(Array(bytes), to: Self.fileName(destination))
        } catch {
            // A log that is begun without the server is then left to the user.
        }
    }
}
