import Foundation
import SheafStorage

/// Where the text of a list goes: standard output, or a file that is there whole or not at all.
///
/// Closing the reading end of standard output ends the process by SIGPIPE, which a shell takes as a matter of course.
final class FileOutput {
    private let descriptor: Int32
    /// What failures call it.
    private let name: String
    /// The file that is being written, and the one that it becomes.
    private let replacement: (temporary: String, target: String)?
    private var isFinished = false

    static let isTerminal = isatty(STDOUT_FILENO) == 1

    /// Standard output.
    init() {
        descriptor = STDOUT_FILENO
        name = "standard output"
        replacement = nil
    }

    /// The file at `path`. An older one is replaced when all is written, and keeps its permissions; a new one is for
    /// the user alone. A device or a FIFO is written to as it is.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be made, is a folder, or is the store itself.
    init(path: String, store: StoreURL) throws {
        name = path
        var status = stat()
        let exists = stat(path, &status) == 0
        let kind = status.st_mode & S_IFMT
        if exists, kind == S_IFDIR { throw Self.cannotCreate(path, "is a folder") }
        if exists, kind != S_IFREG {
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
            replacement = nil
            guard descriptor >= 0 else { throw Self.cannotCreate(path) }
            return
        }
        if exists, Self.isSame(status, as: store.path) {
            throw CommandFailure(.usage, "\(path): this is the list itself; name another file")
        }
        let target = try Self.resolve(path, exists: exists)
        let folder = (target as NSString).deletingLastPathComponent
        let temporary = "\(folder)/.sheaf-\(UUID().uuidString)"
        descriptor = open(temporary, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC, 0o600)
        replacement = (temporary, target)
        guard descriptor >= 0 else { throw Self.cannotCreate(path) }
        guard fchmod(descriptor, exists ? status.st_mode & 0o777 : 0o600) == 0 else {
            let error = Self.cannotCreate(path)
            discard()
            throw error
        }
    }

    deinit {
        discard()
    }

    /// Writes all of `bytes`.
    ///
    /// - Throws: ``CommandFailure`` with the status of an I/O error.
    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                // Somebody who shares the descriptor has made it one that does not wait.
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&entry, 1, -1)
            default: throw failure()
            }
        }
    }

    /// Writes `text`.
    func write(_ text: String) throws {
        try write(Array(text.utf8))
    }

    /// Makes what was written durable and puts it in its place.
    func finish() throws {
        guard let (temporary, target) = replacement else { return }
        guard fsync(descriptor) == 0, rename(temporary, target) == 0 else { throw failure() }
        isFinished = true
        close(descriptor)
        let folder = (target as NSString).deletingLastPathComponent
        let folderDescriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folderDescriptor >= 0 else { throw failure() }
        defer { close(folderDescriptor) }
        // Some file systems cannot sync a folder and say EINVAL.
        guard fsync(folderDescriptor) == 0 || errno == EINVAL else { throw failure() }
    }

    private func discard() {
        guard let replacement, !isFinished, descriptor >= 0 else { return }
        isFinished = true
        close(descriptor)
        unlink(replacement.temporary)
    }

    private func failure() -> CommandFailure {
        CommandFailure(.io, "\(name): cannot write: \(String(cString: strerror(errno)))")
    }

    private static func cannotCreate(_ path: String, _ reason: String? = nil) -> CommandFailure {
        CommandFailure(.cannotCreate, "\(path): \(reason ?? String(cString: strerror(errno)))")
    }

    private static func isSame(_ status: stat, as path: String) -> Bool {
        var other = stat()
        return stat(path, &other) == 0 && other.st_dev == status.st_dev
            && other.st_ino == status.st_ino
    }

    /// The path of the file behind links, so that a link stays one.
    private static func resolve(_ path: String, exists: Bool) throws -> String {
        let folder = (path as NSString).deletingLastPathComponent
        guard let real = realpath(exists ? path : (folder.isEmpty ? "." : folder), nil) else {
            throw cannotCreate(path)
        }
        defer { free(real) }
        let resolved = String(cString: real)
        if exists { return resolved }
        let name = (path as NSString).lastPathComponent
        return resolved == "/" ? "/\(name)" : "\(resolved)/\(name)"
    }
}
