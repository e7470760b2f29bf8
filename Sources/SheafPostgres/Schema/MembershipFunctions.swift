/// The functions for the rights of members. Each checks the role that has logged in, even after SET
/// ROLE.
enum MembershipFunctions {
    /// The signatures of the functions that every role may call.
    static let granted = [
        "sheaf.create_list(text)", "sheaf.invite(uuid, text, text)", "sheaf.revoke(uuid, text)",
    ]

    /// The maximum number of lists that a role can create.
    private static let maxLists = 1_000

    static let definer =
        "SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $sheaf$"

    /// The definition of functions that wait for locks. They wait for less time than a client waits
    /// for an answer.
    static let lockingDefiner =
        "SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '8s' AS $sheaf$"

    /// Refuses a call from code that another role has written and that runs under a member's login.
    /// A SECURITY DEFINER function cannot determine which role called it, but the context has one
    /// line for each function, so a second line means that another function called. UNLISTEN fails
    /// where the server evaluates the expressions of indexes and statistics: in ANALYZE, also by
    /// autovacuum, in REINDEX and in REFRESH MATERIALIZED VIEW. A transaction with UNLISTEN cannot
    /// be prepared either, so it cannot leave locks behind.
    static let callersOnly = """
        DECLARE v_context text;
          BEGIN
            UNLISTEN sheaf;
            GET DIAGNOSTICS v_context = PG_CONTEXT;
            IF strpos(v_context, chr(10)) > 0 THEN
              RAISE 'call this function directly, not from another one' USING ERRCODE = '42501';
            END IF;
          END;
        """

    private static let ownersInvite = """
        IF sheaf.may(p_list) IS DISTINCT FROM 'own' THEN
            RAISE 'only an owner of the list invites' USING ERRCODE = '42501';
          END IF;
        """

    /// Locks the list's row before members change, by writing it. If a concurrent transaction has
    /// an older snapshot, in which a revoked right is still valid, it then fails when it locks the
    /// row.
    private static let writeList =
        "UPDATE sheaf.lists l SET last_number = l.last_number WHERE l.id = p_list;"

    /// The members with valid rights: their roles have not been dropped, or dropped and created
    /// again.
    static let rights = """
        sheaf.members m JOIN pg_roles g ON g.rolname = m.role AND g.oid = m.role_number
        """

    static let sql = """
        -- Returns read, write or own, or NULL if the role is not a member. PL/pgSQL plans the query
        -- once per connection, SQL would plan it for each call.
        CREATE OR REPLACE FUNCTION sheaf.may(p_list uuid) RETURNS text
        LANGUAGE plpgsql STABLE \(definer)
        BEGIN
          RETURN (SELECT m.may FROM \(rights)
            WHERE m.role = session_user AND m.list_id = p_list);
        END $sheaf$;

        CREATE OR REPLACE FUNCTION sheaf.create_list(p_name text) RETURNS uuid
        LANGUAGE plpgsql \(definer)
        DECLARE v_id uuid := gen_random_uuid();
        BEGIN
          \(callersOnly)
          IF p_name IS NULL OR p_name = '' OR octet_length(p_name) > 200 THEN
            RAISE 'a list needs a name of at most 200 bytes' USING ERRCODE = '22023';
          END IF;
          -- Such a name could take over OWNER/NAME or the id of another list.
          IF strpos(p_name, '/') > 0 OR regexp_replace(p_name, '[^0-9A-Za-z]', '', 'g') ~*
            '^[0-9a-f]{32}$'
          THEN
            RAISE 'a list''s name must not contain a slash or look like an id' USING ERRCODE = '22023';
          END IF;
          -- A role cannot refuse an invitation, and each list makes every lookup slower. The lock
          -- on the row keeps concurrent transactions within the limit.
          INSERT INTO sheaf.makers AS k (role, lists) VALUES (session_user, 1)
            ON CONFLICT (role) DO UPDATE SET lists = k.lists + 1 WHERE k.lists < \(maxLists);
          IF NOT FOUND THEN
            RAISE 'a role makes at most \(maxLists) lists' USING ERRCODE = '23514';
          END IF;
          INSERT INTO sheaf.lists (id, name, owner) VALUES (v_id, p_name, session_user);
          INSERT INTO sheaf.members (list_id, role, role_number, may)
            SELECT v_id, r.rolname, r.oid, 'own' FROM pg_roles r WHERE r.rolname = session_user;
          RETURN v_id;
        EXCEPTION WHEN unique_violation THEN
          -- The list belongs to a dropped role of the same name, or this role has left it.
          SELECT l.id INTO v_id FROM sheaf.lists l
            WHERE l.owner = session_user AND l.name = p_name AND sheaf.may(l.id) IS NULL;
          IF FOUND THEN
            RAISE 'a role of your name made a list of that name, to which you have no right: %', v_id
              USING ERRCODE = 'SHV05';
          END IF;
          RAISE 'you have made a list of that name already' USING ERRCODE = '23505';
        END $sheaf$;

        -- A list always has an owner.
        CREATE OR REPLACE FUNCTION sheaf.check_owners(p_list uuid) RETURNS void
        LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $sheaf$
        BEGIN
          IF NOT EXISTS (
            SELECT FROM sheaf.members m JOIN pg_roles r
              ON r.rolname = m.role AND r.oid = m.role_number
            WHERE m.list_id = p_list AND m.may = 'own')
          THEN
            RAISE 'the list would have no owner: invite another one first'
              USING ERRCODE = '23514';
          END IF;
        END $sheaf$;

        CREATE OR REPLACE FUNCTION sheaf.invite(p_list uuid, p_role text, p_may text) RETURNS void
        LANGUAGE plpgsql \(lockingDefiner)
        BEGIN
          \(callersOnly)
          -- Checks before the lock, so that only owners can keep writers waiting, and after it.
          \(ownersInvite)
          PERFORM FROM sheaf.members m WHERE m.list_id = p_list AND m.role = p_role FOR UPDATE;
          \(writeList)
          \(ownersInvite)
          IF NOT EXISTS (SELECT FROM pg_roles r WHERE r.rolname = p_role AND r.rolcanlogin) THEN
            RAISE 'there is no role % that can log in', quote_ident(p_role)
              USING ERRCODE = '42704';
          END IF;
          INSERT INTO sheaf.members (list_id, role, role_number, may)
            SELECT p_list, r.rolname, r.oid, p_may FROM pg_roles r WHERE r.rolname = p_role
            ON CONFLICT (list_id, role)
            DO UPDATE SET may = excluded.may, role_number = excluded.role_number;
          PERFORM sheaf.check_owners(p_list);
          PERFORM pg_notify('sheaf' || replace(p_list::text, '-', ''), '');
        END $sheaf$;

        -- An owner may revoke any right, and each member his own.
        CREATE OR REPLACE FUNCTION sheaf.revoke(p_list uuid, p_role text) RETURNS boolean
        LANGUAGE plpgsql \(lockingDefiner)
        DECLARE
          v_is_own boolean := p_role IS NOT DISTINCT FROM session_user::text;
          v_may text;
        BEGIN
          \(callersOnly)
          -- A member who leaves and is not an owner locks no list, so writers do not wait.
          IF NOT v_is_own OR sheaf.may(p_list) IS NOT DISTINCT FROM 'own' THEN
            IF sheaf.may(p_list) IS DISTINCT FROM 'own' THEN
              RAISE 'only an owner of the list revokes' USING ERRCODE = '42501';
            END IF;
            PERFORM FROM sheaf.members m WHERE m.list_id = p_list AND m.role = p_role FOR UPDATE;
            \(writeList)
            IF sheaf.may(p_list) IS DISTINCT FROM 'own' THEN
              RAISE 'only an owner of the list revokes' USING ERRCODE = '42501';
            END IF;
          END IF;
          DELETE FROM sheaf.members m WHERE m.list_id = p_list AND m.role = p_role
            RETURNING m.may INTO v_may;
          IF v_may IS NULL THEN
            RETURN false;
          END IF;
          -- The role may have become an owner during the wait for the row.
          IF v_may = 'own' THEN
            \(writeList)
          END IF;
          PERFORM sheaf.check_owners(p_list);
          PERFORM pg_notify('sheaf' || replace(p_list::text, '-', ''), '');
          RETURN true;
        END $sheaf$;

        -- Corrects the numbers of roles after a restore to another server. Only the owner of the
        -- tables may call it.
        CREATE OR REPLACE FUNCTION sheaf.renumber_members() RETURNS void
        LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $sheaf$
          UPDATE sheaf.members m SET role_number = r.oid FROM pg_roles r
          WHERE r.rolname = m.role AND r.oid <> m.role_number;
        $sheaf$;
        """
}
