import Glibc
import SheafCore

/// Whether a file beside a list can be another user's work.
///
/// In a folder that others may write to, anybody can put a file under a name that the program looks
/// for. Such a file counts only if none but root, the user and those who may write to the list
/// anyway can have written it.
struct FileTrust {
    /// The list that the file is beside, or nil if it belongs to none.
    let list: stat?

    /// Whether the file of `status` belongs to the user, to root or to the list's owner.
    func trustsOwner(of status: stat) -> Bool {
        [geteuid(), 0, list?.st_uid].contains(status.st_uid)
    }

    /// What speaks against the file of `status`, in words that can stand behind its name, or nil.
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
        // Whoever may make links in the folder could give a file of the user's this name.
        if status.st_nlink > 1 { return "has another hard link" }
        return nil
    }
}
