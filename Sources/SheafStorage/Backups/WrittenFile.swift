import Glibc
import SheafList
import SwiduxFiles

/// The rule by which every command decides whether it may write the file that its user names: an
/// export, a backup, a recovered list.
///
/// An existing file stays unless the user asks for its replacement. The list that is being copied
/// is never replaced, and neither is a list that another process has open or that has an unfinished
/// write beside it.
public enum WrittenFile {
    /// Checks that a command may write `path`, and removes the drafts that killed commands left
    /// beside it. Links of this user, or of root, are followed.
    ///
    /// - Parameters:
    ///   - source: the list that is read; nil if it is not in a file.
    ///   - replacing: true if the user allows an existing file to be replaced.
    /// - Throws: `StorageError` with the reason and a way out: `.cannotOpen`, or `.busy` if another
    ///   process has the list at `path` open.
    public static func check(_ path: String, source: FileLocation?, replacing: Bool) throws {
        try check(
            StoreFile(resolving: path), source: source?.store.identity(), replacing: replacing)
    }

    static func check(
        _ target: StoreFile, source: StoreFile.Identity?, replacing: Bool
    ) throws {
        // A command that was killed right before its end may have left its draft beside the file
        // that now makes this one fail.
        FileDraft.removeAbandoned(in: target.folder)
        try Companions(of: target).checkOwnName()
        var status = stat()
        guard stat(target.path, &status) == 0 else {
            let number = errno
            // Folders are not made for a path that may be mistyped.
            guard number == ENOENT, access(target.folder, F_OK) == 0 else {
                throw FileFailure.opening(
                    number, at: target.location, advice: "Name a file in an existing folder.")
            }
            return try Companions(of: target).checkAbsence()
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
        // A file can be replaced without write permission, but its owner may have removed that
        // permission on purpose.
        guard access(target.path, W_OK) == 0 else {
            throw FileFailure.opening(errno, at: target.location, advice: "Name another file.")
        }
        try Companions(of: target).checkAbsence()
        guard let holder = OpenFiles.holders(of: identity, at: target.path).first,
            try isList(target)
        else { return }
        throw StorageError(
            .busy, at: target.location,
            reason: "\(holder.name) (process \(holder.process)) has this list open",
            advice: "Close it there first, or name another file.")
    }

    /// The error about a file that is there already.
    static func taken(_ target: StoreFile) -> StorageError {
        StorageError(
            .cannotOpen, at: target.location, reason: "the file already exists",
            advice: "Name another file, or replace it with --force.")
    }

    /// Only its beginning is read. O(1).
    private static func isList(_ target: StoreFile) throws -> Bool {
        let bytes = try target.beginning(100)
        return bytes.starts(with: Array("SQLite format 3\0".utf8))
            || String(decoding: bytes, as: UTF8.self).contains("\"format\"")
    }
}
