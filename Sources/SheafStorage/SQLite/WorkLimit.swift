import CSQLite

/// A limit on SQLite's work on a file that another user may have made. Pages that form a cycle, or
/// expressions in the schema, could keep SQLite busy forever.
///
/// The limit grows with the file size. It counts SQLite's own steps instead of time, so that a slow
/// disk does not count as an attack. Checking a sound list takes 0.12 steps per byte.
final class WorkLimit {
    /// The number of steps for a file of any size: less than a second.
    private static let base: Int64 = 20_000_000
    private static let stepsPerByte: Int64 = 20
    /// The number of steps between two checks.
    private static let interval: Int64 = 1_000

    private let limit: Int64
    private var steps: Int64 = 0

    /// Sets the limit for all work on `connection`. The connection must keep this value alive.
    init(on connection: SQLiteConnection) throws {
        let size = try connection.fileSize()
        limit = Self.base + size * Self.stepsPerByte
        // A stored text is never longer than its file, but the result of an expression may be.
        let longest = Int32(clamping: max(size, 1_000_000))
        sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, longest)
        sqlite3_progress_handler(
            connection.handle, Int32(Self.interval),
            { context in
                guard let context else { return 0 }
                return Unmanaged<WorkLimit>.fromOpaque(context).takeUnretainedValue().isWithinLimit
                    ? 0 : 1
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Restarts the count of steps.
    func restart() { steps = 0 }

    private var isWithinLimit: Bool {
        steps += Self.interval
        return steps <= limit
    }
}
