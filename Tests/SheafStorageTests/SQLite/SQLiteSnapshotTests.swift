import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

@Suite("Snapshots of a list in an SQLite file")
struct SQLiteSnapshotTests {
    @Test("others commit before and after the reads of one state, not between them")
    func locks() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("list.sqlite")
        let reader = try SQLiteStorage(path: path, mode: .readWriteCreate)
        let other = try SQLiteStorage(path: path, mode: .readWrite, busyTimeout: .milliseconds(50))
        let changes = StorageChanges(items: [Fixtures.item(1)])
        try await reader.snapshot {
            #expect(await storageError { try await other.commit(changes) }?.code == .busy)
            let items = try await reader.loadItems(after: nil, limit: 9)
            #expect(items.isEmpty)
        }
        _ = try await other.commit(changes)
        #expect(try await reader.itemCount() == 1)
        _ = try await reader.commit(StorageChanges(items: [Fixtures.item(2)]))
        #expect(try await other.itemCount() == 2)
    }
}
