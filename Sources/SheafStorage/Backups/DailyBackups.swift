import FoundationEssentials
import Glibc
import SheafFormats
import SheafList
import SwiduxFiles

/// The automatic backups of one list.
///
/// A backup is due on each day (in the local calendar) on which the list is about to change. It is
/// not due if an existing backup has the last commit of the list and is dated after the day of the
/// last change.
///
/// A command makes the backup before it commits. A command that only adds to a large list has
/// another process make it afterwards, because that backup still contains everything from before.
/// The screen makes it in the background, after loading the list or after a later commit, so that
/// no key waits for it. The files are `$XDG_STATE_HOME/sheaf/backups/NAME-KEY/YYYY-MM-DD.sqlite` or
/// `.json`, with `-2` after the day if that name is taken. The newest seven are kept, or fewer if
/// all of them would take more than ``sizeLimit``. The newest one is always kept.
///
/// The day is taken from the name, because file times change when the folder is copied. Files that
/// cannot be used as a backup of the list, and backups of another list that was at the path before,
/// stay in place and do not count.
///
/// Making a backup takes as long as reading and writing the list: about 10 ms for 10,000 items and
/// a second for a million. No backup is made that would take more than half of the free disk space.
package struct DailyBackups: Sendable {
    /// The maximum total size in bytes of all backups of a list. A million items take about 300 MB.
    package static let sizeLimit: Int64 = 1 << 30
    /// The maximum number of backups.
    static let countLimit = 7

    /// The absolute path of the folder of the backups. It need not exist.
    package let folder: String

    private let location: FileLocation

    /// Creates a value for the backups of the list at `location`. Nil if there is no home folder.
    package init?(of location: FileLocation) {
        guard let state = location.state else { return nil }
        let name = String(
            decoding: location.url.path.lastPathName.utf8.prefix(100), as: UTF8.self)
        self.init(of: location, in: "\(state.path)/backups/\(name)-\(location.key)")
    }

    private init(of location: FileLocation, in folder: String) {
        self.location = location
        self.folder = folder
    }

    /// Makes the backup of the day if one is due. A failure must not stop other work.
    ///
    /// - Parameter isYielding: true to let other processes commit meanwhile.
    /// - Returns: a sentence for the user if the backup failed, or nil. Unless the list is damaged,
    ///   only the first change of a day gives a sentence. `sheaf doctor` reports the reason.
    package func makeOrReport(now: Date = Date(), isYielding: Bool = false) -> String? {
        let lastChange = lastChange
        do {
            try makeIfDue(now: now, isYielding: isYielding)
            return nil
        } catch let error as StorageError where error.code == .corrupt {
            return "The list is damaged; no backup was made. Run 'sheaf doctor'"
        } catch {
            guard let lastChange, lastChange != Self.day(of: now) else { return nil }
            return "No backup of the list could be made today. Run 'sheaf doctor'"
        }
    }

    // MARK: In another process

    /// The size in bytes from which copying a list takes longer than a command may wait.
    static let sizeOfLargeList: Int64 = 8 << 20

    /// Returns true if a backup is due that takes longer than a command may wait. False if there is
    /// a known obstacle, which ``makeOrReport(now:isYielding:)`` reports.
    package func needsSeparateProcess(now: Date = Date()) -> Bool {
        var status = stat()
        guard location.url.backend == .sqlite, stat(location.store.path, &status) == 0,
            status.st_size >= Self.sizeOfLargeList, access(failurePath, F_OK) != 0
        else { return false }
        do {
            return try isDue(status, now: now) && obstacle() == nil
        } catch {
            return false
        }
    }

    /// Makes the backup of the day, unless another process is making it. If it fails, the next
    /// command makes the backup before its commit and reports a failure.
    package func makeInSeparateProcess(now: Date = Date()) {
        do {
            try StoreFile(named: failurePath).makeFolders()
            let lock = try OpenFile(folder, O_RDONLY | O_DIRECTORY)
            guard try lock.lock() else { return }
            defer { withExtendedLifetime(lock) {} }
            try makeIfDue(now: now, isYielding: true)
        } catch {
            let file = open(failurePath, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if file >= 0 { close(file) }
        }
    }

    /// The path of an empty file that records that the last process failed to make its backup.
    private var failurePath: String { "\(folder)/failed" }

    /// The day of the file's last change. Nil if there is no file.
    private var lastChange: String? {
        var status = stat()
        return stat(location.store.path, &status) == 0 ? Self.day(of: status.st_mtim.tv_sec) : nil
    }

    /// Makes the backup of the day if one is due.
    ///
    /// - Parameter isYielding: true to let other processes commit meanwhile.
    /// - Returns: true if a backup was made.
    /// - Throws: `StorageError` if the backup failed.
    @discardableResult
    func makeIfDue(now: Date = Date(), isYielding: Bool = false) throws -> Bool {
        var status = stat()
        guard stat(location.store.path, &status) == 0, try isDue(status, now: now) else {
            return false
        }
        try checkSpace(for: Int64(status.st_size))
        let day = Self.day(of: now)
        let path = newPath(on: day)
        try StoreFile(named: path).makeFolders()
        guard try Backup.make(of: location, to: path, isYielding: isYielding).items > 0 else {
            // An empty list needs no backup, and an earlier backup of the day may still have items.
            unlink(path)
            return false
        }
        unlink(failurePath)
        prune(until: day, try identity())
        return true
    }

    /// Returns true if a backup is due.
    ///
    /// - Parameter status: the status of the list's file.
    private func isDue(_ status: stat, now: Date) throws -> Bool {
        guard status.st_mode & S_IFMT == S_IFREG else { return false }
        let day = Self.day(of: now)
        let changed = Self.day(of: status.st_mtim.tv_sec)
        let possible = files(until: day).filter { $0.day == day || $0.day > changed }
        // A backup is read only if its name suggests that none is due.
        guard !possible.isEmpty else { return true }
        let identity = try identity()
        return !possible.contains {
            isOwn($0, identity) && ($0.day == day || hasLastCommit($0))
        }
    }

    /// Returns the reason why no backup can be made now, with advice, or `nil` if none is known.
    package func obstacle() -> String? {
        var existing = folder
        var status = stat()
        while lstat(existing, &status) != 0, existing != "/" {
            existing = existing.parentPath
        }
        guard stat(existing, &status) == 0 else {
            return
                "\(existing) is a broken link. Remove it, or create the folder to which"
                + " it points."
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return "\(existing) is not a folder. Move it away."
        }
        guard access(existing, W_OK | X_OK) == 0 else {
            return
                "\(existing) is not writable (\(FileFailure.words(for: errno))). Make it writable, or"
                + " set XDG_STATE_HOME to another folder."
        }
        do {
            guard let size = try sizeOfList() else { return nil }
            try checkSpace(for: size)
            return nil
        } catch {
            return "\(existing): \(error.reason)."
        }
    }

    /// Returns the paths of the existing backups, the oldest first.
    package func paths() -> [String] {
        files().map { "\(folder)/\($0.name)" }
    }

    /// Returns the paths of backups of the list with `identity` in the backup folders of other
    /// paths, because the list may have been moved. Opens the backups of all lists.
    func paths(elsewhereOf identity: ListIdentity) -> [String] {
        guard !identity.isEmpty else { return [] }
        let all = folder.parentPath
        return FolderContents.names(in: all).sorted().flatMap { name -> [String] in
            let other = DailyBackups(of: location, in: "\(all)/\(name)")
            guard other.folder != folder else { return [] }
            return other.files()
                .filter {
                    $0.name.hasSuffix(".\(location.url.backend)") && other.isOwn($0, identity)
                }
                .map { "\(other.folder)/\($0.name)" }
        }
    }

    /// Returns the paths of backups with a date after today. A clock was wrong when they were made.
    package func futurePaths(now: Date = Date()) -> [String] {
        let day = Self.day(of: now)
        return files().filter { $0.day > day }.map { "\(folder)/\($0.name)" }
    }

    /// Returns the files that are named like backups but cannot be used as one, each with the
    /// reason. Reads every file completely.
    func unusable() -> [(path: String, reason: String)] {
        files().compactMap { file in
            let path = "\(folder)/\(file.name)"
            do {
                _ = try hasVersion(file, of: ListIdentity())
                let fault = try fault(at: path)
                return fault.map { (path, "the file is damaged (\($0))") }
            } catch {
                return (path, StorageError(error, at: folder).reason)
            }
        }
    }

    /// Returns the first fault in the pages of an SQLite backup that opening it does not detect, or
    /// nil.
    private func fault(at path: String) throws -> String? {
        guard location.url.backend == .sqlite else { return nil }
        return try SQLiteCopy.reading(StoreFile(named: path), isReadOnly: true) {
            try $0.firstFault("integrity_check")
        }
    }

    // MARK: The folder

    private struct File {
        var name: String
        var status: stat
        /// The day, such as `2026-11-25`. Days sort in this form.
        var day: Substring { name.prefix(10) }
    }

    /// Returns all files that are named like backups, by day.
    private func files() -> [File] {
        FolderContents.names(in: folder).filter(Self.isBackup).compactMap { name in
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0 else { return nil }
            return File(name: name, status: status)
        }
        .sorted { ($0.day, $0.name) < ($1.day, $1.name) }
    }

    /// Returns the files up to `day`. Later ones come from a wrong clock. They do not count as the
    /// newest, do not count toward the limits, and are not removed.
    private func files(until day: String) -> [File] { files().filter { $0.day <= day } }

    /// Returns the ids that identify backups of the list. O(n) for a JSON file that this process
    /// has not opened.
    private func identity() throws -> ListIdentity {
        let known = location.currentIdentity.value
        return known.isEmpty ? try location.store.listIdentity(location.url.backend) : known
    }

    /// Returns true if the file is a backup of the list with `identity`. Reads a JSON file, but
    /// parses it only if the list's id is not where the program writes it.
    private func isOwn(_ file: File, _ identity: ListIdentity) -> Bool {
        do {
            return try hasVersion(file, of: identity, isQuick: true)
        } catch {
            return false
        }
    }

    /// Returns true if the file has the last commit of the list. File times cannot decide this,
    /// because `cp -p` and sync tools copy the time of the source. O(size) for JSON.
    private func hasLastCommit(_ file: File) -> Bool {
        do {
            let backup = try StoreFile(named: "\(folder)/\(file.name)")
            switch location.url.backend {
            case .json: return try backup.content().0 == location.store.content().0
            case .sqlite:
                let numbers = try [backup, location.store].map { file in
                    try SQLiteCopy.reading(file, isReadOnly: true) {
                        try $0.integer("SELECT last_number FROM commits")
                    }
                }
                return numbers[0] == numbers[1]
            }
        } catch {
            return false
        }
    }

    /// Returns true if the file is a backup of the list with `identity`, and false if it belongs to
    /// another list.
    ///
    /// - Parameter isQuick: true to accept a JSON file without parsing if it begins with the list's
    ///   id and its ending is complete. Parsing takes as long as a command.
    /// - Throws: `StorageError` if the file cannot be used.
    private func hasVersion(
        _ file: File, of identity: ListIdentity, isQuick: Bool = false
    ) throws -> Bool {
        let path = "\(folder)/\(file.name)"
        guard file.status.st_mode & S_IFMT == S_IFREG else {
            throw FileFailure.notAFile(file.status.st_mode, at: path)
        }
        let trust = FileTrust(besideListAt: location.store.path)
        if let objection = trust.objection(to: file.status) {
            throw StorageError(.cannotOpen, at: path, reason: "it \(objection)")
        }
        let backup = try StoreFile(named: path)
        if isQuick, location.url.backend == .json, let id = identity.id {
            let data = try backup.content().0
            let isWhole = data.suffix(2).elementsEqual("}\n".utf8)
            let start = String(decoding: data.prefix(200), as: UTF8.self)
            if isWhole, start.contains("\"id\": \"\(id.uuidString.lowercased())\"") { return true }
        }
        return try backup.hasVersion(of: identity, location.url.backend)
    }

    /// Returns an unused path for the backup of `day`.
    private func newPath(on day: String) -> String {
        var (name, number) = (day, 1)
        while true {
            let path = "\(folder)/\(name).\(location.url.backend.rawValue)"
            var status = stat()
            guard lstat(path, &status) == 0 else { return path }
            number += 1
            name = "\(day)-\(number)"
        }
    }

    /// Removes the backups of the list that exceed the limits, and drafts that a crash left. Opens
    /// each backup.
    private func prune(until day: String, _ identity: ListIdentity) {
        var room = Self.sizeLimit
        let own = files(until: day).reversed().filter { isOwn($0, identity) }
        for (index, file) in own.enumerated() {
            // Once negative, the room stays negative. Sparse files may report such sizes that a
            // further subtraction would overflow.
            room = room < 0 ? room : room - Int64(file.status.st_size)
            if index > 0, index >= Self.countLimit || room < 0 {
                unlink("\(folder)/\(file.name)")
            }
        }
        FileDraft.removeAbandoned(in: folder)
    }

    private static func isBackup(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, StoreURL.Backend(rawValue: String(parts[1])) != nil else {
            return false
        }
        let words = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        return parts[0].utf8.count >= 10 && (3...4).contains(words.count)
            && words.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) }
    }

    private static func day(of date: Date) -> String { day(of: time_t(date.timeIntervalSince1970)) }

    private static func day(of seconds: time_t) -> String {
        var seconds = seconds
        var parts = tm()
        localtime_r(&seconds, &parts)
        func digits(_ number: Int32, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(count - text.count, 0)) + text
        }
        return [
            digits(parts.tm_year + 1900, 4), digits(parts.tm_mon + 1, 2), digits(parts.tm_mday, 2),
        ]
        .joined(separator: "-")
    }

    private func sizeOfList() throws(StorageError) -> Int64? {
        var status = stat()
        return stat(location.store.path, &status) == 0 ? Int64(status.st_size) : nil
    }

    private func checkSpace(for size: Int64) throws(StorageError) {
        var existing = folder
        var status = statvfs()
        while statvfs(existing, &status) != 0, existing != "/" {
            existing = existing.parentPath
        }
        guard size <= status.freeBytes / 2 else {
            throw StorageError(.full, at: folder, reason: "too little space left for a backup")
        }
    }
}
