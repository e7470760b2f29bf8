import FoundationEssentials
import SheafList

/// A table of entities: its columns, and the SQL and JSON for its rows.
struct PostgresTable<Entity: ListEntity>: Sendable {
    let columns: PostgresColumns<Entity>
    private var name: String { Entity.plural }
    /// The columns that rows in JSON have in addition to the fields.
    private let others: [String]

    /// - Parameter present: The columns that the table has, or `nil` if it has all of them.
    init(present: Set<String>? = nil) {
        columns = PostgresColumns(Entity.fields, present: present)
        others =
            (Entity.self as? any SmallEntity.Type)?.hasUniqueNames == true ? ["folded_name"] : []
    }

    /// Returns the columns of a SELECT, in the form that ``entities(_:)`` reads.
    func selected(from alias: String) -> String {
        (["id"] + columns.names).map { "\(alias).\($0)" }.joined(separator: ", ")
    }

    /// The number of columns in ``selected(from:)``.
    var width: Int { columns.count + 1 }

    /// Returns the entities of rows that begin with the ``selected(from:)`` columns.
    ///
    /// - Throws: ``PostgresFailure`` if a value is invalid.
    func entities(_ rows: PostgresResult) throws -> [Entity] {
        try (0..<rows.count).compactMap { try entity(rows, $0) }
    }

    private func entity(_ rows: PostgresResult, _ row: Int) throws -> Entity? {
        guard let id = rows.uuid(row, 0) else { return nil }
        var entity = Entity(id: id)
        if let column = columns.read(rows, row, from: 1, into: &entity).first {
            throw PostgresFailure(
                state: "22000",
                "the row \(id.uuidString.lowercased()) of \(name) is unreadable: invalid \(column)")
        }
        return entity
    }

    /// Returns rows in the form that the commit function takes.
    func json(_ entities: [Entity]) -> [UInt8] {
        var json: [UInt8] = [UInt8(ascii: "[")]
        for entity in entities {
            if json.count > 1 { json.append(UInt8(ascii: ",")) }
            json += "{\"id\":".utf8
            json.append(id: entity.id)
            for other in others {
                json += ",\"\(other)\":".utf8
                json.append(text: Tag.fold(entity.name))
            }
            columns.append(entity, to: &json)
            json.append(UInt8(ascii: "}"))
        }
        json.append(UInt8(ascii: "]"))
        return json
    }

    // MARK: SQL

    var written: [String] { others + columns.names }

    var creation: String {
        """
        CREATE TABLE IF NOT EXISTS sheaf.\(name) (
          list_id uuid NOT NULL REFERENCES sheaf.lists (id) ON DELETE CASCADE,
          id uuid NOT NULL,
          commit_number bigint NOT NULL,
          PRIMARY KEY (list_id, id)
        );
        \(additions)
        CREATE INDEX IF NOT EXISTS \(name)_by_commit ON sheaf.\(name) (list_id, commit_number, id);
        """
    }

    /// The SQL that adds the columns which the table lacks: all of them in a new table.
    private var additions: String {
        let others = others.map { ($0, "text NOT NULL DEFAULT ''") }
        return (others + columns.declarations)
            .map { "ALTER TABLE sheaf.\(name) ADD COLUMN IF NOT EXISTS \($0.0) \($0.1);" }
            .joined(separator: "\n")
    }

    /// The SQL of the function that writes rows. Members may not call it: ``CommitFunction`` does.
    var putFunction: String {
        let record =
            (["id uuid"] + others.map { "\($0) text" } + columns.record)
            .joined(separator: ", ")
        let selected = (others.map { "r.\($0)" } + columns.values).joined(separator: ", ")
        let changes = (written + ["commit_number"]).map { "\($0) = excluded.\($0)" }
            .joined(separator: ", ")
        return """
            CREATE OR REPLACE FUNCTION sheaf.put_\(name)(p_list uuid, p_rows json, p_number bigint)
            RETURNS void LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $sheaf$
              INSERT INTO sheaf.\(name)
                (list_id, id, commit_number, \(written.joined(separator: ", ")))
              SELECT p_list, r.id, p_number, \(selected)
              FROM json_to_recordset(p_rows) AS r(\(record))
              ON CONFLICT (list_id, id) DO UPDATE SET \(changes);
            $sheaf$;
            """
    }
}
