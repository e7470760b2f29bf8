import CPlatform

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Names that nothing has yet, for files that have another.
package enum NewName {
    /// Gives the file at `path` the name `name`, in one step where the file system can; it may keep
    /// its own name as well.
    ///
    /// - Returns: whether nothing had the name.
    package static func give(_ name: String, to path: String) throws(SystemError) -> Bool {
        if let isGiven = try link(path, name) { return isGiven }
        return try move(path, to: name)
    }

    /// Gives the file the name `name` in place of its own, in one step where the file system can.
    ///
    /// - Returns: whether nothing had the name.
    package static func move(_ path: String, to name: String) throws(SystemError) -> Bool {
        if let isMoved = try rename(path, name) { return isMoved }
        return try replacePlaceholder(path, name)
    }

    /// Gives the file a second name. Returns nil where files have only one.
    package static func link(_ path: String, _ name: String) throws(SystemError) -> Bool? {
        if Glibc.link(path, name) == 0 { return true }
        switch errno {
        case EEXIST: return false
        case EPERM, ENOTSUP, ENOSYS, EMLINK: return nil
        default: throw .last
        }
    }

    /// Gives the file another name. Returns nil where that may take a name from another file.
    package static func rename(_ path: String, _ name: String) throws(SystemError) -> Bool? {
        if cplatform_rename_to_new(path, name) == 0 { return true }
        switch errno {
        case EEXIST: return false
        case EINVAL, ENOSYS, ENOTSUP: return nil
        default: throw .last
        }
    }

    /// Takes the name with an empty file, then replaces that: a kill in between leaves it.
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
