import SheafList

/// Checks of an existing schema `sheaf`.
extension PostgresSchema {
    /// A query for the schema and its parts, each with its owner. `person` is 0 for every
    /// superuser, because superusers can change everything in any case.
    private static let owned = """
        (SELECT pg_describe_object(o.class, o.id, 0) AS name, r.rolname AS role,
            CASE WHEN r.rolsuper THEN 0 ELSE r.oid END AS person
          FROM (
            SELECT 'pg_namespace'::regclass, n.oid, n.oid, n.nspowner FROM pg_namespace n
            UNION ALL SELECT 'pg_class'::regclass, oid, relnamespace, relowner FROM pg_class
            UNION ALL SELECT 'pg_proc'::regclass, oid, pronamespace, proowner FROM pg_proc
            UNION ALL SELECT 'pg_type'::regclass, oid, typnamespace, typowner FROM pg_type
              WHERE typrelid = 0 AND typcategory <> 'A'  -- no rows of tables, and no arrays
          ) o(class, id, space, owner) JOIN pg_roles r ON r.oid = o.owner
          WHERE o.space = (SELECT n.oid FROM pg_namespace n WHERE n.nspname = 'sheaf')
            -- A role that may create objects can put an extension anywhere, but not change it.
            AND NOT EXISTS (SELECT FROM pg_depend d
              WHERE d.classid = o.class AND d.objid = o.id AND d.deptype = 'e'))
        """

    /// Refuses a schema if another role owns it or a part of it. That role could replace a
    /// function, and so read and change every list.
    static let ownerRefusal = """
        DO $sheaf$
        DECLARE v_part text;
        BEGIN
          SELECT min(o.name || ' belongs to the role ' || o.role) INTO v_part FROM \(owned) o
            WHERE o.person <> (SELECT CASE WHEN r.rolsuper THEN 0 ELSE r.oid END
              FROM pg_roles r WHERE r.rolname = current_user)
            -- A role without the right to set up the schema gets another error.
            AND has_database_privilege(current_database(), 'CREATE');
          IF v_part IS NOT NULL THEN
            RAISE '%, which could read and change every list', v_part USING ERRCODE = 'SHV04';
          END IF;
        END $sheaf$;
        """

    /// A query for the roles, other than owners, to which rights on the schema or its parts were
    /// granted.
    private static let grantees = """
        SELECT DISTINCT r.rolname AS role FROM (
            SELECT n.oid, (aclexplode(n.nspacl)).grantee, n.nspowner FROM pg_namespace n
            UNION ALL SELECT relnamespace, (aclexplode(relacl)).grantee, relowner FROM pg_class
            UNION ALL SELECT c.relnamespace, (aclexplode(a.attacl)).grantee, c.relowner
              FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
            UNION ALL SELECT pronamespace, (aclexplode(proacl)).grantee, proowner FROM pg_proc
          ) g(space, grantee, owner) JOIN pg_roles r ON r.oid = g.grantee AND g.grantee <> g.owner
          WHERE g.space = (SELECT n.oid FROM pg_namespace n WHERE n.nspname = 'sheaf')
        """

    /// Returns the roles with rights on the schema that Sheaf does not grant.
    static func privileged(on connection: PostgresConnection) throws -> [String] {
        let rows = try connection.rows(
            """
            SELECT g.role::text FROM (\(grantees)) g
            UNION SELECT 'PUBLIC' FROM pg_namespace n, aclexplode(n.nspacl) e
              WHERE n.nspname = 'sheaf' AND e.grantee = 0 AND e.privilege_type = 'CREATE'
            UNION SELECT 'PUBLIC' FROM pg_class c, aclexplode(c.relacl) e
              WHERE c.relnamespace = to_regnamespace('sheaf') AND e.grantee = 0
                AND (c.relname, e.privilege_type) <> ('about', 'SELECT')
            ORDER BY 1
            """)
        return (0..<rows.count).map { rows.text($0, 0) }
    }

    /// Revokes rights that default privileges or an earlier owner granted to single roles. With
    /// CREATE on the schema, a role could overload a function of Sheaf; with rights on a table, it
    /// could bypass every function. Drops triggers that run functions of other roles, and policies
    /// that permit reading rows.
    static let withoutOthers = """
        DO $sheaf$
        DECLARE
          v_space oid := (SELECT n.oid FROM pg_namespace n WHERE n.nspname = 'sheaf');
          v record;
        BEGIN
          FOR v IN \(grantees)
          LOOP
            EXECUTE format('REVOKE ALL ON SCHEMA sheaf FROM %I CASCADE', v.role);
            EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA sheaf FROM %I CASCADE', v.role);
            EXECUTE format('REVOKE ALL ON ALL SEQUENCES IN SCHEMA sheaf FROM %I CASCADE', v.role);
            EXECUTE format('REVOKE ALL ON ALL ROUTINES IN SCHEMA sheaf FROM %I CASCADE', v.role);
          END LOOP;
          FOR v IN SELECT t.tgname AS name, c.relname AS "table"
            FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
              JOIN pg_proc p ON p.oid = t.tgfoid JOIN pg_roles r ON r.oid = p.proowner
            WHERE c.relnamespace = v_space AND NOT t.tgisinternal
              AND p.proowner <> c.relowner AND NOT r.rolsuper
          LOOP
            EXECUTE format('DROP TRIGGER %I ON sheaf.%I', v.name, v."table");
          END LOOP;
          FOR v IN SELECT p.policyname AS name, p.tablename AS "table" FROM pg_policies p
            WHERE p.schemaname = 'sheaf' AND p.permissive = 'PERMISSIVE'
          LOOP
            EXECUTE format('DROP POLICY %I ON sheaf.%I', v.name, v."table");
          END LOOP;
        END $sheaf$;
        """

    /// Returns the owners of the schema and its parts, each with one of the parts. There should be
    /// only one owner.
    static func owners(
        on connection: PostgresConnection
    ) throws -> [(role: String, part: String)] {
        let rows = try connection.rows(
            "SELECT min(o.role)::text, min(o.name) FROM \(owned) o GROUP BY o.person ORDER BY 1")
        return (0..<rows.count).map { (rows.text($0, 0), rows.text($0, 1)) }
    }

    /// Returns the columns, functions and constraints of this version that are missing, or that the
    /// role may not use.
    func missing(on connection: PostgresConnection) throws -> [String] {
        func array(_ words: [String]) -> String {
            "unnest(ARRAY[\(words.map { "'\($0)'" }.joined(separator: ", "))]) w"
        }
        func columns(_ kind: (some ListEntity).Type) -> [String] {
            self[kind].written.map { "\(kind.plural).\($0)" }
        }
        let columns = Kinds.all.flatMap { columns($0) }
        let granted =
            MembershipFunctions.granted + ReadFunctions.granted + CommitFunction.granted
        let called =
            Kinds.all.map { "sheaf.put_\($0.plural)(uuid, json, bigint)" }
            + ["sheaf.may(uuid)", "sheaf.check_owners(uuid)"]
        let rows = try connection.rows(
            """
            SELECT 'column sheaf.' || w FROM \(array(columns)) WHERE NOT EXISTS (
              SELECT FROM pg_attribute a WHERE a.attname = split_part(w, '.', 2)
                AND a.attrelid = to_regclass('sheaf.' || split_part(w, '.', 1)))
            UNION ALL SELECT 'function ' || w FROM \(array(granted))
              WHERE has_function_privilege(to_regprocedure(w), 'EXECUTE') IS NOT TRUE
            UNION ALL SELECT 'function ' || w FROM \(array(called))
              WHERE to_regprocedure(w) IS NULL
            UNION ALL SELECT 'row security of sheaf.' || c.relname FROM pg_class c
              WHERE c.relnamespace = to_regnamespace('sheaf') AND c.relkind = 'r'
                AND NOT c.relrowsecurity AND c.relname <> 'about'
            """)
        return (0..<rows.count).map { rows.text($0, 0) }
    }

    /// Returns the members whose rights are void, because their role no longer exists or has
    /// another number than at the time of the invitation. Returns no members if the caller's role
    /// may not restore the rights.
    static func voidMembers(on connection: PostgresConnection) throws -> [String] {
        let right = try connection.rows(
            """
            SELECT has_function_privilege(to_regprocedure('sheaf.renumber_members()'), 'EXECUTE')
              AND has_table_privilege(to_regclass('sheaf.members'), 'SELECT')
            """)
        guard right.flag(0, 0) else { return [] }
        let rows = try connection.rows(
            """
            SELECT DISTINCT m.role::text
            FROM sheaf.members m LEFT JOIN pg_roles r ON r.rolname = m.role
            WHERE r.oid IS DISTINCT FROM m.role_number ORDER BY 1
            """)
        return (0..<rows.count).map { rows.text($0, 0) }
    }

    /// Returns a sentence about `members`, whose rights are void, and a sentence of advice, both
    /// without a period.
    static func report(ofVoid members: [String]) -> (text: String, advice: String) {
        let names = members.prefix(10).joined(separator: ", ") + (members.count > 10 ? ", …" : "")
        let words =
            members.count == 1
            ? "1 member has a role number that no longer exists or belongs to another role"
            : "\(members.count) members have role numbers that no longer exist or belong to other"
                + " roles"
        return (
            "\(words), and so no rights: \(names)",
            "After a restore from a dump, if the roles of these names are the same people, run in the"
                + " database: SELECT sheaf.renumber_members()"
        )
    }
}
