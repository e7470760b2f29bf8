import CPlatform
import Glibc
import SwiduxFiles

/// The journal of an interrupted write: a rollback journal or a write-ahead log ("Database File
/// Format", sections 3 and 4).
///
/// SQLite applies it to the file that has the list's name now. If a sync tool has put another
/// version of the list there, this would destroy that version.
struct HotJournal {
    private let path: String

    init(at path: String) {
        self.path = path
    }

    /// Returns true if the journal belongs to another file than the list at `list`.
    ///
    /// A rollback journal has the pages from before the write. The write changes the first page
    /// last, and increments the change counter in it by one. If the counter of another version
    /// happens to match, the times of the two files reveal it. One case is not recognized: the
    /// other version is older than the journal and was changed once, within a minute after it.
    func isOfOther(than list: String) -> Bool {
        let journal = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard journal >= 0 else { return false }
        defer { close(journal) }
        let isLog = path.hasSuffix("-wal")
        guard isLog ? Self.hasFrame(journal) : Self.header(of: journal) != nil else { return false }
        let isOther = Self.reading(list) { file in
            isLog
                ? Self.isLogOfOther(than: file) : Self.isJournalOfOther(journal, than: file)
        }
        // A commit that ended meanwhile has removed the journal.
        var status = stat()
        return isOther && fstat(journal, &status) == 0 && status.st_nlink > 0
    }

    /// True if a rollback journal lacks records that its headers count, or has damaged ones. SQLite
    /// would undo the write only up to there, cut off the list's new pages, and delete the journal.
    /// O(journal).
    ///
    /// SQLite counts records only once they are durable, so that neither a kill nor a power failure
    /// leaves such a journal.
    var isDamaged: Bool {
        guard path.hasSuffix("-journal") else { return false }
        let journal = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard journal >= 0 else { return false }
        defer { close(journal) }
        var (before, after) = (stat(), stat())
        guard fstat(journal, &before) == 0, let first = Self.header(of: journal),
            !Self.hasAllRecords(journal, first, size: Int(before.st_size))
        else { return false }
        // A commit that ended meanwhile has removed the journal.
        return fstat(journal, &after) == 0 && after.st_nlink > 0 && after.st_size == before.st_size
            && Self.header(of: journal) == first
    }

    /// Returns true if `journal` has every record that its headers count, with a valid checksum.
    private static func hasAllRecords(_ journal: Int32, _ first: [UInt8], size: Int) -> Bool {
        let (sector, page) = (Int(first.bigEndian(at: 20)), Int(first.bigEndian(at: 24)))
        guard 32...65_536 ~= sector, 512...65_536 ~= page else { return false }
        var place = 0
        while let start = bytes(in: journal, at: place, count: 28) {
            guard start.starts(with: magic) else {
                // Zeros end the journal, and so does the name of a super-journal, which has the
                // magic bytes at its end.
                return start.prefix(magic.count).allSatisfy { $0 == 0 }
                    || bytes(in: journal, at: size - magic.count, count: magic.count) == magic
            }
            let (count, nonce) = (start.bigEndian(at: 8), start.bigEndian(at: 12))
            // Uncounted records, which are not durable yet, are the last ones.
            guard count > 0, count != .max else { return true }
            place += sector
            for _ in 0..<count {
                guard let record = bytes(in: journal, at: place, count: page + 8),
                    record.bigEndian(at: page + 4) == checksum(of: record, page, nonce)
                else { return false }
                place += record.count
            }
            place = (place + sector - 1) / sector * sector
        }
        return true
    }

    /// Returns the checksum of a record: the nonce and every 200th byte of its page, from the end.
    private static func checksum(of record: [UInt8], _ page: Int, _ nonce: UInt32) -> UInt32 {
        stride(from: page - 200, to: 0, by: -200).reduce(nonce) { $0 &+ UInt32(record[4 + $1]) }
    }

    /// Calls `body` with a descriptor of the list. Returns false if the list cannot be opened.
    ///
    /// If SQLite has the list open in this process, its descriptor is used. Closing any other
    /// descriptor would release the locks of this process in the middle of a commit.
    private static func reading(_ list: String, _ body: (Int32) -> Bool) -> Bool {
        var wanted = stat()
        guard stat(list, &wanted) == 0 else { return false }
        for number in FolderContents.names(in: "/proc/self/fd").compactMap({ Int32($0) }) {
            var status = stat()
            guard fstat(number, &status) == 0, status.st_ino == wanted.st_ino,
                status.st_dev == wanted.st_dev,
                fcntl(number, F_GETFL) & O_ACCMODE != O_WRONLY
            else { continue }
            return body(number)
        }
        let file = open(list, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return body(file)
    }

    /// Returns true if a write-ahead log has a frame after its header.
    private static func hasFrame(_ log: Int32) -> Bool {
        let (headerSize, frameSize) = (32, 24)
        return bytes(in: log, at: headerSize, count: frameSize) != nil
    }

    /// Returns true if the header of the file says that it has no write-ahead log. A log beside it
    /// then belongs to another file.
    private static func isLogOfOther(than file: Int32) -> Bool {
        bytes(in: file, at: 18, count: 2) == [1, 1]
    }

    private static func isJournalOfOther(_ journal: Int32, than file: Int32) -> Bool {
        guard let header = header(of: journal), let start = bytes(in: file, at: 0, count: 100)
        else { return false }
        guard let before = firstPage(in: journal, header) else {
            // The write has not reached the first page of the list. The page count there is still
            // from before the write.
            let isValid = start.bigEndian(at: 92) == start.bigEndian(at: 24)
            return isValid && start.bigEndian(at: 28) != header.bigEndian(at: 16)
        }
        guard let now = bytes(in: file, at: 0, count: before.count) else { return false }
        let (counter, former) = (now.bigEndian(at: 24), before.bigEndian(at: 24))
        if counter == former { return now != before }
        return counter != former &+ 1 || !haveTimesOfOneWrite(journal, file)
    }

    /// Returns true if the times of both files allow that the file was written after the journal.
    /// Either both were copied one after the other, or the file is older than the journal and its
    /// last change follows that of the journal within the time of a write.
    private static func haveTimesOfOneWrite(_ journal: Int32, _ file: Int32) -> Bool {
        guard let journal = FileTimes(of: journal), let file = FileTimes(of: file) else {
            return true
        }
        if let made = journal.made, let fileMade = file.made {
            let copying = 0.5 + Double(file.size) / 20_000_000
            if abs(made - fileMade) < copying { return true }
            if fileMade > made { return false }
        }
        let writing = 60 + Double(file.size) / 1_000_000
        return 0...writing ~= file.changed - journal.changed
    }

    private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

    /// Returns the header of a rollback journal, or nil if the file has none.
    private static func header(of journal: Int32) -> [UInt8]? {
        bytes(in: journal, at: 0, count: 28).flatMap { $0.starts(with: magic) ? $0 : nil }
    }

    /// The maximum number of records to search. The first page is usually among the first ones.
    private static let maxRecords = 4_096

    /// Returns the first page of the database from the first part of a journal, or nil if it is not
    /// there.
    private static func firstPage(in journal: Int32, _ header: [UInt8]) -> [UInt8]? {
        let (sector, page) = (Int(header.bigEndian(at: 20)), Int(header.bigEndian(at: 24)))
        guard 32...65_536 ~= sector, 512...65_536 ~= page else { return nil }
        // A journal that was not synced has no record count. Its records then end with the file.
        let count = Int(header.bigEndian(at: 8))
        for index in 0..<min(count > 0 ? count : maxRecords, maxRecords) {
            let place = sector + index * (page + 8)
            guard let number = bytes(in: journal, at: place, count: 4) else { return nil }
            if number == [0, 0, 0, 1] { return bytes(in: journal, at: place + 4, count: page) }
        }
        return nil
    }

    private static func bytes(in file: Int32, at place: Int, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(file, &bytes, count, off_t(place)) == count ? bytes : nil
    }
}

/// The times at which a file was made and changed, in seconds since 1970, and its size in bytes.
private struct FileTimes {
    /// Nil if the file system does not record it.
    let made: Double?
    let changed: Double
    let size: Int

    init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        let birth = cplatform_birth_time(descriptor)
        made = birth < 0 ? nil : birth
        changed = Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
        size = Int(status.st_size)
    }
}
