import SheafList

/// The rows of `tags`, and the names that they are compared by.
final class TagTable {
    private let rows: SmallTable<Tag>
    private let names: SQLiteStatement
    private let freeName: SQLiteStatement

    init(on connection: SQLiteConnection) throws {
        rows = try SmallTable("tags", others: ["folded_name"], on: connection)
        names = try connection.statement("SELECT id, folded_name FROM tags")
        // No folded name has white space at its ends, so no tag has this one.
        freeName = try connection.statement(
            "UPDATE OR ABORT tags SET folded_name = ' ' || id WHERE id = ?1")
    }

    /// As ``SmallTable/load(writtenAfter:)``.
    func load(writtenAfter number: Int64 = .min) throws -> [Tag] {
        try rows.load(writtenAfter: number)
    }

    /// The ids of those that can be read.
    func ids() throws -> [Tag.ID] { try rows.ids() }

    /// The folded names of those that can be read.
    func foldedNames() throws -> [Tag.ID: String] {
        defer { names.reset() }
        var found: [Tag.ID: String] = [:]
        while try names.step() {
            if let id = names.uuid(0) { found[id] = names.text(1) }
        }
        return found
    }

    /// Frees the name of the tag `id`, before another that may take it is written.
    func releaseName(_ id: Tag.ID) throws {
        try freeName.bind(id, at: 1)
        try freeName.run()
    }

    /// Writes `tag` in the commit `number`.
    func save(_ tag: Tag, in number: Int64) throws {
        try rows.save(tag, in: number, others: [tag.foldedName])
    }

    /// Deletes the tag `id`, if it is there, and the references to it.
    func delete(_ id: Tag.ID) throws { try rows.delete(id) }
}
