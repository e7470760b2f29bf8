import FoundationEssentials
import SheafList

/// The reads of one list through one connection. Each uses one of ``ReadFunctions``.
///
/// Without the right to read, each read fails (``PostgresFailure/noRight``), so that rows are not
/// mistaken for deleted ones.
struct PostgresReader {
    let connection: PostgresConnection
    let list: UUID
    let schema: PostgresSchema

    private typealias Query = PostgresConnection.Query

    private var id: String { list.uuidString }

    /// Returns a query for the rows of `function`, a call whose `$1` is the list, with the columns
    /// of `table`.
    private func query<Entity: ListEntity>(
        _ table: PostgresTable<Entity>, from function: String, _ condition: String = "",
        _ parameters: [String?] = []
    ) -> Query {
        Query(
            text: "SELECT \(table.selected(from: "r")) FROM sheaf.\(function) r \(condition)",
            parameters: [id] + parameters)
    }

    private static let order = ItemPosition.order(of: "r")

    /// Returns a query for all entities of a small kind.
    private func query<Entity: SmallEntity>(
        all table: PostgresTable<Entity>, _ condition: String = "", _ parameters: [String?] = []
    ) -> Query {
        query(
            table, from: "\(ReadFunctions.reading(Entity.self))($1::uuid, -1, NULL)",
            "\(condition) \(Self.order)", parameters)
    }

    private func entities<Entity: ListEntity>(
        _ query: Query, _ table: PostgresTable<Entity>
    ) throws -> [Entity] {
        try table.entities(try connection.rows(query.text, query.parameters))
    }

    // MARK: Whole tables and pages

    /// Returns all entities of a small kind.
    func all<Entity: SmallEntity>(_ kind: Entity.Type) throws -> [Entity] {
        try entities(query(all: schema[kind]), schema[kind])
    }

    func items(after cursor: ItemPosition?, limit: Int) throws -> [Item] {
        try items(at: cursor, limit, isBackward: false)
    }

    func items(before cursor: ItemPosition, limit: Int) throws -> [Item] {
        try items(at: cursor, limit, isBackward: true).reversed()
    }

    /// Returns the items after or before a position, the nearest first. A `nil` cursor is before
    /// every rank.
    private func items(at cursor: ItemPosition?, _ limit: Int, isBackward: Bool) throws -> [Item] {
        let query = query(
            schema[Item.self],
            from: "read_items($1::uuid, $2, $3::uuid, $4::bigint, \(isBackward))",
            ItemPosition.order(of: "r", isBackward: isBackward),
            [cursor?.rank.text ?? "", (cursor?.id ?? list).uuidString, "\(limit)"])
        return try entities(query, schema[Item.self])
    }

    func items(ids: [UUID]) throws -> [Item] {
        let query = query(
            schema[Item.self], from: "read_items_by_id($1::uuid, $2::uuid[], NULL)",
            Self.order, [Self.array(ids)])
        return try entities(query, schema[Item.self])
    }

    /// Returns a `uuid[]` as a parameter.
    static func array(_ ids: some Sequence<UUID>) -> String {
        "{\(ids.map(\.uuidString).joined(separator: ","))}"
    }

    func itemIDs(in range: ClosedRange<UUID>, limit: Int) throws -> [UUID] {
        let rows = try connection.rows(
            "SELECT r FROM sheaf.read_item_ids($1::uuid, $2::uuid, $3::uuid, $4::bigint) r",
            [id, range.lowerBound.uuidString, range.upperBound.uuidString, "\(limit)"])
        return (0..<rows.count).compactMap { rows.uuid($0, 0) }
    }

    func itemCount() throws -> Int {
        Int(try connection.rows("SELECT sheaf.count_items($1::uuid)", [id]).integer(0, 0))
    }

    func lastItemRank() throws -> Rank? {
        // `~` sorts after every rank, because ranks consist of letters and digits.
        let rows = try connection.rows(
            "SELECT r.rank FROM sheaf.read_items($1::uuid, '~', $1::uuid, 1, true) r", [id])
        guard rows.count > 0 else { return nil }
        guard let rank = Rank(text: rows.text(0, 0)) else {
            throw PostgresFailure(
                state: "22000", "the last row of items is unreadable: invalid rank")
        }
        return rank
    }

    /// Returns the server's present description of the list.
    func row() throws -> ListRow {
        try row(in: try connection.rows(Self.row, [id]))
    }

    private static let row = ListRow.query("read_list($1::uuid)")

    private func row(in rows: PostgresResult) throws -> ListRow {
        guard rows.count > 0, let row = ListRow(rows, 0) else {
            throw PostgresFailure(state: PostgresFailure.noRight, "no right to read this list")
        }
        return row
    }

    // MARK: Rows to merge with

    /// A part of the list, at least as new as the commit `number`.
    struct Snapshot {
        var number: Int64
        /// True if another client has committed after the last commit that this process knows.
        var hasOthers: Bool
        var rows: StorageChanges
    }

    /// Returns all small entities, and the items with `ids` or with one of `tags`, in one round
    /// trip.
    func snapshot(
        _ ids: [UUID], tags: [UUID], known: Int64, client: UUID
    ) throws -> Snapshot {
        // The number is read first, so that the rows are at least as new.
        let results = try connection.rows(
            [
                Query(text: Self.row, parameters: [id]),
                Query(
                    text: """
                        SELECT EXISTS (SELECT FROM sheaf.read_commits($1::uuid, $2::bigint) c
                          WHERE (c.client, c.role) <> ($3::uuid, session_user))
                        """, parameters: [id, "\(known)", client.uuidString]),
            ] + small() + [
                query(
                    schema[Item.self], from: "read_items_by_id($1::uuid, $2::uuid[], $3::uuid[])",
                    Self.order, [Self.array(ids), Self.array(tags)])
            ])
        return Snapshot(
            number: try row(in: results[0]).lastNumber, hasOthers: results[1].flag(0, 0),
            rows: try rows(of: results.dropFirst(2)))
    }

    /// Returns the queries for all entities of each small kind.
    private func small(_ condition: String = "", _ parameters: [String?] = []) -> [Query] {
        func query(_ kind: (some SmallEntity).Type) -> Query {
            self.query(all: schema[kind], condition, parameters)
        }
        return Kinds.small.map { query($0) }
    }

    /// Returns the rows of `results`, one result for each kind, as upserts.
    private func rows(of results: some Sequence<PostgresResult>) throws -> StorageChanges {
        var rows = StorageChanges()
        func read(_ kind: (some ListEntity).Type, _ result: PostgresResult) throws {
            rows[kind].upsert(try schema[kind].entities(result))
        }
        for (kind, result) in zip(Kinds.all, results) { try read(kind, result) }
        return rows
    }

    /// Returns the rows of the entities `ids` that have not been written after commit `number`.
    func rows(of ids: Set<UUID>, notAfter number: Int64) throws -> StorageChanges {
        let condition = "WHERE r.id = ANY ($2::uuid[]) AND r.commit_number <= $3::bigint"
        let parameters: [String?] = [Self.array(ids), "\(number)"]
        let items = query(
            schema[Item.self], from: "read_items_by_id($1::uuid, $2::uuid[], NULL)",
            "WHERE r.commit_number <= $3::bigint \(Self.order)", parameters)
        return try rows(of: try connection.rows(small(condition, parameters) + [items]))
    }

    // MARK: Changes of other clients

    /// The changes of other clients after a commit.
    struct LaterCommits {
        var row: ListRow
        var changes = StorageChanges()
        /// True if deletions are missing, because the server has removed some of their records.
        var forgets = false
    }

    /// Returns the changes of clients other than `client` after commit `known`, in one round trip.
    func laterCommits(after known: Int64, client: UUID) throws -> LaterCommits {
        let parameters: [String?] = ["\(known)", client.uuidString]
        func changed(_ kind: (some ListEntity).Type) -> Query {
            Query(
                text: """
                    SELECT \(schema[kind].selected(from: "r")), r.commit_number
                    FROM sheaf.\(ReadFunctions.reading(kind))($1::uuid, $2::bigint, $3::uuid) r
                    ORDER BY r.commit_number, r.id
                    """, parameters: [id] + parameters)
        }
        let results = try connection.rows(
            [
                Query(text: Self.row, parameters: [id])
            ] + Kinds.all.map { changed($0) } + [
                Query(
                    text: """
                        SELECT r.kind, r.id
                        FROM sheaf.read_gone($1::uuid, $2::bigint, $3::uuid) r
                        ORDER BY r.commit_number, r.id
                        """, parameters: [id] + parameters),
                Query(
                    text: """
                        SELECT c.number, c.role::text, (extract(epoch FROM c.at) * 1000)::bigint
                        FROM sheaf.read_commits($1::uuid, $2::bigint) c
                        WHERE c.client <> $3::uuid AND c.role <> session_user
                        """, parameters: [id] + parameters),
            ], arePrepared: true)
        let places = Kinds.all.indices.map { $0 + 1 }
        let (items, gone, commits) = (
            results[places.count], results[places.count + 1], results[places.count + 2]
        )
        var later = LaterCommits(row: try row(in: results[0]))
        later.changes = try rows(of: places.map { results[$0] })
        later.forgets = later.row.forgotten > known
        var authors: [Int64: Author] = [:]
        for row in 0..<commits.count {
            authors[commits.integer(row, 0)] = Author(
                name: commits.text(row, 1), at: Timestamp(milliseconds: commits.integer(row, 2)))
        }
        let commitNumber = schema[Item.self].width
        for row in 0..<items.count {
            guard let id = items.uuid(row, 0) else { continue }
            later.changes.authors[id] = authors[items.integer(row, commitNumber)]
        }
        for deletion in 0..<gone.count {
            guard let id = gone.uuid(deletion, 1) else { continue }
            later.changes.delete(id, ofKind: gone.integer(deletion, 0))
        }
        return later
    }

    /// Returns the ids of all entities of the list.
    func everyID() throws -> Set<UUID> {
        let small = Kinds.small.map {
            "SELECT r.id FROM sheaf.\(ReadFunctions.reading($0))($1::uuid, -1, NULL) r UNION ALL"
        }
        let rows = try connection.rows(
            """
            \(small.joined(separator: " "))
            SELECT r FROM sheaf.read_item_ids($1::uuid,
              '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff',
              NULL) r
            """, [id])
        return Set((0..<rows.count).compactMap { rows.uuid($0, 0) })
    }

    // MARK: Replication

    /// An SQL condition that is true if commits wait for a standby that is not connected. Any role
    /// may count the standbys.
    static let standbyIsDisconnected = """
        current_setting('synchronous_standby_names') <> ''
          AND current_setting('synchronous_commit') NOT IN ('off', 'local')
          AND NOT EXISTS (SELECT FROM pg_stat_replication)
        """

    /// Returns the reason why a commit or a lock takes long, or `nil` if a transaction of another
    /// role may be the reason. A role can see only the wait events of its own sessions.
    static func reasonForWaiting(on connection: PostgresConnection) throws -> String? {
        let rows = try connection.rows(
            """
            SELECT \(standbyIsDisconnected) OR bool_or(a.wait_event IS NOT DISTINCT FROM 'SyncRep'), count(a)
            FROM (SELECT 1) one LEFT JOIN pg_stat_activity a
              ON a.usename = session_user AND a.datname = current_database()
              AND a.pid <> pg_backend_pid() AND a.state = 'active'
              AND a.query LIKE '%sheaf.commit(%' AND a.wait_event_type IS DISTINCT FROM 'Lock'
            """)
        if rows.flag(0, 0) { return "the server waits for its standby" }
        return rows.integer(0, 1) > 0 ? "the server is still working on an earlier commit" : nil
    }

    /// Returns the failure of a server that accepts no writes on this connection, or `nil` if it
    /// accepts them.
    func readOnlyFailure() throws -> PostgresFailure? {
        let rows = try connection.rows(
            """
            SELECT current_setting('transaction_read_only'), NOT pg_is_in_recovery() AND EXISTS (
              SELECT FROM pg_settings
              WHERE name = 'default_transaction_read_only' AND source = 'client')
            """)
        guard rows.text(0, 0) == "on" else { return nil }
        return PostgresFailure(state: rows.flag(0, 1) ? PostgresFailure.askedReadOnly : "25006", "")
    }

    /// - Throws: The ``readOnlyFailure()`` if the server accepts no writes.
    func expectWrites() throws {
        if let failure = try readOnlyFailure() { throw failure }
    }

    // MARK: History

    /// Returns true if the server has made a commit of `client`. If it has not, it will not make
    /// that commit later either.
    func hasCommitted(_ batch: Int64, of client: UUID) throws -> Bool {
        let rows = try connection.rows(
            "SELECT sheaf.batch_number($1::uuid, $2::uuid, $3::bigint)",
            [id, client.uuidString, "\(batch)"])
        return rows.count == 1 && !rows.isNull(0, 0)
    }

    /// Returns the number of the list's last commit, and the part of `ids` that was written or
    /// deleted after commit `number`.
    func written(_ ids: Set<UUID>, after number: Int64) throws -> (now: Int64, ids: Set<UUID>) {
        let changed = (Kinds.all.map { ReadFunctions.reading($0) } + ["read_gone"]).map {
            """
            SELECT r.id FROM sheaf.\($0)($1::uuid, $3::bigint, NULL) r
            WHERE r.id = ANY ($2::uuid[])
            """
        }
        // The number is read first, so writes that this query misses have higher numbers.
        let results = try connection.rows([
            Query(text: Self.row, parameters: [id]),
            Query(
                text: changed.joined(separator: " UNION ALL "),
                parameters: [id, Self.array(ids), "\(number)"]),
        ])
        let written = (0..<results[1].count).compactMap { results[1].uuid($0, 0) }
        return (try row(in: results[0]).lastNumber, Set(written))
    }

    /// Returns the ids of the commits `numbers`, by number.
    func commits(_ numbers: [Int64]) throws -> [Int64: UUID] {
        guard let first = numbers.min() else { return [:] }
        let rows = try connection.rows(
            """
            SELECT c.number, c.id FROM sheaf.read_commits($1::uuid, $2::bigint) c
            WHERE c.number = ANY ($3::bigint[])
            """, [id, "\(first - 1)", "{\(numbers.map(String.init).joined(separator: ","))}"])
        var commits: [Int64: UUID] = [:]
        for row in 0..<rows.count { commits[rows.integer(row, 0)] = rows.uuid(row, 1) }
        return commits
    }
}
