/// Checks of a schema `sheaf` that is there already.
extension PostgresSchema {
    /// The schema and all that is in it, each with its owner. `person` is the same for all
    /// superusers, who can change everything anyway.
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
          WHERE o.space = (SELECT n.oid FROM pg_namespace n WHERE n.nspname = 'sheaf'))
        """

    /// Refuses a schema of which another role than the one that runs this owns a part: that role
    /// could replace a function, and so read and change every list.
    static let ownerRefusal = """
        DO $sheaf$
        DECLARE v_part text;
        BEGIN
          SELECT min(o.name || ' belongs to the role ' || o.role) INTO v_part FROM \(owned) o
            WHERE o.person <> (SELECT CASE WHEN r.rolsuper THEN 0 ELSE r.oid END
              FROM pg_roles r WHERE r.rolname = current_user)
            -- A role that may set nothing up is told that.
            AND has_database_privilege(current_database(), 'CREATE');
          IF v_part IS NOT NULL THEN
            RAISE '%, which could read and change every list', v_part USING ERRCODE = 'SHV04';
          END IF;
        END $sheaf$;
        """

    /// The owners of the schema and its parts, each with one of them. There should be one.
    static func owners(
        on connection: PostgresConnection
    ) throws -> [(role: String, part: String)] {
        let rows = try connection.rows(
            "SELECT min(o.role)::text, min(o.name) FROM \(owned) o GROUP BY o.person ORDER BY 1")
        return (0..<rows.count).map { (rows.text($0, 0), rows.text($0, 1)) }
    }
}
