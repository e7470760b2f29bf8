import CPlatform
import Glibc
import SwiduxFiles

/// A mark that this process has the list at a path open, until the last reference is released.
///
/// The mark is a shared lock on one byte of the list's folder. The name of the list selects the
/// byte. The system removes the lock when the process ends. Unlike `/proc`, the mark also shows
/// processes of other users and in other containers. Unlike a lock on the list's file, it stays
/// when a commit replaces the file, and it cannot affect the locks of SQLite.
///
/// Any user who can read the folder can set such a mark.
final class OpenMark: Sendable {
    private let folder: OpenFile
    private let place: Int64

    /// Sets the mark. Nil if the folder cannot be read, or if its file system has no locks.
    init?(at path: String) {
        do throws(SystemError) {
            folder = try OpenFile(path.folderPath, O_RDONLY | O_DIRECTORY)
        } catch {
            return nil
        }
        place = Self.place(of: path)
        guard cplatform_share_byte(folder.number, place) == 0 else { return nil }
    }

    deinit {
        // A child process that another thread is starting has a copy of the descriptor until it
        // calls exec.
        _ = cplatform_release_byte(folder.number, place)
    }

    /// Returns true if another storage, in this process or another, is known to have set the mark.
    static func isSet(at path: String) -> Bool {
        do throws(SystemError) {
            let folder = try OpenFile(path.folderPath, O_RDONLY | O_DIRECTORY)
            return cplatform_is_byte_shared(folder.number, place(of: path)) == 1
        } catch {
            return false
        }
    }

    private static func place(of path: String) -> Int64 {
        Int64(path.lastPathName.stableHash() >> 2)
    }
}

extension String {
    /// The path of the folder of the file at this absolute path.
    fileprivate var folderPath: String { parentPath.isEmpty ? "/" : parentPath }
}
