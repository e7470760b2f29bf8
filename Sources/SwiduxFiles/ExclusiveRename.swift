import CPlatform

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Functions that give an existing file a new name without replacing another file.
package enum ExclusiveRename {
    /// Gives the file at `path` the name `name`, in one step if the file system supports that. The
    /// file may also keep its old name.
    ///
    /// - Returns: true if the name was free.
    package static func give(_ name: String, to path: String) throws(SystemError) -> Bool {
        if let isGiven = try link(path, name) { return isGiven }
        return try move(path, to: name)
    }

    /// Renames the file to `name`, in one step if the file system supports that.
    ///
    /// - Returns: true if the name was free.
    package static func move(_ path: String, to name: String) throws(SystemError) -> Bool {
        if let isMoved = try rename(path, name) { return isMoved }
        return try replacePlaceholder(path, name)
    }

    /// Gives the file a second name. Returns false if the name is taken, and nil if the file system
    /// does not support hard links.
    package static func link(_ path: String, _ name: String) throws(SystemError) -> Bool? {
        if Glibc.link(path, name) == 0 { return true }
        switch errno {
        case EEXIST: return false
        case EPERM, ENOTSUP, ENOSYS, EMLINK: return nil
        default: throw .last
        }
    }

    /// Renames the file. Returns false if the name is taken, and nil if the file system cannot
    /// rename without replacing.
    package static func rename(_ path: String, _ name: String) throws(SystemError) -> Bool? {
        if cplatform_rename_to_new(path, name) == 0 { return true }
        switch errno {
        case EEXIST: return false
        case EINVAL, ENOSYS, ENOTSUP: return nil
        default: throw .last
        }
    }

    /// Makes an empty file at `name`, then replaces it with the file at `path`. Returns false if
    /// the name is taken. If the process is killed between the two steps, the empty file remains.
    package static func replacePlaceholder(_ path: String, _ name: String) throws(SystemError)
        -> Bool
    {
        do throws(SystemError) {
            try FileDraft.makeFile(at: name)
        } catch let error where error.number == EEXIST {
            return false
        }
        guard Glibc.rename(path, name) == 0 else {
            let failure = SystemError.last
            unlink(name)
            throw failure
        }
        return true
    }
}
