import FoundationEssentials
import Glibc
import SheafList
import SwiduxFiles

/// Reading and replacing the whole file, for backends that keep a list as one text.
extension StoreFile {
    typealias Version = FileVersion

    /// Returns the current version of the file.
    ///
    /// - Throws: `.io` if the file no longer exists.
    func version() throws -> Version {
        do throws(SystemError) {
            return try FileVersion(at: path)
        } catch  where error.number == ENOENT {
            throw FileFailure.moved(at: location)
        } catch {
            throw FileFailure.transferring(error.number, at: location)
        }
    }

    /// The current version of the file, or nil if it cannot be determined. `errno` then gives the
    /// reason.
    var presentVersion: Version? {
        do throws(SystemError) {
            return try FileVersion(at: path)
        } catch {
            return nil
        }
    }

    /// Returns all bytes of the file, their version, and the open file that they were read from.
    func content() throws -> (Data, Version, OpenFile) {
        let file = try open()
        return try transferring { () throws(SystemError) in
            (Data(try WholeFile.read(file)), Version(try file.status()), file)
        }
    }

    /// Returns the first `count` bytes of the file, or all bytes of a shorter file.
    func beginning(_ count: Int) throws -> [UInt8] {
        let file = try open()
        var bytes = [UInt8](repeating: 0, count: count)
        let length = pread(file.number, &bytes, count, 0)
        guard length >= 0 else { throw FileFailure.transferring(errno, at: location) }
        return Array(bytes.prefix(length))
    }

    /// Locks the file while `body` runs, so that no other process runs this function for the same
    /// file.
    ///
    /// - Parameter timeout: the time to wait for the lock. After that, `.busy` is thrown.
    func locked<T>(waiting timeout: Duration, _ body: () throws -> T) throws -> T {
        let deadline = ContinuousClock.now + timeout
        while true {
            let file = try open()
            let locked = try transferring { () throws(SystemError) in
                try file.lock() ? Version(try file.status()) : nil
            }
            if let locked {
                guard try version().identity == locked.identity else { continue }
                // The lock is released with the file.
                return try withExtendedLifetime(file, body)
            }
            guard ContinuousClock.now < deadline else { throw FileFailure.busy(at: location) }
            // The system has no lock with a timeout. A commit takes milliseconds.
            usleep(5_000)
        }
    }

    /// Replaces the content in one step that survives a crash and a power loss. A process that
    /// opens the path finds the old bytes or the new ones. Permissions and owner stay.
    ///
    /// Must be called within ``locked(waiting:_:)``.
    ///
    /// - Returns: the new version; or nil if another program has replaced or changed `version` of
    ///   the file. Nothing has changed then.
    func replace(_ version: Version, with bytes: [UInt8]) throws -> (Version, OpenFile)? {
        var old = stat()
        guard lstat(path, &old) == 0 else { throw FileFailure.moved(at: location) }
        guard old.st_mode & S_IFMT != S_IFLNK else {
            return try replaceTarget(version, with: bytes)
        }
        let replaced = try transferring { () throws(SystemError) in
            try WholeFile.replace(
                path, version, with: bytes, keeping: old, mark: Self.savingMark)
        }
        try syncFolder()
        return replaced
    }

    /// Replaces the target of a link that has replaced this file. A rename onto the link would
    /// leave the target behind as a second list.
    private func replaceTarget(
        _ version: Version, with bytes: [UInt8]
    ) throws -> (Version, OpenFile)? {
        let target = try StoreFile(resolving: path)
        if let reason = target.reasonAgainstReplacing() {
            throw FileFailure.readOnly(at: location, advice: reason)
        }
        return try target.replace(version, with: bytes)
    }

    /// The mark of the draft that holds the new bytes of a list.
    static let savingMark = "sheaf-new"

    /// Removes the drafts of this user's processes that were killed while they replaced the
    /// content. O(files in the folder).
    ///
    /// - Parameter isKept: returns true if the draft at a path must stay.
    func removeAbandonedDrafts(unless isKept: (String) -> Bool) {
        FileDraft.removeAbandoned(of: path, mark: Self.savingMark, unless: isKept)
        FileDraft.removeAbandoned(in: folder)
    }

    /// Writes `bytes` to the empty file at `path` and makes them durable.
    func fill(_ path: String, with bytes: [UInt8]) throws {
        try transferring { () throws(SystemError) in
            let file = try OpenFile(path, O_WRONLY | O_NOFOLLOW)
            try file.write(bytes)
            try file.sync()
        }
    }

    /// Gives the file at `path`, which will replace this one, the same owner, group and
    /// permissions.
    func keepAccess(on path: String) throws {
        var status = stat()
        guard stat(self.path, &status) == 0 else { return }
        try transferring { () throws(SystemError) in
            try OpenFile(path, O_RDONLY | O_NOFOLLOW).keepAccess(of: status, at: self.path)
        }
    }

    private func open() throws -> OpenFile {
        do {
            return try RegularFile.open(path, at: location).file
        } catch let error where error.code == .notFound {
            throw FileFailure.moved(at: location)
        }
    }

    private func transferring<T>(
        _ body: () throws(SystemError) -> T
    ) throws(StorageError) -> T {
        do {
            return try body()
        } catch {
            throw FileFailure.transferring(error.number, at: location)
        }
    }
}

extension FileVersion {
    var modified: Timestamp { changed.timestamp }
}

extension FileVersion.Instant {
    /// The time, or the nearest time that a timestamp can represent.
    var timestamp: Timestamp {
        let (milliseconds, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000)
        if isTooLarge { return Timestamp(milliseconds: seconds < 0 ? .min : .max) }
        let (sum, isTooLate) = milliseconds.addingReportingOverflow(nanoseconds / 1_000_000)
        return Timestamp(milliseconds: isTooLate ? .max : sum)
    }
}
