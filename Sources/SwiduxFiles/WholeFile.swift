#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Reading and replacing of whole files by processes that take turns.
///
/// The processes lock the file itself and need no separate lock file. Replacing a file makes a new
/// one, so a lock is valid only while the path still leads to the locked file.
package enum WholeFile {
    /// Returns all bytes of an open file from its current position.
    package static func read(_ file: OpenFile) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = Glibc.read(file.number, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Replaces the file at `path`, whose status is `old`, in one step that survives a crash. A
    /// process that opens the path finds the old bytes or the new ones. The new bytes are synced.
    /// Permissions and owner stay. To survive a power loss, sync the folder afterwards.
    ///
    /// - Parameters:
    ///   - version: the version of the file that may be replaced.
    ///   - mark: the mark of the ``FileDraft`` that holds the new bytes.
    ///   - isLocked: true to return the new file locked, if the file system has locks. The lock is
    ///     taken before the rename.
    /// - Returns: the new file, open, and its version; or nil if the path leads to another version
    ///   by now. Nothing has changed then.
    package static func replace(
        _ path: String, _ version: FileVersion, with bytes: [UInt8], keeping old: stat,
        mark: String, isLocked: Bool = false
    ) throws(SystemError) -> (version: FileVersion, file: OpenFile)? {
        let draft = try FileDraft(for: path, mark: mark)
        let file = try draft.open()
        try file.write(bytes)
        try file.keepAccess(of: old, at: path)
        try file.sync()
        guard try draft.replace(version) else { return nil }
        // Taken from the open file, because another process may have replaced it already.
        return (FileVersion(try file.status()), isLocked ? draft.lock ?? file : file)
    }
}
