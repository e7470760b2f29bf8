import FoundationEssentials
import SheafList

/// The reads of one list through one connection.
///
/// Row security answers a role without rights with no rows, as if all had been deleted. So each
/// read begins with the list's own row: where that is missing, the right is, and nothing is taken
/// for deleted.
struct PostgresReader {
    let connection: PostgresConnection
    let list: UUID
    let schema: PostgresSchema

    private typealias Query = PostgresConnection.Query

    private var id: String { list.uuidString }

    /// A query whose first column is the list's last number, and which has one row at least as long
    /// as the list may be read.
    private func query<Entity>(
        _ table: PostgresTable<Entity>, _ condition: String = "", _ parameters: [String?] = [],
        order: String = "rank, id", limit: Int? = nil
    ) -> Query {
        let columns = order.split(separator: ",").map { $0.trimmingPrefix(" ") }
        func ordered(_ alias: String) -> String {
            columns.map { "\(alias).\($0)" }.joined(separator: ", ")
        }
        return Query(
            text: """
                SELECT l.last_number, \(table.selected(from: "r")), r.commit_number
                FROM sheaf.lists l LEFT JOIN LATERAL (
                  SELECT r.* FROM sheaf.\(table.name) r WHERE r.list_id = l.id \(condition)
                  ORDER BY \(ordered("r")) \(limit.map { "LIMIT \($0)" } ?? "")) r ON true
                WHERE l.id = $1 ORDER BY \(ordered("r"))
                """, parameters: [id] + parameters)
    }

    /// The entities of a result of ``query(_:_:_:order:limit:)``.
    ///
    /// - Throws: ``PostgresFailure``, that of a missing right included.
    private func entities<Entity>(
        _ rows: PostgresResult, _ table: PostgresTable<Entity>
    ) throws -> [Entity] {
        try check(rows)
        var entities: [Entity] = []
        entities.reserveCapacity(rows.count)
        for row in 0..<rows.count {
            if let entity = try table.entity(rows, row, from: 1) { entities.append(entity) }
        }
        return entities
    }

    private func check(_ rows: PostgresResult) throws {
        guard rows.count > 0 else { throw MissingRight() }
    }

    /// The role may not read the list, or it is gone; a server does not say which.
    struct MissingRight: Error {}

    // MARK: Whole tables and pages

    func tags() throws -> [Tag] {
        let query = query(schema.tags)
        return try entities(try connection.rows(query.text, query.parameters), schema.tags)
    }

    func views() throws -> [SavedView] {
        let query = query(schema.views)
        return try entities(try connection.rows(query.text, query.parameters), schema.views)
    }

    func items(after cursor: ItemCursor?, limit: Int) throws -> [Item] {
        let query =
            cursor.map {
                self.query(
                    schema.items, "AND (r.rank, r.id) > ($2, $3::uuid)",
                    [$0.rank.text, $0.id.uuidString], limit: limit)
            } ?? self.query(schema.items, limit: limit)
        return try entities(try connection.rows(query.text, query.parameters), schema.items)
    }

    func items(before cursor: ItemCursor, limit: Int) throws -> [Item] {
        let query = query(
            schema.items, "AND (r.rank, r.id) < ($2, $3::uuid)",
            [cursor.rank.text, cursor.id.uuidString], order: "rank DESC, id DESC", limit: limit)
        let rows = try connection.rows(query.text, query.parameters)
        return try entities(rows, schema.items).reversed()
    }

    func items(ids: [UUID]) throws -> [Item] {
        let query = query(
            schema.items, "AND r.id = ANY ($2::uuid[])", [Self.array(ids)])
        return try entities(try connection.rows(query.text, query.parameters), schema.items)
    }

    /// A `uuid[]` as a parameter.
    static func array(_ ids: some Sequence<UUID>) -> String {
        "{\(ids.map(\.uuidString).joined(separator: ","))}"
    }

    func itemIDs(in range: ClosedRange<UUID>, limit: Int) throws -> [UUID] {
        let rows = try connection.rows(
            """
            SELECT l.last_number, r.id FROM sheaf.lists l LEFT JOIN LATERAL (
              SELECT r.id FROM sheaf.items r
              WHERE r.list_id = l.id AND r.id BETWEEN $2::uuid AND $3::uuid
              ORDER BY r.id LIMIT \(limit)) r ON true
            WHERE l.id = $1 ORDER BY r.id
            """, [id, range.lowerBound.uuidString, range.upperBound.uuidString])
        try check(rows)
        return (0..<rows.count).compactMap { rows.uuid($0, 1) }
    }

    func itemCount() throws -> Int {
        let rows = try connection.rows(
            """
            SELECT (SELECT count(*) FROM sheaf.items r WHERE r.list_id = l.id)
            FROM sheaf.lists l WHERE l.id = $1
            """, [id])
        try check(rows)
        return Int(rows.integer(0, 0))
    }

    func lastItemRank() throws -> Rank? {
        let rows = try connection.rows(
            """
            SELECT (SELECT r.rank FROM sheaf.items r WHERE r.list_id = l.id
              ORDER BY r.rank DESC, r.id DESC LIMIT 1)
            FROM sheaf.lists l WHERE l.id = $1
            """, [id])
        try check(rows)
        guard !rows.isNull(0, 0) else { return nil }
        guard let rank = Rank(text: rows.text(0, 0)) else {
            throw PostgresFailure(
                state: "22000", "the last row of items is unreadable: invalid rank")
        }
        return rank
    }

    /// What the server says of the list now.
    func row() throws -> ListRow {
        let rows = try connection.rows(
            "SELECT \(ListRow.selected) FROM sheaf.lists l WHERE l.id = $1", [id])
        guard rows.count > 0, let row = ListRow(rows, 0) else { throw MissingRight() }
        return row
    }

    // MARK: What changes are merged with

    /// A part of the list, not older than its number: what changed since then is newer than that.
    struct Snapshot {
        var number: Int64
        /// Whether another client has committed after what is known here.
        var hasOthers: Bool
        var tags: [Tag]
        var views: [SavedView]
        var items: [Item]
    }

    /// All tags and views, the items `ids` and those with one of `tags`; in one round trip.
    func snapshot(
        _ ids: [UUID], tags: [UUID], known: Int64, client: UUID
    ) throws -> Snapshot {
        let wanted =
            tags.isEmpty ? "" : "OR r.tags && $3::uuid[]"
        let queries = [
            Query(
                text: """
                    SELECT l.last_number, EXISTS (
                      SELECT FROM sheaf.commits c WHERE c.list_id = l.id AND c.number > $2::bigint
                        AND (c.client, c.role) <> ($3::uuid, session_user))
                    FROM sheaf.lists l WHERE l.id = $1
                    """, parameters: [id, "\(known)", client.uuidString]),
            query(schema.tags), query(schema.views),
            query(
                schema.items, "AND (r.id = ANY ($2::uuid[]) \(wanted))",
                [Self.array(ids)] + (tags.isEmpty ? [] : [Self.array(tags)])),
        ]
        let results = try connection.rows(queries)
        try check(results[0])
        return Snapshot(
            number: results[0].integer(0, 0), hasOthers: results[0].flag(0, 1),
            tags: try entities(results[1], schema.tags),
            views: try entities(results[2], schema.views),
            items: try entities(results[3], schema.items))
    }

    /// Of the entities `ids` those rows that nobody has written after commit `number`.
    func rows(of ids: Set<UUID>, notAfter number: Int64) throws -> StorageRows {
        let condition = "AND r.id = ANY ($2::uuid[]) AND r.commit_number <= $3::bigint"
        let parameters: [String?] = [Self.array(ids), "\(number)"]
        let results = try connection.rows([
            query(schema.tags, condition, parameters), query(schema.views, condition, parameters),
            query(schema.items, condition, parameters),
        ])
        return StorageRows(
            tags: try entities(results[0], schema.tags),
            views: try entities(results[1], schema.views),
            items: try entities(results[2], schema.items))
    }

    struct StorageRows {
        var tags: [Tag]
        var views: [SavedView]
        var items: [Item]
    }

    // MARK: What others have written

    /// What others have written after a commit.
    struct News {
        var row: ListRow
        var changes = StorageChanges()
        /// Whether deletions are missing, because the list has forgotten some of them.
        var forgets = false
    }

    /// What clients other than `client` have written after commit `known`; in one round trip.
    func news(after known: Int64, client: UUID) throws -> News {
        let parameters: [String?] = ["\(known)", client.uuidString]
        let byOthers = """
            AND r.commit_number > $2::bigint AND NOT EXISTS (
              SELECT FROM sheaf.commits c WHERE c.list_id = r.list_id
                AND c.number = r.commit_number AND c.number > $2::bigint
                AND (c.client, c.role) = ($3::uuid, session_user))
            """
        let queries = [
            Query(
                text: "SELECT \(ListRow.selected) FROM sheaf.lists l WHERE l.id = $1",
                parameters: [id]),
            query(schema.tags, byOthers, parameters),
            query(schema.views, byOthers, parameters),
            query(schema.items, byOthers, parameters, order: "commit_number, id"),
            Query(
                text: """
                    SELECT r.kind, r.id FROM sheaf.tombstones r WHERE r.list_id = $1 \(byOthers)
                    ORDER BY r.commit_number, r.id
                    """, parameters: [id] + parameters),
            Query(
                text: """
                    SELECT r.id, c.role::text, (extract(epoch FROM c.at) * 1000)::bigint
                    FROM sheaf.items r JOIN sheaf.commits c
                      ON c.list_id = r.list_id AND c.number = r.commit_number
                    WHERE r.list_id = $1 AND r.commit_number > $2::bigint
                      AND c.number > $2::bigint AND c.client <> $3::uuid AND c.role <> session_user
                    """, parameters: [id] + parameters),
        ]
        let results = try connection.rows(queries, arePrepared: true)
        guard results[0].count > 0, let row = ListRow(results[0], 0) else { throw MissingRight() }
        var news = News(row: row)
        news.changes.tags.upserts = try entities(results[1], schema.tags)
        news.changes.views.upserts = try entities(results[2], schema.views)
        news.changes.items.upserts = try entities(results[3], schema.items)
        news.forgets = row.forgotten > known
        for author in 0..<results[5].count {
            guard let id = results[5].uuid(author, 0) else { continue }
            news.changes.authors[id] = Author(
                name: results[5].text(author, 1),
                at: Timestamp(milliseconds: results[5].integer(author, 2)))
        }
        for deletion in 0..<results[4].count {
            guard let id = results[4].uuid(deletion, 1) else { continue }
            switch results[4].integer(deletion, 0) {
            case 0: news.changes.items.deletions.append(id)
            case 1: news.changes.tags.deletions.append(id)
            default: news.changes.views.deletions.append(id)
            }
        }
        return news
    }

    /// The ids of all entities of the list.
    func everyID() throws -> Set<UUID> {
        let rows = try connection.rows(
            """
            SELECT NULL::uuid FROM sheaf.lists WHERE id = $1
            UNION ALL SELECT id FROM sheaf.tags WHERE list_id = $1
            UNION ALL SELECT id FROM sheaf.views WHERE list_id = $1
            UNION ALL SELECT id FROM sheaf.items WHERE list_id = $1
            """, [id])
        try check(rows)
        return Set((0..<rows.count).compactMap { rows.uuid($0, 0) })
    }

    // MARK: Replication

    /// Whether the server waits with commits for a standby that is not there, in SQL. Anybody may
    /// count the standbys.
    static let standbyIsAway = """
        current_setting('synchronous_standby_names') <> ''
          AND current_setting('synchronous_commit') NOT IN ('off', 'local')
          AND NOT EXISTS (SELECT FROM pg_stat_replication)
        """

    /// Returns the reason why a commit or a lock takes long, or `nil` if a transaction of another
    /// role may be the reason. A role sees the wait events of its own sessions only.
    static func reasonForWaiting(on connection: PostgresConnection) throws -> String? {
        let rows = try connection.rows(
            """
            SELECT \(standbyIsAway) OR bool_or(a.wait_event IS NOT DISTINCT FROM 'SyncRep'), count(a)
            FROM (SELECT 1) one LEFT JOIN pg_stat_activity a
              ON a.usename = session_user AND a.datname = current_database()
              AND a.pid <> pg_backend_pid() AND a.state = 'active'
              AND a.query LIKE '%sheaf.commit(%' AND a.wait_event_type IS DISTINCT FROM 'Lock'
            """)
        if rows.flag(0, 0) { return "the server waits for its standby" }
        return rows.integer(0, 1) > 0 ? "the server is still at work on an earlier commit" : nil
    }

    /// - Throws: ``PostgresFailure``, that of a standby where the server takes no writes.
    func expectWrites() throws {
        let rows = try connection.rows("SELECT current_setting('transaction_read_only')")
        if rows.text(0, 0) == "on" { throw PostgresFailure(state: "25006", "read-only") }
    }

    // MARK: History

    /// The list's last commit, and those of `ids` that were written or deleted after commit
    /// `number`.
    func written(_ ids: Set<UUID>, after number: Int64) throws -> (now: Int64, ids: Set<UUID>) {
        let tables = ["tags", "views", "items", "tombstones"].map {
            """
            SELECT r.id FROM sheaf.\($0) r WHERE r.list_id = l.id
              AND r.id = ANY ($2::uuid[]) AND r.commit_number > $3::bigint
            """
        }
        let rows = try connection.rows(
            """
            SELECT l.last_number, w.id FROM sheaf.lists l
            LEFT JOIN LATERAL (\(tables.joined(separator: " UNION ALL "))) w ON true
            WHERE l.id = $1
            """, [id, Self.array(ids), "\(number)"])
        try check(rows)
        return (rows.integer(0, 0), Set((0..<rows.count).compactMap { rows.uuid($0, 1) }))
    }

    /// The ids of the commits `numbers`, by number.
    func commits(_ numbers: [Int64]) throws -> [Int64: UUID] {
        let rows = try connection.rows(
            """
            SELECT l.last_number, c.number, c.id FROM sheaf.lists l LEFT JOIN sheaf.commits c
              ON c.list_id = l.id AND c.number = ANY ($2::bigint[])
            WHERE l.id = $1
            """, [id, "{\(numbers.map(String.init).joined(separator: ","))}"])
        try check(rows)
        var commits: [Int64: UUID] = [:]
        for row in 0..<rows.count where !rows.isNull(row, 1) {
            commits[rows.integer(row, 1)] = rows.uuid(row, 2)
        }
        return commits
    }
}
