#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Folders that are missing on the way to a file.
package enum NewFolders {
    /// Makes `folder`, an absolute path, and the folders on the way to it that are missing, for the
    /// user alone.
    package static func make(to folder: String) throws(SystemError) {
        var missing: [String] = []
        var folder = folder
        while access(folder, F_OK) != 0, errno == ENOENT, folder != "/" {
            missing.append(folder)
            folder = folder.parentPath
        }
        for folder in missing.reversed() {
            guard mkdir(folder, 0o700) == 0 else {
                if errno == EEXIST { continue }
                throw .last
            }
            // The umask took bits away that the folder's owner needs.
            guard chmod(folder, 0o700) == 0 else { throw .last }
        }
    }
}
