import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafFormats
@testable import SheafStorage

/// Saved views in the text of a JSON store, as versions and hands write it.
@Suite("Views in the JSON store")
struct JSONViewTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> JSONStorage {
        try JSONStorage(path: folder.file("list.json"), mode: .readWriteCreate)
    }

    private func text() throws -> String {
        String(decoding: try folder.bytes(of: "list.json"), as: UTF8.self)
    }

    private func write(_ members: String) throws {
        try folder.write(
            Array("{\"format\": \"sheaf\", \"version\": 1, \(members)}\n".utf8), to: "list.json")
    }

    @Test("a view is a line between tags and items, and names its tag")
    func shape() async throws {
        let tag = Fixtures.tag(1, "book")
        let view = Fixtures.view(1, "unread", query: "NOT is:done", choice: .tag(tag.id))
        let storage = try open()
        _ = try await storage.commit(
            StorageChanges(tags: [tag], views: [view, Fixtures.view(2)]))
        let data = try folder.bytes(of: "list.json")
        let list = try WholeList(data, at: "list.json", modified: Fixtures.now)
        let id = try #require(list.id).uuidString.lowercased()
        let commits = try #require(list.others.first { $0.key == "commits" }).value
        #expect(commits.hasPrefix("{\"number\":1,"))
        #expect(
            try text() == """
                {
                  "format": "sheaf",
                  "version": \(FormatVersions.current.json),
                  "id": "\(id)",
                  "tags": [
                    {"color": "blue", "id": "b0000000-0000-4000-8000-000000000001", \
                "name": "book", "rank": "b01"}
                  ],
                  "views": [
                    {"hidesDone": false, "id": "c0000000-0000-4000-8000-000000000001", \
                "isReversed": false, "name": "unread", "query": "NOT is:done", "rank": "b01", \
                "showsUntagged": false, "sort": "manual", "tag": "book"},
                    {"hidesDone": false, "id": "c0000000-0000-4000-8000-000000000002", \
                "isReversed": false, "name": "view 2", "query": "", "rank": "b02", \
                "showsUntagged": false, "sort": "manual", "tag": null}
                  ],
                  "items": [],
                  "commits": \(commits)
                }

                """)
        _ = try await storage.commit(
            StorageChanges(deletingViews: [view.id, Fixtures.viewID(2)]))
        #expect(try !text().contains("views"))
    }

    @Test("what a version without views kept of them is read, where and how it wrote it")
    func keptByEarlierVersion() async throws {
        let id = Fixtures.viewID(1).uuidString.lowercased()
        try write(
            """
            "tags": [], "items": [{"name": "one"}],
            "views": [{"hidesDone":true,"id":"\(id)","isReversed":false,"name":"v","query":"q",\
            "rank":"b01","showsUntagged":false,"sort":"name","tag":null}], "mine": 1
            """)
        let storage = try open()
        let views = try await storage.loadViews()
        #expect(views.map(\.query) == ["q"])
        #expect(views.map(\.sort) == [.name])
        #expect(views.map(\.id) == [Fixtures.viewID(1)])
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(2)]))
        #expect(try await open().loadViews() == views)
        #expect(try text().contains("\"mine\": 1"))
        #expect(try text().components(separatedBy: "\"views\"").count == 2)
    }

    @Test("a view that was typed by hand needs a name, and is the same at every reading")
    func byHand() async throws {
        try write(
            """
            "views": [{"name": "b", "tag": "Book"},
              {"name": "b", "tag": "none", "rank": "b01"}, {"name": "", "tag": null}],
            "tags": [{"name": "book"}], "items": []
            """)
        let views = try await open().loadViews()
        #expect(views.map(\.name) == ["b", "b", ""])
        #expect(views.map(\.sort) == [.manual, .manual, .manual])
        let tags = try await open().loadTags()
        #expect(views.map(\.tag) == [tags[0].id, tags[1].id, nil])
        #expect(tags.map(\.name) == ["book", "none"])
        #expect(Set(views.map(\.id)).count == 3)
        #expect(try await open().loadViews() == views)
    }

    @Test("what is no view names its line, and nothing is written")
    func malformed() async throws {
        for (views, words) in [
            ("5", "not an array"), ("[5]", "views[0]: not an object"),
            ("[{}]", "views[0].name: is missing"),
            ("[{\"name\": \"a\", \"hidesDone\": 1}]", "neither true nor false"),
            ("[{\"name\": \"a\", \"rank\": \"?\"}]", "views[0].rank: invalid"),
            ("[{\"name\": \"a\", \"tag\": 1}]", "views[0].tag: not a string"),
            (
                "[{\"name\": \"a\", \"sort\": \"prio\"}]",
                "views[0].sort: \"prio\" is not a valid value"
            ),
            ("[{\"name\": \"a\", \"x\": 1}]", "views[0].x: a view cannot have this member"),
        ] {
            try write("\"items\": [],\n\"views\": \(views)")
            let before = try text()
            let error = await storageError { try open() }
            #expect(error?.code == .corrupt)
            #expect(error?.reason.contains(words) == true, "\(error as Any)")
            #expect(error?.reason.contains("line 2") == true, "\(error as Any)")
            #expect(try text() == before)
        }
    }

    @Test("the views of a list that is cut off are saved")
    func salvaged() async throws {
        let storage = try open()
        let tag = Fixtures.tag(1, "book")
        let views = [Fixtures.view(1, choice: .tag(tag.id)), Fixtures.view(2)]
        _ = try await storage.commit(
            StorageChanges(tags: [tag], views: views, items: [Fixtures.item(1)]))
        let cut = try text().components(separatedBy: "\"items\"")[0]
        try folder.write(Array(cut.utf8), to: "list.json")
        let target = StoreURL(.json, path: folder.file("saved.json"))
        let recovery = try await Recovery.run(
            StoreURL(.json, path: folder.file("list.json")).location, to: target)
        #expect(recovery.views == 2)
        let saved = try target.location.openStorage(.readOnly)
        #expect(try await saved.loadViews().map(\.choice) == views.map(\.choice))
    }
}
