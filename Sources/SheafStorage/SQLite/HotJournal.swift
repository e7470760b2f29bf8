import Glibc

/// The rollback journal of an interrupted write ("Database File Format", section 3).
///
/// SQLite plays it into the file that has the list's name now. If a sync tool has put another
/// version of the list there, that destroys the version.
struct HotJournal {
    private let path: String

    init(at path: String) {
        self.path = path
    }

    /// Returns true if the journal is of another file than the list at `list`, by the first page as
    /// it was before the write. The write changes that page last, and then raises the counter of
    /// changes in it by one. A file that differs from the version before the write by one commit of
    /// another process cannot be told from the file that was being written.
    func isOfOther(than list: String) -> Bool {
        let journal = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard journal >= 0 else { return false }
        defer { close(journal) }
        guard let before = Self.firstPage(in: journal) else { return false }
        let file = open(list, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        guard let now = Self.bytes(in: file, at: 0, count: before.count) else { return false }
        // A commit that ended meanwhile has removed the journal.
        var status = stat()
        guard fstat(journal, &status) == 0, status.st_nlink > 0 else { return false }
        let (counter, former) = (Self.number(in: now, at: 24), Self.number(in: before, at: 24))
        return counter == former ? now != before : counter != former &+ 1
    }

    /// The most records that are looked through: mostly the page is among the first.
    private static let mostRecords = 4_096

    /// The first page of the database in the first part of a journal, or nil if it is not there.
    private static func firstPage(in journal: Int32) -> [UInt8]? {
        guard let header = bytes(in: journal, at: 0, count: 28),
            header.starts(with: [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
        else { return nil }
        let (sector, page) = (Int(number(in: header, at: 20)), Int(number(in: header, at: 24)))
        guard 32...65_536 ~= sector, 512...65_536 ~= page else { return nil }
        // A journal that was not synced has no count: then its records end with the file.
        let count = Int(number(in: header, at: 8))
        for index in 0..<min(count > 0 ? count : mostRecords, mostRecords) {
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

    /// The number of four bytes, the highest first.
    private static func number(in bytes: [UInt8], at place: Int) -> UInt32 {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
