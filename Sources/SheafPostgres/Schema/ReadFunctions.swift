import SheafList

/// The functions that read lists.
///
/// Only the owner may select from the tables directly. Row security would not be enough: PostgreSQL
/// evaluates some conditions of a query before the policy, and EXPLAIN ANALYZE shows how many rows
/// matched, so a role could find texts of other lists by trial and error. A caller cannot add
/// conditions inside a function.
enum ReadFunctions {
    /// The signatures of the functions that every role may call.
    static let granted = all.map(\.signature)

    static let sql = all.map(\.creation).joined(separator: "\n\n")

    /// A function that returns rows. Its first parameter is the list, except for functions that
    /// read all lists of the caller.
    private struct Function {
        let name: String
        var parameters = ["p_list uuid"]
        let rows: String
        let body: String

        var signature: String {
            let types = parameters.map { $0.split(separator: " ")[1] }
            return "sheaf.\(name)(\(types.joined(separator: ", ")))"
        }

        /// The SQL that creates the function. It is VOLATILE, because only such functions may run
        /// `UNLISTEN`.
        var creation: String {
            """
            CREATE OR REPLACE FUNCTION sheaf.\(name)(\(parameters.joined(separator: ", ")))
            RETURNS \(rows) LANGUAGE plpgsql \(MembershipFunctions.definer)
            BEGIN
              \(MembershipFunctions.callersOnly)
              \(parameters.isEmpty ? "" : ReadFunctions.readersOnly)
              \(body)
            END $sheaf$;
            """
        }
    }

    /// Refuses a role without the right to read. The error is the same for a list that does not
    /// exist.
    private static let readersOnly = """
        IF sheaf.may(p_list) IS NULL THEN
            RAISE 'no right to read this list' USING ERRCODE = 'SHV06';
          END IF;
        """

    private static let listRows = """
        TABLE (id uuid, name text, owner name, may text, last_number bigint, forgotten bigint,
          version integer, last_commit uuid)
        """

    private static func lists(_ condition: String = "") -> String {
        """
        RETURN QUERY SELECT l.id, l.name, l.owner, m.may, l.last_number, l.forgotten,
            (SELECT a.version FROM sheaf.about a),
            (SELECT c.id FROM sheaf.commits c WHERE c.list_id = l.id AND c.number = l.last_number)
          FROM \(MembershipFunctions.rights) JOIN sheaf.lists l ON l.id = m.list_id
          WHERE m.role = session_user \(condition);
        """
    }

    /// Returns the SQL for the rows that were written after commit `p_number`, except by the
    /// caller's process `p_client`. With -1 and NULL, these are all rows.
    private static func changed(_ table: String) -> String {
        """
        RETURN QUERY SELECT r.* FROM sheaf.\(table) r
          WHERE r.list_id = p_list AND r.commit_number > p_number AND NOT EXISTS (
            SELECT FROM sheaf.commits c WHERE c.list_id = r.list_id
              AND c.number = r.commit_number AND c.number > p_number
              AND (c.client, c.role) = (p_client, session_user))
          ORDER BY r.commit_number, r.id;
        """
    }

    /// Returns the name of the function that reads the rows of a kind that were written after a
    /// commit. For small kinds, it can return all rows.
    static func reading(_ kind: any ListEntity.Type) -> String {
        kind == Item.self ? "read_changed_items" : "read_\(kind.plural)"
    }

    private static func changedRows(of kind: any ListEntity.Type) -> Function {
        changedRows(reading(kind), of: kind.plural)
    }

    private static func changedRows(_ name: String, of table: String) -> Function {
        Function(
            name: name, parameters: ["p_list uuid", "p_number bigint", "p_client uuid"],
            rows: "SETOF sheaf.\(table)", body: changed(table))
    }

    private static func items(_ condition: String, _ order: String = "") -> String {
        "RETURN QUERY SELECT r.* FROM sheaf.items r WHERE r.list_id = p_list AND \(condition) \(order);"
    }

    private static let all =
        [
            Function(name: "read_lists", parameters: [], rows: listRows, body: lists()),
            Function(name: "read_list", rows: listRows, body: lists("AND m.list_id = p_list")),
            // The members of all lists of the caller.
            Function(
                name: "read_members", parameters: [], rows: "SETOF sheaf.members",
                body: """
                    RETURN QUERY SELECT m.* FROM \(MembershipFunctions.rights)
                      WHERE m.list_id IN (
                        SELECT m.list_id FROM \(MembershipFunctions.rights)
                        WHERE m.role = session_user)
                      ORDER BY m.role;
                    """),
        ] + Kinds.all.map { changedRows(of: $0) } + [
            changedRows("read_gone", of: "tombstones"),
            // A page by rank and id, after or before a position. If `p_limit` is NULL, the page has
            // all further items.
            Function(
                name: "read_items",
                parameters: [
                    "p_list uuid", "p_rank text", "p_id uuid", "p_limit bigint",
                    "p_is_backward boolean",
                ], rows: "SETOF sheaf.items",
                body: """
                    IF p_is_backward THEN
                      \(items("(r.rank, r.id) < (p_rank, p_id)", "ORDER BY r.rank DESC, r.id DESC LIMIT p_limit"))
                    ELSE
                      \(items("(r.rank, r.id) > (p_rank, p_id)", "ORDER BY r.rank, r.id LIMIT p_limit"))
                    END IF;
                    """),
            // The items with the ids `p_ids`, and those with any of the tags `p_tags`.
            Function(
                name: "read_items_by_id",
                parameters: ["p_list uuid", "p_ids uuid[]", "p_tags uuid[]"],
                rows: "SETOF sheaf.items",
                body: """
                    IF cardinality(p_tags) > 0 THEN
                      \(items("(r.id = ANY (p_ids) OR r.tags && p_tags)"))
                    ELSE
                      \(items("r.id = ANY (p_ids)"))
                    END IF;
                    """),
            Function(
                name: "read_item_ids",
                parameters: ["p_list uuid", "p_first uuid", "p_last uuid", "p_limit bigint"],
                rows: "SETOF uuid",
                body: """
                    RETURN QUERY SELECT r.id FROM sheaf.items r
                      WHERE r.list_id = p_list AND r.id BETWEEN p_first AND p_last
                      ORDER BY r.id LIMIT p_limit;
                    """),
            Function(
                name: "count_items", rows: "bigint",
                body: "RETURN (SELECT count(*) FROM sheaf.items r WHERE r.list_id = p_list);"),
            // The commits after `p_number`.
            Function(
                name: "read_commits", parameters: ["p_list uuid", "p_number bigint"],
                rows: "SETOF sheaf.commits",
                body: """
                    RETURN QUERY SELECT c.* FROM sheaf.commits c
                      WHERE c.list_id = p_list AND c.number > p_number;
                    """),
        ]
}
