import SheafList

/// The folded names by which tags are compared, stored in their own column.
final class TagNames {
    private let names: SQLiteStatement
    private let freeName: SQLiteStatement

    init(on connection: SQLiteConnection) throws {
        names = try connection.statement("SELECT id, folded_name FROM tags")
        // Folded names have no white space at their ends, so no tag can have this name.
        freeName = try connection.statement(
            "UPDATE OR ABORT tags SET folded_name = ' ' || id WHERE id = ?1")
    }

    /// Returns the folded names of the tags with valid ids.
    func folded() throws -> [Tag.ID: String] {
        defer { names.reset() }
        var found: [Tag.ID: String] = [:]
        while try names.step() {
            if let id = names.uuid(0) { found[id] = names.text(1) }
        }
        return found
    }

    /// Releases the folded name of the tag `id`, so that another tag can take the name.
    func release(_ id: Tag.ID) throws {
        try freeName.bind(id, at: 1)
        try freeName.run()
    }
}
