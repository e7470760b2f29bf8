#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Files that are read and replaced as a whole, by processes that take turns.
///
/// They lock the file itself, so that no separate lock file is needed. A file that was replaced is
/// another one, so a lock counts only if the path still leads to the locked file.
package enum WholeFile {
    /// All bytes of an open file, from where it stands.
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

    /// Replaces the file at `path`, whose status is `old`, in one step that survives a crash: a
    /// process that opens the path finds the old bytes or the new ones, which are synced.
    /// Permissions and owner stay. For the loss of power sync the folder afterwards.
    ///
    /// - Parameters:
    ///   - version: the version of the file that may be replaced.
    ///   - mark: that of the ``FileDraft`` on the way.
    ///   - isLocked: true to return the new file locked, as it was before it had its name.
    /// - Returns: the new file, open, and its version; or nil, and nothing has changed, if another
    ///   version has the path by now.
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
        // Asked of the open file: another process may have replaced it in turn.
        return (FileVersion(try file.status()), isLocked ? draft.lock ?? file : file)
    }
}
