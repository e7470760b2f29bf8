import SheafList
import Swidux

/// An intent log that `sheaf doctor` examines without changing it.
package struct ExaminedLog: Sendable {
    /// The content of a log.
    package enum Content: Sendable {
        /// Changes of a session that has ended, and the reasons why the list refused them, if any.
        case changes([StorageChanges], refusals: [String])
        /// The log of a running process.
        case inUse(by: String)
        /// A log that cannot be read, with the texts in it if it is of an earlier version.
        case unreadable(StorageError, texts: [String] = [])
    }

    package let path: String
    package let content: Content
    /// The server list that the log belongs to, or nil if the log does not name it.
    package private(set) var owner: ServerList.Identity?
    /// The address of the server where the session had the list, or nil if it is the current one.
    package private(set) var address: String?
    /// The reason why no command on this list saves the changes: they belong, or may belong, to
    /// another list.
    package private(set) var objection: StorageError?

    /// Returns all logs that belong, or may belong, to the list at `location`: first its own logs,
    /// the oldest first; then logs under former names of its file, or logs of servers that were
    /// never reached; then logs of other users, and files that belong to a missing log. This
    /// function copies each log and reads the copy. It writes to none.
    package static func all(for location: any Location) -> [ExaminedLog] {
        location.logs().map { ExaminedLog($0, of: location) }
            + location.logsOfOtherLists().compactMap {
                location.server == nil
                    ? ExaminedLog(formerly: $0, of: location) : ExaminedLog(ofUnknownList: $0)
            }
            + (location.objectionsToLogsOfOtherUsers()
            + location.orphanedWriteAheadLogs().map(objection(toOrphan:))).map {
                ExaminedLog(path: $0.location, content: .unreadable($0))
            }
    }

    private static func objection(toOrphan path: String) -> StorageError {
        StorageError(
            .corrupt, at: path, reason: "the intent log that this file belongs to is not beside it",
            advice: "If you have moved that log, put both into one folder."
                + (LogHeader.isWriteAheadLog(path)
                    ? " If it is lost, an empty file of its name takes its place: touch "
                        + ShellText.quoted(String(path.dropLast(4)))
                    : " Keep this file until then."))
    }

    private init(_ path: String, of location: any Location) {
        var objection: StorageError?
        var owner: ServerList.Identity?
        var address: String?
        content = Self.content(of: path) { records in
            owner = records.owner
            address = location.formerAddress(of: records)
            objection = try location.objection(to: records, at: path)
        }
        self.path = path
        self.owner = owner
        self.address = address
        self.objection = objection
    }

    /// Reads a log that was made before the list's file was moved, and that has the former name of
    /// the file. Nil if the log at `path` is not such a log. No command on the list looks for it.
    private init?(formerly path: String, of location: any Location) {
        do {
            let records = try LogRecords(readingCopyOf: path)
            guard !records.batches.isEmpty, let file = location.file,
                let former = records.list.flatMap(StoreURL.init(address:)),
                !records.identity.isEmpty,
                try file.store.hasVersion(of: records.identity, file.url.backend)
            else { return nil }
            let formerFile = try StoreFile(named: former.path)
            // The former file still exists, so the list is a copy. A copy has the same ids.
            guard try formerFile.identity() == nil else { return nil }
            content = .changes(records.batches, refusals: records.refusals)
            objection = StorageError(
                .foreign, at: path, reason: "the list was at \(former.path) then",
                advice: "To save them: sheaf restore \(ShellText.quoted(path))"
                    + " --store \(ShellText.quoted(location.name))")
            self.path = path
        } catch {
            return nil
        }
    }

    /// Reads the log of a server list that was never reached, so the log does not identify its
    /// list. Nil if the log at `path` is not such a log. No command looks for it.
    private init?(ofUnknownList path: String) {
        do {
            let records = try LogRecords(readingCopyOf: path)
            guard !records.batches.isEmpty, records.owner == nil,
                let url = records.list, StoreURL.isOfServer(url)
            else { return nil }
            content = .changes(records.batches, refusals: records.refusals)
            objection = StorageError(
                .foreign, at: path, reason: "of \(url), which was never reached",
                advice: ServerList.objection(toUnknownLog: path).advice)
            self.path = path
        } catch {
            return nil
        }
    }

    private init(path: String, content: Content) {
        self.path = path
        self.content = content
    }

    private static func content(
        of path: String, checking check: (LogRecords) throws -> Void
    ) -> Content {
        do {
            let file = try StoreFile(named: path)
            if let identity = try file.identity(),
                let holder = OpenFiles.holders(of: identity, at: file.path).first
            {
                return .inUse(by: holder)
            }
            let records = try LogRecords(readingCopyOf: path)
            try check(records)
            return .changes(records.batches, refusals: records.refusals)
        } catch {
            let error = StorageError(error, at: path)
            if error.code == .busy, error.location == path { return .inUse(by: "another process") }
            let texts = error.code == .older ? EarlierTexts.lines(ofLog: path) : []
            return .unreadable(error, texts: texts)
        }
    }
}

extension StorageChanges {
    /// One line for each change of a tag or an item, such as `changed the item “milk”`.
    var lines: [String] {
        func lines<Entity>(
            _ changes: EntityChanges<Entity>, _ kind: String, _ name: (Entity) -> String
        ) -> [String] {
            changes.elements.map { _, change in
                guard let entity = change.after else {
                    let known = change.before.map { " “\(name($0))”" } ?? ""
                    return "deleted the \(kind)\(known)"
                }
                let verb = change.before == nil ? "added" : "changed"
                return "\(verb) the \(kind) “\(name(entity))”"
            }
        }
        return lines(tags, "tag", \.name) + lines(items, "item", \.name)
    }
}
