import CSQLite
import FoundationEssentials
import Glibc
import SheafFormats
import SheafList
import Swidux

/// An examination of every page and row of an SQLite list.
struct SQLiteExamination {
    private let file: StoreFile
    /// The maximum number of faults that are listed. The rest are counted.
    private static let limit = 20

    init(_ file: StoreFile) {
        self.file = file
    }

    func run(_ diagnosis: inout Diagnosis) {
        do {
            let header = try StoreHeader(of: file)
            try header.check(newest: Schema.current.version, at: file.location)
            diagnosis.add(.fine, "header: an SQLite list, format \(header.version)")
            if header.writeVersion > StoreHeader.newestWriteVersion {
                diagnosis.add(
                    .warning,
                    "the list is read-only: its header has write version"
                        + " \(header.writeVersion), which SQLite does not know",
                    advice:
                        "A newer SQLite wrote the header, or it is damaged: 'sheaf doctor --recover"
                        + " NEWFILE' makes a list that can be changed.")
            }
            if header.version < Schema.current.version {
                diagnosis.add(
                    .note, "format \(Schema.current.version) is the newest",
                    advice: "Opening the list upgrades it, after a backup.")
            }
            try Self.reading(file) { connection, isCopy in
                if isCopy { addNote(on: header, to: &diagnosis) }
                try SchemaCheck(schema: .current, connection: connection).run()
                try examine(connection, &diagnosis)
                if header.version > 1 { try CommitLedger.check(connection) }
            }
        } catch let error as StorageError {
            diagnosis.add(advised(error))
        } catch {
            diagnosis.refusal = .io
            diagnosis.add(.damage, "\(error)")
        }
    }

    /// Adds a note that explains why a copy is examined.
    private func addNote(on header: StoreHeader, to diagnosis: inout Diagnosis) {
        var status = stat()
        let hasLog = stat(file.path + "-wal", &status) == 0 && status.st_size > 0
        if hasLog {
            diagnosis.add(
                .note, "a write-ahead log of another program is beside the list",
                advice: "Opening the list applies it. Doctor examined a copy with the log applied.")
        } else if !header.isWAL {
            diagnosis.add(
                .note, "an interrupted write is beside the list",
                advice:
                    "Opening the list undoes that write. Doctor examined a copy with the write undone."
            )
        }
    }

    /// Replaces the advice of an error about damage or a newer format with advice that includes
    /// recovery.
    private func advised(_ error: StorageError) -> StorageError {
        if error.code == .newer {
            var error = error
            error.advice =
                "Update the program to open it. If there is no newer version, the format number is"
                + " damaged: 'sheaf doctor --recover NEWFILE' saves the items."
            return error
        }
        guard error.code == .corrupt, error != FileFailure.empty(at: file.location) else {
            return error
        }
        var error = error
        error.advice =
            "'sheaf restore' lists backups; 'sheaf doctor --recover NEWFILE' saves what can be read."
        return error
    }

    /// Calls `body` with a connection that never writes to the list. It is connected to the file
    /// itself, or to a copy if an interrupted write must be rolled back before reading.
    static func reading(
        _ file: StoreFile, _ body: (_ connection: SQLiteConnection, _ isCopy: Bool) throws -> Void
    ) throws {
        var isReached = false
        do {
            // Reading a database in WAL mode makes files beside it.
            guard try !StoreHeader(of: file).isWAL else {
                throw FileFailure.readOnly(at: file.location, advice: "")
            }
            return try SQLiteConnection.with(
                path: file.path, flags: SQLITE_OPEN_READONLY, location: file.location
            ) { connection in
                try connection.harden()
                connection.setBusyTimeout(SQLiteCopy.busyTimeout)
                try connection.transaction("BEGIN") {
                    _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
                    try connection.limitWork()
                    isReached = true
                    try body(connection, false)
                }
            }
        } catch let error as StorageError where !isReached && error.code == .readOnly {
            // A write was interrupted, or the list is in WAL mode. A copy is read instead.
        }
        let copy = try DatabaseCopy(of: file)
        defer { withExtendedLifetime(copy) {} }
        try SQLiteConnection.with(
            path: copy.path, flags: SQLITE_OPEN_READWRITE, location: file.location
        ) { connection in
            try connection.harden()
            try connection.limitWork()
            // Moves the pages of a write-ahead log into the file, where they are checked.
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            try body(connection, true)
        }
    }

    private func examine(
        _ connection: SQLiteConnection, _ diagnosis: inout Diagnosis
    ) throws {
        var faults = try lines("PRAGMA integrity_check(\(Self.limit))", on: connection)
        // SQLite shows a wrong number of unused pages as a negative size. ``PageCheck`` describes
        // it better, and also finds a wrong file size.
        let place = faults.firstIndex { $0 == "ok" || $0.contains("reelist: size is") }
        if let place, let fault = try PageCheck.cheapFault(on: connection) {
            faults[place] = fault
        }
        if faults == ["ok"] {
            diagnosis.add(.fine, "integrity: all pages and indexes are intact")
        } else {
            for fault in faults {
                diagnosis.add(
                    advised(
                        StorageError(
                            .corrupt, at: file.location, reason: "integrity: \(fault)")))
            }
        }
        let strays = try lines("PRAGMA foreign_key_check", on: connection)
        if !strays.isEmpty {
            diagnosis.add(
                .warning, "\(strays.count) rows of item_tags belong to no item or no tag",
                advice: "They are ignored.")
        }
        let tags = try rows(of: "tags", on: connection, &diagnosis)
        let items = try rows(of: "items", on: connection, &diagnosis)
        // Lists of earlier versions have no table of views.
        let hasViews =
            try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'views'") == 1
        let views = hasViews ? try rows(of: "views", on: connection, &diagnosis) : 0
        diagnosis.addCounts(items: items, tags: tags, views: views)
    }

    /// Counts the readable rows of `table` and adds a finding for each unreadable one.
    private func rows(
        of table: String, on connection: SQLiteConnection, _ diagnosis: inout Diagnosis
    ) throws -> Int {
        var bad = 0
        let count = try RowCheck.run(on: table, connection) { error in
            bad += 1
            if bad <= Self.limit { diagnosis.add(error) }
            return true
        }
        if bad > Self.limit {
            diagnosis.add(.damage, "and \(bad - Self.limit) more rows of \(table)")
        }
        return count - bad
    }

    private func lines(_ sql: String, on connection: SQLiteConnection) throws -> [String] {
        let statement = try connection.statement(sql)
        var lines: [String] = []
        while try statement.step() {
            lines += statement.text(0).split(separator: "\n").map(String.init)
                .filter { !$0.hasPrefix("***") }
        }
        return lines
    }
}
