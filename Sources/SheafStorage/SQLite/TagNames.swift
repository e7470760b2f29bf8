import SheafList

/// The names that tags are compared by, a column of their own.
final class TagNames {
    private let names: SQLiteStatement
    private let freeName: SQLiteStatement

    init(on connection: SQLiteConnection) throws {
        names = try connection.statement("SELECT id, folded_name FROM tags")
        // No folded name has white space at its ends, so no tag has this one.
        freeName = try connection.statement(
            "UPDATE OR ABORT tags SET folded_name = ' ' || id WHERE id = ?1")
    }

    /// The folded names of the tags that can be read.
    func folded() throws -> [Tag.ID: String] {
        defer { names.reset() }
        var found: [Tag.ID: String] = [:]
        while try names.step() {
            if let id = names.uuid(0) { found[id] = names.text(1) }
        }
        return found
    }

    /// Frees the name of the tag `id`, before another that may take it is written.
    func release(_ id: Tag.ID) throws {
        try freeName.bind(id, at: 1)
        try freeName.run()
    }
}
