import CSQLite
import FoundationEssentials
import Glibc
import SheafFormats
import SheafList

/// The tables of a store, and the migrations from one version to the next.
struct Schema: Sendable {
    /// The migrations. Step n upgrades a store from version n to n + 1; a new store runs all of
    /// them. Each ends its own statements, so that further SQL may follow.
    let migrations: [String]
    /// The rows of `sqlite_schema` in a new list.
    let rows: [SchemaRow]
    /// The extras that become fields in one of the migrations. They are removed from the extras of
    /// every row.
    let formerExtras: [FormerExtra]

    init(migrations: [String], formerExtras: [FormerExtra] = FormerExtra.all) {
        // The last line may be a comment.
        self.migrations = migrations.map { "\($0)\n" }
        self.formerExtras = formerExtras
        rows = SchemaRow.rows(after: migrations)
    }

    /// The schema version that the program writes.
    var version: Int64 { Int64(migrations.count) }

    static let current = Schema(migrations: currentMigrations)

    private static let currentMigrations = [
        """
        CREATE TABLE tags (
          id TEXT NOT NULL PRIMARY KEY,      -- lower-case UUID
          name TEXT NOT NULL,
          folded_name TEXT NOT NULL UNIQUE,  -- what names are compared by
          color TEXT NOT NULL,
          rank TEXT NOT NULL                 -- order by rank, id
        ) STRICT;
        CREATE TABLE items (
          id TEXT NOT NULL PRIMARY KEY,      -- lower-case UUID
          name TEXT NOT NULL,
          note TEXT NOT NULL,
          rank TEXT NOT NULL,                -- order by rank, id
          done_at INTEGER,                   -- times are milliseconds since 1970 in UTC
          created_at INTEGER NOT NULL,
          updated_at INTEGER NOT NULL,
          extras TEXT NOT NULL               -- JSON: [["key", "value"], …]
        ) STRICT;
        CREATE INDEX items_by_rank ON items (rank, id);
        CREATE TABLE item_tags (
          item_id TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
          tag_id TEXT NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
          PRIMARY KEY (item_id, tag_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX item_tags_by_tag ON item_tags (tag_id);
        """,
        """
        ALTER TABLE tags ADD COLUMN commit_number INTEGER NOT NULL DEFAULT 0;  -- who wrote the row last
        ALTER TABLE items ADD COLUMN commit_number INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX items_by_commit ON items (commit_number);
        CREATE TABLE tombstones (             -- the latest deletions
          id TEXT NOT NULL PRIMARY KEY,       -- of an item or a tag
          is_tag INTEGER NOT NULL,
          commit_number INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX tombstones_by_commit ON tombstones (commit_number);
        CREATE TABLE commits (                -- one row
          last_number INTEGER NOT NULL,
          forgotten INTEGER NOT NULL          -- up to this commit, tombstones are gone
        ) STRICT;
        INSERT INTO commits VALUES (0, 0);
        """,
        """
        CREATE TABLE views (
          id TEXT NOT NULL PRIMARY KEY,       -- lower-case UUID
          name TEXT NOT NULL,
          query TEXT NOT NULL,
          tag TEXT,                           -- the id of the chosen tag
          shows_untagged INTEGER NOT NULL,    -- 1 or 0
          hides_done INTEGER NOT NULL,
          sort TEXT NOT NULL,
          is_reversed INTEGER NOT NULL,
          rank TEXT NOT NULL,                 -- order by rank, id
          commit_number INTEGER NOT NULL
        ) STRICT;
        ALTER TABLE tombstones RENAME COLUMN is_tag TO kind;  -- 0 item, 1 tag, 2 view
        """,
        """
        ALTER TABLE items ADD COLUMN due TEXT;        -- days: 2026-06-15
        ALTER TABLE items ADD COLUMN scheduled TEXT;
        ALTER TABLE items ADD COLUMN repeat TEXT;     -- as rec: of a todo.txt: +1m
        ALTER TABLE items ADD COLUMN priority TEXT;   -- A to Z
        """,
        ";  -- Names hold the tags within them: restoreNames(on:) rewrites them.",
    ]

    /// Makes the tables in an empty database and inserts the small entities of `rows`.
    ///
    /// - Parameter id: the list's own id, or nil if the id of the list is unknown.
    func create(
        on connection: SQLiteConnection, with rows: StorageChanges = StorageChanges(),
        id: UUID? = .random()
    ) throws {
        try connection.execute("PRAGMA synchronous = EXTRA")
        try connection.transaction("BEGIN EXCLUSIVE") {
            try connection.execute("PRAGMA application_id = \(StoreHeader.applicationID)")
            try run(from: 0, on: connection)
            guard version == Self.current.version else { return }
            if let id { try setID(id, on: connection) }
            func save<Entity: SmallEntity>(_ kind: Entity.Type) throws {
                guard !rows[kind].isEmpty else { return }
                let table = try SmallTable<Entity>(on: connection)
                for entity in rows[kind].upserts { try table.save(entity, in: 0) }
            }
            for kind in Kinds.small { try save(kind) }
        }
    }

    /// Gives a list an id if it has no id, no items and no tags that could identify it.
    /// O(tombstones) for an empty list.
    ///
    /// Lists with rows get no id, because copies of one list would get different ids.
    func identifyEmpty(on connection: SQLiteConnection) throws {
        let isNameless =
            "SELECT NOT EXISTS (SELECT 1 FROM items) AND NOT EXISTS (SELECT 1 FROM tags)"
            + " AND NOT EXISTS (SELECT 1 FROM tombstones WHERE kind = \(Tombstone.list))"
        guard try connection.integer(isNameless) == 1 else { return }
        try connection.transaction("BEGIN IMMEDIATE") {
            guard try connection.integer(isNameless) == 1 else { return }
            try setID(.random(), on: connection)
        }
    }

    private func setID(_ id: UUID, on connection: SQLiteConnection) throws {
        let identity = try connection.statement(
            "INSERT INTO tombstones VALUES (?1, \(Tombstone.list), 0)")
        try identity.bind(id, at: 1)
        try identity.run()
    }

    /// Upgrades an existing store to the newest version, all or nothing, after a backup beside it.
    func upgrade(_ file: StoreFile, on connection: SQLiteConnection) throws {
        guard try storedVersion(connection) < version else { return }
        // A read lock from the backup to the upgrade keeps all other writers out.
        try connection.transaction("BEGIN") {
            let stored = try storedVersion(connection)
            guard (0..<version).contains(stored) else { return }
            try SchemaCheck(schema: self, connection: connection).run()
            try file.backUp(version: stored) { path in
                try SQLiteCopy.copyPages(of: connection, to: path)
            }
            try run(from: stored, on: connection)
        }
    }

    /// Upgrades a copy to the newest version. No other process has the copy open, and its original
    /// still exists.
    func upgrade(copy connection: SQLiteConnection) throws {
        try connection.transaction("BEGIN IMMEDIATE") {
            let stored = try storedVersion(connection)
            try SchemaCheck(schema: self, connection: connection).run()
            if stored < version { try run(from: stored, on: connection) }
        }
    }

    private func run(from stored: Int64, on connection: SQLiteConnection) throws {
        for step in Int(stored)..<migrations.count {
            try connection.execute(migrations[step])
            let former = formerExtras.filter { $0.version == step + 1 }
            if !former.isEmpty { try take(former, on: connection) }
            if step + 1 == FormatVersions.namesRestored.tables {
                try restoreNames(on: connection)
            }
        }
        try connection.execute("PRAGMA user_version = \(version)")
    }

    /// Moves former extras of every row to their fields. The rows have only the columns of this
    /// version and earlier ones.
    private func take(_ former: [FormerExtra], on connection: SQLiteConnection) throws {
        let keys = Set(former.map(\.key))
        let fields = Set(former.map(\.field) + ["extras"])
        try rewrite("extras <> '[]'", fields, on: connection) { item, tags in
            guard item.extras.contains(where: { keys.contains($0.key) }) else { return false }
            let taken = try item.convertFormerExtras(former, tags: tags(), isUnknown: { _ in true })
            return !taken.isEmpty
        }
    }

    /// Restores the tags in item names from which imports had removed them.
    private func restoreNames(on connection: SQLiteConnection) throws {
        let hasLine = "instr(extras, '\"\(Item.keptLineKey)\"') > 0"
        try rewrite(hasLine, ["name"], on: connection) { item, tags in
            guard let name = item.nameInKeptLine(tags: try tags()) else { return false }
            item.name = name
            return true
        }
    }

    /// Changes the rows of items that `condition` finds and for which `change` returns true. The
    /// table may lack the columns of later versions. O(items).
    ///
    /// - Parameters:
    ///   - fields: the names of the fields that are written.
    ///   - change: gets an item, and a function that reads the names of its tags.
    private func rewrite(
        _ condition: String, _ fields: Set<String>, on connection: SQLiteConnection,
        _ change: (_ item: inout Item, _ tags: () throws -> [String]) throws -> Bool
    ) throws {
        let info = try connection.statement("PRAGMA main.table_info(items)")
        var present: Set<String> = []
        while try info.step() { present.insert(info.text(1)) }
        let columns = EntityColumns(Item.fields, present: present)
        let written = EntityColumns(Item.fields.filter { fields.contains($0.name) })
        let rows = try connection.statement(
            "SELECT rowid, \(columns.names), id FROM items WHERE \(condition)")
        let tags = try connection.statement(
            "SELECT name FROM tags JOIN item_tags ON tag_id = id WHERE item_id = ?1")
        let parameters = (0..<written.count).map { "?\($0 + 2)" }.joined(separator: ", ")
        let update = try connection.statement(
            "UPDATE OR ABORT items SET (\(written.names)) = (\(parameters)) WHERE rowid = ?1")
        let blank = Item(id: UUID.random())
        while try rows.step() {
            var item = blank
            _ = columns.read(rows, from: 1, into: &item)
            let isChanged = try change(&item) {
                defer { tags.reset() }
                try tags.bind(rows.text(1 + columns.count), at: 1)
                var names: [String] = []
                while try tags.step() { names.append(tags.text(0)) }
                return names
            }
            guard isChanged else { continue }
            try update.bind(rows.integer(0), at: 1)
            try written.bind(item, to: update, from: 2)
            try update.run()
        }
    }

    private func storedVersion(_ connection: SQLiteConnection) throws -> Int64 {
        try connection.integer("PRAGMA user_version") ?? 0
    }
}
