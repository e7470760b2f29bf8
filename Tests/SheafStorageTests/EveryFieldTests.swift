import Foundation
import SheafTestSupport
import Swidux
import Testing

@testable import SheafFormats
@testable import SheafList
@testable import SheafStorage

/// A field that some way to storage, a file or another process forgets is lost without a word. So
/// an item, a view and a tag in which no field has its default go each of these ways.
@Suite("Every field")
@MainActor
struct EveryFieldTests {
    private let folder: TemporaryFolder
    private let tag = Fixtures.fullTag
    private let view = Fixtures.fullView
    private let item = Fixtures.fullItem

    init() throws { folder = try TemporaryFolder() }

    private var changes: StorageChanges {
        StorageChanges(tags: [tag], views: [view], items: [item])
    }

    private func properties(_ entity: Any) -> Set<String> {
        let children = Mirror(reflecting: entity).children.flatMap { child in
            child.value is ItemTexts ? Array(Mirror(reflecting: child.value).children) : [child]
        }
        return Set(children.compactMap(\.label)).subtracting(["id"])
    }

    @Test("each property is declared as a field, and differs from its default here")
    func declared() {
        #expect(properties(item) == Set(Item.fields.map(\.name)))
        #expect(properties(view) == Set(SavedView.fields.map(\.name)))
        #expect(properties(tag) == Set(Tag.fields.map(\.name)))
        for field in Item.fields {
            #expect(!field.isSame(in: item, as: Item(id: item.id)), "\(field.name)")
        }
        for field in SavedView.fields {
            #expect(!field.isSame(in: view, as: SavedView(id: view.id)), "\(field.name)")
        }
        for field in Tag.fields {
            #expect(!field.isSame(in: tag, as: Tag(id: tag.id)), "\(field.name)")
        }
    }

    @Test("comes back from both kinds of files", arguments: StoreURL.Backend.allCases)
    func stored(_ backend: StoreURL.Backend) async throws {
        let url = try StoreURL(backend, path: folder.file("list.\(backend.rawValue)")).location
        let storage = try url.openStorage(.readWriteCreate)
        _ = try await storage.commit(changes)
        await storage.close()
        let again = try url.openStorage(.readWrite)
        #expect(try await again.loadTags() == [tag])
        #expect(try await again.loadViews() == [view])
        #expect(try await again.allItems() == [item])
    }

    @Test(
        "a text is found by the word that a row gives it", arguments: StoreURL.Backend.allCases)
    func found(_ backend: StoreURL.Backend) async throws {
        let url = try StoreURL(backend, path: folder.file("list.\(backend.rawValue)")).location
        let storage = try url.openStorage(.readWriteCreate)
        var item = item
        item.note = "see https://example.org/A:b"
        _ = try await storage.commit(StorageChanges(tags: [tag], items: [item]))
        let fields = FieldWord.all + [FieldWord("memo", .text("note"))]
        for (query, isFound) in [
            ("memo:https://example.org/A:b", true), ("memo:EXAMPLE", true), ("memo:name", false),
            ("-memo:example.com memo:see", true),
        ] {
            let search = try ItemSearch(
                Query(query, fields: fields), tags: [tag], now: Fixtures.now,
                calendar: .utc)
            let items = try await storage.findItems(search, .all, after: nil, limit: 9).items
            #expect(items == (isFound ? [item] : []), "\(query)")
        }
    }

    @Test("reaches a second opening of the list", arguments: StoreURL.Backend.allCases)
    func fetched(_ backend: StoreURL.Backend) async throws {
        let url = try StoreURL(backend, path: folder.file("list.\(backend.rawValue)")).location
        let (mine, theirs) = (
            try url.openStorage(.readWriteCreate),
            try url.openStorage(.readWriteCreate)
        )
        _ = try await mine.loadItems(after: nil, limit: 10)
        _ = try await theirs.commit(changes)
        let fetched = try await mine.externalChanges { StorageChanges() }.changes
        #expect(fetched.tags.upserts == [tag])
        #expect(fetched.views.upserts == [view])
        #expect(fetched.items.upserts == [item])
    }

    @Test("comes back from a log of a program that was killed")
    func logged() async throws {
        let url = try StoreURL(.sqlite, path: folder.file("list.sqlite")).location
        _ = try url.openStorage(.readWriteCreate)
        var based = changes
        based.items[item.id]?.before = item
        based.tags[tag.id]?.before = tag
        based.views[view.id]?.before = view
        based.views.delete([Fixtures.viewID(1)])
        let text = [0x7b] + ChangesText.members(of: based) + [0x7d]
        #expect(try ChangesText.changes(ChangesText.object(Data(text))) == based)
        let log = try url.newLog()
        try log.append(changes)
        try log.abandon(in: folder.path)
        #expect(AbandonedLogs(for: url).content.batches == [changes])
    }

    @Test("is taken over where only another process changed it", arguments: Item.fields.map(\.name))
    func mergedItem(_ name: String) throws {
        let base = Item(id: item.id)
        for field in Item.fields {
            var (mine, theirs) = (base, base)
            let other = try #require(Item.fields.first { $0.name == name })
            other.copy(from: item, to: &theirs)
            field.copy(from: item, to: &mine)
            let outcome = StorageMerge.items(base: base, mine: mine, theirs: theirs)
            // Of two times of creation the earlier one stands, and here that is the default.
            for checked in [other, field] where checked.name != "createdAt" {
                #expect(
                    checked.isSame(in: outcome.value, as: item),
                    "\(checked.name) beside \(field.name)")
            }
            #expect(!outcome.isConflict)
        }
    }

    @Test("is saved from a damaged list", arguments: StoreURL.Backend.allCases)
    func salvaged(_ backend: StoreURL.Backend) async throws {
        let url = try StoreURL(backend, path: folder.file("list.\(backend.rawValue)")).location
        let target = StoreURL(backend, path: folder.file("saved.\(backend.rawValue)"))
        let storage = try url.openStorage(.readWriteCreate)
        _ = try await storage.commit(changes)
        await storage.close()
        _ = try await Recovery.run(url, to: target)
        let saved = try target.location.openStorage(.readOnly)
        let (savedTag, savedView, savedItem) = (
            try #require(try await saved.loadTags().first),
            try #require(try await saved.loadViews().first),
            try #require(try await saved.allItems().first)
        )
        // Of a JSON list the order of the lines is the order that is saved.
        for field in Tag.fields where backend != .json || field.name != "rank" {
            #expect(field.isSame(in: savedTag, as: tag), "\(field.name)")
        }
        for field in SavedView.fields where backend != .json || field.name != "rank" {
            #expect(field.isSame(in: savedView, as: view), "\(field.name)")
        }
        for field in Item.fields where backend != .json || field.name != "rank" {
            #expect(field.isSame(in: savedItem, as: item), "\(field.name)")
        }
    }
}
