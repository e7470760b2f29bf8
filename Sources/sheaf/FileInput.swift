import Foundation

/// A file, or standard input as `-`, read whole before anything is changed.
struct FileInput {
    /// What messages call it.
    let name: String
    private let path: String?

    /// No list is larger; an endless stream is.
    private static let limit = 1 << 30

    /// The file at `argument`, or standard input if that is `-`.
    init(_ argument: String) {
        path = argument == "-" ? nil : argument
        name = path ?? "standard input"
    }

    var isStandardInput: Bool { path == nil }

    /// All bytes.
    ///
    /// - Parameter progress: is told how many bytes there are already, and of how many, if that is known.
    /// - Throws: ``CommandFailure``: no such file, a folder, a device, an I/O error, more than 1 GiB.
    func read(progress: (Int, Int?) -> Void = { _, _ in }) throws -> Data {
        guard let path else { return try read(from: STDIN_FILENO, progress) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(.noInput) }
        defer { close(descriptor) }
        return try read(from: descriptor, progress)
    }

    private func read(from descriptor: Int32, _ progress: (Int, Int?) -> Void) throws -> Data {
        let size = try checkedSize(of: descriptor)
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            progress(data.count, size)
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(.io) }
            guard count > 0 else { return data }
            data.append(contentsOf: buffer[..<count])
            guard data.count <= Self.limit else {
                throw CommandFailure(.badInput, "\(name): more than 1 GiB, which is no list")
            }
        }
    }

    /// The size of a file, or nil. Pipes and terminals are as good as files; a folder has no text, and most devices no
    /// end.
    private func checkedSize(of descriptor: Int32) throws -> Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(.noInput) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw CommandFailure(.noInput, "\(name): is a folder, not a file")
        case S_IFBLK: throw CommandFailure(.noInput, "\(name): is a device, not a file")
        case S_IFCHR where !isStandardInput && isatty(descriptor) == 0:
            throw CommandFailure(.noInput, "\(name): is a device, not a file")
        case S_IFREG: return Int(status.st_size)
        default: return nil
        }
    }

    private func failure(_ status: ExitStatus) -> CommandFailure {
        CommandFailure(status, "\(name): \(String(cString: strerror(errno)))")
    }
}
