import FoundationEssentials
import Glibc
import SheafCore

/// Reading and replacing the whole file, for backends that keep a list as one text.
extension StoreFile {
    /// One version of the file's content, as far as that can be told without reading it.
    struct Version: Equatable {
        var identity: Identity
        var size: Int64
        var changed: Instant

        init(_ status: stat) {
            identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
            size = Int64(status.st_size)
            changed = Instant(status.st_mtim)
        }

        var modified: Timestamp { changed.timestamp }
    }

    /// A file's time, in two numbers: anybody can set it to any second that fits 64 bits, which in
    /// nanoseconds does not fit.
    struct Instant: Comparable {
        /// Since 1970.
        var seconds: Int64
        /// Of the second.
        var nanoseconds: Int64

        init(_ time: timespec) {
            seconds = Int64(time.tv_sec)
            nanoseconds = Int64(time.tv_nsec)
        }

        /// The time, or the nearest that a timestamp can tell.
        var timestamp: Timestamp {
            let (milliseconds, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000)
            if isTooLarge { return Timestamp(milliseconds: seconds < 0 ? .min : .max) }
            let (sum, isTooLate) = milliseconds.addingReportingOverflow(nanoseconds / 1_000_000)
            return Timestamp(milliseconds: isTooLate ? .max : sum)
        }

        static func < (left: Self, right: Self) -> Bool {
            (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
        }
    }

    /// The version that is at the path now.
    ///
    /// - Throws: `.io` if the file no longer exists.
    func version() throws -> Version {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { throw FileFailure.moved(at: location) }
            throw FileFailure.transferring(errno, at: location)
        }
        return Version(status)
    }

    /// All bytes of the file, their version, and the open file that they were read from.
    func content() throws -> (Data, Version, OpenFile) {
        let descriptor = try open()
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(descriptor.number, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileFailure.transferring(errno, at: location) }
            guard count > 0 else { break }
            data.append(contentsOf: buffer[..<count])
        }
        return (data, Version(try status(of: descriptor)), descriptor)
    }

    /// Runs `body` while no other process is in this function for the same file.
    ///
    /// The lock is `flock(2)` on the file itself, so that no separate lock file is needed. A file
    /// that was replaced is another one, so the lock counts only if the path still leads to the
    /// locked file.
    ///
    /// - Parameter timeout: how long the lock is waited for; then `.busy` is thrown.
    func locked<T>(waiting timeout: Duration, _ body: () throws -> T) throws -> T {
        let deadline = ContinuousClock.now + timeout
        while true {
            let descriptor = try open()
            if flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 {
                let locked = Version(try status(of: descriptor))
                guard try version().identity == locked.identity else { continue }
                // The lock ends with the descriptor.
                return try withExtendedLifetime(descriptor, body)
            }
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw FileFailure.transferring(errno, at: location)
            }
            guard ContinuousClock.now < deadline else { throw FileFailure.busy(at: location) }
            // The system has no lock with a timeout; a commit takes milliseconds.
            usleep(5_000)
        }
    }

    /// Replaces the content in one step that survives a crash and the loss of power: a process that
    /// opens the path finds the old bytes or the new ones. Permissions and owner stay.
    ///
    /// To be called within ``locked(waiting:_:)``.
    func replace(with bytes: [UInt8]) throws -> (Version, OpenFile) {
        var old = stat()
        guard lstat(path, &old) == 0 else { throw FileFailure.moved(at: location) }
        // A rename onto a link replaces the link, and the file that it led to would be a second
        // list.
        guard old.st_mode & S_IFMT != S_IFLNK else { throw FileFailure.linked(at: location) }
        let (version, descriptor): (Version, OpenFile)
        do throws(SystemError) {
            let draft = try FileDraft(for: path, mark: Self.savingMark)
            descriptor = try draft.open()
            try descriptor.write(bytes)
            // Only root can keep another owner.
            _ = fchown(descriptor.number, old.st_uid, old.st_gid)
            guard fchmod(descriptor.number, old.st_mode & 0o777) == 0 else { throw .last }
            try descriptor.sync()
            // Asked of the open file: once it has the name, another process may replace it in turn.
            version = Version(try descriptor.status())
            try draft.replace()
        } catch {
            throw FileFailure.transferring(error.number, at: location)
        }
        try syncFolder()
        return (version, descriptor)
    }

    /// The mark of the draft that the new bytes of a list are written to.
    static let savingMark = "sheaf-new"

    /// Removes the drafts that processes left that were killed while they replaced the content,
    /// except those of other users. To be called within ``locked(waiting:_:)``. O(files in the
    /// folder).
    func removeLeftDrafts() {
        FileDraft.removeLeft(of: path, mark: Self.savingMark)
    }

    /// Writes `bytes` to the empty file at `path`, and returns when they are durable.
    func fill(_ path: String, with bytes: [UInt8]) throws {
        do throws(SystemError) {
            let file = try OpenFile(path, O_WRONLY | O_NOFOLLOW)
            try file.write(bytes)
            try file.sync()
        } catch {
            throw FileFailure.transferring(error.number, at: location)
        }
    }

    private func open() throws -> OpenFile {
        do {
            return try RegularFile.open(path, at: location).file
        } catch let error where error.code == .notFound {
            throw FileFailure.moved(at: location)
        }
    }

    private func status(of descriptor: OpenFile) throws -> stat {
        do throws(SystemError) {
            return try descriptor.status()
        } catch {
            throw FileFailure.transferring(error.number, at: location)
        }
    }
}
