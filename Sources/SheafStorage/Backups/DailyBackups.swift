import FoundationEssentials
import Glibc
import SheafCore
import SheafFormats
import SwiduxFiles

/// The automatic backups of one list.
///
/// One is due on each day (of the local calendar) on which the list is about to change and has
/// changed since the newest one. A command makes it before it commits; the screen makes it in the
/// background, once the list is loaded or after a later commit, so that no key waits for it. They
/// lie in `$XDG_STATE_HOME/sheaf/backups/NAME-KEY/YYYY-MM-DD.sqlite` or `.json`. The newest seven
/// are kept, or fewer when all of them together would take more than ``sizeLimit``; the newest
/// always is.
///
/// Making one takes as long as reading and writing the list: some 10 ms at 10,000 items, a second
/// at a million. None is made that would take more than half of the free space on the disk.
public struct DailyBackups: Sendable {
    /// The most bytes that all backups of a list may take: a million items are some 300 MB.
    public static let sizeLimit: Int64 = 1 << 30
    /// How many are kept.
    static let countLimit = 7

    /// The absolute path of their folder. It need not exist.
    public let folder: String

    private let place: FilePlace

    /// - Returns: nil if there is no home folder.
    public init?(of place: FilePlace) {
        guard let state = place.state else { return nil }
        self.place = place
        let name = String(
            decoding: place.url.path.lastPathName.utf8.prefix(100), as: UTF8.self)
        folder = "\(state.path)/backups/\(name)-\(place.key)"
    }

    /// Makes the backup of the day, if one is due.
    ///
    /// - Returns: whether it was made.
    /// - Throws: `StorageError` if it could not be made; that is no reason to stop any work.
    @discardableResult
    public func makeIfDue(now: Date = Date()) throws -> Bool {
        let store = place.file
        var status = stat()
        guard stat(store.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return false
        }
        let day = Self.day(of: now)
        let name = "\(day).\(place.url.backend.rawValue)"
        let existing = files(until: day)
        guard !existing.contains(where: { $0.name == name }) else { return false }
        let changed = StoreFile.Version(status).changed
        if let newest = existing.last, newest.modified >= changed { return false }
        try checkSpace(for: Int64(status.st_size))
        let path = "\(folder)/\(name)"
        try StoreFile(named: path).makeFolders()
        guard try Backup.make(of: place, to: path).items > 0 else {
            // An empty list has nothing to lose, and the day's backup may still hold items.
            unlink(path)
            return false
        }
        prune(until: day)
        return true
    }

    /// Why none can be made at present, as a sentence, or nil if no reason is known.
    public func obstacle() -> String? {
        var existing = folder
        while access(existing, F_OK) != 0, existing != "/" {
            existing = existing.parentPath
        }
        var status = stat()
        guard stat(existing, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            return "\(existing) is not a folder."
        }
        guard access(existing, W_OK | X_OK) == 0 else {
            return "\(existing) is not writable (\(FileFailure.words(for: errno)))."
        }
        do {
            guard let size = try sizeOfList() else { return nil }
            try checkSpace(for: size)
            return nil
        } catch {
            return "\(existing): \(error.reason)."
        }
    }

    /// The paths of the existing backups, the oldest first.
    public func paths() -> [String] {
        files().map { "\(folder)/\($0.name)" }
    }

    /// The paths of backups that are dated after today, because a clock was wrong when they were
    /// made.
    public func futurePaths(now: Date = Date()) -> [String] {
        let day = Self.day(of: now)
        return files().filter { $0.day > day }.map { "\(folder)/\($0.name)" }
    }

    // MARK: The folder

    private struct File {
        var name: String
        /// `2026-11-25`, which sorts as the days do.
        var day: Substring { name.prefix(10) }
        var modified: FileVersion.Instant
        var size: Int64
    }

    /// The backups, by day.
    private func files() -> [File] {
        FolderContents.names(in: folder).sorted().filter(Self.isBackup).compactMap { name in
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG
            else { return nil }
            return File(
                name: name, modified: StoreFile.Version(status).changed, size: Int64(status.st_size)
            )
        }
    }

    /// The backups of the days until `day`. Later ones come from a wrong clock: they are neither
    /// the newest nor counted nor removed.
    private func files(until day: String) -> [File] { files().filter { $0.day <= day } }

    /// Removes backups that are too many, and files that a crash left under other names.
    private func prune(until day: String) {
        var room = Self.sizeLimit
        for (index, file) in files(until: day).reversed().enumerated() {
            // Once negative it stays so: the sizes may be of sparse files.
            room = room < 0 ? room : room - file.size
            if index > 0, index >= Self.countLimit || room < 0 {
                unlink("\(folder)/\(file.name)")
            }
        }
        FileDraft.removeAbandoned(in: folder) { $0.hasPrefix(".") && $0.hasSuffix(".new-") }
    }

    private static func isBackup(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, StoreURL.Backend(rawValue: String(parts[1])) != nil else {
            return false
        }
        return parts[0].utf8.count == 10
            && parts[0].utf8.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
    }

    private static func day(of date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970)
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
        return stat(place.file.path, &status) == 0 ? Int64(status.st_size) : nil
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
