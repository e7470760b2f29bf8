import SheafFormats
import SheafList
import Swidux

/// A search for rows with an invalid id or rank, which keep every command from opening the list,
/// and for texts that are not valid UTF-8, which an edit of the row would change.
enum RowCheck {
    /// Checks all rows of a list. O(rows).
    ///
    /// - Throws: `.corrupt` for the first row that cannot be read.
    static func run(on connection: SQLiteConnection) throws {
        for table in try tables(of: connection) {
            var fault: StorageError?
            _ = try run(on: table, connection) { error in
                fault = error
                return false
            }
            if let fault { throw fault }
        }
    }

    /// Returns the names of the entity tables. Lists of earlier versions lack some, such as that of
    /// views.
    static func tables(of connection: SQLiteConnection) throws -> [String] {
        let names = Kinds.all.map { "'\($0.plural)'" }.joined(separator: ", ")
        let present = try connection.statement(
            "SELECT name FROM main.sqlite_schema WHERE name IN (\(names))")
        var tables: [String] = []
        while try present.step() { tables.append(present.text(0)) }
        return tables
    }

    /// Calls `body` with an error for each row of `table` that cannot be read, until `body` returns
    /// false.
    ///
    /// - Returns: the number of rows that were checked.
    static func run(
        on table: String, _ connection: SQLiteConnection, _ body: (StorageError) -> Bool
    ) throws -> Int {
        let texts = table == Item.plural ? ["name", "note"] : ["name"]
        let statement = try connection.statement(
            "SELECT rowid, id, rank, \(texts.joined(separator: ", ")) FROM \(table) NOT INDEXED")
        var count = 0
        while try statement.step() {
            count += 1
            var reasons: [String] = []
            if statement.uuid(1) == nil { reasons.append("invalid id (not a lower-case UUID)") }
            if Rank(text: statement.text(2)) == nil {
                reasons.append("invalid rank \(JSONText.quoted(statement.text(2)))")
            }
            for (column, name) in texts.enumerated()
            where String(validating: statement.bytes(Int32(3 + column)), as: UTF8.self) == nil {
                reasons.append("\(name) is not valid UTF-8")
            }
            guard !reasons.isEmpty else { continue }
            let error = StorageError.unreadableRow(
                "row \(statement.integer(0)) of \(table), id \(JSONText.quoted(statement.text(1))): "
                    + reasons.joined(separator: ", "), at: connection.location)
            if !body(error) { break }
        }
        return count
    }
}
