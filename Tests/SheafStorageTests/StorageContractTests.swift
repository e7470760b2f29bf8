import Foundation
import SheafCore
import SheafStorage
import Swidux
import Testing

/// One kind of storage, as the contract needs it.
struct StorageBackend: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The name of the store in its folder.
    var fileName: String
    var open: @Sendable (_ path: String) throws -> any ListStorage

    /// Every backend keeps the same contract.
    static let all = [
        StorageBackend(testDescription: "SQLite", fileName: "list.sqlite") {
            try openStorage(StoreURL(.sqlite, path: $0), mode: .readWriteCreate)
        },
        StorageBackend(testDescription: "SQLite behind faults of none", fileName: "list.sqlite") {
            FaultyStorage(try openStorage(StoreURL(.sqlite, path: $0), mode: .readWriteCreate))
        },
    ]
}

/// What every storage promises, whatever lies behind it.
@Suite("Storage contract")
struct StorageContractTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(_ backend: StorageBackend) throws -> any ListStorage {
        try backend.open(folder.file(backend.fileName))
    }

    @Test("a new store is empty and shows its file's name", arguments: StorageBackend.all)
    func newStore(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        #expect(storage.displayName == backend.fileName)
        #expect(storage.readOnlyReason == nil)
        #expect(try await storage.loadTags().isEmpty)
        #expect(try await storage.loadItems(after: nil, limit: 10).isEmpty)
        #expect(try await storage.itemCount() == 0)
        #expect(try await storage.lastItemRank() == nil)
    }

    @Test("every field comes back after the store was closed", arguments: StorageBackend.all)
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
        await storage.close()
        let reopened = try open(backend)
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

    @Test("deleting a tag takes it off its items", arguments: StorageBackend.all)
    func deleteTag(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let tags = [Fixtures.tag(1, "one"), Fixtures.tag(2, "two")]
        var item = Fixtures.item(1, tags: Set(tags.map(\.id)))
        _ = try await storage.commit(StorageChanges(tags: tags, items: [item]))
        _ = try await storage.commit(StorageChanges(deletingTags: [tags[0].id]))
        item.tags = [tags[1].id]
        #expect(try await storage.allItems() == [item])
        #expect(try await storage.loadTags() == [tags[1]])
    }

    @Test(
        "an item that refers to a tag that is gone is saved without it",
        arguments: StorageBackend.all)
    func danglingTag(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let tag = Fixtures.tag(1, "one")
        var item = Fixtures.item(1, tags: [tag.id, Fixtures.tagID(9)])
        let result = try await storage.commit(StorageChanges(tags: [tag], items: [item]))
        #expect(result.refused.isEmpty)
        item.tags = [tag.id]
        #expect(try await storage.allItems() == [item])
    }

    @Test("a second tag of one name is refused by itself", arguments: StorageBackend.all)
    func duplicateTagName(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        _ = try await storage.commit(StorageChanges(tags: [Fixtures.tag(1, "Café")]))
        let result = try await storage.commit(
            StorageChanges(
                tags: [
                    Fixtures.tag(2, " cafe\u{301} "), Fixtures.tag(3, "tea"),
                    Fixtures.tag(4, "TEA"),
                ],
                items: [Fixtures.item(1, tags: [Fixtures.tagID(2), Fixtures.tagID(3)])]))
        #expect(result.refused.compactMap { $0.id as? UUID } == [2, 4].map(Fixtures.tagID))
        #expect(result.refused.allSatisfy { $0.reason.contains("already") })
        #expect(try await storage.loadTags().map(\.name) == ["Café", "tea"])
        #expect(try await storage.allItems() == [Fixtures.item(1, tags: [Fixtures.tagID(3)])])
    }

    @Test("names of tags can be handed on in one commit", arguments: StorageBackend.all)
    func handedOnNames(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let names = ["a", "b", "c", "d"]
        _ = try await storage.commit(
            StorageChanges(tags: names.enumerated().map { Fixtures.tag($0.offset, $0.element) }))
        // a and b change places, c takes the name of d, which is deleted.
        let result = try await storage.commit(
            StorageChanges(
                tags: [Fixtures.tag(0, "b"), Fixtures.tag(1, "a"), Fixtures.tag(2, "D")],
                deletingTags: [Fixtures.tagID(3)]))
        #expect(result.refused.isEmpty)
        #expect(try await storage.loadTags().map(\.name) == ["b", "a", "D"])
        // What was renamed back and forth is as good as before.
        let again = try await storage.commit(
            StorageChanges(tags: [Fixtures.tag(7, "b"), Fixtures.tag(8, "c")]))
        #expect(again.refused.compactMap { $0.id as? UUID } == [Fixtures.tagID(7)])
    }

    @Test("a refused tag keeps its old name, and others keep off it", arguments: StorageBackend.all)
    func refusalChain(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let tags = [Fixtures.tag(1, "x"), Fixtures.tag(2, "y"), Fixtures.tag(3, "z")]
        _ = try await storage.commit(StorageChanges(tags: tags))
        // 1 wants the name of 2, which stays; 3 wants the one that 1 now keeps.
        let result = try await storage.commit(
            StorageChanges(tags: [Fixtures.tag(3, "x"), Fixtures.tag(1, "y")]))
        #expect(
            Set(result.refused.compactMap { $0.id as? UUID }) == [
                Fixtures.tagID(1), Fixtures.tagID(3),
            ])
        #expect(try await storage.loadTags() == tags)
    }

    @Test("an empty commit changes nothing", arguments: StorageBackend.all)
    func emptyCommit(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        #expect(try await storage.commit(StorageChanges()).refused.isEmpty)
        #expect(try await storage.itemCount() == 0)
    }

    @Test("a commit goes on when its task is cancelled", arguments: StorageBackend.all)
    func cancelledCommit(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await storage.commit(StorageChanges(items: Fixtures.items(50)))
        }
        _ = try await task.value
        #expect(try await storage.allItems() == Fixtures.items(50))
    }

    @Test("commits go between two pages", arguments: StorageBackend.all)
    func commitBetweenPages(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(10)))
        let first = try await storage.loadItems(after: nil, limit: 4)
        _ = try await storage.commit(
            StorageChanges(
                items: [Fixtures.item(11)], deletingItems: [Fixtures.itemID(4), Fixtures.itemID(6)])
        )
        let rest = try await storage.loadItems(
            after: first.last.map(ItemCursor.init(after:)), limit: 100)
        #expect((first + rest).map(\.id) == [1, 2, 3, 4, 5, 7, 8, 9, 10, 11].map(Fixtures.itemID))
    }

    @Test("two connections see each other's commits", arguments: StorageBackend.all)
    func twoConnections(_ backend: StorageBackend) async throws {
        let one = try open(backend)
        let two = try open(backend)
        let tag = Fixtures.tag(1, "tag")
        _ = try await one.commit(StorageChanges(tags: [tag], items: [Fixtures.item(1)]))
        #expect(try await two.allItems() == [Fixtures.item(1)])
        _ = try await two.commit(StorageChanges(items: [Fixtures.item(2, tags: [tag.id])]))
        #expect(try await one.allItems() == [Fixtures.item(1), Fixtures.item(2, tags: [tag.id])])
        _ = try await two.commit(StorageChanges(deletingTags: [tag.id]))
        #expect(try await one.allItems() == [Fixtures.item(1), Fixtures.item(2)])
    }

    @Test("concurrent commits all arrive", arguments: StorageBackend.all)
    func concurrentCommits(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                group.addTask {
                    _ = try await storage.commit(StorageChanges(items: [Fixtures.item(number)]))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await storage.allItems() == Fixtures.items(20))
    }

    @Test("a closed storage says so", arguments: StorageBackend.all)
    func closed(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        await storage.close()
        await storage.close()
        #expect(await storageError { try await storage.loadTags() }?.code == .cannotOpen)
        #expect(
            await storageError { try await storage.commit(StorageChanges()) }?.code == .cannotOpen)
    }

    @Test("random commits leave what a dictionary would hold", arguments: StorageBackend.all)
    func randomCommits(_ backend: StorageBackend) async throws {
        var generator = SplitMix64(seed: 42)
        var items: [Item.ID: Item] = [:]
        var tags: [Tag.ID: Tag] = [:]
        var storage = try open(backend)
        for round in 0..<60 {
            var changes = StorageChanges()
            for number in 0..<6 where Bool.random(using: &generator) {
                let tag = Fixtures.tag(
                    number, "tag \(number)",
                    color: TagColor.allCases.randomElement(using: &generator)!)
                if Int.random(in: 0..<4, using: &generator) == 0 {
                    changes.tags.deletions.append(tag.id)
                } else {
                    changes.tags.upserts.append(tag)
                }
            }
            for number in 0..<30 where Int.random(in: 0..<4, using: &generator) == 0 {
                var item = Fixtures.item(
                    number, "round \(round)",
                    rank: Fixtures.rank(.random(in: 0..<50, using: &generator)))
                item.tags = Set(
                    (0..<6).filter { _ in Bool.random(using: &generator) }.map(Fixtures.tagID))
                if Int.random(in: 0..<3, using: &generator) == 0 {
                    changes.items.deletions.append(item.id)
                } else {
                    changes.items.upserts.append(item)
                }
            }
            #expect(try await storage.commit(changes).refused.isEmpty)
            for tag in changes.tags.upserts { tags[tag.id] = tag }
            // A tag that is deleted by the same commit is there while its items are written.
            for item in changes.items.upserts { items[item.id] = item }
            for id in changes.items.deletions { items[id] = nil }
            for id in changes.tags.deletions { tags[id] = nil }
            for id in items.keys { items[id]?.tags.formIntersection(tags.keys) }
            if round % 10 == 9 {
                await storage.close()
                storage = try open(backend)
            }
            #expect(try await storage.loadTags() == tags.values.sorted { $0.rank < $1.rank })
            let expected = items.values.sorted { ($0.rank, $0.id) < ($1.rank, $1.id) }
            #expect(try await storage.allItems(pageSize: 7) == expected)
        }
    }
}
