import CPlatform

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A file that is written under an unguessable name and then renamed to its target in one step.
///
/// A process that opens the target finds the old file or the complete new one. Another user cannot
/// block the write by taking the temporary name. After a crash, ``isAbandoned(_:of:mark:)``
/// recognizes the draft and ``removeAbandoned(in:)`` removes it. If the draft was not renamed,
/// releasing this value removes the file.
package final class FileDraft {
    /// The path of the draft before it is renamed.
    package let path: String

    private let target: String
    /// The private folder around the draft, if any. It is removed with its contents.
    private let enclosure: String?
    /// The locked private folder or, without one, the locked file. The lock lasts as long as this
    /// value and tells other processes that the owner is alive. Nil if the file system has no
    /// locks.
    package let lock: OpenFile?
    private var isPlaced = false

    /// The mark of drafts of new files and copies.
    package static let newMark = "new"

    /// The number of bytes of the target's name that the draft's name repeats. A name has at most
    /// 255 bytes.
    private static let nameLimit = 190

    /// Makes an empty file, accessible only to the user, in the folder of `target`, an absolute
    /// path.
    ///
    /// - Parameters:
    ///   - mark: the purpose of the draft, which distinguishes drafts of one target.
    ///   - isEnclosed: true to make the draft in a private folder. If other users can write to the
    ///     target's folder, they could put a journal beside the draft, which SQLite would roll back
    ///     into it.
    package init(
        for target: String, mark: String = newMark, isEnclosed: Bool = false
    ) throws(SystemError) {
        self.target = target
        let start = "\(Self.folder(of: target))/\(Self.prefix(of: target, mark))"
        let (place, lock) = try Self.makePlace(start, isEnclosed)
        self.lock = lock
        enclosure = isEnclosed ? place : nil
        path = isEnclosed ? "\(place)/\(target.lastPathName)" : place
        // From here on `deinit` removes the file, even if this initializer throws.
        if isEnclosed { try Self.makeFile(at: path) }
    }

    /// Makes and locks the folder or the file of a draft.
    private static func makePlace(
        _ start: String, _ isEnclosed: Bool
    ) throws(SystemError) -> (String, OpenFile?) {
        var attempts = 0
        while true {
            let place = start + secret()
            if isEnclosed {
                // The umask may have cleared bits that the owner needs.
                guard mkdir(place, 0o700) == 0 else { throw .last }
                if chmod(place, 0o700) != 0 {
                    if errno == ENOENT { continue }
                    let error = SystemError.last
                    rmdir(place)
                    throw error
                }
            } else {
                try makeFile(at: place)
            }
            attempts += 1
            // Another process may remove the place as abandoned before it is locked. The loop then
            // makes it again. If this seems to happen every time, the file system has no stable
            // inodes.
            guard attempts < 10 else { return (place, nil) }
            switch try locked(place) {
            case .gone: continue
            case .locked(let file): return (place, file)
            case .unsupported: return (place, nil)
            }
        }
    }

    private enum Lock {
        case locked(OpenFile)
        case gone
        case unsupported
    }

    /// Locks the new file or folder at `place` and checks that it is still there.
    private static func locked(_ place: String) throws(SystemError) -> Lock {
        do {
            let file = try OpenFile(place, O_RDONLY | O_NOFOLLOW)
            guard try file.lock() else { return .gone }
            var status = stat()
            guard lstat(place, &status) == 0, try file.status().st_ino == status.st_ino else {
                return .gone
            }
            return .locked(file)
        } catch {
            switch error.number {
            case ENOENT: return .gone
            // File systems without locks, and NFS for a file opened for reading, return these
            // errors.
            case EBADF, EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP, ENOLCK: return .unsupported
            default:
                unlink(place)
                rmdir(place)
                throw error
            }
        }
    }

    deinit {
        if !isPlaced { unlink(path) }
        if let enclosure {
            for name in FolderContents.names(in: enclosure) { unlink("\(enclosure)/\(name)") }
            rmdir(enclosure)
        }
    }

    /// Opens the draft for writing.
    package func open() throws(SystemError) -> OpenFile {
        try OpenFile(path, O_WRONLY | O_NOFOLLOW)
    }

    /// Renames the draft to its target and replaces a file or link there. For durability, sync the
    /// draft before and its folder afterwards.
    package func replace() throws(SystemError) {
        guard rename(path, target) == 0 else { throw .last }
        isPlaced = true
    }

    /// Replaces the target only if it is still `version`, because another program may replace it at
    /// any time. If the file system cannot exchange two names, this function checks the version
    /// just before the rename.
    ///
    /// - Returns: false if the target is a different file or a later version. That file stays.
    package func replace(_ version: FileVersion) throws(SystemError) -> Bool {
        let own = try FileVersion(at: path).identity
        do throws(SystemError) {
            guard try FileVersion(at: target) == version else { return false }
            guard try exchange() else {
                guard try FileVersion(at: target) == version else { return false }
                try replace()
                return true
            }
        } catch  where error.number == ENOENT {
            return false
        }
        if try FileVersion(at: path) == version {
            // If the old version cannot be removed, `deinit` tries again.
            isPlaced = unlink(path) == 0
            return true
        }
        // The draft has the name for a moment. If another process replaces it in that moment, the
        // replacement stays.
        _ = try exchange()
        if try FileVersion(at: path).identity != own { _ = try exchange() }
        return false
    }

    /// Exchanges the names of the draft and of the file at the target.
    ///
    /// - Returns: false if the file system does not support this.
    private func exchange() throws(SystemError) -> Bool {
        if cplatform_exchange(path, target) == 0 { return true }
        guard [EINVAL, ENOSYS, ENOTSUP].contains(errno) else { throw .last }
        return false
    }

    /// Renames the draft to its target and the file at the target to `aside`. This is one step if
    /// the file system can exchange names. Otherwise, no file has the target's name for a moment.
    ///
    /// - Returns: false if the name `aside` is taken. Nothing has changed then.
    package func replace(keeping aside: String) throws(SystemError) -> Bool {
        guard try ExclusiveRename.move(path, to: aside) else { return false }
        if cplatform_exchange(aside, target) == 0 {
            isPlaced = true
            return true
        }
        let failure = SystemError.last
        guard rename(aside, path) == 0 else {
            let failure = SystemError.last
            // The draft has the name `aside` now.
            unlink(aside)
            throw failure
        }
        guard [EINVAL, ENOSYS, ENOTSUP].contains(failure.number) else { throw failure }
        guard try ExclusiveRename.move(target, to: aside) else { return false }
        do throws(SystemError) {
            isPlaced = try ExclusiveRename.move(path, to: target)
        } catch {
            rename(aside, target)
            throw error
        }
        // Another process has made a file at the target. The old file stays at `aside`.
        guard isPlaced else { throw SystemError(number: EEXIST) }
        return true
    }

    /// Renames the draft to its target. Returns false if that name is taken.
    package func claim() throws(SystemError) -> Bool {
        try ExclusiveRename.give(target, to: path)
    }

    /// Makes an empty file at `path`, accessible only to the user. Throws if a file exists there.
    /// After any error, no new file remains.
    package static func makeFile(at path: String) throws(SystemError) {
        let file = try OpenFile(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY)
        // The umask may have cleared bits that the owner needs.
        guard fchmod(file.number, 0o600) == 0 else {
            let failure = SystemError.last
            unlink(path)
            throw failure
        }
    }

    // MARK: Drafts that a crash left

    /// Returns true if `name` is the name of a draft of `target`, made by any user.
    package static func isAbandoned(_ name: String, of target: String, mark: String) -> Bool {
        let prefix = prefix(of: target, mark)
        return name.beginsWithBytes(of: prefix)
            && name.utf8.count == prefix.utf8.count + secretLength
            && name.utf8.suffix(secretLength).allSatisfy(isDigit)
    }

    /// Returns true if `name` is the name of a draft of any file.
    package static func isDraftName(_ name: String) -> Bool {
        name.hasPrefix(".") && name.utf8.suffix(secretLength).allSatisfy(isDigit)
            && name.dropLast(secretLength).hasSuffix("\(newMark)-")
    }

    /// Removes the drafts of `target` that belong to killed processes of this user, that is, drafts
    /// that no process has locked. O(files in the folder).
    ///
    /// - Parameter isKept: returns true if the draft at a path must stay.
    package static func removeAbandoned(
        of target: String, mark: String, unless isKept: (String) -> Bool = { _ in false }
    ) {
        let folder = folder(of: target)
        for name in FolderContents.names(in: folder) where isAbandoned(name, of: target, mark: mark)
        {
            let path = "\(folder)/\(name)"
            do {
                let file = try OpenFile(path, O_RDONLY | O_NOFOLLOW)
                let status = try file.status()
                guard status.st_uid == geteuid(), status.st_mode & S_IFMT == S_IFREG,
                    try file.lock(),
                    try FileVersion(at: path).identity == FileVersion.Identity(status)
                else { continue }
                if !isKept(path) { unlink(path) }
            } catch {
                // A draft that is gone or cannot be locked is skipped.
            }
        }
    }

    /// Removes the drafts in `folder` that belong to ended processes of this user, that is, drafts
    /// of any file that no process has locked. Safe to call at any time. O(files in the folder).
    package static func removeAbandoned(in folder: String) {
        for name in FolderContents.names(in: folder)
        where isDraftName(name) && name.dropLast(secretLength).hasSuffix(".\(newMark)-") {
            let place = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
            do {
                let file = try OpenFile(place, O_RDONLY | O_NOFOLLOW)
                let status = try file.status()
                guard status.st_uid == geteuid(), try file.lock() else { continue }
                switch status.st_mode & S_IFMT {
                case S_IFREG: unlink(place)
                case S_IFDIR where status.st_mode & 0o077 == 0:
                    empty(file)
                    rmdir(place)
                default: continue
                }
            } catch {
                // A draft that is gone or cannot be locked is skipped.
            }
        }
    }

    /// Removes the files of an open draft folder, and the draft folders in it. Works on the open
    /// folder because another user may have put a link in place of its name.
    private static func empty(_ folder: OpenFile) {
        // The stream closes its descriptor.
        guard let stream = fdopendir(fcntl(folder.number, F_DUPFD_CLOEXEC, 3)) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != ".", name != "..", unlinkat(folder.number, name, 0) != 0 else { continue }
            let inner = openat(
                folder.number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard inner >= 0 else { continue }
            if name.utf8.suffix(secretLength).allSatisfy(isDigit) { empty(OpenFile(inner)) }
            _ = unlinkat(folder.number, name, AT_REMOVEDIR)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x61...0x66 ~= byte
    }

    private static func prefix(of target: String, _ mark: String) -> String {
        var name = target.lastPathName[...]
        while name.utf8.count > nameLimit { name.removeLast() }
        return ".\(name).\(mark)-"
    }

    private static func folder(of target: String) -> String {
        let folder = target.parentPath
        return folder == "/" ? "" : folder
    }

    private static let secretLength = 32

    /// Returns 128 random bits as hexadecimal digits. The system supplies them without opening a
    /// file, because the process may be at its limit of open files.
    private static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return [generator.next(), generator.next()].map { (half: UInt64) in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        .joined()
    }
}
