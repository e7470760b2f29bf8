import CPlatform
import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An open file, which is closed with the last reference. While it is open the system gives its
/// inode to no other file.
package final class OpenFile: Sendable {
    package let number: Int32
    private let isLocked = Atomic(false)

    /// Takes over the descriptor `number`.
    package init(_ number: Int32) { self.number = number }

    /// Opens the file at `path` and never waits, whatever others have put there: a FIFO without a
    /// reader fails with `ENXIO`, one without a writer is read as empty, and a terminal does not
    /// become that of the process.
    ///
    /// - Parameter mode: the permissions of a file that is made.
    package init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(SystemError) {
        number = open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode)
        guard number >= 0 else { throw .last }
    }

    deinit {
        // A child that another thread is starting has a copy of the descriptor until it execs, and
        // closing alone leaves the lock to that copy.
        if isLocked.load(ordering: .relaxed) { _ = flock(number, LOCK_UN) }
        close(number)
    }

    package func status() throws(SystemError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .last }
        return status
    }

    /// Locks the file (`flock(2)`) until the last reference is gone; false if it is locked through
    /// another opening of it, in this process or another.
    package func lock() throws(SystemError) -> Bool {
        while flock(number, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw .last }
        }
        isLocked.store(true, ordering: .relaxed)
        return true
    }

    /// Makes reads and writes wait, as a stream needs.
    package func makeBlocking() throws(SystemError) {
        let flags = fcntl(number, F_GETFL)
        guard flags >= 0, fcntl(number, F_SETFL, flags & ~O_NONBLOCK) == 0 else { throw .last }
    }

    /// Writes all of `bytes`, and waits even if another process that shares the descriptor has made
    /// it non-blocking.
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

    /// True if a pipe or a terminal takes ``partSize`` bytes at once, or has no reader.
    package var takesPart: Bool {
        var entry = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// `PIPE_BUF`, the number of bytes that fit into a pipe that is ready for output.
    package static let partSize = 4_096

    /// Makes what was written durable.
    package func sync() throws(SystemError) {
        guard fsync(number) == 0 else { throw .last }
    }

    /// Gives the file the owner, group, permissions and access control list of the file at `path`,
    /// which it replaces and whose status is `old`, if this user may set them. If the group cannot
    /// be kept, the new group gets only the rights of everybody.
    package func keepAccess(of old: stat, at path: String) throws(SystemError) {
        // Only root can keep another owner. Members of the group can keep the group.
        let keepsGroup =
            fchown(number, old.st_uid, old.st_gid) == 0
            || fchown(number, uid_t.max, old.st_gid) == 0
        var mode = old.st_mode & 0o777
        if !keepsGroup { mode &= 0o707 | (mode & 0o007) << 3 }
        guard fchmod(number, mode) == 0 else { throw .last }
        guard keepsGroup, cplatform_copy_access_list(path, number) < 0 else { return }
        // With a list, the rights of the group are the most that anybody in the list has.
        guard fchmod(number, mode & 0o707) == 0 else { throw .last }
    }

    /// Makes the names in `folder` durable.
    package static func syncFolder(_ folder: String) throws(SystemError) {
        let descriptor = try OpenFile(folder, O_RDONLY | O_DIRECTORY)
        // Some file systems cannot sync a folder and fail with EINVAL; nothing more can be done
        // there.
        guard fsync(descriptor.number) == 0 || errno == EINVAL else { throw .last }
    }
}
