import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafPostgres

@Suite("A server that does not let in")
struct UnreachableServerTests {
    private func error(_ text: String) throws -> StorageError {
        try #require(
            throws: StorageError.self,
            performing: {
                try PostgresStorage(PostgresURL(text, environment: [:]), mode: .readWrite)
            })
    }

    @Test("where nobody listens, another try may succeed")
    func nobody() throws {
        let error = try error("postgresql://anna@127.0.0.1:1/lists?list=home")
        #expect(error.code == .busy)
        #expect(error.reason == "Connection refused")
        #expect(error.location == "postgresql://anna@127.0.0.1:1/lists?list=home")
    }

    @Test("a screen opens all the same, and says why the list does not")
    func later() async throws {
        let location = try PostgresLocation(
            "postgresql://anna@127.0.0.1:1/lists?list=home",
            environment: ["XDG_STATE_HOME": "/nonexistent"])
        let (storage, obstacle) = try location.openStorageLater(.readWrite)
        #expect(obstacle == "Connection refused")
        await #expect(throws: StorageError.self) { try await storage.loadTags() }
    }

    @Test("one that says that it recovers is waited for, and no longer when it is gone")
    func recovering() throws {
        let server = try RecoveringServer(answers: 3)
        let location = try PostgresLocation(
            "postgresql://anna@127.0.0.1:\(server.port)/lists?list=home&sslmode=disable",
            environment: ["XDG_STATE_HOME": "/nonexistent"])
        let error = try #require(throws: StorageError.self) {
            _ = try location.openStorage(.readWrite, timeout: .seconds(60))
        }
        #expect(error.reason == "Connection refused")
        let now = try RecoveringServer(answers: 1)
        let impatient = try PostgresLocation(
            "postgresql://anna@127.0.0.1:\(now.port)/lists?list=home&sslmode=disable",
            environment: ["XDG_STATE_HOME": "/nonexistent"])
        let refusal = try #require(throws: StorageError.self) {
            _ = try impatient.openStorage(.readWrite, timeout: .zero)
        }
        #expect(refusal.reason == "the database system is in recovery mode")
    }

    @Test("a database or a role that is not there is named")
    func missing() throws {
        let server = try SharedLists.server()
        #expect(try error(server.url("anna", list: "a", in: "no_lists_here")).code == .notFound)
        let stranger = try error(server.url("stranger", list: "a"))
        #expect(stranger.code == .cannotOpen)
        #expect(stranger.reason.contains("stranger"))
        #expect(stranger.advice?.contains("pgpass") == false)
    }

    @Test("without the authority's certificate nothing is sent to a server elsewhere")
    func certificate() throws {
        let server = try SharedLists.server()
        // By a name that is not this machine's, and an address that is.
        let error = try error(
            "postgresql://anna@db.example:\(server.port)/lists?list=a&sslmode=verify-full"
                + "&hostaddr=127.0.0.1&sslrootcert=\(server.certificate)")
        #expect(error.code == .cannotOpen)
        #expect(error.reason.contains("db.example"))
        let none = try self.error(
            server.url("anna", list: "a").replacing(server.certificate, with: "/nonexistent"))
        #expect(none.code == .cannotOpen)
        #expect(none.reason.contains("sslrootcert=/nonexistent in the URL"))
        // A file that is no certificate.
        let other = try self.error(
            server.url("anna", list: "a").replacing(server.certificate, with: "/etc/passwd"))
        #expect(other.code == .cannotOpen)
        #expect(other.advice?.contains("~/.postgresql/root.crt") == true)
    }

    @Test(
        "parameters that the server refuses, or that refuse the server, are not waited for",
        arguments: [
            ("options=-c%20nonsense%3D1", "options="), ("options=-Z", "PGOPTIONS"),
            ("options=--nonsense", "options="), ("options=-c%20work_mem%3Dabc", "options="),
            ("gssencmode=require", "gssencmode="), ("channel_binding=require", "channel_binding="),
            ("sslcert=/etc/passwd", "sslcert="), ("sslcert=CERT&sslkey=/nonexistent", "sslkey="),
        ])
    func refusedParameters(_ parameters: String, _ advice: String) throws {
        let server = try SharedLists.server()
        let error = try error(
            server.url("anna", list: "a") + "&"
                + parameters.replacing("CERT", with: server.certificate))
        #expect(error.code == (parameters.hasPrefix("options") ? .usage : .cannotOpen))
        #expect(error.advice?.contains(advice) == true, "\(error)")
    }

    @Test(
        "a variable whose value the server refuses is named",
        arguments: [("PGTZ", "Nowhere"), ("PGDATESTYLE", "nonsense"), ("PGGEQO", "maybe")])
    func refusedVariables(_ name: String, _ value: String) throws {
        let server = try SharedLists.server()
        setenv(name, value, 1)
        defer { unsetenv(name) }
        let error = try error(server.url("anna", list: "a"))
        #expect(error.code == .usage)
        #expect(error.advice == "Correct \(name)=\(value) in the environment.", "\(error)")
    }

    @Test("a wrong password is answered with the way to ~/.pgpass")
    func password() throws {
        let server = try PostgresServer.shared()
        let role = "secret_\(UUID().uuidString.prefix(8).lowercased())"
        try server.sql("CREATE ROLE \(role) LOGIN PASSWORD 'right'")
        try server.require("scram-sha-256", of: role)
        let error = try error(server.url(role, list: "a") + "&passfile=/nonexistent")
        #expect(error.code == .cannotOpen)
        #expect(error.advice?.contains("localhost:\(server.port):lists:\(role):PASSWORD") == true)
        let folder = try TemporaryFolder()
        let file = folder.file("pgpass")
        try Data("localhost:\(server.port):lists:\(role):right\n".utf8)
            .write(to: URL(fileURLWithPath: file))
        #expect(chmod(file, 0o644) == 0)
        let open = try self.error(server.url(role, list: "a") + "&passfile=\(file)")
        #expect(open.code == .cannotOpen)
        #expect(open.reason == "the password file \(file) is readable by others, so it is ignored")
        #expect(open.advice?.contains("chmod 600") == true)
    }
}
