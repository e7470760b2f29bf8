import CSQLite
import SheafFormats
import SheafList

/// The structure of a database as SQLite itself understands it. It is never derived from the text
/// of the SQL, which a user may write in many ways and which may be misleading.
struct SchemaShape {
    /// A column, without the value of its default.
    struct Column: Equatable {
        var type: String
        var collation: String
        var isRequired: Bool
        var hasDefault: Bool
        /// The position in the primary key, starting at 1, or 0.
        var placeInKey: Int64
        /// True if the column is computed from others.
        var isGenerated: Bool
    }

    /// A primary key, or columns that must be unique.
    struct Key: Hashable {
        /// True if the key applies only to some rows.
        var isPartial: Bool
        var columns: [String] = []
        var collations: [String] = []
    }

    /// One column of a foreign key.
    struct Reference: Hashable {
        var column: String
        var table: String
        var target: String
        var onUpdate: String
        var onDelete: String
    }

    struct Table {
        var isWithoutRowID: Bool
        var isStrict: Bool
        var columns: [String: Column] = [:]
        var keys: [Key] = []
        var references: Set<Reference> = []
    }

    /// The tables by lower-case name, without SQLite's own.
    private(set) var tables: [String: Table] = [:]
    /// An object that is neither a table with stored rows nor an index, such as `a trigger,
    /// "name"`. If there is one, nothing else is read.
    let oddity: String?

    /// Reads the schema of the database that `connection` has open, in a transaction. Reads all of
    /// `ownTables`, and only the references of other tables.
    init(of connection: SQLiteConnection, ownTables: Set<String>? = nil) throws {
        // This check comes first, because SQLite looks into views and virtual tables to list them.
        oddity = try Self.oddity(on: connection)
        guard oddity == nil else { return }
        let list = try connection.statement("PRAGMA main.table_list")
        while try list.step() {
            let name = list.text(1).lowercased()
            guard list.text(0) == "main", !name.hasPrefix("sqlite_") else { continue }
            var table = Table(
                isWithoutRowID: list.integer(4) != 0, isStrict: list.integer(5) != 0)
            try Self.readReferences(of: name, into: &table, on: connection)
            if ownTables?.contains(name) ?? true {
                try Self.readColumns(of: name, into: &table, on: connection)
                try Self.readKeys(of: name, into: &table, on: connection)
            }
            tables[name] = table
        }
    }

    /// Returns a description of an object that has no pages. Only tables with rows and indexes have
    /// pages; SQLite refuses a schema that claims otherwise.
    private static func oddity(on connection: SQLiteConnection) throws -> String? {
        let odd = try connection.statement(
            "SELECT type, name FROM main.sqlite_schema WHERE coalesce(rootpage, 0) = 0 LIMIT 1")
        guard try odd.step() else { return nil }
        let kind =
            switch odd.text(0) {
            case "table": "a virtual table"
            case "trigger", "view": "a \(odd.text(0))"
            default: "something unknown"
            }
        return "\(kind), \(quoted(odd.text(1)))"
    }

    private static func readColumns(
        of name: String, into table: inout Table, on connection: SQLiteConnection
    ) throws {
        let rows = try connection.statement("PRAGMA main.table_xinfo(\(sqlQuoted(name)))")
        while try rows.step() {
            let column = rows.text(1)
            table.columns[column.lowercased()] = Column(
                type: rows.text(2).uppercased(),
                collation: try collation(of: column, in: name, on: connection),
                isRequired: rows.integer(3) != 0, hasDefault: !rows.isNull(4),
                placeInKey: rows.integer(5), isGenerated: rows.integer(6) != 0)
        }
    }

    private static func collation(
        of column: String, in table: String, on connection: SQLiteConnection
    ) throws -> String {
        var name: UnsafePointer<CChar>?
        let code = sqlite3_table_column_metadata(
            connection.handle, "main", table, column, nil, &name, nil, nil, nil)
        guard code == SQLITE_OK, let name else { throw connection.failure() }
        return String(cString: name).uppercased()
    }

    private static func readKeys(
        of name: String, into table: inout Table, on connection: SQLiteConnection
    ) throws {
        let list = try connection.statement("PRAGMA main.index_list(\(sqlQuoted(name)))")
        while try list.step() {
            guard list.integer(2) != 0 else { continue }
            var key = Key(isPartial: list.integer(4) != 0)
            let columns = try connection.statement(
                "PRAGMA main.index_xinfo(\(sqlQuoted(list.text(1))))")
            while try columns.step() {
                guard columns.integer(5) != 0 else { continue }
                // The column of an expression has no name.
                key.columns.append(columns.text(2).lowercased())
                key.collations.append(columns.text(4).uppercased())
            }
            table.keys.append(key)
        }
    }

    private static func readReferences(
        of name: String, into table: inout Table, on connection: SQLiteConnection
    ) throws {
        let rows = try connection.statement("PRAGMA main.foreign_key_list(\(sqlQuoted(name)))")
        while try rows.step() {
            table.references.insert(
                Reference(
                    column: rows.text(3).lowercased(), table: rows.text(2).lowercased(),
                    target: rows.text(4).lowercased(), onUpdate: rows.text(5),
                    onDelete: rows.text(6)))
        }
    }

    private static func sqlQuoted(_ name: String) -> String {
        "\"\(name.replacing("\"", with: "\"\""))\""
    }

    /// Returns a name from the file in the form for an error message.
    static func quoted(_ name: String) -> String { JSONText.quoted(String(name.prefix(40))) }
}
