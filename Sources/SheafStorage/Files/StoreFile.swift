import FoundationEssentials
import Glibc
import SheafList
import SwiduxFiles

/// The file of a store: its resolved path, the checks on it, and its creation.
struct StoreFile {
    /// The path as the user gave it, for messages.
    var location: String
    /// The absolute path with all links followed.
    let path: String

    typealias Identity = FileVersion.Identity

    /// The links that led to the path. Nil for a file opened by its exact name.
    private let followed: ResolvedPath?

    /// Follows the links of `location` once, even if the target is missing. No file can be made at
    /// the missing target of a link.
    ///
    /// - Throws: `.cannotOpen` if links lead in a circle, or the working folder no longer exists.
    init(resolving location: String) throws {
        let followed = try Self.checked(location) { () throws(PathError) in
            try ResolvedPath(location)
        }
        self.location = location
        self.followed = followed
        path = followed.path
    }

    /// Names a file without following a link at its name. Links in its folder are followed.
    ///
    /// - Throws: `.cannotOpen` if the working folder no longer exists.
    init(named location: String) throws(StorageError) {
        self.location = location
        followed = nil
        path = try Self.checked(location) { () throws(PathError) in
            try ResolvedPath(named: location).path
        }
    }

    /// The absolute path of the name that the user gave, which may be a link. Nil if its folder no
    /// longer exists.
    var link: String? {
        do { return try ResolvedPath(named: location).path } catch { return nil }
    }

    /// The folder that holds the file.
    var folder: String {
        let folder = path.parentPath
        return folder.isEmpty ? "/" : folder
    }

    /// A short key for the file, equal for every working folder and every link: the hash of its
    /// path, because a path may be longer than a file name can be.
    var key: String { path.stableHashWord }

    /// The name of the file as the user gave it.
    var displayName: String { location.lastPathName }

    // MARK: The file at the path

    /// Returns the identity of the file at the path.
    ///
    /// - Returns: nil if there is no file.
    /// - Throws: `.cannotOpen` if that cannot be determined, or if the file is not regular.
    func identity() throws -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw FileFailure.opening(errno, at: location) }
            return nil
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileFailure.notAFile(
                status.st_mode, at: location, advice: "Name a file to keep the list in.")
        }
        return Identity(status)
    }

    /// Returns the reason against writing to the file when it is opened in `mode`, as a sentence,
    /// or nil if it can be written.
    func reasonAgainstWriting(_ mode: OpenMode) -> String? {
        mode == .readOnly ? "It was opened with --read-only." : reasonAgainstWriting()
    }

    /// Returns the reason against writing to the file, as a sentence, or nil if it can be written.
    func reasonAgainstWriting() -> String? {
        if let reason = followed?.reasonAgainstWriting { return "It is read-only: \(reason)." }
        if access(path, W_OK) != 0 {
            return "The file is not writable (\(FileFailure.words(for: errno)))."
        }
        // Every backend makes a file beside the store when it writes.
        if access(folder, W_OK | X_OK) != 0 {
            return "The folder is not writable (\(FileFailure.words(for: errno)))."
        }
        return nil
    }

    /// Returns the reason why a new file cannot replace this one, as a sentence, or `nil` if it
    /// can. In a folder such as `/tmp`, only the owner of the file or of the folder can replace it.
    func reasonAgainstReplacing(_ mode: OpenMode = .readWrite) -> String? {
        if let reason = reasonAgainstWriting(mode) { return reason }
        var (directory, file) = (stat(), stat())
        guard stat(folder, &directory) == 0, lstat(path, &file) == 0,
            directory.st_mode & S_ISVTX != 0,
            ![0, directory.st_uid, file.st_uid].contains(geteuid())
        else { return nil }
        return "The file belongs to another user, and in its folder only that user may replace it."
    }

    // MARK: Making files

    /// Makes the missing parent folders, accessible only to the user.
    func makeFolders() throws {
        do throws(SystemError) {
            try NewFolders.make(to: folder)
        } catch {
            throw cannotCreate(error)
        }
    }

    /// Makes an empty file at `path`, accessible only to the user. Throws if a file exists there.
    func makeFile(at path: String) throws {
        do throws(SystemError) {
            try FileDraft.makeFile(at: path)
        } catch {
            throw cannotCreate(error)
        }
    }

    /// Copies the store to `NAME.backup-vN`, or to `NAME.backup-vN-2` and so on if that is taken,
    /// before its upgrade from version N.
    ///
    /// - Parameter copy: writes the copy into the empty file at a path.
    func backUp(version: Int64, _ copy: (_ path: String) throws -> Void) throws {
        let plain = "\(self.path).backup-v\(version)"
        var path = plain
        var number = 2
        while access(path, F_OK) == 0 {
            path = "\(plain)-\(number)"
            number += 1
        }
        try makeFile(at: path)
        do {
            try copy(path)
            try syncFolder()
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Makes the store in one step: `fill` writes a file under another name, which is then renamed
    /// to the path. If the process crashes before the rename, no file is at the path. If another
    /// process makes a store meanwhile, that store stays.
    func make(_ fill: (_ path: String) throws -> Void) throws {
        _ = try put(replacing: false, fill)
    }

    /// Has `fill` write a file under another name, moves that file to the path in one step, and
    /// makes the result durable.
    ///
    /// - Parameter replacing: true to replace an existing file or link, without following the link;
    ///   false to leave it alone.
    /// - Returns: the result of `fill`, or nil if an existing file stays.
    /// - Throws: `StorageError`. If syncing the folder failed, the new file is at the path
    ///   nevertheless.
    func put<T>(
        replacing: Bool, _ fill: (_ path: String) throws -> T
    ) throws -> T? {
        guard let value = try place(replacing: replacing, fill) else { return nil }
        try syncFolder()
        return value
    }

    /// Does the same as ``put(replacing:_:)``, but the file may not survive a power loss.
    private func place<T>(
        replacing: Bool, _ fill: (_ path: String) throws -> T
    ) throws -> T? {
        let draft = try draft()
        let value = try fill(draft.path)
        return try give(to: draft, replacing: replacing) ? value : nil
    }

    /// Makes an empty file in a private folder beside the path. ``give(to:replacing:)`` moves it
    /// there.
    func draft() throws -> FileDraft {
        try Self.checked(location) { () throws(PathError) in try followed?.checkWritable() }
        try makeFolders()
        FileDraft.removeAbandoned(in: folder)
        do throws(SystemError) {
            return try FileDraft(for: path, isEnclosed: true)
        } catch {
            throw cannotCreate(error)
        }
    }

    /// Moves `draft` to the path in one step. The move survives a power loss only after
    /// ``syncFolder()``.
    ///
    /// - Returns: false if an existing file stays.
    func give(to draft: FileDraft, replacing: Bool) throws(StorageError) -> Bool {
        do throws(SystemError) {
            guard replacing else { return try draft.claim() }
            try draft.replace()
            return true
        } catch {
            throw cannotCreate(error)
        }
    }

    /// Makes the content of `draft` durable.
    func sync(_ draft: FileDraft) throws {
        do throws(SystemError) {
            try draft.open().sync()
        } catch {
            throw FileFailure.transferring(error.number, at: location)
        }
    }

    /// The suffixes that SQLite adds to a database's name for the files that it keeps beside it.
    static let companionSuffixes = ["-journal", "-wal", "-shm"]

    /// Returns true if no file has the name `path` or the name of a companion of it. SQLite would
    /// treat such a companion as part of a list with that name.
    static func isFree(_ path: String) -> Bool {
        ([""] + companionSuffixes).allSatisfy { suffix in
            var status = stat()
            return lstat(path + suffix, &status) != 0
        }
    }

    /// Makes the names in the folder durable.
    func syncFolder() throws {
        do throws(SystemError) {
            try OpenFile.syncFolder(folder)
        } catch {
            throw FileFailure.transferring(error.number, at: location)
        }
    }

    private static func checked<T>(
        _ location: String, _ body: () throws(PathError) -> T
    ) throws(StorageError) -> T {
        do {
            return try body()
        } catch {
            throw StorageError(error, at: location)
        }
    }

    private func cannotCreate(_ error: SystemError) -> StorageError {
        FileFailure.opening(
            error.number, at: location,
            advice: "The list cannot be created there; name another file.")
    }
}
