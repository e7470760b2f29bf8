import Glibc
import SheafList

/// Whether another user may have written a file beside a list.
///
/// In a folder that others may write to, any of them can make a file of a name that the program
/// looks for. Such a file is used only if nobody but root, the user and those who may write to the
/// list can have written it.
struct FileTrust {
    /// The list that the file is beside, or nil if it belongs to none.
    let list: stat?

    /// Whether the file of `status` belongs to the user, to root or to the list's owner.
    func trustsOwner(of status: stat) -> Bool {
        [geteuid(), 0, list?.st_uid].contains(status.st_uid)
    }

    /// The objection to the file of `status`, in words that can follow its name, or nil.
    func objection(to status: stat) -> String? {
        guard trustsOwner(of: status) else {
            return "belongs to another user (uid \(status.st_uid))"
        }
        let listMode = list?.st_mode ?? 0
        if status.st_mode & S_IWOTH != 0, listMode & S_IWOTH == 0 {
            return "is writable by everyone"
        }
        if status.st_mode & S_IWGRP != 0,
            listMode & S_IWGRP == 0 || list?.st_gid != status.st_gid
        {
            return "is writable by its group (gid \(status.st_gid))"
        }
        // A user who may make links in the folder could give one of this user's files this name.
        if status.st_nlink > 1 { return "has another hard link" }
        return nil
    }

    /// Returns true if the file at `path` is a regular one that only this user can have written, so
    /// that it does no harm to open it.
    static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && isOwn(status)
    }

    /// As ``isOwn(_:)``, by the status of the file.
    static func isOwn(_ status: stat) -> Bool {
        status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
            && FileTrust(list: nil).objection(to: status) == nil
    }
}
