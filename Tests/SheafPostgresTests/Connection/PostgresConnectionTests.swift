import CLibPQ
import Foundation
import Glibc
import SheafTestSupport
import Testing

@testable import SheafPostgres

/// Serialized, because some tests set variables of the environment.
@Suite("A connection to a server", .serialized)
struct PostgresConnectionTests {
    @Test("its end is heard with the last words, since nothing tells of it again")
    func end() throws {
        let server = try SharedLists.server()
        let url = try PostgresURL(server.url("anna", list: "a"), environment: [:])
        let connection = try PostgresConnection(url)
        #expect(try connection.heard() == false)

        try server.sql("SELECT pg_terminate_backend(\(connection.process))")
        // `POLLRDHUP`, which Glibc hides: all of it is there.
        var poller = pollfd(fd: connection.socket, events: 0x2000, revents: 0)
        #expect(poll(&poller, 1, 60_000) == 1)
        #expect(throws: PostgresFailure.self) { try connection.heard() }
    }

    @Test(
        "only this machine itself is local",
        arguments: [
            ("postgresql:///db", true), ("postgresql://localhost/db", true),
            ("postgresql://LOCALHOST:5433/db", true), ("postgresql://127.0.0.1/db", true),
            ("postgresql://127.8.9.1/db", true), ("postgresql://[::1]:5432/db", true),
            ("postgresql://%2Fvar%2Frun/db", true), ("postgresql:///db?host=/run", true),
            ("postgresql://127.evil.com/db", false), ("postgresql://127.0.0.1.evil.com/db", false),
            ("postgresql://localhost.evil.com/db", false), ("postgresql://[::2]/db", false),
            ("postgresql://0x7f.1/db", false),
            ("postgresql://localhost,db.example/db", false),
            ("postgresql://localhost%2Cdb.example/db", false),
            // libpq takes the parameter, and the address before the name.
            ("postgresql://localhost/db?host=db.example", false),
            ("postgresql://localhost/db?h%6Fst=db.example", false),
            ("postgresql://localhost/db?hostaddr=192.0.2.1", false),
            ("postgresql://db.example/db?hostaddr=127.0.0.1", true),
            ("postgresql:///db?hostaddr=127.0.0.1,&host=x,db.example", false),
            ("postgresql:///db?service=far", false),
        ])
    func locality(_ text: String, _ isLocal: Bool) throws {
        #expect(try verifies(text) == !isLocal)
    }

    /// True if a connection by this URL has to verify the server.
    private func verifies(_ text: String, _ variables: [String: String] = [:]) throws -> Bool {
        try #require(CPQload() == nil)
        for (name, value) in variables { setenv(name, value, 1) }
        defer { for name in variables.keys { unsetenv(name) } }
        let url = try PostgresURL(text, environment: variables)
        return try PostgresConnection.settings(of: url)["sslmode"] == "verify-full"
    }

    @Test("the environment and its service file say where a server is if the URL does not")
    func environment() throws {
        let far = "postgresql://anna@:54399/db"
        #expect(try verifies(far, ["PGHOST": "db.example"]))
        #expect(try verifies("postgresql:///db", ["PGHOST": "db.example"]))
        #expect(try verifies("postgresql:///db", ["PGHOST": "/run,db.example"]))
        #expect(try !verifies("postgresql:///db", ["PGHOST": ""]))
        #expect(try !verifies(far, ["PGHOST": "127.0.0.1"]))
        #expect(try !verifies("postgresql://localhost/db", ["PGHOST": "db.example"]))
        #expect(try verifies("postgresql://localhost/db", ["PGHOSTADDR": "192.0.2.1"]))
        #expect(try verifies(far, ["PGHOST": "db.example", "PGSSLMODE": "disable"]))
        #expect(try !verifies(far + "?sslmode=disable", ["PGHOST": "db.example"]))
        let folder = try TemporaryFolder()
        try Data("[far]\nhost=db.example\n[near]\nhost=localhost\n".utf8)
            .write(to: URL(fileURLWithPath: folder.file("services")))
        let file = folder.file("services")
        #expect(try verifies("postgresql:///db", ["PGSERVICE": "far", "PGSERVICEFILE": file]))
        #expect(try !verifies("postgresql:///db", ["PGSERVICE": "near", "PGSERVICEFILE": file]))
        #expect(try verifies("postgresql:///db?service=near", ["PGSERVICEFILE": file]))
        #expect(throws: PostgresFailure.self) {
            try verifies("postgresql:///db", ["PGSERVICE": "far", "PGSERVICEFILE": "/dev/zero"])
        }
    }

    @Test("row security stays on, whatever PGOPTIONS says")
    func rowSecurity() async throws {
        let list = try OneList()
        setenv("PGOPTIONS", "-c row_security=off -c work_mem=8MB", 1)
        defer { unsetenv("PGOPTIONS") }
        let storage = try list.open("anna")
        #expect(try await storage.itemCount() == 0)
        let connection = try PostgresConnection(list.url("anna"))
        #expect(try connection.rows("SHOW work_mem").text(0, 0) == "8MB")
    }

    @Test("a socket that is not there means that no server runs on this machine")
    func noServer() throws {
        let folder = try TemporaryFolder()
        let url = try PostgresURL("postgresql:///db?host=\(folder.path)", environment: [:])
        let failure = #expect(throws: PostgresFailure.self) { try PostgresConnection(url) }
        let error = failure?.error(at: url.place)
        #expect(error?.reason == "no server runs on this machine")
        #expect(error?.code == .busy)
    }
}
