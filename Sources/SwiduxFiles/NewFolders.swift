#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Creation of the missing folders of a path.
package enum NewFolders {
    /// Makes `folder`, an absolute path, and its missing parent folders, accessible only to the
    /// user.
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
            // The umask may have cleared bits that the owner needs.
            guard chmod(folder, 0o700) == 0 else { throw .last }
        }
    }
}
