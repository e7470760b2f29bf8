import SheafList

/// The function that commits changes, and the function that reports the outcome of a commit whose
/// answer was lost.
///
/// A commit is a single call, so it never waits for the client while it holds a lock. It locks the
/// list's row, so the commits of one list are serialized and numbered in order.
enum CommitFunction {
    static let granted = [
        "sheaf.commit(uuid, integer, uuid, bigint, bigint, json, boolean)",
        "sheaf.batch_number(uuid, uuid, bigint)",
    ]

    private static let definer = MembershipFunctions.lockingDefiner

    /// The time for which the server keeps deletions, the authors of commits, and the last batch of
    /// each process.
    private static let retention = "interval '90 days'"

    /// Refuses roles that may not write, before anything is locked, so that they cannot block
    /// writers.
    private static let writersOnly = """
        IF COALESCE(sheaf.may(p_list), 'none') NOT IN ('write', 'own') THEN
            RAISE 'no right to write this list' USING ERRCODE = '42501';
          END IF;
        """

    /// Returns a condition that is true if another process has written a row of the table that
    /// satisfies `condition`.
    private static func isNewer(_ table: String, where condition: String? = nil) -> String {
        """
        EXISTS (
            SELECT FROM sheaf.\(table) r LEFT JOIN sheaf.commits c
              ON c.list_id = r.list_id AND c.number = r.commit_number AND c.number > p_expected
            WHERE r.list_id = p_list AND r.commit_number > p_expected
              \(condition.map { "AND \($0)" } ?? "")
              AND \(isOfOthers))
        """
    }

    /// A condition that is true if another process made commit `c`. It compares the role too, so
    /// that a role cannot hide its commits from a process by using that process's client id.
    private static let isOfOthers =
        "(c.client, c.role) IS DISTINCT FROM (p_client, session_user)"

    private static func ids(_ rows: String) -> String {
        "ARRAY(SELECT r.id FROM json_to_recordset(\(rows)) r(id uuid))"
    }

    private static func goneIDs(_ table: String) -> String {
        "ARRAY(SELECT e::uuid FROM json_array_elements_text(v_rows.gone -> '\(table)') e)"
    }

    /// Returns the statements that write the rows of a table one by one, after a constraint has
    /// refused one of them.
    private static func putEach(_ table: String) -> String {
        """
        FOR v_row IN SELECT e.value FROM json_array_elements(v_rows.\(table)) e LOOP
              BEGIN
                PERFORM sheaf.put_\(table)(p_list, json_build_array(v_row), done_number);
              EXCEPTION WHEN integrity_constraint_violation OR data_exception
                OR program_limit_exceeded OR datatype_mismatch
              THEN
                v_refused := v_refused || jsonb_build_array(v_row ->> 'id', SQLERRM);
              END;
            END LOOP;
        """
    }

    /// Returns `text` for each kind, in the order in which rows are written.
    private static func each(
        _ kinds: [any ListEntity.Type] = Kinds.all, separator: String = "\n  ",
        _ text: (any ListEntity.Type) -> String
    ) -> String {
        kinds.map(text).joined(separator: separator)
    }

    /// The kinds in the order in which rows are deleted.
    private static let reversed: [any ListEntity.Type] = Kinds.all.reversed()
    /// The small kinds, except tags.
    private static let small: [any ListEntity.Type] = Kinds.small.filter { $0 != Tag.self }

    /// Returns the statements that delete the rows of a kind and record the deletions.
    private static func delete(_ kind: any ListEntity.Type) -> String {
        """
        WITH gone AS (
              DELETE FROM sheaf.\(kind.plural) r
              WHERE r.list_id = p_list AND r.id = ANY (v_gone_\(kind.plural))
              RETURNING r.id)
            INSERT INTO sheaf.tombstones (list_id, id, kind, commit_number)
              SELECT p_list, g.id, \(kind.number), done_number FROM gone g
              ON CONFLICT (list_id, id) DO UPDATE SET commit_number = excluded.commit_number;
        """
    }

    /// Returns a condition that is true if another process has written a row of a kind that refers
    /// to a deleted tag.
    private static func isNewCarrier(_ kind: any ListEntity.Type) -> String {
        func columns<Entity: ListEntity>(_ kind: Entity.Type) -> [String] {
            Entity.fields.compactMap { field in
                switch field.value {
                case .tags: "r.\(field.column) && v_gone_tags"
                case .tag: "r.\(field.column) = ANY (v_gone_tags)"
                default: nil
                }
            }
        }
        return isNewer(kind.plural, where: "(\(columns(kind).joined(separator: " OR ")))")
    }

    /// Returns statements that remove deleted tags from the rows of a kind, one for each column
    /// that refers to tags.
    private static func detach(_ kind: any ListEntity.Type) -> String {
        func statements<Entity: ListEntity>(_ kind: Entity.Type) -> [String] {
            Entity.fields.compactMap { field in
                switch field.value {
                case .tags:
                    """
                    UPDATE sheaf.\(kind.plural) r SET commit_number = done_number, \(field.column) = ARRAY(
                            SELECT t FROM unnest(r.\(field.column)) t WHERE t <> ALL (v_gone_tags))
                          WHERE r.list_id = p_list AND r.\(field.column) && v_gone_tags;
                    """
                case .tag:
                    """
                    UPDATE sheaf.\(kind.plural) r SET commit_number = done_number, \(field.column) = NULL
                          WHERE r.list_id = p_list AND r.\(field.column) = ANY (v_gone_tags);
                    """
                default: nil
                }
            }
        }
        return statements(kind).joined(separator: "\n    ")
    }

    static let sql = """
        -- Returns the number under which p_batch of p_client was committed, or NULL if it was not.
        -- Then it never will be: a call that the network or a stopped server process still holds
        -- is refused. Waits for a commit in progress.
        CREATE OR REPLACE FUNCTION sheaf.batch_number(p_list uuid, p_client uuid, p_batch bigint)
        RETURNS bigint LANGUAGE plpgsql \(definer)
        DECLARE
          v_last bigint;
          v_number bigint;
        BEGIN
          \(MembershipFunctions.callersOnly)
          \(writersOnly)
          PERFORM FROM sheaf.lists l WHERE l.id = p_list FOR UPDATE;
          SELECT b.batch, b.number INTO v_last, v_number FROM sheaf.batches b
            WHERE b.list_id = p_list AND b.client = p_client AND b.role = session_user;
          IF v_last = p_batch THEN
            RETURN NULLIF(v_number, 0);
          END IF;
          IF sheaf.may(p_list) IN ('write', 'own') AND COALESCE(v_last < p_batch, true) THEN
            INSERT INTO sheaf.batches AS b (list_id, client, role, batch, number)
              VALUES (p_list, p_client, session_user, p_batch, 0)
              ON CONFLICT (list_id, client, role)
              DO UPDATE SET batch = excluded.batch, number = 0, at = now();
          END IF;
          RETURN NULL;
        END $sheaf$;

        -- Commits p_changes: {"tags": [...], "items": [...]} and so on are rows to write,
        -- {"gone": {"tags": [...], "items": [...]}} ids of rows to delete. Raises 40001 rather than
        -- overwrite rows that another client has written after p_expected.
        CREATE OR REPLACE FUNCTION sheaf.commit(
          p_list uuid, p_version integer, p_client uuid, p_batch bigint, p_expected bigint,
          p_changes json, p_one_by_one boolean,
          OUT done_number bigint, OUT done_id uuid, OUT is_behind boolean, OUT refused text)
        LANGUAGE plpgsql \(definer)
        DECLARE
          v_previous bigint;
          v_last bigint;
          v_row json;
          v_refused jsonb := '[]';
          v_rows record;
          \(each { "v_\($0.plural) uuid[];" })
          \(each { "v_gone_\($0.plural) uuid[];" })
        BEGIN
          \(MembershipFunctions.callersOnly)
          \(writersOnly)
          -- Parses the JSON once, because each access parses all of it.
          SELECT * INTO v_rows
            FROM json_to_record(p_changes) r(\(each(separator: ", ") { "\($0.plural) json" }), gone json);
          \(each { "v_\($0.plural) := \(ids("v_rows.\($0.plural)"));" })
          \(each { "v_gone_\($0.plural) := \(goneIDs($0.plural));" })
          SELECT l.last_number INTO v_previous FROM sheaf.lists l WHERE l.id = p_list FOR UPDATE;
          -- Checks again, because the right may have been revoked during the wait for the lock.
          \(writersOnly)
          IF (SELECT a.version FROM sheaf.about a) > p_version THEN
            RAISE 'a newer version of Sheaf set this up' USING ERRCODE = 'SHV01';
          END IF;
          IF (SELECT a.version FROM sheaf.about a) < p_version THEN
            RAISE 'an older version of Sheaf set this up' USING ERRCODE = 'SHV02';
          END IF;
          SELECT b.batch, b.number INTO v_last, done_number FROM sheaf.batches b
            WHERE b.list_id = p_list AND b.client = p_client AND b.role = session_user;
          IF v_last > p_batch OR v_last = p_batch AND done_number = 0 THEN
            RAISE 'this commit comes after its sender gave it up' USING ERRCODE = '55000';
          END IF;
          IF v_last = p_batch THEN
            SELECT c.id INTO done_id FROM sheaf.commits c
              WHERE c.list_id = p_list AND c.number = done_number;
            is_behind := true;
            refused := '[]';
            RETURN;
          END IF;
          IF v_previous > p_expected AND (
            \(isNewer("tags"))
            -- Any other view may have taken the name of one of these.
            \(each(small) { "OR cardinality(v_\($0.plural)) > 0 AND \(isNewer($0.plural))" })
            \(each(small) { "OR \(isNewer($0.plural, where: "r.id = ANY (v_gone_\($0.plural))"))" })
            OR \(isNewer("items", where: "r.id = ANY (v_items || v_gone_items)"))
            -- Another client has added a tag that this commit deletes to a row.
            OR cardinality(v_gone_tags) > 0 AND (\(each(small + [Item.self], separator: " OR ", isNewCarrier)))
            OR EXISTS (
              SELECT FROM sheaf.tombstones r LEFT JOIN sheaf.commits c
                ON c.list_id = r.list_id AND c.number = r.commit_number AND c.number > p_expected
              WHERE r.list_id = p_list AND r.commit_number > p_expected
                AND (r.kind = \(Tag.number)
                  OR r.id = ANY (\(each(small + [Item.self], separator: " || ") { "v_\($0.plural)" })))
                AND \(isOfOthers)))
          THEN
            RAISE 'changed by another process' USING ERRCODE = '40001';
          END IF;
          done_number := v_previous + 1;
          is_behind := EXISTS (
            SELECT FROM sheaf.commits c
            WHERE c.list_id = p_list AND c.number > p_expected AND \(isOfOthers));
          -- Deletes first, because another tag may take over a name.
          IF cardinality(\(each(separator: " || ") { "v_gone_\($0.plural)" })) > 0 THEN
            \(each(reversed, separator: "\n    ", delete))
            \(each(reversed, separator: "\n    ", detach))
            WITH old AS (
              DELETE FROM sheaf.tombstones r
              WHERE r.list_id = p_list AND r.at < now() - \(retention) RETURNING r.commit_number)
            UPDATE sheaf.lists l SET forgotten = GREATEST(l.forgotten, o.last)
              FROM (SELECT max(commit_number) AS last FROM old) o
              WHERE l.id = p_list AND o.last IS NOT NULL;
          END IF;
          SET CONSTRAINTS sheaf.tags_one_name DEFERRED;
          IF p_one_by_one THEN
            BEGIN
              PERFORM sheaf.put_tags(p_list, v_rows.tags, done_number);
              SET CONSTRAINTS sheaf.tags_one_name IMMEDIATE;
            EXCEPTION WHEN integrity_constraint_violation OR data_exception
              OR program_limit_exceeded OR datatype_mismatch
            THEN
              SET CONSTRAINTS sheaf.tags_one_name IMMEDIATE;
              \(putEach("tags"))
            END;
            \(each(small + [Item.self], separator: "\n    ") { putEach($0.plural) })
          ELSE
            PERFORM sheaf.put_tags(p_list, v_rows.tags, done_number);
            SET CONSTRAINTS sheaf.tags_one_name IMMEDIATE;
            -- If a tag is missing, the client must merge, which reports it.
            IF EXISTS (
              SELECT FROM json_to_recordset(v_rows.items) r(tags uuid[]), unnest(r.tags) t
              WHERE (\(PostgresSchema.isTag("t"))) IS NOT TRUE)
            THEN
              RAISE 'a tag is not there' USING ERRCODE = '40001';
            END IF;
            \(each(small + [Item.self], separator: "\n    ") {
                "PERFORM sheaf.put_\($0.plural)(p_list, v_rows.\($0.plural), done_number);"
            })
          END IF;
          DELETE FROM sheaf.tombstones r
            WHERE r.list_id = p_list
              AND r.id = ANY (\(each(separator: " || ") { "v_\($0.plural)" }));
          UPDATE sheaf.lists l SET last_number = done_number WHERE l.id = p_list;
          INSERT INTO sheaf.commits AS c (list_id, number, role, client)
            VALUES (p_list, done_number, session_user, p_client) RETURNING c.id INTO done_id;
          INSERT INTO sheaf.batches AS b (list_id, client, role, batch, number)
            VALUES (p_list, p_client, session_user, p_batch, done_number)
            ON CONFLICT (list_id, client, role)
            DO UPDATE SET batch = excluded.batch, number = excluded.number, at = now();
          IF done_number % 1000 = 0 THEN
            DELETE FROM sheaf.commits c
              WHERE c.list_id = p_list AND c.number < done_number AND c.at < now() - \(retention);
            DELETE FROM sheaf.batches b WHERE b.list_id = p_list AND b.at < now() - \(retention);
          END IF;
          refused := v_refused;
          PERFORM pg_notify('sheaf' || replace(p_list::text, '-', ''), '');
        END $sheaf$;
        """
}
