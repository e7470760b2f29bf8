import CSQLite

/// Limits SQLite's work on a file that another user may have made: pages that form a cycle, and
/// expressions in the schema, could keep it busy for ever.
///
/// The limit grows with the file and counts SQLite's own steps rather than time, so that a slow
/// disk is not taken for an attack. Checking a sound list takes 0.12 steps a byte.
final class WorkLimit {
    /// For a file of any size: less than a second.
    private static let base: Int64 = 20_000_000
    private static let stepsPerByte: Int64 = 20
    /// The steps between two checks.
    private static let interval: Int64 = 1_000

    private let limit: Int64
    private var steps: Int64 = 0

    /// Sets the limit for all that is run on `connection`, which has to keep this value.
    init(on connection: SQLiteConnection) throws {
        let size = try connection.fileSize()
        limit = Self.base + size * Self.stepsPerByte
        // No text is longer than the file that it is in; one that an expression makes may be.
        let longest = Int32(clamping: max(size, 1_000_000))
        sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, longest)
        sqlite3_progress_handler(
            connection.handle, Int32(Self.interval),
            { context in
                guard let context else { return 0 }
                return Unmanaged<WorkLimit>.fromOpaque(context).takeUnretainedValue().mayGoOn
                    ? 0 : 1
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Restarts the count.
    func restart() { steps = 0 }

    private var mayGoOn: Bool {
        steps += Self.interval
        return steps <= limit
    }
}
