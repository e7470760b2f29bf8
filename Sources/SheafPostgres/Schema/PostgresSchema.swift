import SheafFormats
import SheafList

/// The tables and functions of a server's lists, in the schema `sheaf` of a database.
///
/// `sheaf share init` creates them, or upgrades older ones. Clients read and write the tables only
/// through functions, which check the rights of the login role.
struct PostgresSchema: Sendable {
    static let version = FormatVersions.current.server
    /// The maximum length of a rank in the tables, because an index row is at most a third of a
    /// page.
    static let maxDigitsOfRank = 2_000

    /// The columns of each table, or `nil` if they are those of this version.
    private let present: [String: Set<String>]?

    static let current = PostgresSchema()

    /// The settings of a connection that make the planner use the indexes of a list.
    ///
    /// The planner's statistics cover all lists, so it misjudges single ones. With a large list in
    /// the database, it would read the rows of all lists for each commit to a small one, or spend
    /// more time compiling a query than running it. No query on a list benefits from the disabled
    /// plans.
    static let planning = """
        SET enable_seqscan = off; SET enable_bitmapscan = off; SET jit = off;
        SET plan_cache_mode = force_generic_plan;
        """

    /// - Parameter present: The columns of each table, or `nil` if they are those of this version.
    init(present: [String: Set<String>]? = nil) { self.present = present }

    /// Returns the table of a kind.
    subscript<Entity: ListEntity>(_ kind: Entity.Type) -> PostgresTable<Entity> {
        PostgresTable(present: present.map { $0[kind.plural] ?? [] })
    }

    /// The script that creates the whole schema, or upgrades an older version. It can be run
    /// repeatedly, and runs as one transaction.
    var script: String {
        func creation(_ kind: (some ListEntity).Type) -> String { self[kind].creation }
        func putFunction(_ kind: (some ListEntity).Type) -> String { self[kind].putFunction }
        let tables = Kinds.all.map { creation($0) }
        let parts =
            [
                // Notices about objects that do not exist yet are not helpful.
                "BEGIN;", "SET LOCAL client_min_messages = warning;",
                // psql would find functions that other roles have created in public.
                "SET LOCAL search_path = pg_catalog, pg_temp;",
                // While this script waits for a table, all other sessions wait behind it.
                "SET LOCAL lock_timeout = '5s';", refusal, Self.commonTables,
            ] + tables + [
                tagNames,
                "CREATE INDEX IF NOT EXISTS items_by_rank ON sheaf.items (list_id, rank, id);",
                MembershipFunctions.sql,
            ] + Kinds.all.map { putFunction($0) } + [
                ReadFunctions.sql, CommitFunction.sql, rights,
                "UPDATE sheaf.about SET version = \(Self.version);",
                "COMMIT;",
            ]
        return parts.joined(separator: "\n\n")
    }

    /// Returns a condition that is true if `id` is the id of a tag of the list `p_list`. If it is
    /// part of another expression, PostgreSQL reads the tags only once for all rows.
    static func isTag(_ id: String) -> String {
        "\(id) IN (SELECT g.id FROM sheaf.tags g WHERE g.list_id = p_list)"
    }

    /// Refuses to change the tables of a newer version. The script must be ASCII, because a
    /// database with another encoding would reject other text before it could report the required
    /// encoding.
    private var refusal: String {
        """
        CREATE SCHEMA IF NOT EXISTS sheaf;
        \(Self.ownerRefusal)
        CREATE TABLE IF NOT EXISTS sheaf.about (version integer NOT NULL);
        DO $sheaf$ BEGIN
          IF current_setting('server_encoding') <> 'UTF8' THEN
            RAISE 'the database must have the encoding UTF8: CREATE DATABASE NAME ENCODING ''UTF8''';
          END IF;
          IF (SELECT max(version) FROM sheaf.about) > \(Self.version) THEN
            RAISE 'a newer version of Sheaf set this up' USING ERRCODE = 'SHV01';
          END IF;
        END $sheaf$;
        INSERT INTO sheaf.about SELECT 0 WHERE NOT EXISTS (SELECT FROM sheaf.about);
        -- The key under which clients remember the lists that names mean. Failovers keep it.
        ALTER TABLE sheaf.about ADD COLUMN IF NOT EXISTS database_id uuid;
        UPDATE sheaf.about SET database_id = gen_random_uuid() WHERE database_id IS NULL;
        -- False until `sheaf share init` has put tags back into the names of an older version.
        ALTER TABLE sheaf.about ADD COLUMN IF NOT EXISTS names_hold_tags boolean NOT NULL DEFAULT false;
        UPDATE sheaf.about SET names_hold_tags = true WHERE version = 0;
        """
    }

    private static var commonTables: String {
        """
        CREATE TABLE IF NOT EXISTS sheaf.lists (
          id uuid PRIMARY KEY,
          name text NOT NULL,
          owner name NOT NULL,                       -- the role that created it: OWNER/NAME
          last_number bigint NOT NULL DEFAULT 0,     -- of its last commit
          forgotten bigint NOT NULL DEFAULT 0,       -- up to this commit, tombstones are gone
          created_at timestamptz NOT NULL DEFAULT now()
        );
        CREATE UNIQUE INDEX IF NOT EXISTS lists_by_name ON sheaf.lists (owner, md5(name));
        -- The number of a role distinguishes it from a later role of the same name.
        CREATE TABLE IF NOT EXISTS sheaf.members (
          list_id uuid NOT NULL REFERENCES sheaf.lists (id) ON DELETE CASCADE,
          role name NOT NULL,
          role_number oid NOT NULL,
          may text NOT NULL CHECK (may IN ('read', 'write', 'own')),
          PRIMARY KEY (list_id, role)
        );
        CREATE INDEX IF NOT EXISTS members_by_role ON sheaf.members (role);
        -- The number of lists that each role has created.
        CREATE TABLE IF NOT EXISTS sheaf.makers (
          role name PRIMARY KEY,
          lists integer NOT NULL
        );
        CREATE TABLE IF NOT EXISTS sheaf.commits (
          list_id uuid NOT NULL REFERENCES sheaf.lists (id) ON DELETE CASCADE,
          number bigint NOT NULL,
          id uuid NOT NULL DEFAULT gen_random_uuid(),  -- distinguishes histories
          role name NOT NULL,
          client uuid NOT NULL,                        -- the process that made it
          at timestamptz NOT NULL DEFAULT now(),
          PRIMARY KEY (list_id, number)
        );
        -- The last batch of each process, by which a batch whose answer was lost is recognized.
        CREATE TABLE IF NOT EXISTS sheaf.batches (
          list_id uuid NOT NULL REFERENCES sheaf.lists (id) ON DELETE CASCADE,
          client uuid NOT NULL,
          role name NOT NULL,
          batch bigint NOT NULL,
          number bigint NOT NULL,
          at timestamptz NOT NULL DEFAULT now(),
          PRIMARY KEY (list_id, client, role)
        );
        CREATE TABLE IF NOT EXISTS sheaf.tombstones (
          list_id uuid NOT NULL REFERENCES sheaf.lists (id) ON DELETE CASCADE,
          id uuid NOT NULL,
          kind smallint NOT NULL,                      -- \(kinds)
          commit_number bigint NOT NULL,
          at timestamptz NOT NULL DEFAULT now(),
          PRIMARY KEY (list_id, id)
        );
        CREATE INDEX IF NOT EXISTS tombstones_by_commit ON sheaf.tombstones (list_id, commit_number);
        """
    }

    /// Makes tag names unique. The constraint uses hashes, because an index entry cannot contain a
    /// long text. A commit defers the check until all tags are written, because a name may move to
    /// another tag.
    private var tagNames: String {
        """
        ALTER TABLE sheaf.tags ADD COLUMN IF NOT EXISTS name_hash text
          GENERATED ALWAYS AS (md5(folded_name)) STORED;
        DO $sheaf$ BEGIN
          IF NOT EXISTS (SELECT FROM pg_constraint
            WHERE conname = 'tags_one_name' AND conrelid = 'sheaf.tags'::regclass) THEN
            ALTER TABLE sheaf.tags ADD CONSTRAINT tags_one_name UNIQUE (list_id, name_hash)
              DEFERRABLE INITIALLY IMMEDIATE;
          END IF;
        END $sheaf$;
        """
    }

    /// The numbers of the kinds with their names.
    private static var kinds: String {
        let kinds = Kinds.all.sorted { $0.number < $1.number }
        return kinds.map { "\($0.number) \($0.noun)" }.joined(separator: ", ")
    }

    /// All tables except `about`, which every role may read.
    private static let tables =
        ["lists", "members", "makers", "commits", "batches", "tombstones"]
        + Kinds.all.map { $0.plural }

    /// Grants the functions to all roles, and the tables to none. Row security without a policy
    /// hides the rows from a role that is granted a table by mistake.
    private var rights: String {
        let walls = Self.tables.map { "ALTER TABLE sheaf.\($0) ENABLE ROW LEVEL SECURITY;" }
        let functions =
            MembershipFunctions.granted + ReadFunctions.granted + CommitFunction.granted
        return """
            \(Self.withoutOthers)
            \(walls.joined(separator: "\n"))
            -- Version 1 needed it for its policies.
            DROP FUNCTION IF EXISTS sheaf.my_lists();
            REVOKE ALL ON SCHEMA sheaf FROM PUBLIC;
            REVOKE ALL ON ALL TABLES IN SCHEMA sheaf FROM PUBLIC;
            REVOKE ALL ON ALL FUNCTIONS IN SCHEMA sheaf FROM PUBLIC;
            GRANT USAGE ON SCHEMA sheaf TO PUBLIC;
            GRANT SELECT ON sheaf.about TO PUBLIC;
            GRANT EXECUTE ON FUNCTION \(functions.joined(separator: ",\n  ")) TO PUBLIC;
            """
    }
}
