import Foundation

/// A file as it was: which it is, when it was changed, and its bytes.
struct Snapshot: Equatable {
    private let inode: UInt64
    private let modified: [Int]
    private let bytes: Data

    init(_ path: String) throws {
        let status = try status(of: path)
        inode = UInt64(status.st_ino)
        modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    }
}
