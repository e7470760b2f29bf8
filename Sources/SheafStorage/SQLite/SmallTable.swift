import FoundationEssentials
import SheafFormats
import SheafList
import Swidux

/// The rows of a table that is read as a whole: what tags and views have in common.
///
/// An id or a rank that was made invalid by hand makes reading fail with the name of the row, since
/// the place of such an entity is unknown. What else is invalid has its default, as a word has that
/// only a later version knows, such as a colour.
final class SmallTable<Entity: ListEntity> {
    private let fields = EntityColumns(Entity.fields)
    /// The first column of the fields in a row.
    private let firstField: Int32 = 2

    private let name: String
    private let connection: SQLiteConnection
    private let all: SQLiteStatement
    private let upsert: SQLiteStatement
    private let deletion: SQLiteStatement

    /// - Parameter others: columns that are no fields, as ``save(_:in:others:)`` gives them.
    init(_ name: String, others: [String] = [], on connection: SQLiteConnection) throws {
        self.name = name
        self.connection = connection
        all = try connection.statement(
            "SELECT rowid, id, \(fields.names), commit_number FROM \(name) \(ItemPosition.order())")
        upsert = try connection.statement(fields.upsert(into: name, others: others))
        deletion = try connection.statement("DELETE FROM \(name) WHERE id = ?1")
    }

    /// The entities that were written after the commit `number`, or all of them by the least number
    /// there is, by (rank, id). O(rows).
    func load(writtenAfter number: Int64 = .min) throws -> [Entity] {
        defer { all.reset() }
        let commitNumber = firstField + fields.count
        var entities: [Entity] = []
        while try all.step() {
            guard number == .min || all.integer(commitNumber) > number else { continue }
            guard let id = all.uuid(1) else {
                throw unreadable("invalid id (not a lower-case UUID)")
            }
            var entity = Entity(id: id)
            if fields.read(all, from: firstField, into: &entity).contains("rank") {
                throw unreadable("invalid rank")
            }
            entities.append(entity)
        }
        return entities
    }

    /// The ids of those that can be read.
    func ids() throws -> [UUID] {
        defer { all.reset() }
        var ids: [UUID] = []
        while try all.step() {
            if let id = all.uuid(1) { ids.append(id) }
        }
        return ids
    }

    /// Writes `entity` in the commit `number`.
    func save(_ entity: Entity, in number: Int64, others: [String] = []) throws {
        try upsert.bind(entity.id, at: 1)
        try fields.bind(entity, to: upsert, from: 2)
        try upsert.bind(number, at: 2 + fields.count)
        for (index, text) in others.enumerated() {
            try upsert.bind(text, at: 3 + fields.count + Int32(index))
        }
        try upsert.run()
    }

    /// Deletes the entity `id`, if it is there, and the references to it.
    func delete(_ id: UUID) throws {
        try deletion.bind(id, at: 1)
        try deletion.run()
    }

    private func unreadable(_ reason: String) -> StorageError {
        .unreadableRow(
            "row \(all.integer(0)) of \(name), id \(JSONText.quoted(all.text(1))): \(reason)",
            at: connection.location)
    }
}
