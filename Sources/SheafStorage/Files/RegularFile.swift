import Glibc
import SheafList
import SwiduxFiles

/// A regular file, read from its beginning. FIFOs, folders and devices are refused without
/// blocking.
struct RegularFile {
    /// The size in bytes at the time of opening.
    let size: Int

    private let path: String
    private let descriptor: OpenFile

    /// Opens the file at `path` and follows links.
    ///
    /// - Throws: `StorageError`; `.cannotOpen` also for a file that is missing or not regular.
    init(_ path: String) throws(StorageError) {
        self.path = path
        do {
            let opened = try Self.open(path, at: path)
            descriptor = opened.file
            size = Int(opened.status.st_size)
        } catch var error {
            if error.code == .notFound { error.code = .cannotOpen }
            throw error
        }
    }

    /// Opens the file at `path` for reading and follows links. Never blocks.
    ///
    /// - Throws: `StorageError`: `.notFound`, or `.cannotOpen`, also for a file that is not
    ///   regular.
    static func open(
        _ path: String, at location: String
    ) throws(StorageError) -> (file: OpenFile, status: stat) {
        let file: OpenFile
        var status = stat()
        do throws(SystemError) {
            file = try OpenFile(path, O_RDONLY)
            status = try file.status()
        } catch {
            // The system's error for opening a socket does not explain the cause.
            if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
                throw FileFailure.notAFile(status.st_mode, at: location)
            }
            throw FileFailure.reading(error.number, at: location)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileFailure.notAFile(status.st_mode, at: location)
        }
        return (file, status)
    }

    /// Returns the next `count` bytes, or fewer at the end of the file. Returns no bytes if `count`
    /// is negative. A caller that subtracts from ``size`` can get a negative count if the file has
    /// grown since it was opened.
    ///
    /// - Throws: `StorageError`, `.io`.
    func read(upTo count: Int) throws -> [UInt8] {
        let count = max(count, 0)
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let part = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor.number, $0.baseAddress! + filled, $0.count - filled)
            }
            if part < 0, errno == EINTR { continue }
            guard part >= 0 else { throw FileFailure.transferring(errno, at: path) }
            guard part > 0 else { break }
            filled += part
        }
        return Array(bytes.prefix(filled))
    }
}
