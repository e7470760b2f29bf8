import Glibc
import SheafList
import SwiduxFiles

/// The rule for all commands that write to a file named by the user: an export, a backup, or a
/// recovered list.
///
/// An existing file stays unless the user asks to replace it. The list that is being copied is
/// never replaced. Neither is a list that another process has open or that has an unfinished write
/// beside it.
package enum WrittenFile {
    /// Checks that a command may write `path`, and removes drafts that killed commands left beside
    /// it. Links of this user, or of root, are followed.
    ///
    /// - Parameters:
    ///   - source: the list that is read, or nil if it is not in a file.
    ///   - replacing: true if the user allows replacing an existing file.
    /// - Throws: `StorageError` with the reason and advice: `.cannotOpen`, or `.busy` if another
    ///   process has the list at `path` open.
    package static func check(_ path: String, source: FileLocation?, replacing: Bool) throws {
        try check(
            StoreFile(resolving: path), source: source?.store.identity(), replacing: replacing)
    }

    static func check(
        _ target: StoreFile, source: StoreFile.Identity?, replacing: Bool
    ) throws {
        // A command that was killed just before its end may have left its draft beside the finished
        // file. That draft would make this command fail.
        FileDraft.removeAbandoned(in: target.folder)
        try SidecarFiles(of: target).checkOwnName()
        var status = stat()
        guard stat(target.path, &status) == 0 else {
            let number = errno
            // The path may be mistyped, so no folder is made for it.
            guard number == ENOENT, access(target.folder, F_OK) == 0 else {
                throw FileFailure.opening(
                    number, at: target.location, advice: "Name a file in an existing folder.")
            }
            return try SidecarFiles(of: target).checkAbsence()
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StorageError(
                .cannotOpen, at: target.location,
                reason: "this is \(FileKind.words(for: status.st_mode)), not a file",
                advice: "Name a file.")
        }
        let identity = StoreFile.Identity(status)
        guard identity != source else {
            throw StorageError(
                .cannotOpen, at: target.location, reason: "this is the list itself",
                advice: "Name another file.")
        }
        guard replacing else { throw taken(target) }
        // A file without write permission can be replaced, but its owner may have removed the
        // permission on purpose.
        guard access(target.path, W_OK) == 0 else {
            throw FileFailure.opening(errno, at: target.location, advice: "Name another file.")
        }
        try SidecarFiles(of: target).checkAbsence()
        guard let holder = OpenFiles.words(forHoldersOf: identity, at: target.path).first,
            try isList(target)
        else { return }
        throw StorageError(
            .busy, at: target.location, reason: "\(holder) has this list open",
            advice: "Close it there first, or name another file.")
    }

    /// Returns the error for a file that already exists.
    static func taken(_ target: StoreFile) -> StorageError {
        StorageError(
            .cannotOpen, at: target.location, reason: "the file already exists",
            advice: "Name another file, or replace it with --force.")
    }

    /// Returns true if the file looks like a list. Reads only its beginning. O(1).
    private static func isList(_ target: StoreFile) throws -> Bool {
        let bytes = try target.beginning(100)
        return bytes.starts(with: Array("SQLite format 3\0".utf8))
            || String(decoding: bytes, as: UTF8.self).contains("\"format\"")
    }
}
