import Glibc
import SheafList

/// `$XDG_STATE_HOME/sheaf`, the folder for data about lists that the program does not keep in or
/// beside the lists' own files.
package struct StateFolder: Sendable {
    /// The absolute path. The folder need not exist.
    package let path: String

    /// Creates a value for the folder in `$XDG_STATE_HOME`, or in `~/.local/state` if that variable
    /// is unset or relative.
    ///
    /// - Returns: nil if there is no home folder.
    package init?(environment: [String: String]) {
        if let state = environment.absolutePath("XDG_STATE_HOME") {
            path = state + "/sheaf"
        } else if let home = environment.absolutePath("HOME") {
            path = home + "/.local/state/sheaf"
        } else {
            return nil
        }
    }

    /// Writes `bytes` to the file `name` of the folder in one step, accessible only to the user. If
    /// a link has the name, it is replaced, not followed.
    ///
    /// - Throws: `StorageError` if the file cannot be written. Then the old file stays, or the new
    ///   bytes are there but may not survive a power loss.
    package func write(_ bytes: [UInt8], to name: String) throws {
        let file = try StoreFile(named: "\(path)/\(name)")
        _ = try file.put(replacing: true) { temporary in
            try file.fill(temporary, with: bytes)
        }
    }

    /// Returns true if a file with this name exists, even a dangling link.
    package func contains(_ name: String) -> Bool {
        var status = stat()
        return lstat("\(path)/\(name)", &status) == 0
    }

    /// Returns false only if a file with this name cannot exist. A folder that this user cannot
    /// enter may contain it.
    package func mayContain(_ name: String) -> Bool {
        contains(name) || ![ENOENT, ENOTDIR].contains(errno)
    }

    /// Renames the file `name` and replaces a file that has the new name.
    ///
    /// - Throws: `StorageError` if that fails.
    package func rename(_ name: String, to other: String) throws {
        guard Glibc.rename("\(path)/\(name)", "\(path)/\(other)") == 0 else {
            throw FileFailure.transferring(errno, at: "\(path)/\(name)")
        }
    }

    /// Returns the bytes of the file `name` of the folder, or nil if no regular file has that name
    /// or it cannot be read. Does not wait for a FIFO.
    ///
    /// - Parameter limit: the maximum number of bytes to return, from the start of the file.
    package func read(_ name: String, limit: Int = 1 << 20) -> [UInt8]? {
        do {
            let file = try RegularFile("\(path)/\(name)")
            return try file.read(upTo: min(file.size, limit))
        } catch {
            return nil
        }
    }
}
