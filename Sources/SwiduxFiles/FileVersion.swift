#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The version of a file's content, judged by its status without reading the content.
package struct FileVersion: Equatable, Sendable {
    package var identity: Identity
    package var size: Int64
    package var changed: Instant

    package init(_ status: stat) {
        identity = Identity(status)
        size = Int64(status.st_size)
        changed = Instant(status.st_mtim)
    }

    /// Determines the version of the file at `path`. Links are followed.
    package init(at path: String) throws(SystemError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .last }
        self.init(status)
    }

    /// The identity of a file, independent of its name.
    package struct Identity: Hashable, Sendable {
        package var device: UInt64
        package var inode: UInt64

        package init(_ status: stat) {
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
        }
    }

    /// The modification time of a file. Two numbers, because any user can set a file's time to any
    /// 64-bit second, which as nanoseconds would not fit 64 bits.
    package struct Instant: Comparable, Sendable {
        /// Seconds since 1970.
        package var seconds: Int64
        /// Nanoseconds within the second.
        package var nanoseconds: Int64

        package init(_ time: timespec) {
            seconds = Int64(time.tv_sec)
            nanoseconds = Int64(time.tv_nsec)
        }

        package static func < (left: Self, right: Self) -> Bool {
            (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
        }
    }
}

/// The kind of file at a path, for messages.
package enum FileKind {
    /// Returns a noun such as `a folder` for any file that is not regular.
    package static func words(for mode: mode_t) -> String {
        switch mode & S_IFMT {
        case S_IFDIR: "a folder"
        case S_IFLNK: "a link"
        case S_IFIFO: "a FIFO"
        case S_IFSOCK: "a socket"
        case S_IFCHR, S_IFBLK: "a device"
        default: "something else"
        }
    }
}
