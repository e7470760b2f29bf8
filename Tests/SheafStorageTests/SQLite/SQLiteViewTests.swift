import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// The rows of views, as hands, constraints and damage leave them.
@Suite("Views in SQLite")
struct SQLiteViewTests: SQLiteSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func text(_ id: UUID) -> String { id.uuidString.lowercased() }

    @Test("a tag or a flag that a hand made invalid is none, and the list opens")
    func handEdits() async throws {
        let storage = try open()
        let tag = Fixtures.tag(1, "red")
        let views = (1...3).map { Fixtures.view($0, query: "q", choice: .tag(tag.id)) }
        _ = try await storage.commit(StorageChanges(tags: [tag], views: views))
        await storage.close()
        try shell(
            """
            UPDATE views SET tag = '\(text(Fixtures.tagID(9)))' WHERE name = 'view 1';
            UPDATE views SET tag = 'red', hides_done = 7 WHERE name = 'view 2';
            UPDATE views SET sort = 'later' WHERE name = 'view 3';
            """)
        let loaded = try await open().loadViews()
        #expect(loaded.map(\.choice) == [.all, .all, .tag(tag.id)])
        #expect(loaded.map(\.hidesDone) == [false, true, false])
        #expect(loaded.map(\.sort) == [.manual, .manual, .manual])
        #expect(loaded.map(\.query) == ["q", "q", "q"])
        let diagnosis = Doctor.examine(StoreURL(.sqlite, path: path), environment: [:])
        #expect(diagnosis.refusal == nil)
    }

    @Test("an invalid id or rank names the row, and doctor does too")
    func unreadable() async throws {
        for (column, words) in [("id", "invalid id"), ("rank", "invalid rank")] {
            let storage = try open()
            _ = try await storage.commit(StorageChanges(views: [Fixtures.view(1)]))
            await storage.close()
            try shell("UPDATE views SET \(column) = 'NONE!';")
            let error = await storageError { try await open().loadViews() }
            #expect(error?.code == .corrupt)
            #expect(error?.reason.contains("of views") == true)
            #expect(error?.reason.contains(words) == true)
            let diagnosis = Doctor.examine(StoreURL(.sqlite, path: path), environment: [:])
            #expect(diagnosis.severity == .damage)
            try shell("DELETE FROM views;")
        }
    }

    @Test("a view that a constraint refuses is left out and named; the rest is committed")
    func refused() async throws {
        try await makeStore()
        try Shell.require("name <> 'no'", of: "views", orSay: "not that", on: path)
        let storage = try open()
        let changes = StorageChanges(
            views: [Fixtures.view(1, "no"), Fixtures.view(2)], items: [Fixtures.item(2)])
        let result = try await storage.commit(changes)
        #expect(result.lost(of: changes).map { $0.reason.hasPrefix("the view “no”: ") } == [true])
        #expect(try await storage.loadViews() == [Fixtures.view(2)])
        #expect(try await storage.itemCount() == 2)
    }

    @Test("where the first page of an upgraded list is lost, no other row becomes a view")
    func lostFirstPage() async throws {
        try Shell.run(Schema.script(version: 2), on: path)
        let rows = (1...400).map {
            "INSERT INTO items VALUES ('\(text(Fixtures.itemID($0)))', 'item \($0)', '',"
                + " '\(Fixtures.rank($0).text)', NULL, 0, 1, '[]', 1);"
        }
        try Shell.run(rows.joined(separator: "\n"), on: path)
        let storage = try open()
        let views = [Fixtures.view(1), Fixtures.view(2)]
        _ = try await storage.commit(StorageChanges(tags: [Fixtures.tag(1, "t")], views: views))
        await storage.close()
        var bytes = Array(try folder.bytes(of: "list.sqlite"))
        for index in 0..<4096 { bytes[index] = 0xAA }
        try folder.write(bytes, to: "list.sqlite")
        let target = StoreURL(.sqlite, path: folder.file("saved.sqlite"))
        let recovery = try await Recovery.run(
            StoreURL(.sqlite, path: path).location, to: target)
        #expect(recovery.items == 400)
        let saved = try target.location.openStorage(.readOnly)
        #expect(Set(views).isSuperset(of: try await saved.loadViews()))
    }
}
