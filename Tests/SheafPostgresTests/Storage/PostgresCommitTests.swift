import Foundation
import SheafCore
import SheafPostgres
import SheafTestSupport
import Testing

/// The commit function, called as a client would whose network is bad.
@Suite("Commits on a server", .timeLimit(.minutes(1)))
struct PostgresCommitTests {
    private let server: PostgresServer
    private let list: String
    private let client = Fixtures.itemID(1).uuidString

    init() throws {
        server = try SharedLists.server()
        let sharing = try PostgresSharing(PostgresURL(server.url("anna"), environment: [:]))
        list = try sharing.create("commits \(UUID().uuidString)").uuidString
    }

    private func commit(_ batch: Int) throws -> String {
        let nothing = #"{"tags":[],"views":[],"items":[],"gone":{"tags":[],"views":[],"items":[]}}"#
        return try server.sql(
            """
            SELECT done_number FROM sheaf.commit(
              '\(list)', \(PostgresSharing.version), '\(client)', \(batch), 0, '\(nothing)', false)
            """, as: "anna")
    }

    private func number(of batch: Int) throws -> String {
        try server.sql(
            "SELECT sheaf.batch_number('\(list)', '\(client)', \(batch))", as: "anna")
    }

    @Test("a commit is known by its batch, and made once")
    func once() throws {
        #expect(try commit(1) == "1")
        #expect(try number(of: 1) == "1")
        #expect(try commit(1) == "1")
        #expect(try commit(2) == "2")
    }

    @Test("a commit that comes after its sender has asked for it is not made")
    func given() throws {
        #expect(try number(of: 1) == "")
        #expect(throws: PostgresServer.Failure.self) { try commit(1) }
        #expect(try commit(2) == "1")
    }

    @Test("a commit that comes after the next one is not made")
    func overtaken() throws {
        #expect(try commit(2) == "1")
        #expect(throws: PostgresServer.Failure.self) { try commit(1) }
        #expect(try number(of: 2) == "1")
    }
}
