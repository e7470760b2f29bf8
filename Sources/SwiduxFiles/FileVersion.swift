#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// One version of a file's content, as far as that can be told without reading it.
package struct FileVersion: Equatable, Sendable {
    package var identity: Identity
    package var size: Int64
    package var changed: Instant

    package init(_ status: stat) {
        identity = Identity(status)
        size = Int64(status.st_size)
        changed = Instant(status.st_mtim)
    }

    /// The version that is at `path` now, links followed.
    package init(at path: String) throws(SystemError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .last }
        self.init(status)
    }

    /// Identifies a file whatever its name.
    package struct Identity: Hashable, Sendable {
        package var device: UInt64
        package var inode: UInt64

        package init(_ status: stat) {
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
        }
    }

    /// A file's time, in two numbers: anybody can set it to any second that fits 64 bits, which in
    /// nanoseconds does not fit.
    package struct Instant: Comparable, Sendable {
        /// Since 1970.
        package var seconds: Int64
        /// Of the second.
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

/// What a path leads to, for messages.
package enum FileKind {
    /// Words such as `a folder` for anything but a regular file.
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
