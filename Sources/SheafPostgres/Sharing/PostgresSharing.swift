import FoundationEssentials
import SheafList
import SheafStorage

/// The operations of `sheaf share` on a server's tables, its lists, and the rights of members.
///
/// Each call is one transaction. Calls block until the server answers, so make them in the
/// background. They throw `StorageError`.
package struct PostgresSharing {
    private let connection: PostgresConnection
    private let url: PostgresURL
    private let remembered: RememberedLists

    /// Connects to the server of `url`.
    ///
    /// - Parameters:
    ///   - state: The folder that remembers the lists to which bare names refer.
    ///   - report: Called with a sentence for the user if a choice cannot be remembered, or if a
    ///     name refers to a list of another role for the first time.
    package init(
        _ url: PostgresURL, state: StateFolder? = nil,
        report: @escaping (String) -> Void = { _ in }
    ) throws {
        self.url = url
        remembered = RememberedLists(in: state, report: report) { _, notice in
            if let notice { report(notice) }
        }
        do {
            connection = try PostgresConnection(url)
        } catch let failure as PostgresFailure {
            throw failure.error(at: url.location)
        }
    }

    /// The script that ``setUp()`` runs. It is also valid for `psql`.
    package static var script: String { PostgresSchema.current.script + "\n" }

    /// The version of the tables that this program creates.
    package static var version: Int { PostgresSchema.version }

    /// Creates the tables and functions, or upgrades older ones.
    ///
    /// - Returns: The previous version, or `nil` if there were no tables.
    package func setUp() throws -> Int? {
        try asked {
            // The owner is checked first, since the role may not even be allowed to read another
            // role's schema.
            try connection.run(PostgresSchema.ownerRefusal)
            let before = try version()
            do {
                try connection.run(PostgresSchema.current.script)
                try RestoredNames(on: connection).restore()
            } catch {
                connection.rollBack()
                throw Self.advised(error, at: url)
            }
            return before
        }
    }

    /// Returns a report of the members whose rights are void, or `nil` if there are none.
    package func reportOfVoidMembers() throws -> (text: String, advice: String)? {
        let members = try asked { try PostgresSchema.voidMembers(on: connection) }
        return members.isEmpty ? nil : PostgresSchema.report(ofVoid: members)
    }

    private static func advised(_ error: any Error, at url: PostgresURL) -> any Error {
        guard let failure = error as? PostgresFailure, failure.state == "42501" else {
            return error
        }
        return StorageError(
            .readOnly, at: url.location, reason: failure.message,
            advice:
                "Do it as the owner of the database, or give its administrator the SQL of: sheaf"
                + " share init --print")
    }

    private func version() throws -> Int? {
        let rows = try connection.rows("SELECT to_regclass('sheaf.about') IS NOT NULL")
        guard rows.flag(0, 0) else { return nil }
        let version = try connection.rows("SELECT max(version) FROM sheaf.about")
        return version.isNull(0, 0) ? nil : Int(version.integer(0, 0))
    }

    /// Creates a list that its creator owns and that begins with `views`.
    ///
    /// - Returns: The id of the list.
    /// - Throws: `StorageError`, or `StoreURLError` if the name is not allowed for a list.
    @discardableResult
    package func create(_ name: String, views: [SavedView] = []) throws -> UUID {
        let name = try Self.checked(name)
        guard ListRow.isBare(name) else {
            throw StoreURLError(
                "a list's name must not contain a slash or look like an id; choose another name,"
                    + " such as home")
        }
        return try asked(isChange: true) {
            try connection.run("BEGIN")
            do {
                let id = try make(name, views)
                try connection.run("COMMIT")
                return id
            } catch {
                connection.rollBack()
                throw error
            }
        }
    }

    /// Returns the list to which a reference leads on this machine.
    package func meaning(of reference: String) throws -> SharedList {
        try asked {
            SharedList(try ListRow.named(reference, on: connection, remembered: remembered))
        }
    }

    private func make(_ name: String, _ views: [SavedView]) throws -> UUID {
        let rows = try connection.rows(
            "SELECT sheaf.create_list($1::text)", [name.postgresText])
        guard let id = rows.uuid(0, 0) else {
            throw PostgresFailure(state: "XX000", "the server did not return the id of the list")
        }
        var writer = PostgresWriter()
        let reader = PostgresReader(connection: connection, list: id, schema: .current)
        if !views.isEmpty {
            var changes = StorageChanges()
            changes.views.upsert(views)
            _ = try writer.commit(changes, reader, known: 0)
        }
        return id
    }

    /// Gives `role` a right to the list of the URL, in place of its previous right.
    ///
    /// - Returns: The URL with which the role opens the list.
    package func invite(_ role: String, to right: ShareRight) throws -> String {
        let role = try Self.checked(role)
        return try asked(isChange: true) {
            let list = try list()
            _ = try connection.rows(
                "SELECT sheaf.invite($1::uuid, $2::text, $3::text)",
                [list.id.uuidString, role, right.rawValue])
            return "postgresql://\(role.urlPart.escapingSlashes)@\(authority)/"
                + "\(connection.database.urlPart.escapingSlashes)\(parameters(of: list))"
        }
    }

    /// The hosts and ports of the server, as in the URL.
    private var authority: String {
        if !url.authority.isEmpty { return url.authority }
        let isSocket = connection.host.hasPrefix("/")
        let host =
            isSocket ? connection.host.urlPart.escapingSlashes : connection.host
        let port = connection.port
        let shown = host.contains(":") ? "[\(host)]" : host
        return port == "5432" || port.isEmpty ? shown : "\(shown):\(port)"
    }

    private func parameters(of list: ListRow) -> String {
        "?list=\(list.reference.urlPart)\(url.tls)"
    }

    /// Returns the list of the URL.
    private func list() throws -> ListRow {
        try ListRow.named(url.list, on: connection, remembered: remembered)
    }

    /// Makes the bare name of a list, and a URL without a list, refer to the list of `reference`.
    ///
    /// - Returns: The list.
    package func use(_ reference: String) throws -> SharedList {
        try asked {
            let list = try ListRow.use(reference, on: connection, remembered: remembered)
            return SharedList(list)
        }
    }

    /// Removes the record of the list to which `url` leads on this machine, so that it may lead to
    /// a new one in another database.
    ///
    /// - Returns: The id of that list, or `nil` if the URL was not used.
    package func forget(_ url: PostgresURL) throws -> UUID? { try remembered.forget(url)?.id }

    /// Revokes the right of `role` to the list of the URL.
    ///
    /// - Returns: True if the role had a right.
    package func revoke(_ role: String) throws -> Bool {
        let role = try Self.checked(role)
        return try asked(isChange: true) {
            let list = try list()
            let rows = try connection.rows(
                "SELECT sheaf.revoke($1::uuid, $2::text)", [list.id.uuidString, role])
            return rows.flag(0, 0)
        }
    }

    /// Revokes the caller's own right to the list of the URL.
    package func leave() throws { _ = try revoke(connection.user) }

    /// The role of the connection.
    package var role: String { connection.user }

    /// Returns the lists that the role may see, by name, each with its members. The right of a
    /// dropped role is void, even if a new role has the same name.
    package func lists() throws -> [SharedList] {
        try asked {
            let lists = try ListRow.all(on: connection)
            let rows = try connection.rows(
                "SELECT m.list_id, m.role::text, m.may FROM sheaf.read_members() m")
            var members: [UUID: [(role: String, right: String)]] = [:]
            for row in 0..<rows.count {
                guard let id = rows.uuid(row, 0) else { continue }
                members[id, default: []].append((rows.text(row, 1), rows.text(row, 2)))
            }
            return lists.map { SharedList($0, members: members[$0.id] ?? []) }
        }
    }

    /// - Parameter isChange: True if `body` changes something. The server may then have made the
    ///   change although its answer was lost.
    private func asked<T>(isChange: Bool = false, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let failure as PostgresFailure {
            // In some cases the server's message is more precise than Sheaf's own error, because it
            // names the required or the missing role.
            if failure.state == "22023" { throw StoreURLError(failure.message) }
            var error = failure.error(at: url.location)
            if failure.state == "42704" { error.code = .notFound }
            if !failure.isOfGrant, ["42501", "23505", "23514", "42704"].contains(failure.state) {
                error.reason = failure.message
                error.advice =
                    failure.state == "42704"
                    ? "The server's administrator creates one with: createuser --pwprompt NAME"
                    : nil
            }
            if isChange, failure.isOfConnection, failure.state != "42704" {
                error.isOutcomeUnknown = true
                error.advice =
                    "It may have been done: check with sheaf share list before you try again."
            }
            throw error
        }
    }

    private static func checked(_ name: String) throws -> String {
        guard !name.isEmpty, !name.utf8.contains(0) else {
            throw StoreURLError("a name may not be empty")
        }
        return name
    }
}

/// A list on a server, as `sheaf share list` shows it.
package struct SharedList: Sendable {
    package var id: UUID
    package var name: String
    package var owner: String
    /// A reference to exactly this list: `OWNER/NAME`, or its id if the name looks like a
    /// reference.
    package var reference: String
    /// The right of the connected role.
    package var right: String
    package var members: [(role: String, right: String)]

    init(_ row: ListRow, members: [(role: String, right: String)] = []) {
        id = row.id
        name = row.name
        owner = row.owner
        reference = row.reference
        right = row.right?.rawValue ?? "?"
        self.members = members
    }
}

extension String {
    /// The text with slashes percent-encoded, for a part of a URL that a slash would end.
    fileprivate var escapingSlashes: String {
        split(separator: "/", omittingEmptySubsequences: false)
            .joined(separator: "%2F")
    }
}
