import Glibc
import SheafList

/// `$XDG_STATE_HOME/sheaf`: what the program remembers of lists outside of their files.
public struct StateFolder: Sendable {
    /// The absolute path. Nothing need exist there.
    public let path: String

    /// The folder below `$XDG_STATE_HOME`, or below `~/.local/state` if that is unset or relative.
    ///
    /// - Returns: nil if there is no home folder.
    public init?(environment: [String: String]) {
        if let state = environment.absolutePath("XDG_STATE_HOME") {
            path = state + "/sheaf"
        } else if let home = environment.absolutePath("HOME") {
            path = home + "/.local/state/sheaf"
        } else {
            return nil
        }
    }

    /// Writes `bytes` to the file `name` of the folder in one step, for the user alone. A link in
    /// its place is replaced, not followed.
    ///
    /// - Throws: `StorageError` if it cannot be written. Then the old file stays, or `bytes` are
    ///   there but may not survive the loss of power.
    public func write(_ bytes: [UInt8], to name: String) throws {
        let file = try StoreFile(named: "\(path)/\(name)")
        _ = try file.put(replacing: true) { temporary in
            try file.fill(temporary, with: bytes)
        }
    }

    /// True if something has the name, even a link to nothing.
    public func contains(_ name: String) -> Bool {
        var status = stat()
        return lstat("\(path)/\(name)", &status) == 0
    }

    /// True unless nothing can have the name: a folder that cannot be entered may hold it.
    public func mayContain(_ name: String) -> Bool {
        contains(name) || ![ENOENT, ENOTDIR].contains(errno)
    }

    /// Renames the file `name`, replacing the one that has the new name.
    ///
    /// - Throws: `StorageError` if that fails.
    public func rename(_ name: String, to other: String) throws {
        guard Glibc.rename("\(path)/\(name)", "\(path)/\(other)") == 0 else {
            throw FileFailure.transferring(errno, at: "\(path)/\(name)")
        }
    }

    /// The bytes of the file `name` of the folder, or nil if there is no regular file of that name:
    /// a FIFO is not waited for.
    ///
    /// - Parameter limit: the most bytes that such a file has.
    public func read(_ name: String, limit: Int = 1 << 20) -> [UInt8]? {
        do {
            let file = try RegularFile("\(path)/\(name)")
            return try file.read(upTo: min(file.size, limit))
        } catch {
            return nil
        }
    }
}
