import FoundationEssentials
import SheafCore
import SheafFormats
import Swidux

/// The rows of `tags`.
///
/// An id or rank that was made invalid by hand makes reading fail with the name of the row. An
/// unknown colour is read as white: a later version may know it.
final class TagTable {
    private static let fields = EntityColumns(Tag.fields)
    /// The first column of the fields in a row, and the column after them.
    private static let firstField: Int32 = 2
    private static let foldedName = firstField + fields.count
    private static let commitNumber = foldedName + 1

    private let connection: SQLiteConnection
    private let all: SQLiteStatement
    private let upsert: SQLiteStatement
    private let freeName: SQLiteStatement
    private let deletion: SQLiteStatement

    init(on connection: SQLiteConnection) throws {
        self.connection = connection
        all = try connection.statement(
            """
            SELECT rowid, id, \(Self.fields.names), folded_name, commit_number FROM tags
            ORDER BY rank, id
            """)
        upsert = try connection.statement(
            Self.fields.upsert(into: "tags", others: ["folded_name"]))
        // No folded name has white space at its ends, so no tag has this one.
        freeName = try connection.statement(
            "UPDATE OR ABORT tags SET folded_name = ' ' || id WHERE id = ?1")
        deletion = try connection.statement("DELETE FROM tags WHERE id = ?1")
    }

    /// The tags that were written after the commit `number`, or all of them by the least number
    /// there is, by (rank, id). O(tags).
    func load(writtenAfter number: Int64 = .min) throws -> [Tag] {
        defer { all.reset() }
        var tags: [Tag] = []
        while try all.step() {
            guard number == .min || all.integer(Self.commitNumber) > number else { continue }
            guard let id = all.uuid(1) else {
                throw unreadable("invalid id (not a lower-case UUID)")
            }
            var tag = Tag(id: id)
            if let column = Self.fields.read(all, from: Self.firstField, into: &tag).first {
                throw unreadable("invalid \(column)")
            }
            tags.append(tag)
        }
        return tags
    }

    /// The ids of those that can be read.
    func ids() throws -> [Tag.ID] {
        defer { all.reset() }
        var ids: [Tag.ID] = []
        while try all.step() {
            if let id = all.uuid(1) { ids.append(id) }
        }
        return ids
    }

    /// The folded names of those that can be read.
    func foldedNames() throws -> [Tag.ID: String] {
        defer { all.reset() }
        var names: [Tag.ID: String] = [:]
        while try all.step() {
            if let id = all.uuid(1) { names[id] = all.text(Self.foldedName) }
        }
        return names
    }

    /// Frees the name of the tag `id`, before another that may take it is written.
    func releaseName(_ id: Tag.ID) throws {
        try freeName.bind(id, at: 1)
        try freeName.run()
    }

    /// Writes `tag` in the commit `number`.
    func save(_ tag: Tag, in number: Int64) throws {
        try upsert.bind(tag.id, at: 1)
        try Self.fields.bind(tag, to: upsert, from: 2)
        try upsert.bind(number, at: 2 + Self.fields.count)
        try upsert.bind(tag.foldedName, at: 3 + Self.fields.count)
        try upsert.run()
    }

    /// Deletes the tag `id`, if it is there, and the references to it.
    func delete(_ id: Tag.ID) throws {
        try deletion.bind(id, at: 1)
        try deletion.run()
    }

    private func unreadable(_ reason: String) -> StorageError {
        .unreadableRow(
            "row \(all.integer(0)) of tags, id \(JSONText.quoted(all.text(1))): \(reason)",
            at: connection.location)
    }
}
