import Foundation
import SheafList
import SheafStorage
import SheafTestSupport
import Testing

/// The promises of every storage about finding a few items in many, with an index or without.
@Suite("Storage contract: lookup", .timeLimit(.minutes(1)))
struct StorageContractLookupTests {
    private static let backends =
        StorageBackend.all + [
            StorageBackend(testDescription: "pages alone", fileName: "list.sqlite") {
                PageStorage(
                    base: try StoreURL(.sqlite, path: $0).location.openStorage(.readWriteCreate)
                )
            }
        ]

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(_ backend: StorageBackend) throws -> any ListStorage {
        try backend.open(folder.file(backend.fileName))
    }

    private func item(_ id: String, _ number: Int) throws -> Item {
        Item(
            id: try #require(UUID(uuidString: id)), name: id, rank: Fixtures.rank(number),
            createdAt: Fixtures.now)
    }

    @Test("ids are found by the range that they lie in", arguments: backends)
    func idRange(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let items = try [
            item("9b2f0000-0000-0000-0000-000000000000", 5),
            item("9b2fffff-ffff-ffff-ffff-ffffffffffff", 1),
            item("9b2f8000-0000-4000-8000-000000000000", 3),
            item("9b2effff-ffff-ffff-ffff-ffffffffffff", 2),
            item("9b300000-0000-0000-0000-000000000000", 4),
            item("ffffffff-ffff-ffff-ffff-ffffffffffff", 6),
        ]
        _ = try await storage.commit(StorageChanges(items: items))
        let range = items[0].id...items[1].id
        let expected = [items[0].id, items[2].id, items[1].id]
        for limit in 0...4 {
            let found = try await storage.itemIDs(in: range, limit: limit)
            #expect(found == Array(expected.prefix(limit)))
        }
        #expect(
            try await storage.itemIDs(in: items[5].id...items[5].id, limit: 2) == [items[5].id])
        let unused = Fixtures.itemID(1)...Fixtures.itemID(9)
        #expect(try await storage.itemIDs(in: unused, limit: 2).isEmpty)
    }

    @Test("the items before one come in their order, with their tags", arguments: backends)
    func before(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let tag = Fixtures.tag(1, "tag")
        var items = Fixtures.items(20)
        // Of equal rank, so that ids decide.
        for index in 6..<12 { items[index].rank = Fixtures.rank(7) }
        items[9].tags = [tag.id]
        _ = try await storage.commit(StorageChanges(tags: [tag], items: items))
        for index in items.indices {
            let cursor = items[index].position
            for limit in [1, 3, 19, 100] {
                let found = try await storage.loadItems(before: cursor, limit: limit)
                #expect(found == Array(items[..<index].suffix(limit)), "\(limit) before \(index)")
            }
        }
        let end = ItemPosition(rank: Fixtures.rank(99), id: Fixtures.itemID(99))
        #expect(try await storage.loadItems(before: end, limit: 2) == Array(items.suffix(2)))
    }

    @Test("what no item has is not found", arguments: backends)
    func nothing(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(3)))
        #expect(try await storage.loadItems(ids: []).isEmpty)
        #expect(try await storage.loadItems(ids: [Fixtures.itemID(9)]).isEmpty)
        let first = Fixtures.item(1).position
        #expect(try await storage.loadItems(before: first, limit: 5).isEmpty)
    }

    @Test("the rows of more than one page are all looked through")
    func manyPages() async throws {
        let storage = try open(Self.backends[Self.backends.count - 1])
        let items = Fixtures.items(2_500)
        _ = try await storage.commit(StorageChanges(items: items))
        let ids = [items[0], items[1_700], items[2_499]].map(\.id)
        #expect(Set(try await storage.loadItems(ids: ids).map(\.id)) == Set(ids))
        let last = items[2_499].position
        let before = try await storage.loadItems(before: last, limit: 1_200)
        #expect(before == Array(items[1_299..<2_499]))
        #expect(try await storage.itemIDs(in: ids[0]...ids[2], limit: .max).count == 2_500)
    }
}

/// A storage that does no more than it must, so that the protocol's own methods are tried.
private struct PageStorage: ListStorage {
    let base: any ListStorage

    var displayName: String { base.displayName }
    var readOnlyReason: String? { base.readOnlyReason }

    func load<Entity: SmallEntity>(_ kind: Entity.Type) async throws -> [Entity] {
        try await base.load(kind)
    }
    func loadItems(after cursor: ItemPosition?, limit: Int) async throws -> [Item] {
        try await base.loadItems(after: cursor, limit: limit)
    }
    func itemCount() async throws -> Int { try await base.itemCount() }
    func lastItemRank() async throws -> Rank? { try await base.lastItemRank() }
    func commit(_ changes: StorageChanges) async throws -> CommitResult {
        try await base.commit(changes)
    }
    func close() async { await base.close() }
}
