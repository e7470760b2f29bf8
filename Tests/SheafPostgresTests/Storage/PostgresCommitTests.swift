import Foundation
import SheafList
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

    private func commit(
        _ batch: Int, by client: String? = nil, views: [UUID] = []
    ) throws -> String {
        let fields =
            #""query":"","shows_untagged":false,"hides_done":false,"sort":"manual","rank":"b00""#
        let rows = views.map { #"{"id":"\#($0)","name":"v","is_reversed":false,\#(fields)}"# }
            .joined(separator: ",")
        let changes =
            #"{"tags":[],"views":[\#(rows)],"items":[],"gone":{"tags":[],"views":[],"items":[]}}"#
        return try server.sql(
            """
            SELECT done_number FROM sheaf.commit(
              '\(list)', \(PostgresSharing.version), '\(client ?? self.client)', \(batch), 0,
              '\(changes)', false)
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

    @Test("a view is not stored past one of another process, which may have its name")
    func nameOfView() throws {
        #expect(try commit(1, views: [Fixtures.viewID(1)]) == "1")
        let other = Fixtures.itemID(2).uuidString
        let error = #expect(throws: PostgresServer.Failure.self) {
            try commit(1, by: other, views: [Fixtures.viewID(2)])
        }
        #expect(error.map { "\($0)".contains("changed by another process") } == true)
        #expect(try commit(1, by: other) == "2")
        #expect(try commit(2, views: [Fixtures.viewID(2)]) == "3")
    }

    @Test("a commit of thousands of rows is written, also where it is merged with another's")
    func manyRows() async throws {
        let list = try OneList()
        let (mine, theirs) = (try list.open("anna"), try list.open("anna"))
        let items = (1...3_000).map { Fixtures.item($0) }
        _ = try await mine.commit(StorageChanges(items: items))
        _ = try await theirs.externalChanges { StorageChanges() }
        _ = try await theirs.commit(StorageChanges(items: [Fixtures.item(1, "theirs")]))
        var changes = StorageChanges(tags: [Fixtures.tag(1, "tag")])
        for item in items {
            var tagged = item
            tagged.tags = [Fixtures.tagID(1)]
            changes.items.replace(item, with: tagged)
        }
        _ = try await mine.commit(changes)
        let stored = try await theirs.allItems()
        #expect(stored.count { $0.tags == [Fixtures.tagID(1)] } == 3_000)
        #expect(stored.contains { $0.name == "theirs" })
    }
}
