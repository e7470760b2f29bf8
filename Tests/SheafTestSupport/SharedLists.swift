import Foundation
import SheafList
import SheafPostgres

/// Lists on the tests' own server, each named for a path: two openings in a test give one list.
package enum SharedLists {
    /// The server with Sheaf's tables. Skips the current test if PostgreSQL is not installed.
    package static func server() throws -> PostgresServer {
        try Tool.postgresql.require()
        return try prepared.get()
    }

    /// The owner of the database sets it up once a run.
    private static let prepared = Result<PostgresServer, any Error> {
        let server = try PostgresServer.shared()
        try setUp("lists", on: server)
        return server
    }

    /// Makes `database` ready for lists.
    package static func setUp(_ database: String, on server: PostgresServer) throws {
        let url = server.url("owner", in: database)
        _ = try PostgresSharing(PostgresURL(url, environment: [:])).setUp()
    }

    /// Opens the list named for `path`, made if there is none, as an ordinary role.
    package static func open(_ path: String, as role: String) throws -> any ListStorage {
        try PostgresStorage(url(path, as: role), mode: .readWrite)
    }

    package static func url(_ path: String, as role: String) throws -> PostgresURL {
        let server = try server()
        let name = path.split(separator: "/").suffix(2).joined(separator: "-")
            .replacing(" on localhost", with: "")
        let sharing = try PostgresSharing(PostgresURL(server.url(role), environment: [:]))
        if try !sharing.lists().contains(where: { $0.name == name }) { try sharing.create(name) }
        return try PostgresURL(server.url(role, list: name), environment: [:])
    }
}
