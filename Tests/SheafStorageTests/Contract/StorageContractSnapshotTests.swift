import SheafList
import SheafStorage
import SheafTestSupport
import Testing

/// Reads of one state of the list, between which other processes commit.
@Suite("Storage contract: snapshots", .timeLimit(.minutes(1)))
struct StorageContractSnapshotTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// All backends whose list several processes have. SQLite's lets no other one commit meanwhile:
    /// see `SQLiteSnapshotTests`.
    static let shared = StorageBackend.all(with: .durability).filter {
        $0.testDescription != "SQLite"
    }

    @Test(
        "tags and pages of items are of one state, and the next reads of the next",
        arguments: shared)
    func oneState(_ backend: StorageBackend) async throws {
        let path = folder.file(backend.fileName)
        let (reader, other) = (try backend.open(path), try backend.open(path))
        let items = (1...6).map { Fixtures.item($0, rank: Fixtures.rank($0 * 8)) }
        _ = try await other.commit(StorageChanges(items: items))
        let tag = Fixtures.tag(1, "new")
        var moved = items[5]
        moved.rank = Fixtures.rank(1)
        moved.tags = [tag.id]
        let changes = StorageChanges(tags: [tag], items: [moved])

        try await reader.snapshot {
            #expect(try await reader.loadTags().isEmpty)
            let page = try await reader.loadItems(after: nil, limit: 2)
            #expect(page == Array(items.prefix(2)))
            _ = try await other.commit(changes)
            #expect(
                try await reader.loadItems(after: page.last?.position, limit: 9)
                    == Array(items.dropFirst(2)))
            #expect(try await reader.loadViews() == other.loadViews())
            #expect(try await reader.itemCount() == 6)
            #expect(try await reader.loadItems(ids: [moved.id]) == [items[5]])
        }
        #expect(try await reader.loadTags() == [tag])
        #expect(try await reader.allItems() == [moved] + items.dropLast())
        _ = try await reader.commit(StorageChanges(deletingItems: [moved.id]))
        #expect(try await other.allItems() == items.dropLast())
    }

    @Test("one that throws ends, too", arguments: shared)
    func failure(_ backend: StorageBackend) async throws {
        struct Stop: Error {}
        let path = folder.file(backend.fileName)
        let (reader, other) = (try backend.open(path), try backend.open(path))
        await #expect(throws: Stop.self) {
            try await reader.snapshot {
                #expect(try await reader.itemCount() == 0)
                throw Stop()
            }
        }
        _ = try await other.commit(StorageChanges(items: [Fixtures.item(1)]))
        #expect(try await reader.itemCount() == 1)
    }
}
