import FoundationEssentials
import SheafFormats
import SheafList

/// A repair of names on a server: puts back the tags that imports of an earlier version had removed
/// from names. See `Item.nameInKeptLine`.
///
/// Each page of a list is one commit. If the repair is interrupted, the next `sheaf share init`
/// continues it. The times of change are not updated.
struct RestoredNames {
    private let connection: PostgresConnection
    private let tables = PostgresSchema.current

    /// The number of items that are read at a time.
    private static let page = 1_000

    /// - Parameter connection: The connection of the owner of the schema.
    init(on connection: PostgresConnection) { self.connection = connection }

    /// Restores the names of all lists, once. O(items).
    ///
    /// - Throws: ``PostgresFailure``.
    func restore() throws {
        let about = try connection.rows("SELECT bool_and(names_hold_tags) FROM sheaf.about")
        guard !about.flag(0, 0) else { return }
        let lists = try connection.rows("SELECT id FROM sheaf.lists ORDER BY id")
        for row in 0..<lists.count {
            guard let list = lists.uuid(row, 0) else { continue }
            try restore(list.uuidString)
        }
        try connection.run("UPDATE sheaf.about SET names_hold_tags = true")
    }

    private func restore(_ list: String) throws {
        let tagRows = try connection.rows(
            "SELECT \(tables[Tag.self].selected(from: "t")) FROM sheaf.tags t WHERE list_id = $1",
            [list])
        let tags = try tables[Tag.self].entities(tagRows)
        let names = Dictionary(tags.map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
        var last = "00000000-0000-0000-0000-000000000000"
        while true {
            let rows = try connection.rows(
                """
                SELECT \(tables[Item.self].selected(from: "i")) FROM sheaf.items i
                WHERE list_id = $1 AND id > $2 AND strpos(extras, '"\(Item.keptLineKey)"') > 0
                ORDER BY id LIMIT \(Self.page)
                """, [list, last])
            let items = try tables[Item.self].entities(rows)
            guard let end = items.last else { return }
            last = end.id.uuidString
            try rename(
                items.compactMap { item in
                    item.nameInKeptLine(tags: item.tags.compactMap { names[$0] })
                        .map { (item, $0) }
                }, in: list)
        }
    }

    /// Commits names that have not changed since they were read.
    private func rename(_ items: [(item: Item, name: String)], in list: String) throws {
        guard !items.isEmpty else { return }
        var json: [UInt8] = []
        for (item, name) in items {
            json += json.isEmpty ? "[{\"id\":".utf8 : ",{\"id\":".utf8
            json.append(id: item.id)
            json += ",\"old\":".utf8
            json.append(text: item.name)
            json += ",\"name\":".utf8
            json.append(text: name)
            json += "}".utf8
        }
        json += "]".utf8
        _ = try connection.rows(
            """
            WITH n AS (
              UPDATE sheaf.lists SET last_number = last_number + 1 WHERE id = $1
              RETURNING last_number),
            c AS (
              INSERT INTO sheaf.commits (list_id, number, role, client)
              SELECT $1, last_number, session_user, gen_random_uuid() FROM n)
            UPDATE sheaf.items i SET name = r.name, commit_number = n.last_number
            FROM n, json_to_recordset($2) AS r(id uuid, old text, name text)
            WHERE i.list_id = $1 AND i.id = r.id AND i.name = r.old
            """, [list, String(decoding: json, as: UTF8.self)])
    }
}
