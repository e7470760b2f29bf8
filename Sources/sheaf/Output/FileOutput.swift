import FoundationEssentials
import Glibc
import SheafList
import SheafStorage
import SwiduxFiles
import Terminal

/// The destination for the text of a list: standard output, or a file that is created completely or
/// not at all.
///
/// If the reader of standard output closes it, SIGPIPE ends the process, which shells treat as
/// normal.
///
/// `@unchecked` is safe because the thread that calls ``finish()`` first waits for the task that
/// writes.
final class FileOutput: @unchecked Sendable {
    private let file: OpenFile
    /// The bytes that ``enqueue(_:)`` has not written.
    private var queue = ByteQueue()
    /// The name of the output in error messages.
    private let name: String
    /// The draft that is being written, and the path of the file that it replaces.
    private let replacement: (draft: FileDraft, target: String)?
    /// True if an existing file may be replaced.
    private let isReplacing: Bool
    /// The list that is written, or `nil` if it is not in a file.
    private let source: FileLocation?

    static let isTerminal = isatty(STDOUT_FILENO) == 1

    /// True if a terminal reads the output. A terminal would obey control sequences.
    var isOnTerminal: Bool { isatty(file.number) == 1 }

    /// Standard output, which stays open for the life of the process.
    private static let standard = OpenFile(STDOUT_FILENO)

    /// Creates an output to standard output.
    init() {
        file = Self.standard
        name = "standard output"
        replacement = nil
        isReplacing = false
        source = nil
    }

    /// Creates an output to the file at `path`. An existing file is replaced at the end, and keeps
    /// its owner, group and permissions if this user may set them. Only the user can read a new
    /// file. A terminal, a pipe or a FIFO with a reader is written to directly.
    ///
    /// - Parameters:
    ///   - source: the list that is written, or `nil` if it is not in a file.
    ///   - replacing: true if the user allows an existing file to be replaced.
    /// - Throws: ``CommandFailure`` if the file cannot be created or must not be written to.
    init(path: String, source: FileLocation?, replacing: Bool) throws {
        name = path
        isReplacing = replacing
        self.source = source
        (file, replacement) = try Self.creating(path) {
            try Self.opened(path, source, replacing: replacing)
        }
    }

    /// Writes all of `bytes`.
    ///
    /// - Throws: ``CommandFailure`` with the status of an I/O error.
    func write(_ bytes: [UInt8]) throws {
        try reporting { () throws(SystemError) in try file.write(bytes) }
    }

    /// Writes `text`.
    func write(_ text: String) throws {
        try write(Array(text.utf8))
    }

    /// Writes `bytes`, except those that the reader of a pipe or a terminal does not accept at
    /// once. These wait in memory for ``finish()``. Use it while the caller holds a lock on the
    /// list, so that a slow reader does not prolong the lock.
    func enqueue(_ bytes: [UInt8]) throws {
        try reporting { () throws(SystemError) in
            guard try file.status().st_mode & S_IFMT != S_IFREG else {
                return try file.write(bytes)
            }
            queue.append(bytes)
            while !queue.isEmpty, file.acceptsPart {
                try file.write(queue.next(OpenFile.partSize))
            }
        }
    }

    /// Writes the bytes of `text`, like ``enqueue(_:)``.
    func enqueue(_ text: String) throws {
        try enqueue(Array(text.utf8))
    }

    /// Writes the waiting bytes, makes the file durable and moves it into place.
    func finish() throws {
        try write(queue.next(.max))
        guard let (draft, target) = replacement else { return }
        // Another process may have opened the list meanwhile, and would continue with an unlinked
        // file.
        if isReplacing {
            try Self.creating(name) { try WrittenFile.check(name, source: source, replacing: true) }
        }
        var isPlaced = true
        try reporting { () throws(SystemError) in
            try file.sync()
            // Another program may have created the file since the check.
            if isReplacing { try draft.replace() } else { isPlaced = try draft.claim() }
            try OpenFile.syncFolder(target.parentPath)
        }
        guard isPlaced else {
            throw CommandFailure(
                .cannotCreate,
                "\(name): the file already exists. Name another file, or replace it with --force.")
        }
    }

    /// Reports the result of a command on standard output, or on standard error if that fails. A
    /// failed report does not fail the command, because a user who then repeated the command would
    /// make the change twice.
    static func report(_ text: String) {
        do throws(SystemError) {
            try standard.write(Array(text.utf8))
        } catch {
            Diagnostics.report(
                "standard output: cannot write: \(error.words). The command itself succeeded:",
                details: text.split(separator: "\n").map(String.init))
        }
    }

    // MARK: Opening

    private static func opened(
        _ path: String, _ source: FileLocation?, replacing: Bool
    ) throws -> (OpenFile, (draft: FileDraft, target: String)?) {
        let followed = try ResolvedPath(path)
        if let descriptor = followed.descriptor { return (try duplicate(descriptor, path), nil) }
        try followed.checkWritable()
        var status = stat()
        let exists = stat(followed.path, &status) == 0
        if exists, status.st_mode & S_IFMT != S_IFREG {
            return (try openStream(followed.path, path), nil)
        }
        try WrittenFile.check(path, source: source, replacing: replacing)
        let draft = try FileDraft(for: followed.path)
        let file = try draft.open()
        if exists { try file.keepAccess(of: status, at: followed.path) }
        return (file, (draft, followed.path))
    }

    /// Duplicates a descriptor that the parent process opened for this one. Its file must not be
    /// replaced, since the parent continues to write to it.
    private static func duplicate(_ number: Int32, _ path: String) throws -> OpenFile {
        let flags = fcntl(number, F_GETFL)
        guard flags >= 0 else { throw SystemError.last }
        guard flags & O_ACCMODE != O_RDONLY else {
            throw CommandFailure(.cannotCreate, "\(path): was not opened for writing")
        }
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw SystemError.last }
        return OpenFile(copy)
    }

    private static func openStream(_ path: String, _ name: String) throws -> OpenFile {
        do throws(SystemError) {
            let file = try OpenFile(path, O_WRONLY | O_NOFOLLOW)
            let kind = try file.status().st_mode & S_IFMT
            guard kind == S_IFCHR || kind == S_IFIFO else {
                throw SystemError(number: kind == S_IFBLK ? ENOTBLK : EEXIST)
            }
            try file.makeBlocking()
            return file
        } catch {
            switch error.number {
            case ENXIO: throw CommandFailure(.cannotCreate, "\(name): no process reads from it")
            case EISDIR: throw CommandFailure(.cannotCreate, "\(name): is a folder")
            case ENOTBLK: throw CommandFailure(.cannotCreate, "\(name): is a disk, not a file")
            default: throw error
            }
        }
    }

    // MARK: Failures

    private func reporting(_ body: () throws(SystemError) -> Void) throws {
        do throws(SystemError) {
            try body()
        } catch {
            // In a folder such as /tmp, only the owner of a file may replace it.
            if [EACCES, EPERM, EROFS].contains(error.number) {
                throw CommandFailure(.cannotCreate, "\(name): \(error.words)")
            }
            throw CommandFailure(.io, "\(name): cannot write: \(error.words)")
        }
    }

    /// Returns the result of `body`, which opens the file at `path` to write to it.
    ///
    /// - Throws: ``CommandFailure``, `.cannotCreate` unless `body` throws a more specific one.
    static func creating<T>(_ path: String, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as StorageError {
            throw CommandFailure(
                error.code == .busy ? .tryAgain : .cannotCreate, error.description)
        } catch let error as PathError {
            throw CommandFailure(.cannotCreate, StorageError(error, at: path).description)
        } catch let error as SystemError {
            throw CommandFailure(.cannotCreate, "\(path): \(error.words)")
        }
    }
}

/// A queue of bytes. All operations together take O(bytes).
private struct ByteQueue {
    private var bytes: [UInt8] = []
    /// The number of bytes that were taken from the beginning.
    private var start = 0

    var isEmpty: Bool { start == bytes.count }

    mutating func append(_ more: [UInt8]) { bytes += more }

    /// Removes and returns the next bytes, at most `count`.
    mutating func next(_ count: Int) -> [UInt8] {
        let next = Array(bytes[start...].prefix(count))
        start += next.count
        if start > bytes.count / 2 {
            bytes.removeFirst(start)
            start = 0
        }
        return next
    }
}

extension DisplayText {
    /// Returns the lines of `bytes` without control sequences. Line breaks stay.
    static func sanitized(lines bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            .enumerated()
        {
            if index > 0 { result.append(0x0A) }
            result += Array(DisplayText.sanitized(String(decoding: line, as: UTF8.self)).utf8)
        }
        return result
    }
}
