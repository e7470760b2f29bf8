import CSQLite
import FoundationEssentials
import SheafFormats
import SheafList

/// A prepared statement. As in SQLite, parameters count from 1 and columns from 0.
final class SQLiteStatement {
    private let handle: OpaquePointer
    private unowned let connection: SQLiteConnection

    init(_ sql: String, on connection: SQLiteConnection) throws {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw connection.failure() }
        self.handle = handle
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(handle)
    }

    // MARK: Running

    /// Advances to the next row. Returns false at the end.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw connection.failure()
        }
    }

    /// Runs a statement that returns no rows, and resets it for the next use.
    func run() throws {
        defer { reset() }
        _ = try step()
    }

    /// Resets the statement, which releases its read lock.
    func reset() {
        // The result is that of the last step, which has already been reported.
        sqlite3_reset(handle)
    }

    // MARK: Parameters

    /// The destructor that tells SQLite to copy the bound value.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    func bind(_ value: Int64?, at index: Int32) throws {
        let code =
            if let value {
                sqlite3_bind_int64(handle, index, value)
            } else {
                sqlite3_bind_null(handle, index)
            }
        guard code == SQLITE_OK else { throw connection.failure() }
    }

    /// Binds `text` with its length, so that it may contain NUL characters.
    func bind(_ text: String?, at index: Int32) throws {
        guard var text else { return try bind(nil as Int64?, at: index) }
        let code = text.withUTF8 { utf8 in
            // An empty text may have no address, which SQLite would treat as NULL.
            guard let start = utf8.baseAddress else {
                return sqlite3_bind_text(handle, index, "", 0, Self.transient)
            }
            return start.withMemoryRebound(to: CChar.self, capacity: utf8.count) {
                sqlite3_bind_text64(
                    handle, index, $0, UInt64(utf8.count), Self.transient, UInt8(SQLITE_UTF8))
            }
        }
        guard code == SQLITE_OK else { throw connection.failure() }
    }

    /// Binds the text encoded in `utf8`.
    func bind(utf8: [UInt8], at index: Int32) throws {
        let code = utf8.withUnsafeBytes { bytes in
            sqlite3_bind_text64(
                handle, index, bytes.bindMemory(to: CChar.self).baseAddress, UInt64(bytes.count),
                Self.transient, UInt8(SQLITE_UTF8))
        }
        guard code == SQLITE_OK else { throw connection.failure() }
    }

    /// Binds the lower-case text of `id`.
    func bind(_ id: UUID, at index: Int32) throws {
        let code = id.withText { text in
            sqlite3_bind_text(handle, index, text.baseAddress, Int32(text.count), Self.transient)
        }
        guard code == SQLITE_OK else { throw connection.failure() }
    }

    /// Binds a rank and an id to this parameter and the next. Nil sorts before every row.
    func bind(_ position: ItemPosition?, at index: Int32) throws {
        try bind(position?.rank.text ?? "", at: index)
        guard let position else { return try bind("", at: index + 1) }
        try bind(position.id, at: index + 1)
    }

    // MARK: Columns

    var columnCount: Int32 { sqlite3_column_count(handle) }

    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    /// Returns the number, or zero if the value is not a number.
    func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    /// Returns the text, including NUL characters. NULL gives an empty text, and invalid UTF-8 is
    /// replaced by U+FFFD.
    func text(_ column: Int32) -> String {
        String(decoding: bytes(column), as: UTF8.self)
    }

    /// Returns the UUID, or nil if the text is not a lower-case UUID.
    func uuid(_ column: Int32) -> UUID? {
        UUID(bytes(column))
    }

    /// Returns the bytes of the text. They are valid until the next step.
    func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
        // The length must be read after the text, because reading the text may convert it.
        let start = sqlite3_column_text(handle, column)
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}
