import CSQLite
import FoundationEssentials
import Glibc
import SheafList
import SwiduxFiles

/// The files that SQLite keeps beside a database. SQLite rolls back or replays any journal with the
/// expected name, and opening a FIFO would block forever. Each file is therefore checked before
/// SQLite opens it. It is checked again afterwards, because another user may put one there in
/// between.
struct SidecarFiles {
    /// The suffixes of the files that a copy of the database must include.
    static let contents = ["-journal", "-wal"]

    private let file: StoreFile

    init(of file: StoreFile) {
        self.file = file
    }

    /// Throws if the file's own name is reserved. SQLite would delete a companion, the next command
    /// would remove a draft, and an intent log may hold changes that are in no list yet.
    func checkOwnName() throws(StorageError) {
        guard !Self.isLogName(file.path.lastPathName) else {
            throw StorageError(
                .cannotOpen, at: file.location,
                reason: "intent logs have such names, and hold unsaved changes",
                advice: "Name another file.")
        }
        guard !FileDraft.isDraftName(file.path.lastPathName) else {
            throw StorageError(
                .cannotOpen, at: file.location,
                reason: "files with such names are removed as drafts",
                advice: "Name another file.")
        }
        for suffix in StoreFile.companionSuffixes where file.path.hasSuffix(suffix) {
            let other = String(file.path.dropLast(suffix.count))
            var status = stat()
            guard stat(other, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            throw StorageError(
                .cannotOpen, at: file.location,
                reason: "a file of this name belongs to \(other.lastPathName)",
                advice: "Name another file.")
        }
    }

    /// Returns true if an intent log, of a list in a file or on a server, could have this name.
    private static func isLogName(_ name: String) -> Bool {
        guard UUID(uuidString: String(name.suffix(36))) != nil else { return false }
        let start = name.dropLast(36)
        return start.hasPrefix(".") && start.hasSuffix(".intents-") || start.hasPrefix("intents-")
    }

    /// Throws if a file exists that SQLite would treat as a companion of the new file.
    func checkAbsence() throws(StorageError) {
        guard
            let suffix = StoreFile.companionSuffixes.first(where: {
                access(file.path + $0, F_OK) == 0
            })
        else { return }
        throw StorageError(
            .cannotOpen, at: file.location,
            reason: "\(file.location)\(suffix) holds an unfinished write of a list, or is another"
                + " file that SQLite would delete",
            advice: "Open that list once to finish it, move the file away, or name another file.")
    }

    /// The result of making SQLite check each journal that it has opened. A user who can rename
    /// this user's files, in a folder without the sticky bit, can deceive the check. Such a user
    /// could replace the list as well.
    private static let guardResult = csq_guard_journals { path in
        guard let path else { return 0 }
        return mayUseJournal(at: String(cString: path)) ? 1 : 0
    }

    /// Makes SQLite check each journal before it uses it. Must be called before the first
    /// connection is opened.
    static func guardJournals(at location: String) throws(StorageError) {
        guard guardResult == SQLITE_OK else {
            throw StorageError(
                .cannotOpen, at: location,
                reason: "SQLite refuses the settings that keep data safe")
        }
    }

    private static func mayUseJournal(at path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        guard let suffix = contents.first(where: path.hasSuffix) else { return false }
        let name = String(path.dropLast(suffix.count))
        let trust = FileTrust(besideListAt: name)
        guard trust.objection(to: status) == nil else { return false }
        let journal = HotJournal(at: path)
        return trust.list == nil || !journal.isDamaged && !journal.isOfOther(than: name)
    }

    /// Returns the reason why other members of the list's group could not use the journal of a
    /// commit, as a sentence, or nil. SQLite gives the journal the permissions of the list but not
    /// its group.
    func groupAccessProblem() -> String? {
        var (list, folder) = (stat(), stat())
        guard geteuid() != 0, stat(file.path, &list) == 0, list.st_mode & S_IWGRP != 0,
            stat(file.folder, &folder) == 0,
            list.st_gid != (folder.st_mode & S_ISGID != 0 ? folder.st_gid : getegid()),
            madeGroup() != list.st_gid
        else { return nil }
        let path = ShellText.quoted(file.folder)
        return "Its group may write to it, but new files in its folder get another group, so that"
            + " other members could not finish an interrupted write. Share the folder, too: chgrp"
            + " \(list.st_gid) \(path) && chmod g+s \(path). Or keep the list to yourself: chmod g-w"
            + " \(ShellText.quoted(file.path))"
    }

    /// Returns the group of a new file beside the list. On some file systems only a real file shows
    /// it.
    private func madeGroup() -> gid_t? {
        do {
            let draft = try FileDraft(for: file.path)
            var status = stat()
            return stat(draft.path, &status) == 0 ? status.st_gid : nil
        } catch {
            return nil
        }
    }

    /// Returns the reason why the journal that a commit needs cannot be written, as a sentence, or
    /// nil if it can be written or does not exist. A commit of another user makes such a journal
    /// for a moment.
    func reasonAgainstWriting() -> String? {
        if let reason = groupAccessProblem() { return reason }
        let journal = file.path + "-journal"
        guard access(journal, F_OK) == 0, access(journal, W_OK) != 0 else { return nil }
        return "\(file.displayName)-journal beside it is not writable"
            + " (\(FileFailure.words(for: errno))). Move it away if no other program has the list open."
    }

    /// Checks all companions of the file.
    ///
    /// - Throws: `.cannotOpen` if one of them is not a regular file, or if another user may have
    ///   made or changed it.
    func check() throws(StorageError) {
        for suffix in StoreFile.companionSuffixes {
            var status = stat()
            guard lstat(file.path + suffix, &status) == 0 else { continue }
            try check(suffix)
        }
    }

    /// Checks one companion of the file.
    ///
    /// - Parameter status: the status from the file's own descriptor, if the file is already open.
    func check(_ suffix: String, isOpen status: stat? = nil) throws(StorageError) {
        var list = stat()
        guard stat(file.path, &list) == 0 else { return }
        // A commit of another writer ends after a moment. Its journal may have that writer's group.
        for pause in list.st_mode & 0o022 == 0 || status != nil ? [0] : [10, 20, 40, 80, 160, 0] {
            guard let objection = objection(to: suffix, status, beside: list) else { return }
            guard pause > 0 else { throw objection }
            usleep(UInt32(pause) * 1_000)
        }
    }

    private func objection(
        to suffix: String, _ known: stat?, beside list: stat
    ) -> StorageError? {
        var status = stat()
        if let known {
            status = known
        } else if lstat(file.path + suffix, &status) != 0 {
            return nil
        }
        let name = file.displayName + suffix
        guard status.st_mode & S_IFMT == S_IFREG else {
            return StorageError(
                .cannotOpen, at: file.location, reason: "\(name) beside it is not a regular file",
                advice: "Only SQLite should use that name; move it away.")
        }
        guard status.st_size == 0 || Self.mayBegin(file.path + suffix, as: suffix) else {
            return StorageError(
                .cannotOpen, at: file.location,
                reason: "\(name) beside it is not SQLite's, but SQLite would delete it",
                advice: "Move it away.")
        }
        if let objection = FileTrust(list: list).objection(to: status) {
            return StorageError(
                .cannotOpen, at: file.location, reason: "\(name) beside it \(objection)",
                advice: advice)
        }
        let journal = file.path + suffix
        guard Self.contents.contains(suffix), status.st_size > 0 else { return nil }
        guard !HotJournal(at: journal).isDamaged else {
            return StorageError(
                .corrupt, at: file.location,
                reason:
                    "\(name) beside it is damaged, so that an interrupted write cannot be undone",
                advice: "'sheaf doctor --recover NEWFILE' saves what can be read.")
        }
        guard HotJournal(at: journal).isOfOther(than: file.path) else { return nil }
        let quoted = ShellText.quoted(journal)
        return StorageError(
            .cannotOpen, at: file.location,
            reason:
                "\(name) beside it is an unfinished write of the version of the list that was here"
                + " before; SQLite would apply it to the present version",
            advice:
                "If another program replaced the list, move it away: mv \(quoted) \(quoted).old. If both"
                + " belong together, copy both at once: cp -p \(ShellText.quoted(file.path)) \(quoted)"
                + " FOLDER, and open the copy.")
    }

    /// Returns true if the file at `path` begins as SQLite's files of that name do ("Database File
    /// Format", sections 3 and 4), or with zeros, like a journal that is no longer needed. Also
    /// true if it cannot be read, because opening it reports the reason.
    private static func mayBegin(_ path: String, as suffix: String) -> Bool {
        let magic: [UInt8]
        switch suffix {
        case "-journal": magic = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        case "-wal": magic = [0x37, 0x7F, 0x06]
        default: return true
        }
        let descriptor = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return true }
        defer { Glibc.close(descriptor) }
        var start = [UInt8](repeating: 0, count: magic.count)
        let count = max(read(descriptor, &start, start.count), 0)
        return magic.starts(with: start[..<count]) || start.allSatisfy { $0 == 0 }
    }

    /// Advice about a companion that another user may have written. Without its journal a list may
    /// be half written; with a planted journal another user controls its content.
    private var advice: String {
        let copied = [""] + Self.contents.filter { access(file.path + $0, F_OK) == 0 }
        let paths = copied.map { ShellText.quoted(file.path + $0) }.joined(separator: " ")
        let name = file.path.lastPathName
        return
            "It may hold their interrupted write, or be a planted file. Examine a copy of all files in a"
            + " private folder: mkdir -m 700 COPY && install -m 600 \(paths) COPY && sheaf --store "
            + "\(ShellText.quoted("COPY/\(name)"))"
    }
}
