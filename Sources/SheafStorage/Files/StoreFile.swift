import Foundation
import SheafCore

/// The file of a store: where it really is, what is there, and how it is made.
struct StoreFile {
    /// The path as it was given, which messages show.
    var location: String
    /// The absolute path, links followed.
    let path: String

    /// What tells one file from another, whatever its name.
    struct Identity: Hashable {
        var device: UInt64
        var inode: UInt64
    }

    /// Follows the links of `location` once, also one whose target is missing.
    ///
    /// - Throws: `.cannotOpen` if a link leads in a circle.
    init(resolving location: String) throws {
        self.location = location
        var current = Self.join(FileManager.default.currentDirectoryPath, location)
        var linksLeft = 40
        while let target = Self.linkTarget(current) {
            guard linksLeft > 0 else { throw FileFailure.opening(ELOOP, at: location) }
            linksLeft -= 1
            current = Self.join(Self.split(current).folder, target)
        }
        let (folder, name) = Self.split(current)
        path = Self.join(Self.resolvedFolder(folder), name)
    }

    /// The file of this very name, which a link there does not lead away from. The links of its
    /// folder are followed.
    init(named location: String) {
        self.location = location
        let (folder, name) = Self.split(
            Self.join(FileManager.default.currentDirectoryPath, location))
        path = Self.join(Self.resolvedFolder(folder), name)
    }

    /// `folder` without links. Only the system may undo a `..` behind one.
    private static func resolvedFolder(_ folder: String) -> String {
        guard let resolved = realpath(folder, nil) else { return folder }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// `path` seen from `folder`.
    private static func join(_ folder: String, _ path: String) -> String {
        if path.hasPrefix("/") { return path }
        return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = path[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
    }

    /// The folder that holds the file.
    var folder: String {
        let folder = (path as NSString).deletingLastPathComponent
        return folder.isEmpty ? "/" : folder
    }

    /// The name that the user knows it by.
    var displayName: String { (location as NSString).lastPathComponent }

    // MARK: What is there

    /// Which file is at the path now.
    ///
    /// - Returns: nil if none is.
    /// - Throws: `.cannotOpen` if that cannot be told, or if what is there is no regular file.
    func identity() throws -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw FileFailure.opening(errno, at: location) }
            return nil
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StorageError(
                .cannotOpen, at: location,
                reason: "this is \(Self.kind(status.st_mode)), not a file",
                advice: "Name a file to keep the list in.")
        }
        return Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    /// Why the file is not written to when it is opened in `mode`, as a sentence, or nil if it is.
    func reasonAgainstWriting(_ mode: OpenMode) -> String? {
        mode == .readOnly ? "It was opened to be read only." : reasonAgainstWriting()
    }

    /// Why the file cannot be written to, as a sentence, or nil if it can.
    func reasonAgainstWriting() -> String? {
        if access(path, W_OK) != 0 {
            return "The file cannot be written to (\(FileFailure.words(for: errno)))."
        }
        // Every backend makes a file beside it for a write.
        if access(folder, W_OK | X_OK) != 0 {
            return "The folder cannot be written to (\(FileFailure.words(for: errno)))."
        }
        return nil
    }

    // MARK: Making files

    /// Makes the folders that are missing, for the user alone.
    func makeFolders() throws {
        var missing: [String] = []
        var folder = self.folder
        while access(folder, F_OK) != 0, errno == ENOENT, folder != "/" {
            missing.append(folder)
            folder = (folder as NSString).deletingLastPathComponent
        }
        for folder in missing.reversed() {
            guard mkdir(folder, 0o700) == 0 else {
                if errno == EEXIST { continue }
                throw cannotCreate(errno)
            }
            // The umask took bits away that the folder's owner needs.
            guard chmod(folder, 0o700) == 0 else { throw cannotCreate(errno) }
        }
    }

    /// Makes an empty file for the user alone at `path`, where nothing may be.
    func makeFile(at path: String) throws {
        let descriptor = open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw cannotCreate(errno) }
        defer { close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0 else { throw cannotCreate(errno) }
    }

    /// Makes the store in one step: `fill` writes a file under another name, which then gets this
    /// one. A crash on the way leaves nothing at the path, and a store that another process made
    /// meanwhile is left alone.
    func make(_ fill: (_ path: String) throws -> Void) throws {
        _ = try put(replacing: false, fill)
    }

    /// Puts the file that `fill` writes under another name at the path, in one step, and makes that durable.
    ///
    /// - Parameter replacing: whether what is there already is replaced, be it a link, which is not
    ///   followed; else it is left alone.
    /// - Returns: what `fill` does, or nil if something was there and stays.
    /// - Throws: `StorageError`; if that is of the folder alone, the file is at the path all the same.
    func put<T>(
        replacing: Bool, _ fill: (_ path: String) throws -> T
    ) throws -> T? {
        guard let value = try place(replacing: replacing, fill) else { return nil }
        try syncFolder()
        return value
    }

    /// The same where nothing may be yet, and nothing is afterwards if it throws.
    ///
    /// - Returns: whether nothing was there.
    func add(_ fill: (_ path: String) throws -> Void) throws -> Bool {
        guard try place(replacing: false, fill) != nil else { return false }
        do {
            try syncFolder()
        } catch {
            // A disk that fails often becomes read-only.
            guard unlink(path) == 0 || errno == ENOENT else {
                throw StorageError(
                    .io, at: location,
                    reason: "neither durable nor removable (\(FileFailure.words(for: errno)))",
                    advice: "Remove it if it is there later.")
            }
            throw error
        }
        return true
    }

    /// What ``put(replacing:_:)`` does, but for that it may not survive the loss of power.
    private func place<T>(
        replacing: Bool, _ fill: (_ path: String) throws -> T
    ) throws -> T? {
        try makeFolders()
        let temporary =
            "\(folder)/.\((path as NSString).lastPathComponent).new-\(UUID().uuidString)"
        try makeFile(at: temporary)
        defer { unlink(temporary) }
        let value = try fill(temporary)
        if replacing {
            guard rename(temporary, path) == 0 else { throw cannotCreate(errno) }
        } else if link(temporary, path) != 0 {
            switch errno {
            case EEXIST: return nil
            case EPERM, ENOTSUP, ENOSYS, EMLINK:
                // A file system without hard links: the name is taken with an empty file that is
                // then replaced.
                try makeFile(at: path)
                guard rename(temporary, path) == 0 else {
                    let number = errno
                    unlink(path)
                    throw cannotCreate(number)
                }
            default: throw cannotCreate(errno)
            }
        }
        return value
    }

    /// Makes names in the folder durable.
    func syncFolder() throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFailure.opening(errno, at: location) }
        defer { close(descriptor) }
        // Some file systems cannot sync a folder and say EINVAL; there is nothing more to be done
        // there.
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw FileFailure.opening(errno, at: location)
        }
    }

    private func cannotCreate(_ number: Int32) -> StorageError {
        FileFailure.opening(
            number, at: location, advice: "The list cannot be made there; name another file.")
    }

    private static func linkTarget(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count - 1)
        guard count >= 0 else { return nil }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    static func kind(_ mode: mode_t) -> String {
        switch mode & S_IFMT {
        case S_IFDIR: "a folder"
        case S_IFIFO: "a FIFO"
        case S_IFSOCK: "a socket"
        case S_IFCHR, S_IFBLK: "a device"
        default: "something else"
        }
    }
}
