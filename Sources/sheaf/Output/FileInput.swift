import FoundationEssentials
import Glibc
import SheafStorage
import SwiduxFiles

/// A file, or standard input for `-`. It is read completely before the list changes.
struct FileInput {
    /// The name of the input in messages.
    let name: String
    private let path: String?

    /// The maximum number of bytes. No list is larger, but a stream may be endless.
    private static let limit = 1 << 30
    /// The time in milliseconds to wait for the first byte of an empty FIFO.
    private static let timeout: Int32 = 5_000

    /// Creates the input for the file at `argument`, or for standard input if that is `-`.
    init(_ argument: String) {
        path = argument == "-" ? nil : argument
        name = path ?? "standard input"
    }

    var isStandardInput: Bool { path == nil }

    /// Reads all bytes.
    ///
    /// - Parameter progress: called with the number of bytes that have been read and the total
    ///   number, if that is known.
    /// - Throws: ``CommandFailure``: no such file, a folder, a device, an I/O error, more than 1
    ///   GiB.
    func read(progress: (Int, Int?) -> Void = { _, _ in }) throws -> Data {
        guard let path else {
            let size = try checkedSize(of: STDIN_FILENO)
            return try read(from: STDIN_FILENO, size, progress)
        }
        let file: OpenFile
        do throws(SystemError) {
            file = try OpenFile(path, O_RDONLY)
        } catch {
            throw CommandFailure(.noInput, "\(name): \(error.words)")
        }
        let size = try checkedSize(of: file.number)
        let start = try start(of: file)
        return try read(from: file.number, after: start, size, progress)
    }

    /// Waits until a FIFO has data, and returns the byte that the wait may have read. The writer
    /// may open the FIFO a moment after this process, and until then it reads as empty, because
    /// this process opens it without waiting. Returns no bytes for other files.
    private func start(of file: OpenFile) throws -> Data {
        do throws(SystemError) {
            guard try file.status().st_mode & S_IFMT == S_IFIFO else { return Data() }
            var entry = pollfd(fd: file.number, events: Int16(POLLIN), revents: 0)
            var byte: UInt8 = 0
            var count = -1
            if poll(&entry, 1, Self.timeout) == 0 {
                // Only this error distinguishes a writer that has written nothing yet from a
                // missing writer.
                count = Glibc.read(file.number, &byte, 1)
                if count < 0, errno != EAGAIN { throw .last }
            }
            try file.makeBlocking()
            if count != 0 { return count > 0 ? Data([byte]) : Data() }
        } catch {
            throw CommandFailure(.io, "\(name): \(error.words)")
        }
        throw CommandFailure(.noInput, "\(name): no process writes to this FIFO")
    }

    private func read(
        from descriptor: Int32, after start: Data = Data(), _ size: Int?,
        _ progress: (Int, Int?) -> Void
    ) throws -> Data {
        var data = start
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            progress(data.count, size)
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(.io) }
            guard count > 0 else { return data }
            data.append(contentsOf: buffer[..<count])
            guard data.count <= Self.limit else {
                throw CommandFailure(.badInput, "\(name): more than 1 GiB, too large for a list")
            }
        }
    }

    /// Returns the size of a file, or `nil` if it is not known. Pipes and terminals are accepted. A
    /// folder has no text, and most devices have no end.
    private func checkedSize(of descriptor: Int32) throws -> Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(.noInput) }
        if !isStandardInput, isatty(descriptor) == 0 { try checkKind(status) }
        return status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    }

    private func checkKind(_ status: stat) throws {
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw CommandFailure(.noInput, "\(name): is a folder, not a file")
        case S_IFBLK, S_IFCHR: throw CommandFailure(.noInput, "\(name): is a device, not a file")
        default: break
        }
    }

    private func failure(_ status: ExitStatus) -> CommandFailure {
        CommandFailure(status, "\(name): \(String(cString: strerror(errno)))")
    }
}
