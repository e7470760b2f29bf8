import SheafList
import SheafPostgres
import SheafTestSupport
import Swidux
import Testing

/// A member with the right to write who calls the commit function by hand, with any arguments. Bad
/// rows of one member must not stop other members.
@Suite("Commits by hand")
struct HostileCommitTests {
    private let list: OneList

    init() throws {
        list = try OneList()
        try list.invite("ben", to: .write)
    }

    private func expectWhole(_ count: Int = 0) async throws {
        let storage = try list.open("anna")
        _ = try await storage.loadTags()
        _ = try await storage.loadViews()
        #expect(try await storage.allItems().count == count)
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(900)]))
        #expect(try await storage.itemCount() == count + 1)
    }

    @Test(
        "what is no row is refused, and the list stays whole",
        arguments: [
            "[]", "null", "\"x\"", "1", "{\"items\":{}}", "{\"items\":1}", "{\"items\":[1]}",
            "{\"items\":[null]}", "{\"items\":[{}]}", "{\"items\":[{\"id\":1}]}",
            "{\"items\":[{\"id\":\"x\"}]}", "{\"gone\":{\"items\":[\"x\"]}}",
            "{\"gone\":{\"items\":[null]}}", "{\"gone\":[1]}", "{\"gone\":1}",
            "{\"items\":[\(itemJSON(1, name: "null"))]}",
            "{\"items\":[\(itemJSON(1, name: "\"\\u0000\""))]}",
            "{\"items\":[\(itemJSON(1, rank: "null"))]}",
            "{\"items\":[\(itemJSON(1, rank: "\"\""))]}",
            "{\"items\":[\(itemJSON(1, rank: "\"not a rank\""))]}",
            "{\"items\":[\(itemJSON(1, rank: "\"a\""))]}",
            "{\"items\":[\(itemJSON(1, rank: "\"a00\""))]}",
            "{\"items\":[\(itemJSON(1, rank: "\"é0\""))]}",
            "{\"items\":[\(itemJSON(1, rank: "\"a1\\n\""))]}",
            "{\"items\":[\(itemJSON(1, tags: "[null]"))]}",
            "{\"items\":[\(itemJSON(1, tags: "[[\\\"x\\\"]]"))]}",
            "{\"items\":[\(itemJSON(1)),\(itemJSON(1))]}",
            "{\"tags\":[{\"id\":\"\(Fixtures.tagID(1))\",\"name\":\"x\",\"rank\":\"?\"}]}",
        ])
    func shapes(_ changes: String) async throws {
        let calls = ["false", "true", "NULL"].map { list.commit(changes: changes, oneByOne: $0) }
        _ = try list.accepted(calls, as: "ben")
        let rows = try #require(
            Int(try list.sql("SELECT count(*) FROM sheaf.items WHERE list_id = LIST")))
        #expect(rows <= (changes.contains("},{") || changes.contains("[null]") ? 1 : 0))
        try await expectWhole(rows)
    }

    @Test("odd numbers, versions and processes do no harm to the list")
    func numbers() async throws {
        let changes = "{\"items\":[\(itemJSON(1))]}"
        for call in [
            list.commit(version: "NULL", changes: changes),
            list.commit(client: "NULL", changes: changes),
            list.commit(batch: "NULL", changes: changes),
            list.commit(expected: "NULL", changes: changes),
            list.commit(
                batch: "-9223372036854775808", expected: "9223372036854775807", changes: changes),
            list.commit(version: "2147483647", changes: changes),
            list.commit(version: "0", changes: changes),
        ] { _ = try list.refusal(call, as: "ben") }
        try await expectWhole(1)
    }

    @Test("texts are data: SQL in every one changes nothing")
    func injection() async throws {
        let evil = "'); DROP SCHEMA sheaf CASCADE; -- \\ \" $sheaf$ $1 %s \0 \u{E000} \u{1B}[2J"
        let storage = try list.open("ben")
        var tag = Fixtures.tag(1, evil)
        tag.name = evil
        var item = Fixtures.item(1, evil, tags: [tag.id])
        item.note = evil
        item.extras = [Item.Extra(key: evil, value: evil)]
        let view = Fixtures.view(1, evil)
        var changes = StorageChanges(tags: [tag], items: [item])
        changes.views.upsert([view])
        _ = try await storage.commit(changes)
        let reader = try list.open("anna")
        #expect(try await reader.loadTags() == [tag])
        #expect(try await reader.loadViews().first?.name == evil)
        let stored = try #require(try await reader.allItems().first)
        #expect(Array(stored.name.utf8) == Array(evil.utf8))
        #expect(stored == item)
    }

    @Test("another list's rows are neither read, changed nor deleted by their ids")
    func otherList() async throws {
        let other = try OneList()
        let tag = Fixtures.tag(1, "theirs")
        let theirs = Fixtures.item(1, "theirs", tags: [tag.id])
        let storage = try other.open("anna")
        _ = try await storage.commit(StorageChanges(tags: [tag], items: [theirs]))
        let id = theirs.id.uuidString
        try list.sql(
            list.commit(
                changes: """
                    {"items":[\(itemJSON(1, tags: "[\"\(tag.id.uuidString)\"]"))]}
                    """, oneByOne: "true"), as: "ben")
        try list.sql(
            list.commit(
                batch: "2",
                changes: "{\"gone\":{\"items\":[\"\(id)\"],\"tags\":[\"\(tag.id.uuidString)\"]}}"),
            as: "ben")
        #expect(try await storage.allItems() == [theirs])
        #expect(try await storage.loadTags() == [tag])
        #expect(try await storage.externalChanges { StorageChanges() }.changes.isEmpty)
        #expect(try await list.open("anna").allItems().isEmpty)
    }

    @Test("who writes under another process's name hides nothing from it")
    func forgedClient() async throws {
        let anna = try list.open("anna")
        _ = try await anna.commit(StorageChanges(items: [Fixtures.item(1, "mine")]))
        let client = try list.sql(
            "SELECT client FROM sheaf.read_commits(LIST, 0)", as: "ben")
        try list.sql(
            list.commit(client: "'\(client)'", batch: "2", changes: "{\"items\":[\(itemJSON(1))]}"),
            as: "ben")
        let fetched = try await anna.externalChanges { StorageChanges() }
        #expect(fetched.changes.items.upserts.map(\.name) == ["by hand"])
        // Nor is a commit of that process taken for one that was made.
        let result = try await anna.commit(StorageChanges(items: [Fixtures.item(2)]))
        #expect(result.refused.isEmpty)
        #expect(try await anna.itemCount() == 2)
    }

    @Test("a row that no column takes is refused alone, and the rest is committed")
    func refusedAlone() async throws {
        let list = try OneList.inNewDatabase()
        try list.sql("ALTER TABLE sheaf.items ADD CHECK (name <> 'refused')")
        let storage = try list.open("anna")
        var changes = StorageChanges(
            tags: [Fixtures.tag(1, "tag")],
            items: [
                Fixtures.item(1), Fixtures.item(2, "refused"),
                Fixtures.item(3, tags: [Fixtures.tagID(1)]),
            ])
        changes.views.upsert([Fixtures.view(1)])
        let result = try await storage.commit(changes)
        #expect(result.refused.map(\.id) == [AnyID(Fixtures.itemID(2))])
        #expect(try await storage.allItems().map(\.id) == [Fixtures.itemID(1), Fixtures.itemID(3)])
        #expect(try await storage.allItems().last?.tags == [Fixtures.tagID(1)])
        #expect(try await storage.loadViews().count == 1)
    }

    @Test("a forged notification costs a look and changes nothing", .timeLimit(.minutes(1)))
    func notification() async throws {
        let storage = try list.open("anna")
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        let channel = "sheaf" + list.id.uuidString.lowercased().filter { $0 != "-" }
        let (calls, continuation) = AsyncStream.makeStream(of: Void.self)
        let watch = storage.watch { continuation.yield() }
        try list.sql("NOTIFY \(channel), 'DROP TABLE'", as: "carla")
        for await _ in calls.prefix(1) {}
        #expect(try await storage.externalChanges { StorageChanges() }.changes.isEmpty)
        #expect(try await storage.itemCount() == 1)
        withExtendedLifetime(watch) {}
    }
}
