import FoundationEssentials
import SheafList
import SheafPostgres
import SheafTestSupport
import Testing

/// A member, a reader and an outsider who speak SQL to the server by hand.
/// One after the other: some tests keep locks that others wait for.
@Suite("SQL by hand", .serialized)
struct TableRightsTests {
    private let list: OneList

    init() throws {
        list = try OneList()
        try list.invite("ben", to: .read)
        try list.sql(list.commit(changes: "{\"items\":[\(itemJSON(1))]}"), as: "anna")
    }

    private static let tables = [
        "about", "lists", "members", "makers", "commits", "batches", "tombstones", "tags", "views",
        "items",
    ]

    @Test("nobody writes to a table, whatever the right", arguments: ["anna", "ben", "carla"])
    func tables(_ role: String) throws {
        let writes = Self.tables.flatMap { table in
            [
                "DELETE FROM sheaf.\(table)", "TRUNCATE sheaf.\(table) CASCADE",
                "INSERT INTO sheaf.\(table) SELECT * FROM sheaf.\(table)",
                "LOCK TABLE sheaf.\(table) IN EXCLUSIVE MODE",
                "ALTER TABLE sheaf.\(table) DISABLE ROW LEVEL SECURITY",
                "DROP TABLE sheaf.\(table) CASCADE",
                "CREATE TRIGGER t BEFORE INSERT ON sheaf.\(table) EXECUTE FUNCTION now()",
            ]
        }
        let others = [
            "UPDATE sheaf.items SET name = 'x'", "UPDATE sheaf.members SET may = 'own'",
            "UPDATE sheaf.lists SET last_number = 0", "SELECT 1 FROM sheaf.lists FOR UPDATE",
            "SELECT 1 FROM sheaf.lists FOR SHARE", "CREATE TABLE sheaf.mine (a int)",
            "CREATE FUNCTION sheaf.may(text) RETURNS text LANGUAGE sql AS 'SELECT ''own'''",
        ]
        #expect(try list.accepted(writes + others, as: role).isEmpty)
        #expect(try list.sql("SELECT name FROM sheaf.items WHERE list_id = LIST") == "by hand")
    }

    /// EXPLAIN would tell how many rows of others' lists meet a condition.
    @Test("nobody selects from a table, or explains it", arguments: ["anna", "ben", "carla"])
    func selects(_ role: String) throws {
        let reads = Self.tables.filter { $0 != "about" }.flatMap { table in
            ["", "EXPLAIN ", "EXPLAIN ANALYZE "].map { "\($0)SELECT FROM sheaf.\(table)" }
        }
        #expect(try list.accepted(reads, as: role).isEmpty)
    }

    @Test("an outsider reads nothing of a list, and not whether it is there")
    func outsider() throws {
        let reads = [
            "read_list(LIST)", "read_tags(LIST, -1, NULL)", "read_views(LIST, -1, NULL)",
            "read_changed_items(LIST, -1, NULL)", "read_gone(LIST, -1, NULL)",
            "read_commits(LIST, -1)", "read_items(LIST, '', LIST, 10, false)",
            "read_items_by_id(LIST, ARRAY['\(Fixtures.itemID(1))'::uuid], NULL)",
            "read_item_ids(LIST, '\(Fixtures.itemID(0))', '\(Fixtures.itemID(9))', 10)",
            "count_items(LIST)",
        ]
        for read in reads {
            let sql = "SELECT count(*) FROM sheaf.\(read)"
            for list in ["LIST", "'\(UUID())'"] {
                let refusal = try self.list.refusal(
                    sql.replacing("(LIST", with: "(\(list)"), as: "carla")
                #expect(refusal?.contains("no right to read this list") == true, "\(read)")
            }
            let count =
                read.contains("item") || read.contains("read_list") || read.contains("commits")
            #expect(try list.sql(sql, as: "ben") == (count ? "1" : "0"), "\(read)")
        }
        for (read, count) in [
            ("read_lists() r WHERE id", "1"), ("read_members() r WHERE list_id", "2"),
        ] {
            let sql = "SELECT count(*) FROM sheaf.\(read) = LIST"
            #expect(try list.sql(sql, as: "carla") == "0")
            #expect(try list.sql(sql, as: "ben") == count)
        }
    }

    @Test(
        "functions judge by the right of whoever has logged in",
        arguments: [
            ("ben", "SELECT sheaf.invite(LIST, 'ben', 'own')"),
            ("ben", "SELECT sheaf.invite(LIST, 'carla', 'read')"),
            ("ben", "SELECT sheaf.revoke(LIST, 'anna')"),
            ("ben", "SELECT sheaf.batch_number(LIST, gen_random_uuid(), 1)"),
            ("ben", "SELECT sheaf.put_items(LIST, '[]', 1)"),
            ("ben", "SELECT sheaf.put_tags(LIST, '[]', 1)"),
            ("ben", "SELECT sheaf.put_views(LIST, '[]', 1)"),
            ("ben", "SELECT sheaf.check_owners(LIST)"),
            ("ben", "SELECT sheaf.renumber_members()"),
            ("carla", "SELECT sheaf.invite(LIST, 'carla', 'own')"),
            ("carla", "SELECT sheaf.revoke(LIST, 'ben')"),
            ("carla", "SELECT sheaf.batch_number(LIST, gen_random_uuid(), 1)"),
            ("carla", "SELECT sheaf.invite(NULL, 'carla', 'own')"),
            ("anna", "SELECT sheaf.invite(LIST, 'ben', 'admin')"),
            ("anna", "SELECT sheaf.invite(LIST, 'ben', NULL)"),
            ("anna", "SELECT sheaf.invite(LIST, NULL, 'own')"),
            ("anna", "SELECT sheaf.put_items(LIST, '[]', 1)"),
        ])
    func functions(_ role: String, _ sql: String) throws {
        #expect(try list.refusal(sql, as: role) != nil)
    }

    @Test("a reader and an outsider commit nothing", arguments: ["ben", "carla"])
    func commits(_ role: String) throws {
        for changes in [
            "{\"items\":[\(itemJSON(1, name: "\"forged\""))]}",
            "{\"gone\":{\"items\":[\"\(Fixtures.itemID(1).uuidString)\"]}}", "{}",
        ] {
            #expect(
                try list.refusal(list.commit(changes: changes), as: role)?
                    .contains("no right to write") == true)
        }
        #expect(try list.sql("SELECT last_number FROM sheaf.lists WHERE id = LIST") == "1")
    }

    @Test("a role that another one was set to has no right by it")
    func setRole() throws {
        try list.server.sql("GRANT anna TO carla")
        defer { #expect(throws: Never.self) { try list.server.sql("REVOKE anna FROM carla") } }
        let commit = list.commit(changes: "{}")
        #expect(try list.refusal("SET ROLE anna; \(commit)", as: "carla") != nil)
        #expect(try list.refusal("SET SESSION AUTHORIZATION anna; \(commit)", as: "carla") != nil)
        #expect(
            try list.sql(
                "SET ROLE anna; SELECT count(*) FROM sheaf.read_lists() WHERE id = LIST",
                as: "carla") == "0")
    }

    /// Autovacuum can call it, or a member.
    @Test("a function of another role has no right by the login under which it runs")
    func plantedFunction() throws {
        let list = try OneList.inNewDatabase()
        try list.sql(list.commit(changes: "{\"items\":[\(itemJSON(1))]}"), as: "anna")
        try list.sql(
            """
            GRANT CREATE ON SCHEMA public TO carla;
            INSERT INTO sheaf.members SELECT LIST, rolname, oid, 'own' FROM pg_roles
              WHERE rolname = current_user;
            """)
        let function = """
            CREATE FUNCTION public.take() RETURNS bigint LANGUAGE plpgsql IMMUTABLE SECURITY DEFINER
              AS $$ BEGIN
                BEGIN PERFORM sheaf.invite(LIST, 'carla', 'own');
                EXCEPTION WHEN insufficient_privilege THEN NULL; END;
                RETURN sheaf.count_items(LIST);
                EXCEPTION WHEN insufficient_privilege THEN RETURN 0;
              END $$;
            CREATE FUNCTION public.copy(text) RETURNS bigint LANGUAGE plpgsql IMMUTABLE
              AS $$ BEGIN
                BEGIN PERFORM sheaf.invite(LIST, 'carla', 'own');
                EXCEPTION WHEN insufficient_privilege THEN NULL; END;
                RETURN sheaf.count_items(LIST);
                EXCEPTION WHEN insufficient_privilege THEN RETURN 0;
              END $$;
            CREATE TABLE public.bait (a text);
            CREATE INDEX ON public.bait (public.copy(a));
            INSERT INTO public.bait VALUES ('x'), ('y');
            CREATE TABLE public.other (a text);
            CREATE STATISTICS public.direct ON (sheaf.invite(LIST, 'carla', 'own') IS NULL)
              FROM public.other;
            CREATE FUNCTION public.flip() RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true';
            CREATE TABLE public.third (a text);
            CREATE INDEX ON public.third (public.flip());
            INSERT INTO public.other SELECT 'x' FROM generate_series(1, 60);
            INSERT INTO public.third SELECT 'x' FROM generate_series(1, 60);
            CREATE OR REPLACE FUNCTION public.flip() RETURNS boolean LANGUAGE sql VOLATILE
              AS $$ SELECT sheaf.invite(LIST, 'carla', 'own') IS NULL $$;
            """
        try list.sql(function, as: "carla")
        try list.sql("ANALYZE public.bait")
        for sql in ["ANALYZE public.other", "REINDEX TABLE public.third"] {
            #expect(
                try list.refusal(sql, as: "owner")?.contains("security-restricted") == true,
                "\(sql)")
        }
        let found = "SELECT most_common_vals FROM pg_stats WHERE attname = 'copy'"
        #expect(try list.sql(found) == "{0}")
        #expect(try list.sql("SELECT public.take()", as: "anna") == "0")
        #expect(
            try list.sql("SELECT count(*) FROM sheaf.members WHERE role = 'carla'") == "0")
        let direct = "SELECT sheaf.invite(LIST, 'ben', 'read')"
        #expect(try list.refusal("DO $$ BEGIN PERFORM (\(direct)); END $$", as: "anna") != nil)
        #expect(try list.refusal(direct, as: "anna") == nil)
    }

    @Test("a role that makes lists without end is stopped: it could invite others to all of them")
    func manyLists() throws {
        let list = try OneList.inNewDatabase()
        let make = "SELECT count(sheaf.create_list('list ' || i)) FROM generate_series(1, 1000) i"
        #expect(try list.sql(make, as: "carla") == "1000")
        #expect(
            try list.refusal("SELECT sheaf.create_list('more')", as: "carla")?
                .contains("at most 1000 lists") == true)
    }

    @Test("what is in a search path or is temporary takes no function's place")
    func searchPath() throws {
        let trap = """
            CREATE TEMP TABLE members AS SELECT LIST::uuid AS list_id, 'carla'::name AS role,
              0::oid AS role_number, 'own'::text AS may;
            CREATE FUNCTION pg_temp.may(uuid) RETURNS text LANGUAGE sql AS 'SELECT ''own''::text';
            CREATE FUNCTION pg_temp.session_user() RETURNS name LANGUAGE sql AS 'SELECT ''anna''::name';
            SET search_path = pg_temp, sheaf, pg_catalog;
            """
        #expect(try list.refusal(trap + list.commit(changes: "{}"), as: "carla") != nil)
        #expect(
            try list.refusal(trap + "SELECT * FROM sheaf.read_list(LIST)", as: "carla") != nil)
    }

    @Test("nobody without the right to write keeps writers waiting", arguments: ["ben", "carla"])
    func locks(_ role: String) async throws {
        let anna = try list.open("anna")
        for sql in [
            "SELECT sheaf.batch_number(LIST, gen_random_uuid(), 1)",
            "SELECT sheaf.revoke(LIST, '\(role)')", "SELECT sheaf.revoke(LIST, 'anna')",
            "SELECT sheaf.invite(LIST, '\(role)', 'own')", list.commit(changes: "{}"),
        ] {
            // A transaction that stays open for longer than a test is worth.
            let holder = try OpenTransaction(
                list, as: role, "BEGIN; SAVEPOINT s; \(sql); ROLLBACK TO s; \(sql)")
            let number = Int.random(in: 10..<3_000)
            _ = try await anna.commit(StorageChanges(items: [Fixtures.item(number)]))
            holder.end()
        }
    }
}
