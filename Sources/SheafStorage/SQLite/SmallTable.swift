import FoundationEssentials
import SheafFormats
import SheafList
import Swidux

/// The table of a kind of entity that is read as a whole.
///
/// An invalid id or rank makes reading fail with the name of the row, because the position of the
/// entity is unknown. Other invalid values are read as their defaults, such as a color that only a
/// later version knows. A reference to a missing tag, made by hand, is read as no reference.
final class SmallTable<Entity: SmallEntity> {
    private let fields = EntityColumns(Entity.fields)
    /// The first column of the fields in a row.
    private let firstField: Int32 = 2

    private let connection: SQLiteConnection
    private let all: SQLiteStatement
    private let upsert: SQLiteStatement
    private let deletion: SQLiteStatement
    /// The statements that remove a tag, one for each column that refers to a tag.
    private let detachments: [SQLiteStatement]

    init(on connection: SQLiteConnection) throws {
        let name = Entity.plural
        self.connection = connection
        all = try connection.statement(
            "SELECT rowid, id, \(fields.names), commit_number FROM \(name) \(ItemPosition.order())")
        upsert = try connection.statement(
            fields.upsert(into: name, others: Entity.hasUniqueNames ? ["folded_name"] : []))
        deletion = try connection.statement("DELETE FROM \(name) WHERE id = ?1")
        detachments = try fields.references.map { column in
            try connection.statement(
                """
                UPDATE OR ABORT \(name) SET \(column) = NULL, commit_number = ?2
                WHERE \(column) = ?1 RETURNING id
                """)
        }
    }

    /// Returns the entities that were written after the commit `number`, in the order of (rank,
    /// id). By default, returns all entities. O(rows).
    ///
    /// - Parameter tags: the existing tags. Evaluated only if the kind refers to tags.
    func load(
        writtenAfter number: Int64 = .min, tags: @autoclosure () throws -> TagSets
    ) throws -> [Entity] {
        let tags = detachments.isEmpty ? nil : try tags()
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
            entities.append(tags.map { tags in entity.withoutTag { !tags.contains($0) } } ?? entity)
        }
        return entities
    }

    /// Returns the valid ids of the entities.
    func ids() throws -> [UUID] {
        defer { all.reset() }
        var ids: [UUID] = []
        while try all.step() {
            if let id = all.uuid(1) { ids.append(id) }
        }
        return ids
    }

    /// Writes `entity` in the commit `number`.
    func save(_ entity: Entity, in number: Int64) throws {
        try upsert.bind(entity.id, at: 1)
        try fields.bind(entity, to: upsert, from: 2)
        try upsert.bind(number, at: 2 + fields.count)
        if Entity.hasUniqueNames {
            try upsert.bind(Tag.fold(entity.name), at: 3 + fields.count)
        }
        try upsert.run()
    }

    /// Deletes the entity `id`, if it exists, and the references to it.
    func delete(_ id: UUID) throws {
        try deletion.bind(id, at: 1)
        try deletion.run()
    }

    /// Removes the tag `tag` from the entities that refer to it, in the commit `number`, and
    /// returns their ids.
    func detach(_ tag: Tag.ID, in number: Int64) throws -> [UUID] {
        var ids: [UUID] = []
        for detachment in detachments {
            defer { detachment.reset() }
            try detachment.bind(tag, at: 1)
            try detachment.bind(number, at: 2)
            while try detachment.step() {
                if let id = detachment.uuid(0) { ids.append(id) }
            }
        }
        return ids
    }

    private func unreadable(_ reason: String) -> StorageError {
        .unreadableRow(
            "row \(all.integer(0)) of \(Entity.plural), id \(JSONText.quoted(all.text(1))): \(reason)",
            at: connection.location)
    }
}
