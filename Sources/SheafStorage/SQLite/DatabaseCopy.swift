import CSQLite
import FoundationEssentials
import Glibc
import SheafList

/// A private copy of a database and of SQLite's files beside it. An interrupted write can be rolled
/// back in the copy without writing to the original. The copy is removed when this value is
/// released.
final class DatabaseCopy {
    let path: String
    let location: String
    private let folder: String

    /// Copies the file byte for byte. Must not be used for a file that this process has open in
    /// SQLite.
    ///
    /// - Parameters:
    ///   - withJournals: false to copy the file as it is, without the journal of an interrupted
    ///     write.
    ///   - check: throws if the opened file must not be read, given its status.
    init(
        of file: StoreFile, withJournals: Bool = true,
        check: (stat) throws(StorageError) -> Void = { _ in }
    ) throws {
        location = file.location
        let base = ProcessInfo.processInfo.environment.absolutePath("TMPDIR") ?? "/tmp"
        var template = Array("\(base)/sheaf-doctor-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw FileFailure.opening(
                errno, at: base,
                advice: "The list is copied there to be read: set TMPDIR to another folder.")
        }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        path = "\(folder)/list.sqlite"
        for suffix in [""] + (withJournals ? SidecarFiles.contents : []) {
            try Self.copy(file, suffix, to: path + suffix, check)
        }
    }

    deinit {
        for suffix in [""] + StoreFile.companionSuffixes { unlink(path + suffix) }
        rmdir(folder)
    }

    private static func copy(
        _ file: StoreFile, _ suffix: String, to path: String,
        _ check: (stat) throws(StorageError) -> Void
    ) throws {
        let source = open(
            file.path + suffix, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC)
        guard source >= 0 else {
            if !suffix.isEmpty, errno == ENOENT { return }
            throw FileFailure.opening(errno, at: file.location)
        }
        defer { close(source) }
        var status = stat()
        guard fstat(source, &status) == 0 else { throw FileFailure.opening(errno, at: path) }
        if suffix.isEmpty {
            try check(status)
        } else {
            try SidecarFiles(of: file).check(suffix, isOpen: status)
        }
        let target = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw FileFailure.opening(errno, at: path) }
        defer { close(target) }
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            // A bad sector ends the copy. The part before it can still be examined.
            guard count > 0 else { return }
            var rest = buffer[..<count]
            while !rest.isEmpty {
                let written = rest.withUnsafeBytes { write(target, $0.baseAddress, $0.count) }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw FileFailure.transferring(errno, at: path) }
                rest = rest.dropFirst(written)
            }
        }
    }

    /// Appends empty pages if the copy has fewer pages than its header says.
    ///
    /// - Returns: false if it has all pages, or so few of them that the number in the header must
    ///   be wrong.
    func addMissingPages() throws -> Bool {
        let pageSize = 4096
        let file = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        let present = file.count / pageSize
        guard present > 0 else { return false }
        let pages = file[28..<32].reduce(0) { $0 << 8 | Int($1) }
        guard pages > present, pages <= 1_000 + 16 * present else { return false }
        guard truncate(path, pages * pageSize) == 0 else {
            throw FileFailure.transferring(errno, at: path)
        }
        return true
    }

    /// Replaces the first page of the copy with that of a new list, so that SQLite looks for the
    /// tables where a new list has them.
    func replaceFirstPage() throws {
        let fresh = "\(folder)/fresh.sqlite"
        defer { unlink(fresh) }
        try SQLiteConnection.with(
            path: fresh, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, location: location
        ) { try Schema.current.create(on: $0) }
        let page = Array(try Data(contentsOf: URL(fileURLWithPath: fresh)).prefix(4096))
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFailure.opening(errno, at: path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size >= 2 * page.count else {
            throw FileFailure.empty(at: location)
        }
        var first = page
        let pages = UInt32(clamping: Int(status.st_size) / page.count)
        withUnsafeBytes(of: pages.bigEndian) { first.replaceSubrange(28..<32, with: $0) }
        guard pwrite(descriptor, first, first.count, 0) == first.count else {
            throw FileFailure.transferring(errno, at: path)
        }
    }
}
