import Glibc
import SheafList
import SwiduxFiles

/// The storage errors for failed system calls on a file, with messages for the user. Every backend
/// uses them.
enum FileFailure {
    /// Returns the error for a system call that failed while a store was opened.
    static func opening(
        _ number: Int32, at location: String, advice: String? = nil
    ) -> StorageError {
        if fullErrors.contains(number) { return full(at: location) }
        return StorageError(.cannotOpen, at: location, reason: words(for: number), advice: advice)
    }

    /// Returns the error for a file that could not be opened for reading.
    static func reading(_ number: Int32, at location: String) -> StorageError {
        switch number {
        case ENOENT: StorageError(.notFound, at: location, reason: words(for: number))
        case EACCES, EPERM: unreadable(number, at: location)
        default: opening(number, at: location)
        }
    }

    /// Returns the error for an existing file that this user has no permission to read.
    static func unreadable(_ number: Int32 = EACCES, at location: String) -> StorageError {
        StorageError(
            .cannotOpen, at: location, reason: "you may not read it (\(words(for: number)))",
            advice: "Change its permissions, or those of its folder.")
    }

    /// Returns the error for a path that does not lead to a regular file.
    static func notAFile(
        _ mode: mode_t, at location: String, advice: String? = nil
    ) -> StorageError {
        StorageError(
            .cannotOpen, at: location, reason: "this is \(FileKind.words(for: mode)), not a file",
            advice: advice)
    }

    /// Returns the error for a system call that failed while a store was read or written.
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

    /// Returns the error for a store whose file is no longer at its path. A write would go to a
    /// file without a name or bring back a removed one.
    static func moved(at location: String) -> StorageError {
        StorageError(
            .io, at: location, reason: "the file was deleted, moved or replaced",
            advice: "Put it back, or export the list and reopen it.")
    }

    /// Returns the error for an open list whose path now leads to a different list.
    static func otherList(at location: String) -> StorageError {
        StorageError(
            .foreign, at: location, reason: "this is another list",
            advice: "Move the list back, or open it again.")
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

    /// Returns the system's description of an `errno`, such as `Permission denied`.
    static func words(for number: Int32) -> String {
        number == ELOOP ? "symbolic links form a loop" : String(cString: strerror(number))
    }

    /// The errors for a full disk, an exhausted quota and a file that is too large.
    static let fullErrors: Set<Int32> = [ENOSPC, EDQUOT, EFBIG]
    /// The errors for a file, folder or file system that must not be written to.
    static let readOnlyErrors: Set<Int32> = [EACCES, EPERM, EROFS]
}

extension StorageError {
    /// Creates the error for a path that must not be used.
    package init(_ error: PathError, at location: String) {
        self.init(.cannotOpen, at: location, reason: error.reason, advice: error.advice)
    }

    /// Creates a storage error about `location` from any error. A `StorageError` stays as it is.
    package init(_ error: any Error, at location: String) {
        self =
            error as? StorageError ?? StorageError(.io, at: location, reason: "\(error)")
    }
}
