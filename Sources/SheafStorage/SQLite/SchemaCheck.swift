import CSQLite
import SheafList

/// A check whether the tables of a file are those that the program makes.
///
/// A user may add columns, tables and indexes by hand. Other additions make the file `.foreign`,
/// and the program does not write to it: objects that run by themselves (triggers), that stand in
/// for rows (views, virtual tables, generated columns), or that decide which rows exist or can be
/// written (keys, references, a collation). SQLite does not report the expressions of checks,
/// defaults and indexes. They can refuse a row, which is reported, but cannot change one. Every
/// writing statement says `OR ABORT`, so that no `ON CONFLICT` clause of a key skips or deletes a
/// row.
struct SchemaCheck {
    let schema: Schema
    let connection: SQLiteConnection

    /// Checks the tables against their version, in the transaction that relies on the result.
    ///
    /// - Throws: `.corrupt` if a part is missing, `.foreign` if a part was not made by the program,
    ///   `.newer` if a newer version of the program made the tables.
    func run() throws {
        let version = try connection.integer("PRAGMA user_version") ?? 0
        // The header was checked before, but since then SQLite may have rolled back a journal, or a
        // user may have emptied the file.
        guard version > 0 else { throw missing("no version") }
        guard version <= schema.version else {
            throw StoreHeader.newer(version, at: connection.location)
        }
        if version == schema.version, try isVerbatim() { return }
        let expected = try schema.shape(version: version)
        let present = try SchemaShape(of: connection, ownTables: Set(expected.tables.keys))
        if let oddity = present.oddity { throw foreign("it has \(oddity)") }
        for (name, table) in expected.tables.sorted(by: { $0.key < $1.key }) {
            guard let found = present.tables[name] else { throw missing("no table \(name)") }
            try compare(found, with: table, name)
        }
        // A statement names this index.
        let index = "SELECT count(*) FROM main.sqlite_schema WHERE name = 'items_by_commit'"
        if version > 1, try connection.integer(index) == 0 {
            throw missing("no index items_by_commit")
        }
        if version < schema.version {
            try refuseTakenNames(present, expected, next: schema.shape(version: schema.version))
        }
        for (name, table) in present.tables where expected.tables[name] == nil {
            guard table.references.allSatisfy({ expected.tables[$0.table] == nil }) else {
                throw foreign("its table \(SchemaShape.quoted(name)) refers to the list's tables")
            }
        }
    }

    /// Throws if an addition by hand has the name of a table or column that an upgrade will make.
    private func refuseTakenNames(
        _ present: SchemaShape, _ expected: SchemaShape, next: SchemaShape
    ) throws {
        for (name, table) in next.tables.sorted(by: { $0.key < $1.key }) {
            guard let known = expected.tables[name] else {
                if present.tables[name] != nil { throw taken("a table \(name)") }
                continue
            }
            for column in table.columns.keys.sorted() where known.columns[column] == nil {
                if present.tables[name]?.columns[column] != nil {
                    throw taken("a column \(column) in \(name)")
                }
            }
        }
    }

    private func taken(_ what: String) -> StorageError {
        StorageError(
            .foreign, at: connection.location,
            reason: "the list cannot be upgraded: \(what) has the name of a new one",
            advice: "Rename yours with sqlite3, then open the list again.")
    }

    /// Returns true if the schema is exactly that of the program, word for word. No further check
    /// is needed then.
    func isVerbatim() throws -> Bool {
        let rows = try connection.statement(
            "SELECT type, name, tbl_name, coalesce(sql, ''), coalesce(rootpage, 0) = 0"
                + " FROM main.sqlite_schema ORDER BY rowid")
        // Compares bytes, because Swift considers a Kelvin sign equal to the K of a key.
        func holds(_ text: String, in column: Int32) -> Bool {
            rows.bytes(column).elementsEqual(text.utf8)
        }
        var expected = schema.rows[...]
        while try rows.step() {
            guard rows.integer(4) == 0, let row = expected.popFirst(), holds(row.type, in: 0),
                holds(row.name, in: 1), holds(row.table, in: 2), holds(row.sql, in: 3)
            else { return false }
        }
        return expected.isEmpty
    }

    private func compare(
        _ found: SchemaShape.Table, with expected: SchemaShape.Table, _ name: String
    ) throws {
        for (column, wanted) in expected.columns.sorted(by: { $0.key < $1.key }) {
            guard var own = found.columns[column] else {
                throw missing("\(name) has no column \(column)")
            }
            // No statement of the program relies on the default of a column.
            own.hasDefault = wanted.hasDefault
            guard own == wanted else { throw foreign("\(name).\(column) is defined differently") }
        }
        for (column, own) in found.columns where expected.columns[column] == nil {
            let name = "\(name).\(SchemaShape.quoted(column))"
            if own.isGenerated { throw foreign("\(name) is generated") }
            if own.isRequired, !own.hasDefault { throw foreign("\(name) requires a value") }
            // This name would hide the row number.
            if column == "rowid" { throw foreign("\(name) has a name that SQLite reserves") }
        }
        guard found.isStrict == expected.isStrict,
            found.isWithoutRowID == expected.isWithoutRowID
        else { throw foreign("\(name) is a different kind of table") }
        guard Set(found.keys) == Set(expected.keys) else {
            throw foreign("\(name) has different unique keys")
        }
        guard found.references == expected.references else {
            throw foreign("\(name) has different foreign keys")
        }
    }

    private func missing(_ what: String) -> StorageError {
        StorageError(
            .corrupt, at: connection.location, reason: "the list is damaged (\(what))",
            advice: "'sheaf doctor' shows what can be saved, 'sheaf restore' lists backups.")
    }

    private func foreign(_ what: String) -> StorageError {
        StorageError(
            .foreign, at: connection.location,
            reason: "this list has an unexpected structure (\(what))",
            advice: "'sheaf doctor --recover NEWFILE' copies its items into a new list;"
                + " 'sheaf restore' lists backups.")
    }
}

extension Schema {
    /// Returns the shape of the tables in a list of `version`.
    func shape(version: Int64) throws -> SchemaShape {
        try SQLiteConnection.with(
            path: ":memory:", flags: SQLITE_OPEN_READWRITE, location: ":memory:"
        ) { model in
            for migration in migrations.prefix(Int(version)) { try model.execute(migration) }
            return try SchemaShape(of: model)
        }
    }
}

/// A check of the tables that is repeated whenever they may have changed.
final class SchemaWatch {
    private let check: SchemaCheck
    private let cookie: SQLiteStatement
    /// SQLite's schema version at the last check.
    private var checkedVersion: Int64?

    init(_ schema: Schema, on connection: SQLiteConnection) throws {
        check = SchemaCheck(schema: schema, connection: connection)
        cookie = try connection.statement("PRAGMA schema_version")
    }

    /// Checks the tables if the schema has changed. Requires a transaction; the result holds within
    /// it.
    ///
    /// - Throws: the errors of ``SchemaCheck/run()``.
    func checkIfChanged() throws {
        defer { cookie.reset() }
        guard try cookie.step() else { return }
        let present = cookie.integer(0)
        guard present != checkedVersion else { return }
        try check.run()
        checkedVersion = present
    }
}
