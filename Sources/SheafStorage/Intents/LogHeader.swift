import Glibc
import SheafList
import SwiduxFiles

/// The first page of an intent log, which may exist only in its write-ahead log.
///
/// Source: https://www.sqlite.org/fileformat2.html, sections 1.3 and 4.
struct LogHeader {
    private static let magic = Array("SQLite format 3\0".utf8)
    /// The number of bytes of a page that are read.
    private static let length = 72
    /// The maximum number of pages of a write-ahead log that are searched. Page 1 is in its first
    /// transaction, which makes the tables.
    private static let limit = 64

    /// Returns true if the file at `path` is an intent log.
    ///
    /// Because logs are not synced, a power loss may leave the file empty, with its first page only
    /// in the write-ahead log.
    static func isLog(_ path: String) -> Bool {
        do {
            let header = try RegularFile(path).read(upTo: length)
            return header.isEmpty
                ? isWriteAheadLog(path + "-wal")
                : applicationID(header) == IntentDatabase.applicationID
        } catch {
            return false
        }
    }

    /// Returns true if the file at `path` is the write-ahead log of an intent log.
    static func isWriteAheadLog(_ path: String) -> Bool {
        do {
            return try isLog(walAt: path)
        } catch {
            return false
        }
    }

    private static func applicationID(_ header: [UInt8]) -> Int? {
        guard header.count == length, header.starts(with: magic) else { return nil }
        return Int(header.bigEndian(at: 68))
    }

    private static func isLog(walAt path: String) throws -> Bool {
        let file = try RegularFile(path)
        let header = try file.read(upTo: 32)
        guard header.count == 32, header.bigEndian(at: 0) & ~1 == 0x377f_0682 else { return false }
        let pageSize = Int(header.bigEndian(at: 8))
        guard (512...65_536).contains(pageSize) else { return false }
        for _ in 0..<limit {
            let frame = try file.read(upTo: 24)
            guard frame.count == 24, frame[8..<16] == header[16..<24] else { return false }
            let page = try file.read(upTo: pageSize)
            guard page.count == pageSize else { return false }
            guard frame.bigEndian(at: 0) == 1 else { continue }
            return applicationID(Array(page.prefix(length))) == IntentDatabase.applicationID
        }
        return false
    }

    /// Returns true if the write-ahead log at `path` has changes that SQLite would not read,
    /// because SQLite stops at a damaged frame. A damaged last frame is normal: a killed process
    /// was writing it.
    static func isDamaged(writeAheadLog path: String) throws -> Bool {
        let file = try RegularFile(path)
        let header = try file.read(upTo: 32)
        guard !header.isEmpty else { return false }
        guard header.count == 32, header.bigEndian(at: 0) & ~1 == 0x377f_0682 else { return true }
        let pageSize = Int(header.bigEndian(at: 8))
        var sum = Checksum(isBigEndian: header[3] & 1 == 1)
        sum.add(header[..<24])
        guard sum.matches(header, at: 24), (512...65_536).contains(pageSize) else { return true }
        var hasEnded = false
        while true {
            let frame = try file.read(upTo: 24 + pageSize)
            guard frame.count == 24 + pageSize else { return false }
            // Frames with other salts remain from before SQLite restarted the write-ahead log.
            let isOfThisLog = frame[8..<16] == header[16..<24]
            if isOfThisLog, hasEnded { return true }
            sum.add(frame[..<8])
            sum.add(frame[24...])
            if !isOfThisLog || !sum.matches(frame, at: 16) { hasEnded = true }
        }
    }

    /// The running checksum of a write-ahead log, over all bytes up to a frame.
    private struct Checksum {
        let isBigEndian: Bool
        private var first: UInt32 = 0
        private var second: UInt32 = 0

        init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

        mutating func add(_ bytes: ArraySlice<UInt8>) {
            bytes.withUnsafeBytes { bytes in
                for offset in stride(from: 0, to: bytes.count, by: 8) {
                    first &+= word(bytes, offset) &+ second
                    second &+= word(bytes, offset + 4) &+ first
                }
            }
        }

        private func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
        }

        func matches(_ bytes: [UInt8], at offset: Int) -> Bool {
            bytes.bigEndian(at: offset) == first && bytes.bigEndian(at: offset + 4) == second
        }
    }

    /// Writes a first page to an empty log whose write-ahead log has one. SQLite would treat a
    /// write-ahead log beside an empty file as left over from another database and delete it.
    ///
    /// - Throws: `StorageError`: `.readOnly` if the log cannot be written.
    static func repair(_ path: String) throws(StorageError) {
        // The order of the checks matters: a log that passes them is not one that this process is
        // just making, because SQLite makes the write-ahead log after the first page. If it were,
        // closing the file below would release its lock.
        var status = stat()
        guard access(path + "-wal", F_OK) == 0, lstat(path, &status) == 0, status.st_size == 0,
            isLog(path)
        else { return }
        do throws(SystemError) {
            let file = try OpenFile(path, O_RDWR | O_NOFOLLOW)
            status = try file.status()
            guard status.st_mode & S_IFMT == S_IFREG, status.st_size == 0,
                FileTrust(list: nil).objection(to: status) == nil
            else { return }
            let page = emptyPage
            guard pwrite(file.number, page, page.count, 0) == page.count else {
                throw SystemError.last
            }
        } catch {
            throw FileFailure.transferring(error.number, at: path)
        }
    }

    /// Page 1 of a database in WAL mode without tables. If the write-ahead log is complete, SQLite
    /// reads only these settings from the page.
    private static var emptyPage: [UInt8] {
        var page = [UInt8](repeating: 0, count: 4096)
        page.replaceSubrange(0..<16, with: magic)
        // Page size, WAL mode, payload fractions, change counter, size in pages.
        page.replaceSubrange(
            16..<32, with: [16, 0, 2, 2, 0, 64, 32, 32, 0, 0, 0, 1, 0, 0, 0, 1])
        // Schema format, UTF-8, the change counter for which the size is valid.
        (page[47], page[59], page[95]) = (4, 1, 1)
        // A leaf page of a table without cells. The cell area starts at the end of the page.
        (page[100], page[105]) = (13, 16)
        return page
    }
}
