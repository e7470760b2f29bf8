import FoundationEssentials
import Glibc
import SheafList
import SwiduxFiles

extension Location {
    /// The folders where a log of the list can be, the best first. Empty if there is no home folder
    /// and the list is not in a file.
    var logFolders: [IntentDatabase.Folder] {
        IntentDatabase.Folder.allCases.filter { logPrefix(in: $0) != nil }
    }

    /// Returns the path of `folder` and the prefix of the log names in it, or nil if the folder
    /// does not exist for this list.
    private func logPrefix(in folder: IntentDatabase.Folder) -> (folder: String, name: String)? {
        switch folder {
        case .list:
            file.map { ($0.store.folder, ".\($0.store.path.lastPathName).intents-") }
        case .state:
            state.map { ($0.path, "intents-\(server.map { "\($0.urlKey)-" } ?? "")\(key)-") }
        }
    }

    /// Makes an empty file for a log in `folder`. Its name is unique and sorts after the names of
    /// earlier logs.
    ///
    /// - Returns: the path, or nil if there is no such folder.
    /// - Throws: `StorageError` if the file cannot be made.
    func makeLog(in folder: IntentDatabase.Folder) throws -> String? {
        guard let prefix = logPrefix(in: folder) else { return nil }
        let id = UUID.ordered(at: .now).uuidString.lowercased()
        let file = try StoreFile(named: "\(prefix.folder)/\(prefix.name)\(id)")
        if folder == .state { try file.makeFolders() }
        try file.makeFile(at: file.location)
        return file.location
    }

    /// Returns the paths of this user's logs of the list, including logs in use. The oldest comes
    /// first, because a later run may have edited items of an earlier one. A folder that cannot be
    /// read counts as empty.
    func logs() -> [String] { allLogs().filter(FileTrust.isOwn) }

    /// Returns the paths of this user's write-ahead logs without their log. Either the owner was
    /// killed while it removed both files, or the log was moved alone.
    func orphanedWriteAheadLogs() -> [String] {
        allLogs(endingIn: "-wal").filter { path in
            FileTrust.isOwn(path) && access(String(path.dropLast("-wal".count)), F_OK) != 0
        }
    }

    /// Removes the orphaned write-ahead logs that are empty.
    func removeOrphanedWriteAheadLogs() {
        for path in orphanedWriteAheadLogs() {
            var status = stat()
            if lstat(path, &status) == 0, status.st_size == 0 { unlink(path) }
        }
    }

    /// Returns an error for each log of the list that belongs to another user. Only that user's
    /// commands save such a log. This function may wait for the system's user database, so it is
    /// not called on the main thread.
    func objectionsToLogsOfOtherUsers() -> [StorageError] {
        allLogs().compactMap { path in
            var status = stat()
            guard lstat(path, &status) == 0, status.st_uid != geteuid(),
                status.st_mode & S_IFMT == S_IFREG
            else { return nil }
            let name = userName(status.st_uid) ?? "the user \(status.st_uid)"
            return StorageError(
                .foreign, at: path, reason: "this intent log belongs to \(name)",
                advice: "If \(name) does not have the list open, the next command that \(name) runs"
                    + " on it saves the changes.")
        }
    }

    /// Returns this user's logs that are named after other lists. It searches the list's folder, if
    /// the list is in a file, and the state folder. O(files in the folders).
    func logsOfOtherLists() -> [String] {
        let own = Set(logs().map { Array($0.utf8) })
        return [file?.store.folder, state?.path].compactMap(\.self).flatMap { folder in
            FolderContents.names(in: folder).sorted().map { "\(folder)/\($0)" }
        }
        .filter { path in
            path.lastPathName.contains("intents-")
                && UUID(uuidString: String(path.suffix(idLength))) != nil
                && !own.contains(Array(path.utf8)) && FileTrust.isOwn(path)
        }
    }

    /// Returns the paths of the list's logs whose names end in `suffix`, including logs of other
    /// users.
    private func allLogs(endingIn suffix: String = "") -> [String] {
        var prefixes = IntentDatabase.Folder.allCases.compactMap { kind in
            logPrefix(in: kind).map { (kind: kind, folder: $0.folder, name: $0.name) }
        }
        // A link to this list may have replaced an earlier list. The logs of that list carry the
        // name of the link.
        if let store = file?.store, let link = store.link, !link.hasBytes(of: store.path) {
            prefixes.append((.list, link.parentPath, ".\(link.lastPathName).intents-"))
        }
        return prefixes.flatMap { kind, folder, prefix -> [(id: String, path: String)] in
            FolderContents.names(in: folder).compactMap { name in
                guard name.hasSuffix(suffix) else { return nil }
                return id(in: name.dropLast(suffix.count), prefix, of: kind).map { id in
                    (id: id, path: "\(folder)/\(name)")
                }
            }
        }
        .sorted { $0.id < $1.id }.map(\.path)
    }

    /// Returns the id in the name of a log that may belong to this list, or nil for any other name.
    /// The log of a server list may belong to this list if its name contains the key of the list or
    /// the key of the URL. The same URL may have led to another list. Earlier versions wrote only
    /// the key of the URL.
    private func id(
        in name: some StringProtocol, _ prefix: String, of folder: IntentDatabase.Folder
    ) -> String? {
        let id = String(name.suffix(idLength))
        guard UUID(uuidString: id) != nil else { return nil }
        guard let server, folder == .state else {
            return name.hasBytes(of: prefix + id) ? id : nil
        }
        let words = name.dropLast(idLength).split(separator: "-")
        guard words.first == "intents", (2...3).contains(words.count) else { return nil }
        let isOurs = words.count == 3 && words[2] == server.key
        return isOurs || words[1] == server.urlKey ? id : nil
    }
}

extension Location {
    /// Returns the reason why `log` does not belong to this list, or nil. A list on a server must
    /// have been opened.
    ///
    /// - Throws: `.busy` if the list is in a file that is locked.
    package func objection(to log: AbandonedLog) throws(StorageError) -> StorageError? {
        try objection(to: log.records, at: log.path)
    }

    /// Returns the address of the server where the session that left `log` had the list, or nil if
    /// it is the current one.
    package func formerAddress(of log: AbandonedLog) -> String? { formerAddress(of: log.records) }

    /// Returns the address of the server where the process that wrote `records` had the list, or
    /// nil if it is the current one.
    func formerAddress(of records: LogRecords) -> String? {
        records.address == server?.address || records.batches.isEmpty || records.address.isEmpty
            ? nil : records.address
    }

    /// Returns true if `log` holds changes of another server list or role than this one, or does
    /// not name its list. Requires that this list has been opened.
    package func isOfOtherList(_ log: AbandonedLog) -> Bool {
        guard let identity = server?.identity else { return false }
        return log.records.owner?.isOf(identity) != true
    }

    /// Returns true if this list is on a server and `log` names the id of a list on a server.
    package func namesOwner(_ log: AbandonedLog) -> Bool {
        server != nil && log.records.owner != nil
    }

    /// Returns the reason why the log at `path` does not belong to this list, or nil. A log of
    /// another list may have a matching name.
    ///
    /// - Throws: `.busy` if the list is locked.
    func objection(to records: LogRecords, at path: String) throws(StorageError) -> StorageError? {
        if let server { return server.objection(to: records.owner, at: path) }
        guard let file, !records.identity.isEmpty else { return nil }
        do {
            guard try !records.isOfList(in: file.store, file.url.backend) else { return nil }
        } catch {
            let error = StorageError(error, at: name)
            if error.code == .busy { throw error }
            // No changes are committed to an unreadable list anyway.
            return nil
        }
        return StorageError(
            .foreign, at: path,
            reason: "these unsaved changes are of another list, which was at \(name) before",
            advice: "The log is kept. To save them: sheaf restore \(ShellText.quoted(path))"
                + " --store FILE")
    }
}

/// The length of the id at the end of a log's name.
private let idLength = 36

private func userName(_ id: uid_t) -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil else {
        return nil
    }
    return String(cString: entry.pw_name)
}

extension UUID {
    /// Returns a new UUID of version 7 (RFC 9562), which sorts after those of earlier milliseconds.
    fileprivate static func ordered(at moment: Timestamp) -> UUID {
        var bytes = UUID.random().uuid
        withUnsafeMutableBytes(of: &bytes) { bytes in
            for (index, shift) in stride(from: 40, through: 0, by: -8).enumerated() {
                bytes[index] = UInt8(truncatingIfNeeded: moment.milliseconds >> shift)
            }
            bytes[6] = bytes[6] & 0x0f | 0x70
            bytes[8] = bytes[8] & 0x3f | 0x80
        }
        return UUID(uuid: bytes)
    }
}
