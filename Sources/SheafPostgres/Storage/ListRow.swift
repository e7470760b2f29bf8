import FoundationEssentials
import SheafCore

/// What a server says of a list: the row of `sheaf.lists`, with this role's right to it.
struct ListRow {
    var id: UUID
    var name: String
    var owner: String
    /// Nil for a word of a later version.
    var right: ShareRight?
    var lastNumber: Int64
    var forgotten: Int64
    var version: Int
    /// The id of its last commit, or nil if there is none, or it is forgotten.
    var lastCommit: UUID?

    /// What a SELECT from `sheaf.lists l` names, which ``init(_:_:from:)`` reads.
    static let selected = """
        l.id, l.name, l.owner::text, sheaf.may(l.id), l.last_number, l.forgotten,
        (SELECT a.version FROM sheaf.about a),
        (SELECT c.id FROM sheaf.commits c WHERE c.list_id = l.id AND c.number = l.last_number)
        """

    init?(_ rows: PostgresResult, _ row: Int) {
        guard let id = rows.uuid(row, 0) else { return nil }
        self.id = id
        name = rows.text(row, 1)
        owner = rows.text(row, 2)
        right = ShareRight(rawValue: rows.text(row, 3))
        lastNumber = rows.integer(row, 4)
        forgotten = rows.integer(row, 5)
        version = Int(rows.integer(row, 6))
        lastCommit = rows.uuid(row, 7)
    }

    /// All lists that the role may see.
    ///
    /// - Throws: ``PostgresFailure``.
    static func all(on connection: PostgresConnection) throws -> [ListRow] {
        let rows = try connection.rows(
            "SELECT \(selected) FROM sheaf.lists l WHERE l.id IN (SELECT sheaf.my_lists())"
                + " ORDER BY l.name, l.owner")
        return (0..<rows.count).compactMap { ListRow(rows, $0) }
    }

    /// The list of a reference. A UUID and `OWNER/NAME` mean exactly that list and no other, under
    /// any name. A bare `NAME` means the caller's own list, else the only one of that name.
    ///
    /// - Parameter name: nil names the only list there is.
    /// - Throws: ``PostgresFailure``, or `StorageError` if it names none, or several.
    static func named(_ name: String?, on connection: PostgresConnection) throws -> ListRow {
        let all = try all(on: connection)
        let location = connection.url.place
        guard let name else {
            if all.count == 1 { return all[0] }
            throw StorageError(
                .notFound, at: location,
                reason: all.isEmpty ? "you have no list here" : "there are several lists here",
                advice: all.isEmpty
                    ? "Make one with: sheaf share create" : "Name one: \(choices(all)).")
        }
        let isExact = !isBare(name)
        let called = all.filter { list in
            isExact
                ? list.id.uuidString == name.uppercased() || list.qualifiedName == name
                : list.name == name
        }
        let own = called.filter { $0.owner == connection.user }
        for found in [own, called] where found.count == 1 { return found[0] }
        guard called.isEmpty else {
            throw StorageError(
                .notFound, at: location, reason: "several lists are called \(name)",
                advice: "Name one: \(choices(called)).")
        }
        throw StorageError(
            .notFound, at: location, reason: "there is no list \(name) that you may read",
            advice: isExact || all.isEmpty
                ? (all.isEmpty ? "Make it with: sheaf share create" : "There are: \(choices(all)).")
                : "There are: \(choices(all)). To make one: sheaf share create")
    }

    /// True if a reference has neither an owner nor an id. Other names are refused for lists: such
    /// a list could take over the reference of another.
    static func isBare(_ name: String) -> Bool {
        !name.contains("/") && UUID(uuidString: name) == nil
    }

    /// `OWNER/NAME`, or nil for a name that earlier versions allowed, which only the id names.
    private var qualifiedName: String? { Self.isBare(name) ? "\(owner)/\(name)" : nil }

    private var reference: String { qualifiedName ?? id.uuidString.lowercased() }

    private static func choices(_ lists: [ListRow]) -> String {
        lists.prefix(10).map { "list=\($0.reference)" }.joined(separator: ", ")
            + (lists.count > 10 ? ", …" : "")
    }
}
