import Foundation
import SheafList
import SheafPostgres
import SheafTestSupport
import Testing

/// A list of anna's on the tests' server, for one test.
struct OneList {
    let server: PostgresServer
    let name = "list-\(UUID().uuidString.prefix(8).lowercased())"
    let database: String
    let id: UUID

    init(in database: String = "lists") throws {
        self.database = database
        server = try SharedLists.server()
        let url = server.url("anna", in: database)
        id = try PostgresSharing(PostgresURL(url, environment: [:])).create(name)
    }

    /// A list in a new database, for a test that changes the database.
    static func inNewDatabase() throws -> OneList {
        let database = "db_\(UUID().uuidString.prefix(8).lowercased())"
        let server = try SharedLists.server()
        try server.sql("CREATE DATABASE \(database)")
        try SharedLists.setUp(database, on: server)
        return try OneList(in: database)
    }

    func url(_ role: String, port: Int? = nil) throws -> PostgresURL {
        try PostgresURL(
            server.url(role, list: id.uuidString, port: port, in: database), environment: [:])
    }

    func sharing(_ role: String) throws -> PostgresSharing { try PostgresSharing(url(role)) }

    func open(_ role: String, port: Int? = nil) throws -> PostgresStorage {
        try PostgresStorage(url(role, port: port), mode: .readWrite)
    }

    func invite(_ role: String, to right: ShareRight) throws {
        _ = try sharing("anna").invite(role, to: right)
    }

    /// Returns once a query, which counts something, finds any; after 20 seconds the test fails.
    func wait(until count: String) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while try sql(count) == "0", ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try sql(count) != "0", "waited in vain")
    }

    @discardableResult
    func sql(_ sql: String, as role: String = "owner") throws -> String {
        try server.sql(named(sql), as: role, in: database)
    }

    /// A statement with the list's id for `LIST`.
    private func named(_ sql: String) -> String {
        sql.replacing("LIST", with: "'\(id.uuidString)'")
    }

    /// The error of the server for `sql`, or nil if it succeeds.
    func refusal(_ sql: String, as role: String) throws -> String? {
        do {
            try self.sql(sql, as: role)
            return nil
        } catch let failure as PostgresServer.Failure {
            return failure.description
        }
    }

    /// The statements that the server does not refuse, each tried on its own in one session.
    func accepted(_ statements: [String], as role: String) throws -> [String] {
        // An error in a block that catches it leaves the transaction usable.
        let tries = statements.map { statement in
            """
            DO $try$ BEGIN EXECUTE $sql$\(named(statement))$sql$; RAISE NOTICE 'accepted';
            EXCEPTION WHEN OTHERS THEN RAISE NOTICE 'refused'; END $try$
            """
        }
        let answers = try server.notices(of: tries, as: role, in: database)
        return zip(statements, answers).filter { $1 != "refused" }.map(\.0)
            + statements.dropFirst(answers.count)
    }

    /// The call of the commit function by hand; in each of `arguments` one of them.
    func commit(
        version: String = "\(PostgresSharing.version)", client: String = "gen_random_uuid()",
        batch: String = "1",
        expected: String = "1000", changes: String, oneByOne: String = "false"
    ) -> String {
        """
        SELECT done_number, refused FROM sheaf.commit(
          LIST, \(version), \(client), \(batch), \(expected), '\(changes)', \(oneByOne))
        """
    }

    /// A new role that can log in, for one test.
    func newRole(_ name: String? = nil) throws -> String {
        let name = name ?? "role_\(UUID().uuidString.prefix(8).lowercased())"
        try server.sql("CREATE ROLE \"\(name.replacing("\"", with: "\"\""))\" LOGIN")
        return name
    }
}

/// An item in the JSON that the commit function takes.
func itemJSON(
    _ number: Int, name: String = "\"by hand\"", rank: String = "\"a0\"", tags: String = "[]"
) -> String {
    let given = ["name": name, "rank": rank, "tags": tags]
    let members = Item.fields.map { field in
        let value =
            switch field.value {
            case .text: "\"\""
            case .time: "1"
            case .pairs: "\"[]\""
            case .flag: "false"
            case .tags: "[]"
            case .word, .optionalTime, .tag: "null"
            }
        return "\"\(field.column)\":\(given[field.name] ?? value)"
    }
    return """
        {"id":"\(Fixtures.itemID(number).uuidString)",\(members.joined(separator: ","))}
        """
}
