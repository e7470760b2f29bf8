import CSQLite
import Glibc
import SheafList

/// The first bytes of a file that may be a store, checked before SQLite opens it.
///
/// The check comes first because SQLite writes to a file that has a journal beside it, and a file
/// that is not a list must not be changed.
///
/// Source: https://www.sqlite.org/fileformat2.html, section 1.3.
struct StoreHeader {
    /// "SHEF", which distinguishes a list from other SQLite databases.
    static let applicationID: Int64 = 0x5348_4546

    private static let length = 100
    private static let magic = Array("SQLite format 3\0".utf8)

    private let bytes: [UInt8]
    /// The size of the file, in bytes.
    let size: Int64

    /// Reads the header through SQLite's file layer. If another descriptor of the file were opened
    /// and closed, this process would lose its locks on the file.
    ///
    /// The files that SQLite keeps beside a database are checked first; see ``SidecarFiles``.
    init(of file: StoreFile) throws {
        try SidecarFiles(of: file).check()
        self = try SQLiteConnection.with(
            path: file.path, flags: SQLITE_OPEN_READONLY, location: file.location,
            StoreHeader.init(on:))
    }

    /// Reads the header of the file that `connection` has open. Within a transaction the header
    /// does not change.
    init(on connection: SQLiteConnection) throws {
        var pointer: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(
            connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
        guard code == SQLITE_OK, let pointer, let methods = pointer.pointee.pMethods?.pointee,
            let fileSize = methods.xFileSize, let read = methods.xRead
        else { throw StorageError(.io, at: connection.location, reason: "cannot be read") }
        var size: sqlite3_int64 = 0
        guard fileSize(pointer, &size) == SQLITE_OK else { throw Self.unreadable(connection) }
        var bytes = [UInt8](repeating: 0, count: Int(min(size, Int64(Self.length))))
        guard bytes.isEmpty || read(pointer, &bytes, Int32(bytes.count), 0) == SQLITE_OK
        else { throw Self.unreadable(connection) }
        (self.bytes, self.size) = (bytes, size)
    }

    /// The version of the schema, `PRAGMA user_version`.
    var version: Int64 { Int64(bytes.bigEndian(at: 60)) }

    /// True if another program put the list in WAL mode.
    var isWAL: Bool { bytes.count == Self.length && bytes[18] == 2 }

    /// The file format version needed for writing. SQLite opens a file with a version above
    /// ``newestWriteVersion`` read-only.
    var writeVersion: UInt8 { bytes.count == Self.length ? bytes[18] : 0 }
    static let newestWriteVersion: UInt8 = 2

    /// A counter that every writing transaction of any process increments by one. Nil in WAL mode,
    /// where SQLite does not maintain it.
    var changeCounter: UInt32? {
        bytes.count == Self.length && !isWAL ? bytes.bigEndian(at: 24) : nil
    }

    /// Checks that this is the header of a store of version 1 to `newest`.
    ///
    /// - Throws: `.corrupt`, `.foreign` or `.newer` if it is not.
    func check(newest: Int64, at location: String) throws {
        guard size > 0 else {
            throw FileFailure.empty(at: location)
        }
        guard bytes.starts(with: Self.magic) else {
            throw StorageError(
                .foreign, at: location,
                reason: "this is not a list (the file is not an SQLite database)",
                advice: "Name a JSON list as json:PATH. To read another kind of file, import it.")
        }
        guard bytes.count == Self.length else {
            throw StorageError(
                .corrupt, at: location, reason: "the list is damaged (the file is cut off)",
                advice: "Restore a backup.")
        }
        guard bytes.bigEndian(at: 68) == Self.applicationID, version > 0 else {
            throw StorageError(
                .foreign, at: location, reason: "this is another program's SQLite database",
                advice: "Name another file to keep the list in.")
        }
        guard version <= newest else { throw Self.newer(version, at: location) }
    }

    /// Returns the error for a list of a `version` that this program does not know.
    static func newer(_ version: Int64, at location: String) -> StorageError {
        StorageError(
            .newer, at: location,
            reason: "a newer version of the program wrote this list (format \(version))",
            advice: "Update the program to open it.")
    }

    private static func unreadable(_ connection: SQLiteConnection) -> StorageError {
        StorageError(.io, at: connection.location, reason: "disk I/O error")
    }
}
