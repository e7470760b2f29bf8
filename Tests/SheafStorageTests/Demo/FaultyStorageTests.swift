import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

@Suite("Faulty storage")
struct FaultyStorageTests {
    private let folder: TemporaryFolder
    private let base: any ListStorage

    init() throws {
        folder = try TemporaryFolder()
        base = try StoreURL(.sqlite, path: folder.file("list.sqlite")).location.openStorage(
            .readWriteCreate)
    }

    /// Which of 40 commits fail.
    private func failures(_ probability: Double, seed: UInt64) async throws -> [Int] {
        let storage = FaultyStorage(base, failureProbability: probability, seed: seed)
        var failed: [Int] = []
        for number in 0..<40 {
            let before = try await base.itemCount()
            let item = Fixtures.item(number + Int(seed) * 100)
            let error = await storageError {
                try await storage.commit(StorageChanges(items: [item]))
            }
            #expect(try await base.itemCount() == before + (error == nil ? 1 : 0))
            if let error {
                #expect(error.code == .injected)
                #expect(error.reason == "write failed on purpose")
                failed.append(number)
            }
        }
        return failed
    }

    @Test("a storage without faults forwards every call")
    func forwards() async throws {
        let storage = FaultyStorage(base)
        let items = [Fixtures.item(1), Fixtures.item(2, tags: [Fixtures.tagID(1)])]
        #expect(try await storage.loadItems(after: nil, limit: 9).isEmpty)
        let isNoticed = try await storage.notices {
            let other = try StoreURL(.sqlite, path: folder.file("list.sqlite")).location
                .openStorage(.readWrite)
            _ = try await other.commit(
                StorageChanges(
                    tags: [Fixtures.tag(1, "one")], views: [Fixtures.view(1)], items: items))
        }
        #expect(isNoticed)
        let others = try await storage.externalChanges { StorageChanges() }
        #expect(others.changes.items.upserts.count == 2)
        #expect(try await storage.loadTags() == base.loadTags())
        #expect(try await storage.loadViews() == [Fixtures.view(1)])
        #expect(try await storage.allItems() == items)
        #expect(try await storage.loadItems(ids: [Fixtures.itemID(2)]) == [items[1]])
        let second = ItemPosition(rank: Fixtures.rank(2), id: Fixtures.itemID(2))
        #expect(try await storage.loadItems(before: second, limit: 9) == [items[0]])
        let ids = Fixtures.itemID(1)...Fixtures.itemID(2)
        #expect(try await storage.itemIDs(in: ids, limit: 9).count == 2)
        #expect(try await storage.itemCount() == 2)
        #expect(try await storage.lastItemRank() == Fixtures.rank(2))
        #expect(try await storage.advice() == base.advice())
        let all = try ItemSearch(
            Query(""), tags: [], now: Fixtures.now, calendar: .utc)
        let (found, expected) = (
            try await storage.findItems(all, .allButTags, after: nil, limit: 9),
            try await base.findItems(all, .allButTags, after: nil, limit: 9)
        )
        #expect(found.items == expected.items)
        #expect(storage.displayName == base.displayName && storage.isDurable)
        #expect(storage.readOnlyReason == nil)
        await storage.close()
        #expect(await storageError { try await base.loadTags() }?.code == .cannotOpen)
    }

    @Test("so are the right to write and a notice")
    func forwardsAccess() async {
        let base = FakeStorage(readOnlyReason: "no")
        let storage = FaultyStorage(base)
        #expect(storage.readOnlyReason == "no")
        await base.allowWriting()
        await storage.recheckAccess()
        #expect(storage.readOnlyReason == nil)
        await base.notice("copied")
        #expect(await storage.consumeNotice() == "copied")
    }

    @Test("a failed write has changed nothing, and the seed decides which ones fail")
    func seeded() async throws {
        let first = try await failures(0.5, seed: 1)
        #expect((5...35).contains(first.count))
        let second = try await failures(0.5, seed: 2)
        #expect(first != second)
        _ = try await base.commit(
            StorageChanges(deletingItems: try await base.allItems().map(\.id)))
        #expect(try await failures(0.5, seed: 1) == first)
    }

    @Test("never is never and always is always")
    func extremes() async throws {
        #expect(try await failures(0, seed: 3).isEmpty)
        #expect(try await failures(1, seed: 4).count == 40)
    }

    @Test("a slow write waits, even when its task is cancelled")
    func slow() async throws {
        let storage = FaultyStorage(base, delay: .milliseconds(50))
        let start = ContinuousClock.now
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        }
        _ = try await task.value
        #expect(ContinuousClock.now - start >= .milliseconds(50))
        #expect(try await storage.itemCount() == 1)
    }
}
