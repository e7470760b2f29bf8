import Glibc
import SheafTestSupport
import Testing

@testable import SheafPostgres

@Suite("A connection to a server")
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
}
