import FoundationEssentials
import Glibc
import SheafList
import SwiduxFiles

/// The file of a store: its real path, what is there, and how it is made.
struct StoreFile {
    /// The path as it was given, which messages show.
    var location: String
    /// The absolute path, links followed.
    let path: String

    typealias Identity = FileVersion.Identity

    /// The links that led to the path; nil for a file of this very name.
    private let followed: FollowedPath?

    /// Follows the links of `location` once, also to a target that is missing; nothing is made
    /// there then.
    ///
    /// - Throws: `.cannotOpen` if links lead in a circle, or the working folder no longer exists.
    init(resolving location: String) throws {
        let followed = try Self.checked(location) { () throws(PathError) in
            try FollowedPath(location)
        }
        self.location = location
        self.followed = followed
        path = followed.path
    }

    /// The file of this very name: a link there is not followed. The links of its folder are
    /// followed.
    ///
    /// - Throws: `.cannotOpen` if the working folder no longer exists.
    init(named location: String) throws(StorageError) {
        self.location = location
        followed = nil
        path = try Self.checked(location) { () throws(PathError) in
            try FollowedPath(named: location).path
        }
    }

    /// The absolute path of the name that the user knows it by, which may be a link. Nil if its
    /// folder is gone.
    var link: String? {
        do { return try FollowedPath(named: location).path } catch { return nil }
    }

    /// The folder that holds the file.
    var folder: String {
        let folder = path.parentPath
        return folder.isEmpty ? "/" : folder
    }

    /// A word for the file, wherever it is called from and by whichever link: the hash of its path,
    /// because a path may be longer than a file's name.
    var key: String { StableHash.word(path) }

    /// The name that the user knows it by.
    var displayName: String { location.lastPathName }

    // MARK: What is there

    /// Which file is at the path now.
    ///
    /// - Returns: nil if none is.
    /// - Throws: `.cannotOpen` if that cannot be found out, or if it is no regular file.
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

    /// Why the file is not written to when it is opened in `mode`, as a sentence, or nil if it is.
    func reasonAgainstWriting(_ mode: OpenMode) -> String? {
        mode == .readOnly ? "It was opened with --read-only." : reasonAgainstWriting()
    }

    /// Why the file cannot be written to, as a sentence, or nil if it can.
    func reasonAgainstWriting() -> String? {
        if let reason = followed?.reasonAgainstWriting { return "It is read-only: \(reason)." }
        if access(path, W_OK) != 0 {
            return "The file is not writable (\(FileFailure.words(for: errno)))."
        }
        // Every backend makes a file beside it for a write.
        if access(folder, W_OK | X_OK) != 0 {
            return "The folder is not writable (\(FileFailure.words(for: errno)))."
        }
        return nil
    }

    /// The reason why a new file cannot replace this one, as a sentence, or `nil` if it can. In a
    /// folder such as `/tmp`, only the owner of the file or of the folder may replace it.
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

    /// Makes the folders that are missing, for the user alone.
    func makeFolders() throws {
        do throws(SystemError) {
            try NewFolders.make(to: folder)
        } catch {
            throw cannotCreate(error)
        }
    }

    /// Makes an empty file for the user alone at `path`, where nothing may exist.
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

    /// Makes the store in one step: `fill` writes a file under another name, which then gets this
    /// one. A crash on the way leaves nothing at the path, and a store that another process made
    /// meanwhile is left alone.
    func make(_ fill: (_ path: String) throws -> Void) throws {
        _ = try put(replacing: false, fill)
    }

    /// Puts the file that `fill` writes under another name at the path, in one step, and makes that
    /// durable.
    ///
    /// - Parameter replacing: whether an existing file or link is replaced, without following the
    ///   link; otherwise it is left alone.
    /// - Returns: what `fill` returns, or nil if something was there and stays.
    /// - Throws: `StorageError`; if it comes from syncing the folder, the file is at the path all
    ///   the same.
    func put<T>(
        replacing: Bool, _ fill: (_ path: String) throws -> T
    ) throws -> T? {
        guard let value = try place(replacing: replacing, fill) else { return nil }
        try syncFolder()
        return value
    }

    /// As ``put(replacing:_:)``, except that the file may not survive the loss of power.
    private func place<T>(
        replacing: Bool, _ fill: (_ path: String) throws -> T
    ) throws -> T? {
        let draft = try draft()
        let value = try fill(draft.path)
        return try give(to: draft, replacing: replacing) ? value : nil
    }

    /// An empty file that is to get the path, in a folder of its own beside it; see
    /// ``give(to:replacing:)``.
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

    /// Gives `draft` the path in one step; that survives the loss of power after ``syncFolder()``.
    ///
    /// - Returns: false if something was there and stays.
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

    /// The ends of the names of the files that SQLite keeps beside a database, after its name.
    static let companionSuffixes = ["-journal", "-wal", "-shm"]

    /// Whether nothing has the name `path`, nor that of a companion, which SQLite would take for a
    /// part of a list that gets the name.
    static func isFree(_ path: String) -> Bool {
        ([""] + companionSuffixes).allSatisfy { suffix in
            var status = stat()
            return lstat(path + suffix, &status) != 0
        }
    }

    /// Makes names in the folder durable.
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
