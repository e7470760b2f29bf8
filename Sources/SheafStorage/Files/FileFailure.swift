import Glibc
import SheafList
import SwiduxFiles

/// Turns errors of the system about a file into messages for the user, for every backend.
enum FileFailure {
    /// The error for a system call that failed while a store was opened.
    static func opening(
        _ number: Int32, at location: String, advice: String? = nil
    ) -> StorageError {
        if fullErrors.contains(number) { return full(at: location) }
        return StorageError(.cannotOpen, at: location, reason: words(for: number), advice: advice)
    }

    /// The error for a file that could not be opened to be read.
    static func reading(_ number: Int32, at location: String) -> StorageError {
        switch number {
        case ENOENT: StorageError(.notFound, at: location, reason: words(for: number))
        case EACCES, EPERM: unreadable(number, at: location)
        default: opening(number, at: location)
        }
    }

    /// The file exists, and its permissions keep this user from reading it.
    static func unreadable(_ number: Int32 = EACCES, at location: String) -> StorageError {
        StorageError(
            .cannotOpen, at: location, reason: "you may not read it (\(words(for: number)))",
            advice: "Change its permissions, or those of its folder.")
    }

    /// The path leads to something other than a regular file.
    static func notAFile(
        _ mode: mode_t, at location: String, advice: String? = nil
    ) -> StorageError {
        StorageError(
            .cannotOpen, at: location, reason: "this is \(FileKind.words(for: mode)), not a file",
            advice: advice)
    }

    /// The error for a system call that failed while the content of a store was read or written.
    static func transferring(_ number: Int32, at location: String) -> StorageError {
        if fullErrors.contains(number) { return full(at: location) }
        if readOnlyErrors.contains(number) {
            return StorageError(
                .readOnly, at: location, reason: "read-only",
                advice: "The folder must be writable too: \(words(for: number)).")
        }
        return StorageError(
            .io, at: location, reason: "disk I/O error: \(words(for: number))")
    }

    static func full(at location: String) -> StorageError {
        StorageError(.full, at: location, reason: "disk full")
    }

    static func busy(at location: String) -> StorageError {
        StorageError(.busy, at: location, reason: "locked by another process")
    }

    /// The store's file is no longer at its path, so a write would go to a file that has no
    /// name, or bring back one that was removed.
    static func moved(at location: String) -> StorageError {
        StorageError(
            .io, at: location, reason: "the file was deleted, moved or replaced",
            advice: "Put it back, or export the list and reopen it.")
    }

    /// The path of an open list leads to another one.
    static func otherList(at location: String) -> StorageError {
        StorageError(
            .foreign, at: location, reason: "this is another list",
            advice: "Put the list back, or open it anew.")
    }

    static func notFound(at location: String) -> StorageError {
        StorageError(
            .notFound, at: location, reason: "no such list",
            advice: "Check the name; 'sheaf --store FILE' creates a new list.")
    }

    static func empty(at location: String) -> StorageError {
        StorageError(
            .corrupt, at: location, reason: "the file is empty",
            advice: "Restore a backup, or delete the file to start a new list there.")
    }

    static func readOnly(at location: String, advice: String) -> StorageError {
        StorageError(.readOnly, at: location, reason: "read-only", advice: advice)
    }

    static func closed(at location: String) -> StorageError {
        StorageError(.cannotOpen, at: location, reason: "closed")
    }

    /// The system's words for an `errno`, such as `Permission denied`.
    static func words(for number: Int32) -> String {
        number == ELOOP ? "links lead in a circle" : String(cString: strerror(number))
    }

    /// The errors for a full disk, an exhausted quota and a file that is too large.
    static let fullErrors: Set<Int32> = [ENOSPC, EDQUOT, EFBIG]
    /// The errors for a file, folder or file system that must not be written to.
    static let readOnlyErrors: Set<Int32> = [EACCES, EPERM, EROFS]
}

extension StorageError {
    /// A path that must not be used.
    package init(_ error: PathError, at location: String) {
        self.init(.cannotOpen, at: location, reason: error.reason, advice: error.advice)
    }

    /// Any error, as one of storage about `location` unless it is one already.
    package init(_ error: any Error, at location: String) {
        self =
            error as? StorageError ?? StorageError(.io, at: location, reason: "\(error)")
    }
}
