import Glibc
import SheafList

/// A check whether another user may have written a file beside a list.
///
/// In a folder that other users can write to, any of them can make a file with a name that the
/// program looks for. The program uses such a file only if no one could have written it except
/// root, the user, and users who may write to the list.
struct FileTrust {
    /// The status of the list beside the file, or nil if the file belongs to no list.
    let list: stat?

    init(list: stat?) { self.list = list }

    /// Creates the check for files beside the list at `path`, which may be missing.
    init(besideListAt path: String) {
        var status = stat()
        list = stat(path, &status) == 0 ? status : nil
    }

    /// Returns true if the user, root or the list's owner owns the file with this status.
    func trustsOwner(of status: stat) -> Bool {
        [geteuid(), 0, list?.st_uid].contains(status.st_uid)
    }

    /// Returns the objection to the file with this status, in words that can follow its name, or
    /// nil.
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
        // A user who can make links in the folder could link another file of this user here.
        if status.st_nlink > 1 { return "has another hard link" }
        return nil
    }

    /// Returns true if the file at `path` is regular and only this user can have written it. Such a
    /// file is safe to open.
    static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && isOwn(status)
    }

    /// Returns true if the file with this status is regular and only this user can have written it.
    static func isOwn(_ status: stat) -> Bool {
        status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
            && FileTrust(list: nil).objection(to: status) == nil
    }
}
