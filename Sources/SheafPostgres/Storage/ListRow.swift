import FoundationEssentials
import SheafList
import SheafStorage

/// A list as the server describes it, including this role's right to it.
struct ListRow {
    var id: UUID
    var name: String
    var owner: String
    /// The right, or `nil` if a later version introduced it.
    var right: ShareRight?
    var lastNumber: Int64
    var forgotten: Int64
    var version: Int
    /// The id of the list's last commit, or `nil` if there is none or the server has removed its
    /// record.
    var lastCommit: UUID?

    /// Returns a query for the rows of `function`, a call of `read_lists` or `read_list`, in the
    /// form that ``init(_:_:)`` reads.
    static func query(_ function: String) -> String {
        """
        SELECT l.id, l.name, l.owner::text, l.may, l.last_number, l.forgotten, l.version,
          l.last_commit
        FROM sheaf.\(function) l ORDER BY l.name, l.owner
        """
    }

    private static let queryForAll = query("read_lists()")

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

    /// Returns all lists that the role may see.
    ///
    /// - Throws: ``PostgresFailure``.
    static func all(on connection: PostgresConnection) throws -> [ListRow] {
        rows(try connection.rows(queryForAll))
    }

    /// Returns the lists, and the key of the database: its id and its number. The id alone is not
    /// enough, because a dump copies it, and the owner of another database can set it there.
    ///
    /// - Throws: ``PostgresFailure``, also if the database has no id, which means that its tables
    ///   are of an earlier version.
    private static func allAndDatabase(
        on connection: PostgresConnection
    ) throws -> ([ListRow], database: String) {
        let results = try connection.rows([
            .init(text: queryForAll),
            .init(
                text: """
                    SELECT pg_catalog.to_jsonb(a) OPERATOR(pg_catalog.->>) 'database_id'
                    FROM sheaf.about a
                    """),
        ])
        guard !results[1].isNull(0, 0) else {
            throw PostgresFailure(state: "SHV02", "an older version set this up")
        }
        return (rows(results[0]), "\(results[1].text(0, 0)) \(try number(on: connection))")
    }

    /// Returns the identity of the list for logs of its changes.
    ///
    /// A dump copies the ids of the list and of the database, so the identity contains the number
    /// of the database and that of its cluster. A promoted standby has the same numbers, and
    /// renaming the database changes neither.
    ///
    /// - Throws: ``PostgresFailure``.
    func identity(on connection: PostgresConnection) throws -> ServerList.Identity {
        ServerList.Identity(
            id: id, role: connection.user, database: try Self.number(on: connection))
    }

    /// Returns true if the number of a database includes that of its cluster. Without it, a copy on
    /// another server may have an equal number.
    static func namesCluster(_ database: String) -> Bool { database.contains(" of ") }

    /// Returns the number of the database, followed by that of its cluster if the role may read it.
    private static func number(on connection: PostgresConnection) throws -> String {
        let number = "SELECT d.oid::text FROM pg_database d WHERE d.datname = current_database()"
        let rows: PostgresResult
        do {
            rows = try connection.rows(
                "SELECT (\(number)) || ' of ' || c.system_identifier FROM pg_control_system() c")
        } catch let failure as PostgresFailure where failure.state == "42501" {
            // Every role may call the function, unless an administrator has revoked that right.
            rows = try connection.rows(number)
        }
        return rows.text(0, 0)
    }

    private static func rows(_ rows: PostgresResult) -> [ListRow] {
        (0..<rows.count).compactMap { ListRow(rows, $0) }
    }

    /// Returns the list to which a reference leads. A UUID and `OWNER/NAME` lead to exactly that
    /// list. If `OWNER/NAME` led to another list before, the present one is refused. On its first
    /// use, a bare `NAME` leads to the caller's own list of that name, or else to the only one.
    /// Later it leads to the same list.
    ///
    /// - Parameter name: The reference. On its first use, `nil` leads to the only list.
    /// - Throws: ``PostgresFailure``, or `StorageError` if the reference leads to no list or to
    ///   several, or if the remembered list no longer exists.
    static func named(
        _ name: String?, on connection: PostgresConnection, remembered: RememberedLists
    ) throws -> ListRow {
        if let name, !isBare(name) {
            let (all, database) = try allAndDatabase(on: connection)
            let list = try resolve(name, among: all, on: connection, remembered: remembered)
            try list.checkFormer(on: connection, remembered, isExact: true)
            guard Self.id(name) == nil else { return list }
            switch try remembered.list(for: name, in: database, as: connection.user) {
            case list.id: break
            case nil: remembered.remember(list.id, for: name, in: database, as: connection.user)
            case let former?: throw list.replaces(former, isElsewhere: false, connection.url)
            }
            return list
        }
        let (all, database) = try allAndDatabase(on: connection)
        let id = try remembered.list(for: name, in: database, as: connection.user)
        if let first = remembered.listAtOpening(for: name, in: database, as: connection.user),
            first != id
        {
            throw isOther(at: connection.url)
        }
        if let id {
            guard let list = all.first(where: { $0.id == id }) else {
                throw gone(id, name, all, connection, remembered)
            }
            try list.checkFormer(on: connection, remembered, isExact: false)
            list.reportForeignOwner(for: name, as: connection.user, remembered, isNew: false)
            return list
        }
        let list = try resolve(name, among: all, on: connection, remembered: remembered)
        try list.checkFormer(on: connection, remembered, isExact: false)
        list.reportForeignOwner(for: name, as: connection.user, remembered, isNew: true)
        remembered.remember(list.id, for: name, in: database, as: connection.user)
        return list
    }

    /// Reports the owner of the list if it is another role.
    private func reportForeignOwner(
        for name: String?, as user: String, _ remembered: RememberedLists, isNew: Bool
    ) {
        guard owner != user else { return }
        let subject = name == nil ? "This URL" : "This name"
        remembered.assume(
            reference.urlPart,
            isNew ? "\(subject) means \(reference) from now on." : nil)
    }

    /// Checks that the URL leads to the same list, in the same database, as on its last use. A
    /// forwarded port may now lead to another server, or the database may have been replaced by a
    /// new one or by a copy with the same list. Such a copy may also be on another host of the URL
    /// while the first host is down. A new list may also have taken the name of the old one.
    ///
    /// - Parameter isExact: True if the reference includes the owner. A bare name has already been
    ///   looked up among the remembered ones, so it may lead to another list of the same database.
    /// - Throws: ``PostgresFailure``, or `StorageError` if the URL leads elsewhere.
    private func checkFormer(
        on connection: PostgresConnection, _ remembered: RememberedLists, isExact: Bool
    ) throws {
        let url = connection.url
        guard let former = try remembered.former(url), former.id != id || url.hasSeveralHosts
        else { return }
        let isElsewhere = try identity(on: connection).database != former.database
        if former.id == id {
            guard isElsewhere else { return }
            throw StorageError(
                .busy, at: url.location, reason: Self.isCopied,
                advice: "If it has replaced the first one: \(useCommand)")
        }
        guard isElsewhere || isExact else { return }
        throw replaces(former.id, isElsewhere: isElsewhere, url)
    }

    /// Returns the error for a URL that leads to this list, but led to `former` before.
    private func replaces(
        _ former: UUID, isElsewhere: Bool, _ url: PostgresURL
    ) -> StorageError {
        let place = isElsewhere ? ", in another database," : ""
        return StorageError(
            .notFound, at: url.location,
            reason: "this URL leads to another list\(place) than when it was used last: then it was"
                + " \(former.uuidString.lowercased())",
            advice: "If you mean the list that is there now: \(useCommand)")
    }

    private var useCommand: String {
        "sheaf share use \(ShellText.quoted(reference)) --store URL"
    }

    /// Returns the error for a URL that leads to another list than when the screen was opened or
    /// the log was begun.
    static func isOther(at url: PostgresURL) -> StorageError {
        StorageError(
            .notFound, at: url.location,
            reason: "this URL leads to another list than when it was opened last",
            advice: "Quit, and open the list again. Unsaved changes are kept in the log.")
    }

    /// The reason for refusing a copy of a list's database.
    static let isCopied = "this is another database that holds a copy of the list"

    /// Makes the name of a list, with and without its owner, and a URL without a list, refer to the
    /// list of `reference`.
    ///
    /// - Returns: The list.
    /// - Throws: ``PostgresFailure``, or `StorageError` if `reference` leads to no list or to
    ///   several, or if the choice cannot be saved.
    static func use(
        _ reference: String, on connection: PostgresConnection, remembered: RememberedLists
    ) throws -> ListRow {
        let (all, database) = try allAndDatabase(on: connection)
        let list = try resolve(
            reference, among: all, on: connection, remembered: remembered, isInURL: false)
        do {
            for name in [isBare(list.name) ? list.name : nil, list.qualifiedName, nil] {
                try remembered.set(list.id, for: name, in: database, as: connection.user)
            }
        } catch {
            let error = StorageError(error, at: connection.url.location)
            throw StorageError(
                .io, at: error.location, reason: "cannot remember the list: \(error.reason)",
                advice: "Until that is fixed, name the list in each URL:"
                    + " list=\(list.id.uuidString.lowercased())")
        }
        try remembered.forgetURLs(
            of: list, try list.identity(on: connection), by: connection.url)
        return list
    }

    /// Returns the list to which a reference leads if no choice is remembered.
    ///
    /// - Parameter isInURL: True if errors list the choices as URL parameters.
    private static func resolve(
        _ name: String?, among all: [ListRow], on connection: PostgresConnection,
        remembered: RememberedLists, isInURL: Bool = true
    ) throws -> ListRow {
        let location = connection.url.location
        func choices(_ lists: [ListRow]) -> String {
            Self.choices(lists, connection, remembered, areInURL: isInURL)
        }
        guard let name else {
            if all.count == 1 { return all[0] }
            throw StorageError(
                .notFound, at: location,
                reason: all.isEmpty ? "you have no list here" : "there are several lists here",
                advice: all.isEmpty
                    ? "Create one with: sheaf share create NAME" : "Name one: \(choices(all)).")
        }
        let isExact = !isBare(name)
        // Compares bytes, because the server distinguishes names that Swift considers equal.
        let called = all.filter { list in
            let names =
                isExact ? [list.id.uuidString.lowercased(), list.qualifiedName] : [list.name]
            let wanted = id(name)?.uuidString.lowercased() ?? name
            return names.contains { $0.map { $0.utf8.elementsEqual(wanted.utf8) } ?? false }
        }
        let own = called.filter { $0.isOwned(by: connection.user) }
        for found in [own, called] where found.count == 1 { return found[0] }
        guard called.isEmpty else {
            throw StorageError(
                .notFound, at: location, reason: "several lists are called \(name)",
                advice: "Name one: \(choices(called)).")
        }
        throw StorageError(
            .notFound, at: location, reason: "there is no list \(name) that you may read",
            advice: (all.isEmpty ? "" : "There are: \(choices(all)). ")
                + remedy(name, for: connection.user))
    }

    /// Returns advice for a missing list. If the list would be the user's own, the user can create
    /// it. Otherwise its owner must share it.
    private static func remedy(_ reference: String, for user: String) -> String {
        // The name of a role may contain a slash, but the name of a list cannot.
        let slash = reference.lastIndex(of: "/")
        let owner = slash.map { String(reference[..<$0]) }
        let name = slash.map { String(reference[reference.index(after: $0)...]) } ?? reference
        guard !name.isEmpty, owner?.isEmpty != true else {
            return "A reference is the name of a list, OWNER/NAME, or an id."
        }
        guard isBare(name), owner.map({ $0.utf8.elementsEqual(user.utf8) }) ?? true else {
            return "Ask \(isBare(name) ? owner ?? "" : "its owner") for: sheaf share invite"
                + " \(ShellText.quoted(user)) read|write"
        }
        return "To create it: sheaf share create \(ShellText.quoted(name))"
    }

    private static func gone(
        _ id: UUID, _ name: String?, _ all: [ListRow], _ connection: PostgresConnection,
        _ remembered: RememberedLists
    ) -> StorageError {
        let what = name.map { "the list that \($0) means here" } ?? "the list that this URL means"
        return StorageError(
            .notFound, at: connection.url.location,
            reason: "\(what) is gone, or you may no longer read it: \(id.uuidString.lowercased())",
            advice: "To use another one instead: sheaf share use REFERENCE --store URL"
                + (all.isEmpty
                    ? "" : ". There are: \(choices(all, connection, remembered, areInURL: false)).")
        )
    }

    /// Returns true if a reference contains neither an owner nor an id. A list cannot have any
    /// other name, because it could take over the reference of another list.
    static func isBare(_ name: String) -> Bool {
        !name.utf8.contains(UInt8(ascii: "/")) && id(name) == nil
    }

    /// Returns the id that `name` represents in any form that PostgreSQL accepts, or `nil`.
    private static func id(_ name: String) -> UUID? {
        var digits = name.filter { !"-{}".contains($0) && !$0.isWhitespace }
        guard digits.utf8.count == 32 else { return nil }
        for place in [20, 16, 12, 8] {
            digits.insert("-", at: digits.utf8.index(digits.startIndex, offsetBy: place))
        }
        return UUID(uuidString: digits)
    }

    /// `OWNER/NAME`, or `nil` for a name that only direct SQL can assign. Such a list has only its
    /// id as a reference.
    private var qualifiedName: String? { Self.isBare(name) ? "\(owner)/\(name)" : nil }

    /// Returns true if `role` owns the list. Compares bytes, because the server distinguishes roles
    /// that Swift considers equal.
    func isOwned(by role: String) -> Bool { owner.utf8.elementsEqual(role.utf8) }

    /// A reference to exactly this list.
    var reference: String { qualifiedName ?? id.uuidString.lowercased() }

    /// Returns the references of up to ten lists: first the caller's own lists, then lists that
    /// were opened on this machine, then others. There may be many others, because any user can
    /// invite the caller.
    private static func choices(
        _ lists: [ListRow], _ connection: PostgresConnection, _ remembered: RememberedLists,
        areInURL: Bool
    ) -> String {
        let opened = remembered.opened
        let own = lists.filter { $0.isOwned(by: connection.user) }
        let others = lists.filter { !$0.isOwned(by: connection.user) }
        let ordered =
            own + others.filter { opened.contains($0.id) }
            + others.filter { !opened.contains($0.id) }
        let choices = ordered.prefix(10).map { list in
            areInURL
                ? "list=\(list.reference.urlPart)"
                : ShellText.quoted(list.reference)
        }
        return choices.joined(separator: ", ") + (lists.count > 10 ? ", …" : "")
    }
}
