import CSQLite
import SheafList

/// A check of the pages of a database before the program writes to the list. SQLite takes unused
/// pages from the free list without checking. If a listed page were still in use, its rows would be
/// lost.
///
/// Source: https://www.sqlite.org/fileformat2.html, sections 1.3 and 1.5.
enum PageCheck {
    /// The maximum size in bytes of a file in which every page and index is checked, in about 4 ms.
    static let wholeSize = 1 << 20

    /// Returns a fault in the pages, or nil if none is found. In a file larger than ``wholeSize``,
    /// only the file size and the list of unused pages are checked; `sheaf doctor` checks all of
    /// it.
    ///
    /// O(unused pages), with one read per thousand of them. Requires a transaction, whose lock
    /// keeps the file unchanged.
    static func fault(on connection: SQLiteConnection) throws -> String? {
        if let fault = try cheapFault(on: connection) { return fault }
        guard try connection.fileSize() <= wholeSize else { return nil }
        do {
            return try connection.firstFault("integrity_check")
        } catch let error as StorageError where error.code == .corrupt {
            return "a page cannot be read"
        }
    }

    /// Checks every page and every index. O(size).
    ///
    /// - Throws: `StorageError` of `.corrupt` at `location` if one is damaged.
    static func checkAll(on connection: SQLiteConnection, at location: String) throws {
        guard let fault = try connection.firstFault("integrity_check") else { return }
        throw StorageError(
            .corrupt, at: location, reason: "the list is damaged (\(fault))",
            advice: "'sheaf doctor' shows what can be saved.")
    }

    /// Returns a fault in the file size or in the list of unused pages, or nil.
    static func cheapFault(on connection: SQLiteConnection) throws -> String? {
        let size = try connection.fileSize()
        let actual = try StoreHeader(on: connection).size
        guard size == actual else {
            return "the file has \(actual) bytes, and its header says \(size)"
        }
        return try freeListFault(on: connection)
    }

    private static func freeListFault(on connection: SQLiteConnection) throws -> String? {
        let pageCount = try connection.integer("PRAGMA page_count") ?? 0
        // SQLite returns the unsigned number as a signed one.
        let signed = try connection.integer("PRAGMA freelist_count") ?? 0
        let count = Int64(UInt32(truncatingIfNeeded: signed))
        let pageSize = Int(try connection.integer("PRAGMA page_size") ?? 0)
        let pages = try Pages(of: connection, size: pageSize)
        guard let first = pages.read(1) else { return "its first page cannot be read" }
        var trunk = Int64(first.bigEndian(at: 32))
        guard count < pageCount else {
            return "its header counts \(count) of \(pageCount) pages as unused"
        }
        var found: Int64 = 0
        while trunk != 0 {
            guard trunk <= pageCount, found < count else {
                return "its list of unused pages is longer than the header's count"
            }
            guard let page = pages.read(trunk) else {
                return "page \(trunk), a list of unused pages, cannot be read"
            }
            let leaves = Int64(page.bigEndian(at: 4))
            guard leaves <= Int64(pageSize / 4 - 2) else {
                return "page \(trunk) is not a list of unused pages"
            }
            for index in 0..<Int(leaves) {
                guard 2...pageCount ~= Int64(page.bigEndian(at: 8 + 4 * index)) else {
                    return "page \(trunk) lists an unused page beyond the end of the file"
                }
            }
            found += leaves + 1
            trunk = Int64(page.bigEndian(at: 0))
        }
        return found == count
            ? nil : "its header counts \(count) unused pages, and its list has \(found)"
    }

    /// A reader of whole pages that uses SQLite's file layer. Closing another descriptor of the
    /// file would release the locks of this process.
    private struct Pages {
        private let file: UnsafeMutablePointer<sqlite3_file>
        private let methods: sqlite3_io_methods
        private let size: Int

        init(of connection: SQLiteConnection, size: Int) throws {
            var pointer: UnsafeMutablePointer<sqlite3_file>?
            let code = sqlite3_file_control(
                connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
            guard code == SQLITE_OK, let pointer, let methods = pointer.pointee.pMethods?.pointee
            else { throw StorageError(.io, at: connection.location, reason: "cannot be read") }
            (file, self.methods, self.size) = (pointer, methods, size)
        }

        /// Returns the bytes of a page, or nil if it cannot be read.
        func read(_ number: Int64) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: size)
            let offset = (number - 1) * Int64(size)
            return methods.xRead?(file, &bytes, Int32(size), offset) == SQLITE_OK ? bytes : nil
        }
    }
}
