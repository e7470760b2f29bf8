import FoundationEssentials
import Glibc
import SheafList
import SwiduxFiles
import Synchronization

/// The list that the URL of a server leads to.
///
/// Logs and the remembered view belong to the list's id and the role, not to the text of the URL,
/// because other environment variables can lead the same text to another list. The identity is the
/// one that the server reported last. Until the server is reached, it is the identity of the last
/// run, kept in a small file in the folder `lists` of the state folder.
package final class ServerList: Sendable {
    /// The identity of a list and of the role that uses it.
    package struct Identity: Hashable, Codable, Sendable {
        package var id: UUID
        package var role: String
        /// A word that identifies the database. A copy of the database has a different one.
        package var database: String

        package init(id: UUID, role: String, database: String) {
            self.id = id
            self.role = role
            self.database = database
        }

        /// Returns true if it is the same list and role, in any database. Compares bytes, because
        /// a server can have two roles whose names Swift considers equal.
        func isOf(_ other: Identity) -> Bool {
            id == other.id && role.utf8.elementsEqual(other.role.utf8)
        }

        package static func == (first: Self, second: Self) -> Bool {
            first.isOf(second) && first.database == second.database
        }

        package func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    /// The content of the file that remembers the identity.
    private struct Memory: Codable {
        var destination: String
        var identity: Identity
    }

    /// A key of the URL's text for file names.
    let urlKey: String
    /// The server, the role and the reference that the URL and the environment lead to.
    private let destination: String
    /// The role, host and port of that destination, for messages.
    package let address: String
    /// `$XDG_STATE_HOME/sheaf`, or nil if there is no home folder.
    package let state: StateFolder?

    private struct Findings {
        var identity: Identity?
        var isBound = false
        var notice: String?
        var assumed: String?
        var nextBatch: BatchName?
    }

    private let findings = Mutex(Findings())

    /// Creates the list of a URL, with the identity of the last run.
    ///
    /// - Parameters:
    ///   - url: a text that is equal for all URLs that differ only in how the server is reached. It
    ///     has no password.
    ///   - destination: a text that is equal for all URLs that lead to the same server, role and
    ///     reference. It has no password.
    ///   - address: the role, host and port of `destination`.
    package init(
        url: String, destination: String, address: String, environment: [String: String]
    ) {
        self.address = address
        urlKey = url.stableHashWord
        self.destination = destination
        state = StateFolder(environment: environment)
        let identity: Identity?
        do {
            identity = try Self.remembered(destination, in: state)
        } catch {
            // Opening the list reports this error.
            identity = nil
        }
        findings.withLock { $0.identity = identity }
    }

    /// The list and the role. Nil if this machine has never reached the list.
    package var identity: Identity? { findings.withLock(\.identity) }

    /// The list that the first connection must find, because the user may already have edited it.
    /// Nil if any list is accepted.
    package var bound: Identity? { findings.withLock { $0.isBound ? $0.identity : nil } }

    /// Returns a sentence for the user about how the list was found since the last call, or nil.
    package func consumeNotice() -> String? {
        findings.withLock { findings in
            defer { findings.notice = nil }
            return findings.notice
        }
    }

    /// Binds the list to the identity of the last run, because editing begins before the server is
    /// reached.
    package func bind() { findings.withLock { $0.isBound = true } }

    /// Records the identity that a new connection found.
    package func found(_ identity: Identity) {
        let isNews = findings.withLock { findings in
            defer { findings.identity = identity }
            return findings.identity != identity
        }
        if isNews { remember(identity) }
    }

    /// The name of this process's next commit, which the log records.
    package var nextBatch: BatchName? {
        get { findings.withLock(\.nextBatch) }
        set { findings.withLock { $0.nextBatch = newValue } }
    }

    /// Stores a sentence for the user.
    package func report(_ notice: String) { findings.withLock { $0.notice = notice } }

    /// The exact reference for URLs, `OWNER/NAME`, if the user opened another role's list by its
    /// bare name or without a name.
    package var assumed: String? { findings.withLock(\.assumed) }

    /// Stores the exact reference of the list.
    ///
    /// - Parameter notice: a message for the user, or nil.
    package func assume(_ reference: String, notice: String?) {
        findings.withLock { findings in
            findings.assumed = reference
            if let notice { findings.notice = notice }
        }
    }

    /// A key of the list for file names.
    var key: String {
        (identity.map { "\($0.id.uuidString) \($0.role)" } ?? destination).stableHashWord
    }

    /// Returns the reason why the log at `path`, of the list `owner`, does not belong to this list,
    /// or nil.
    ///
    /// - Parameter owner: the list that the log names. Nil if the process that wrote the log did
    ///   not know its list.
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

    /// Returns the reason not to adopt a log that does not name its list.
    static func objection(toUnknownLog path: String) -> StorageError {
        StorageError(
            .foreign, at: path, reason: "these unsaved changes do not tell the id of their list",
            advice: "The log is kept. If they are of this list: sheaf restore"
                + " \(ShellText.quoted(path)) --store URL --force")
    }

    private static func fileName(_ destination: String) -> String {
        "lists/\(destination.stableHashWord).json"
    }

    /// Returns the list to which URLs with `destination` led when the user last opened one, or nil.
    ///
    /// - Throws: `StorageError` if a record may exist but cannot be read. No list may be opened
    ///   then.
    package static func remembered(
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

    /// Forgets where URLs with `destination` led when the user last opened one.
    ///
    /// - Returns: the forgotten list, or nil if none was remembered.
    package static func forget(
        _ destination: String, in state: StateFolder
    ) throws(StorageError) -> Identity? {
        guard let former = try remembered(destination, in: state) else { return nil }
        drop(destination, in: state)
        return former
    }

    /// Removes the record of `destination`, even if it cannot be read.
    package static func drop(_ destination: String, in state: StateFolder) {
        unlink("\(state.path)/\(fileName(destination))")
    }

    /// Forgets the remembered destinations in the state folder for which `isMeant` returns true.
    package static func forget(
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
                // The file is not such a record.
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
            // Without the record, a log that is begun before the server is reached does not name
            // its list. Only the user can then recover its changes.
        }
    }
}
