import Foundation
import SheafCore

/// A file that is read from its beginning. What is none is neither waited for nor read: FIFOs, folders, devices.
struct RegularFile {
    /// In bytes, when it was opened.
    let size: Int

    private let path: String
    private let descriptor: StoreFile.Descriptor

    /// Opens the file at `path`, links followed.
    ///
    /// - Throws: `StorageError`, `.cannotOpen` also for what is no file.
    init(_ path: String) throws {
        let number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { throw FileFailure.opening(errno, at: path) }
        self.path = path
        descriptor = StoreFile.Descriptor(number)
        var status = stat()
        guard fstat(number, &status) == 0 else { throw FileFailure.opening(errno, at: path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StorageError(
                .cannotOpen, at: path,
                reason: "this is \(StoreFile.kind(status.st_mode)), not a file")
        }
        size = Int(status.st_size)
    }

    /// The next `count` bytes, fewer where the file ends; none where `count` is less than none, as what is left of a
    /// file can be that has grown since it was opened.
    ///
    /// - Throws: `StorageError`, `.io`.
    func read(upTo count: Int) throws -> [UInt8] {
        let count = max(count, 0)
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let part = bytes.withUnsafeMutableBytes {
                Foundation.read(descriptor.number, $0.baseAddress! + filled, $0.count - filled)
            }
            if part < 0, errno == EINTR { continue }
            guard part >= 0 else { throw FileFailure.transferring(errno, at: path) }
            guard part > 0 else { break }
            filled += part
        }
        return Array(bytes.prefix(filled))
    }
}
