import FoundationEssentials
import SheafList
import SheafStorage

/// What `sheaf share` does: the tables of a server, its lists, and who may do what with them.
///
/// Each call is one transaction: all of it is done, or nothing. They wait for the server, so call
/// them in the background; they throw `StorageError`.
public struct PostgresSharing {
    private let connection: PostgresConnection
    private let url: PostgresURL
    private let remembered: RememberedLists

    /// Connects to the server of `url`.
    ///
    /// - Parameters:
    ///   - state: remembers which lists bare names mean.
    ///   - report: called with a sentence for the user if that cannot be remembered, or if a name
    ///     means a list of another role for the first time.
    public init(
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

    /// What ``setUp()`` runs: a script for `psql` too.
    public static var script: String { PostgresSchema.current.script + "\n" }

    /// The version of the tables that this program makes.
    public static var version: Int { PostgresSchema.version }

    /// Makes the tables and functions, or upgrades older ones.
    ///
    /// - Returns: the version before; nil if there were none.
    public func setUp() throws -> Int? {
        try asked {
            // First, since the schema of another role may not even be read.
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
    public func reportOfVoidMembers() throws -> (text: String, advice: String)? {
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

    /// Makes a list that its maker owns, and that begins with `views`.
    ///
    /// - Returns: its id.
    /// - Throws: also `StoreURLError` if no list can have the name.
    @discardableResult
    public func create(_ name: String, views: [SavedView] = []) throws -> UUID {
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

    /// The list that a reference means on this machine.
    public func meaning(of reference: String) throws -> SharedList {
        try asked {
            SharedList(try ListRow.named(reference, on: connection, remembered: remembered))
        }
    }

    private func make(_ name: String, _ views: [SavedView]) throws -> UUID {
        let rows = try connection.rows(
            "SELECT sheaf.create_list($1::text)", [PostgresText.encoded(name)])
        guard let id = rows.uuid(0, 0) else {
            throw PostgresFailure(state: "XX000", "the server did not say the list's id")
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

    /// Gives `role` a right to the list of the URL, instead of the one that it has.
    ///
    /// - Returns: the URL by which the role opens the list.
    public func invite(_ role: String, to right: ShareRight) throws -> String {
        let role = try Self.checked(role)
        return try asked(isChange: true) {
            let list = try list()
            _ = try connection.rows(
                "SELECT sheaf.invite($1::uuid, $2::text, $3::text)",
                [list.id.uuidString, role, right.rawValue])
            return "postgresql://\(PercentText.encoded(role).slashless)@\(authority)/"
                + "\(PercentText.encoded(connection.database).slashless)\(parameters(of: list))"
        }
    }

    /// Where the server is: as the URL has it, with every host that it names.
    private var authority: String {
        if !url.authority.isEmpty { return url.authority }
        let isSocket = connection.host.hasPrefix("/")
        let host = isSocket ? PercentText.encoded(connection.host).slashless : connection.host
        let port = connection.port
        let shown = host.contains(":") ? "[\(host)]" : host
        return port == "5432" || port.isEmpty ? shown : "\(shown):\(port)"
    }

    private func parameters(of list: ListRow) -> String {
        "?list=\(PercentText.encoded(list.reference))\(url.tls)"
    }

    /// The list of the URL.
    private func list() throws -> ListRow {
        try ListRow.named(url.list, on: connection, remembered: remembered)
    }

    /// Has its bare name, and a URL without a list, mean the list of `reference` from now on.
    ///
    /// - Returns: the list.
    public func use(_ reference: String) throws -> SharedList {
        try asked {
            let list = try ListRow.use(reference, on: connection, remembered: remembered)
            return SharedList(list)
        }
    }

    /// Forgets to which list `url` led on this machine, so that it may lead to a new one in another
    /// database.
    ///
    /// - Returns: the id of that list, or nil if the URL was not used.
    public func forget(_ url: PostgresURL) throws -> UUID? { try remembered.forget(url)?.id }

    /// Takes the right of `role` to the list of the URL.
    ///
    /// - Returns: whether it had one.
    public func revoke(_ role: String) throws -> Bool {
        let role = try Self.checked(role)
        return try asked(isChange: true) {
            let list = try list()
            let rows = try connection.rows(
                "SELECT sheaf.revoke($1::uuid, $2::text)", [list.id.uuidString, role])
            return rows.flag(0, 0)
        }
    }

    /// Takes one's own right to the list of the URL.
    public func leave() throws { _ = try revoke(connection.user) }

    /// Who asks.
    public var role: String { connection.user }

    /// The lists that one may see, by name, each with its members. A right whose role was dropped
    /// is void, even if there is a role of that name again.
    public func lists() throws -> [SharedList] {
        try asked {
            let lists = try ListRow.all(on: connection)
            let rows = try connection.rows(
                "SELECT m.list_id, m.role::text, m.may FROM sheaf.read_members() m")
            var members: [UUID: [SharedList.Member]] = [:]
            for row in 0..<rows.count {
                guard let id = rows.uuid(row, 0) else { continue }
                members[id, default: []].append(
                    .init(role: rows.text(row, 1), right: rows.text(row, 2)))
            }
            return lists.map { SharedList($0, members: members[$0.id] ?? []) }
        }
    }

    /// - Parameter isChange: whether `body` changes something, which the server may have done
    ///   although its answer did not come.
    private func asked<T>(isChange: Bool = false, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let failure as PostgresFailure {
            // Here the server's own words say more: who may do it, or which role is missing.
            if failure.state == "22023" { throw StoreURLError(failure.message) }
            var error = failure.error(at: url.location)
            if failure.state == "42704" { error.code = .notFound }
            if !failure.isOfGrant, ["42501", "23505", "23514", "42704"].contains(failure.state) {
                error.reason = failure.message
                error.advice =
                    failure.state == "42704"
                    ? "Whoever runs the server makes one with: createuser --pwprompt NAME" : nil
            }
            if isChange, failure.isOfConnection, failure.state != "42704" {
                error.isUnsure = true
                error.advice =
                    "It may have been done: look with sheaf share list before you try again."
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
public struct SharedList: Sendable {
    public struct Member: Sendable {
        public var role: String
        public var right: String
    }

    public var id: UUID
    public var name: String
    public var owner: String
    /// A reference that means exactly this list: `OWNER/NAME`, or its id if the name is like one.
    public var reference: String
    /// That of whoever asks.
    public var right: String
    public var members: [Member]

    init(_ row: ListRow, members: [Member] = []) {
        id = row.id
        name = row.name
        owner = row.owner
        reference = row.reference
        right = row.right?.rawValue ?? "?"
        self.members = members
    }
}

extension String {
    /// A part of a URL that a slash would end.
    fileprivate var slashless: String {
        split(separator: "/", omittingEmptySubsequences: false)
            .joined(separator: "%2F")
    }
}
