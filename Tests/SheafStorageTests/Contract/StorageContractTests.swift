import Foundation
import SheafList
import SheafStorage
import SheafTestSupport
import Swidux
import Testing

/// The promises of every storage.
@Suite("Storage contract", .timeLimit(.minutes(1)))
struct StorageContractTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(_ backend: StorageBackend) throws -> any ListStorage {
        try backend.open(folder.file(backend.fileName))
    }

    @Test("a new store is empty and shows its name", arguments: StorageBackend.all)
    func newStore(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        #expect(storage.displayName.hasSuffix(backend.fileName))
        #expect(storage.readOnlyReason == nil)
        #expect(storage.isDurable == backend.has(.durability))
        #expect(try await storage.loadTags().isEmpty)
        #expect(try await storage.loadItems(after: nil, limit: 10).isEmpty)
        #expect(try await storage.itemCount() == 0)
        #expect(try await storage.lastItemRank() == nil)
    }

    @Test("every field comes back, after the store was closed too", arguments: StorageBackend.all)
    func roundTrip(_ backend: StorageBackend) async throws {
        let tags = TagColor.allCases.enumerated().map { index, color in
            Fixtures.tag(index, "tag \(index) 日本 \u{1B}", color: color)
        }
        let items = Fixtures.nastyTexts.enumerated().map { index, text in
            Item(
                id: Fixtures.itemID(index), name: text, note: String(text.reversed()),
                tags: Set(tags.prefix(index % (tags.count + 1)).map(\.id)),
                doneAt: index % 2 == 0 ? Timestamp(milliseconds: Int64(index) - 5) : nil,
                rank: Fixtures.rank(index), createdAt: Timestamp(milliseconds: -Int64(index)),
                updatedAt: Timestamp(milliseconds: index % 3 == 0 ? .max : .min),
                extras: [
                    .init(key: text, value: "a"), .init(key: "", value: text),
                    .init(key: text, value: "b"),
                ])
        }
        let storage = try open(backend)
        _ = try await storage.commit(StorageChanges(tags: tags, items: items))
        var reopened = storage
        if backend.has(.durability) {
            await storage.close()
            reopened = try open(backend)
        }
        #expect(try await reopened.loadTags() == tags)
        let loaded = try await reopened.allItems()
        #expect(loaded == items)
        // Two texts that are canonically equivalent are equal to Swift, but not the same bytes.
        #expect(loaded.map { Array($0.name.utf8) } == items.map { Array($0.name.utf8) })
        #expect(loaded.map { Array($0.note.utf8) } == items.map { Array($0.note.utf8) })
        #expect(loaded.map { Array($0.extras[0].key.utf8) } == items.map { Array($0.name.utf8) })
    }

    @Test("items come by rank, and by id where ranks are equal", arguments: StorageBackend.all)
    func order(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let same = Fixtures.rank(7)
        let items = [
            Fixtures.item(9, rank: same), Fixtures.item(1, rank: Fixtures.rank(61)),
            Fixtures.item(3, rank: same), Fixtures.item(2, rank: Fixtures.rank(36)),
            Fixtures.item(4, rank: Fixtures.rank(10)), Fixtures.item(5, rank: same),
        ]
        _ = try await storage.commit(StorageChanges(items: items))
        let expected = [3, 5, 9, 4, 2, 1].map(Fixtures.itemID)
        for pageSize in 1...7 {
            #expect(try await storage.allItems(pageSize: pageSize).map(\.id) == expected)
        }
        #expect(try await storage.lastItemRank() == Fixtures.rank(61))
        #expect(try await storage.itemCount() == 6)
    }

    @Test("a page holds the tags of its own items", arguments: StorageBackend.all)
    func pageTags(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let tags = (0..<4).map { Fixtures.tag($0, "tag \($0)") }
        let items = (0..<100).map { number in
            Fixtures.item(
                number,
                tags: Set(tags.filter { number >> Int($0.name.suffix(1))! & 1 == 1 }.map(\.id)))
        }
        _ = try await storage.commit(StorageChanges(tags: tags, items: items))
        for pageSize in [1, 2, 3, 7, 99, 100, 101] {
            #expect(try await storage.allItems(pageSize: pageSize) == items)
        }
    }

    @Test("an upsert replaces what was there, tags included", arguments: StorageBackend.all)
    func replace(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let tags = (0..<4).map { Fixtures.tag($0, "tag \($0)") }
        var item = Fixtures.item(1, tags: [tags[0].id, tags[1].id])
        item.doneAt = Fixtures.now
        item.extras = [.init(key: "k", value: "v")]
        _ = try await storage.commit(StorageChanges(tags: tags, items: [item]))
        item.name = "changed"
        item.note = "also"
        item.tags = [tags[1].id, tags[2].id, tags[3].id]
        item.doneAt = nil
        item.rank = Fixtures.rank(40)
        item.extras = []
        var tag = tags[3]
        tag.name = "renamed"
        tag.color = .red
        _ = try await storage.commit(StorageChanges(tags: [tag], items: [item]))
        #expect(try await storage.allItems() == [item])
        #expect(try await storage.loadTags().last == tag)
        item.tags = []
        _ = try await storage.commit(StorageChanges(items: [item]))
        #expect(try await storage.allItems() == [item])
    }

    @Test("items are found by their ids", arguments: StorageBackend.all)
    func byID(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let tag = Fixtures.tag(1, "tag")
        var items = Fixtures.items(20)
        items[4].tags = [tag.id]
        _ = try await storage.commit(StorageChanges(tags: [tag], items: items))
        let found = try await storage.loadItems(ids: [5, 99, 12, 5].map(Fixtures.itemID))
        #expect(found.sorted { $0.rank < $1.rank } == [items[4], items[11]])
    }

    @Test("deleted is gone, and can come back", arguments: StorageBackend.all)
    func deleteAndReinsert(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let tag = Fixtures.tag(1, "tag")
        let item = Fixtures.item(1, tags: [tag.id])
        _ = try await storage.commit(StorageChanges(tags: [tag], items: [item, Fixtures.item(2)]))
        _ = try await storage.commit(StorageChanges(deletingItems: [item.id, Fixtures.itemID(77)]))
        #expect(try await storage.allItems() == [Fixtures.item(2)])
        _ = try await storage.commit(StorageChanges(items: [item]))
        #expect(try await storage.allItems() == [item, Fixtures.item(2)])
    }

    @Test("an empty commit changes nothing", arguments: StorageBackend.all)
    func emptyCommit(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        #expect(try await storage.commit(StorageChanges()).refused.isEmpty)
        #expect(try await storage.itemCount() == 0)
    }

    @Test("a watch tells of another's commit", arguments: StorageBackend.all(with: .watch))
    func watch(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let other = try open(backend)
        #expect(
            try await storage.notices {
                _ = try await other.commit(StorageChanges(items: [Fixtures.item(1)]))
            })
    }

    @Test("what cannot be watched says so, and what is in no file makes none")
    func withoutCapabilities() async throws {
        for backend in StorageBackend.all {
            let storage = try open(backend)
            _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
            let hasFile = try !FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty
            #expect(hasFile == backend.has(.file))
            #expect((storage.watch {} != nil) == backend.has(.watch))
            await storage.close()
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                try FileManager.default.removeItem(atPath: folder.file(name))
            }
        }
    }
}
