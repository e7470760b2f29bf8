/// A row of `sqlite_schema`, but for its page. These rows are all that SQLite knows of a schema, so
/// that equal rows make equal tables.
struct SchemaRow: Equatable, Sendable {
    var type: String
    var name: String
    var table: String
    /// Empty for the index of a key, which its table's text makes.
    var sql: String

    static func table(_ name: String, _ sql: String) -> Self {
        Self(type: "table", name: name, table: name, sql: sql)
    }

    static func index(_ name: String, of table: String, _ sql: String = "") -> Self {
        Self(type: "index", name: name, table: table, sql: sql)
    }

    /// What the newest version leaves in a new list, as SQLite words it. A test fails if
    /// a migration changes that.
    static let current: [Self] = [
        .table(
            "tags",
            """
            CREATE TABLE tags (
              id TEXT NOT NULL PRIMARY KEY,      -- lower-case UUID
              name TEXT NOT NULL,
              folded_name TEXT NOT NULL UNIQUE,  -- what names are compared by
              color TEXT NOT NULL,
              rank TEXT NOT NULL                 -- order by rank, id
            , commit_number INTEGER NOT NULL DEFAULT 0) STRICT
            """),
        .index("sqlite_autoindex_tags_1", of: "tags"),
        .index("sqlite_autoindex_tags_2", of: "tags"),
        .table(
            "items",
            """
            CREATE TABLE items (
              id TEXT NOT NULL PRIMARY KEY,      -- lower-case UUID
              name TEXT NOT NULL,
              note TEXT NOT NULL,
              rank TEXT NOT NULL,                -- order by rank, id
              done_at INTEGER,                   -- times are milliseconds since 1970 in UTC
              created_at INTEGER NOT NULL,
              updated_at INTEGER NOT NULL,
              extras TEXT NOT NULL               -- JSON: [["key", "value"], …]
            , commit_number INTEGER NOT NULL DEFAULT 0, due TEXT, scheduled TEXT, repeat TEXT, priority TEXT) STRICT
            """),
        .index("sqlite_autoindex_items_1", of: "items"),
        .index(
            "items_by_rank", of: "items",
            "CREATE INDEX items_by_rank ON items (rank, id)"),
        .table(
            "item_tags",
            """
            CREATE TABLE item_tags (
              item_id TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
              tag_id TEXT NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
              PRIMARY KEY (item_id, tag_id)
            ) STRICT, WITHOUT ROWID
            """),
        .index(
            "item_tags_by_tag", of: "item_tags",
            "CREATE INDEX item_tags_by_tag ON item_tags (tag_id)"),
        .index(
            "items_by_commit", of: "items",
            "CREATE INDEX items_by_commit ON items (commit_number)"),
        .table(
            "tombstones",
            """
            CREATE TABLE tombstones (             -- the latest deletions
              id TEXT NOT NULL PRIMARY KEY,       -- of an item or a tag
              kind INTEGER NOT NULL,
              commit_number INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """),
        .index(
            "tombstones_by_commit", of: "tombstones",
            "CREATE INDEX tombstones_by_commit ON tombstones (commit_number)"),
        .table(
            "commits",
            """
            CREATE TABLE commits (                -- one row
              last_number INTEGER NOT NULL,
              forgotten INTEGER NOT NULL          -- up to this commit, tombstones are gone
            ) STRICT
            """),
        .table(
            "views",
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
            ) STRICT
            """),
        .index("sqlite_autoindex_views_1", of: "views"),
    ]
}
