import Foundation
import SheafList
import SheafPostgres
import SheafTestSupport
import Testing

@Suite("Several hosts", .timeLimit(.minutes(1)))
struct PostgresHostsTests {
    @Test("a host that takes a connection and ends it does not keep the next one from being tried")
    func endedAtOnce() async throws {
        let server = try SharedLists.server()
        let listener = try LoopbackListener()
        defer { listener.end() }
        Thread.detachNewThread {
            while let connection = listener.accept() { close(connection) }
        }
        let ports = [listener.port, server.port]
        let hosts = ports.map { "localhost:\($0)" }.joined(separator: ",")
        let url = server.url("anna").replacing("localhost:\(server.port)", with: hosts)
        let sharing = try PostgresSharing(PostgresURL(url, environment: [:]))
        #expect(sharing.role == "anna")
    }
}
