import Foundation
import SheafTestSupport

/// Files and folders that cannot be written to, for root too, for whom permissions prove nothing.
enum Immutable {
    /// False where root's tests run on a file system without such a flag.
    static let isPossible: Bool = {
        guard geteuid() == 0 else { return true }
        let probe = NSTemporaryDirectory() + "/sheaf-probe-\(UUID().uuidString)"
        guard mkdir(probe, 0o700) == 0 else { return false }
        defer { rmdir(probe) }
        return succeeds("chattr", "+i", probe) && succeeds("chattr", "-i", probe)
    }()

    static func during(_ path: String, _ body: () async throws -> Void) async throws {
        guard geteuid() != 0 else {
            guard succeeds("chattr", "+i", path) else {
                throw POSIXError(POSIXErrorCode.EOPNOTSUPP)
            }
            defer { _ = succeeds("chattr", "-i", path) }
            return try await body()
        }
        let mode = try status(of: path).st_mode
        chmod(path, mode & ~0o222)
        defer { chmod(path, mode) }
        try await body()
    }
}

/// A file system that is soon full, which only root can mount.
enum TinyDisk {
    static let isPossible: Bool = {
        let probe = NSTemporaryDirectory() + "/sheaf-probe-\(UUID().uuidString)"
        guard geteuid() == 0, mkdir(probe, 0o700) == 0 else { return false }
        defer { rmdir(probe) }
        return mount(probe) && succeeds("umount", probe)
    }()

    /// Runs `body` with 512 KiB mounted at `path`.
    static func during(
        _ path: String, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Void
    ) async throws {
        guard mkdir(path, 0o700) == 0, mount(path) else {
            throw POSIXError(POSIXErrorCode.EOPNOTSUPP)
        }
        defer { _ = succeeds("umount", "-l", path) }
        try await body()
    }

    /// Makes a file of zeros at `path` that takes all the room but `spare` bytes.
    static func fill(_ path: String, spare: Int = 0) throws {
        let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode.EIO) }
        defer { close(descriptor) }
        let zeros = [UInt8](repeating: 0, count: 4096)
        var size = 0
        while write(descriptor, zeros, zeros.count) == zeros.count { size += zeros.count }
        guard ftruncate(descriptor, off_t(size - spare)) == 0 else {
            throw POSIXError(POSIXErrorCode.EIO)
        }
    }

    private static func mount(_ path: String) -> Bool {
        succeeds("mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", path)
    }
}
