import CPlatform
import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An open file, closed when the last reference is released. While it is open, the system gives its
/// inode to no other file.
package final class OpenFile: Sendable {
    package let number: Int32
    private let isLocked = Atomic(false)

    /// Takes ownership of the descriptor `number`.
    package init(_ number: Int32) { self.number = number }

    /// Opens the file at `path` without ever blocking, even if another user has put a special file
    /// there. A FIFO opened for writing without a reader fails with `ENXIO`. A FIFO without a
    /// writer reads as empty. A terminal does not become the controlling terminal of the process.
    ///
    /// - Parameter mode: the permissions of a newly made file.
    package init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(SystemError) {
        number = open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode)
        guard number >= 0 else { throw .last }
    }

    deinit {
        // A child process that another thread is starting has a copy of the descriptor until it
        // calls exec. Closing alone would leave the lock with that copy.
        if isLocked.load(ordering: .relaxed) { _ = flock(number, LOCK_UN) }
        close(number)
    }

    package func status() throws(SystemError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .last }
        return status
    }

    /// Locks the file (`flock(2)`) until the last reference is released. Returns false if another
    /// open file description, in this process or another, holds the lock.
    package func lock() throws(SystemError) -> Bool {
        while flock(number, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw .last }
        }
        isLocked.store(true, ordering: .relaxed)
        return true
    }

    /// Makes reads and writes block, as a stream needs.
    package func makeBlocking() throws(SystemError) {
        let flags = fcntl(number, F_GETFL)
        guard flags >= 0, fcntl(number, F_SETFL, flags & ~O_NONBLOCK) == 0 else { throw .last }
    }

    /// Writes all of `bytes`. Waits even if another process that shares the descriptor has made it
    /// non-blocking.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.write(number, $0.baseAddress, $0.count)
            }
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            guard count < 0 else { throw SystemError(number: EIO) }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                var entry = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
                poll(&entry, 1, -1)
            default: throw .last
            }
        }
    }

    /// True if a pipe or a terminal accepts ``partSize`` bytes at once, or if it has no reader.
    package var acceptsPart: Bool {
        var entry = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// `PIPE_BUF`: the number of bytes that a pipe ready for output accepts.
    package static let partSize = 4_096

    /// Makes the written bytes durable.
    package func sync() throws(SystemError) {
        guard fsync(number) == 0 else { throw .last }
    }

    /// Copies owner, group, permissions and access control list from the file at `path`, which this
    /// file replaces and whose status is `old`, if this user may set them. If the group cannot be
    /// kept, the new group gets no permission that other users lack.
    package func keepAccess(of old: stat, at path: String) throws(SystemError) {
        // Only root can keep a different owner. Members of the group can keep the group.
        let keepsGroup =
            fchown(number, old.st_uid, old.st_gid) == 0
            || fchown(number, uid_t.max, old.st_gid) == 0
        var mode = old.st_mode & 0o777
        if !keepsGroup { mode &= 0o707 | (mode & 0o007) << 3 }
        guard fchmod(number, mode) == 0 else { throw .last }
        guard keepsGroup, cplatform_copy_access_list(path, number) < 0 else { return }
        // With an access control list, the group bits are its mask, the maximum rights of an entry.
        // Without the list, those bits could grant the group more than it had.
        guard fchmod(number, mode & 0o707) == 0 else { throw .last }
    }

    /// Makes the names in `folder` durable.
    package static func syncFolder(_ folder: String) throws(SystemError) {
        let descriptor = try OpenFile(folder, O_RDONLY | O_DIRECTORY)
        // Some file systems cannot sync a folder and fail with EINVAL. That error is ignored.
        guard fsync(descriptor.number) == 0 || errno == EINVAL else { throw .last }
    }
}
