import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// A list that could only be read when it was opened.
@Suite("Access that changes", .enabled(if: Immutable.isPossible))
struct AccessTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A list with one item that was opened while its folder could not be written to.
    private func opened(_ backend: StorageBackend, _ mode: OpenMode) async throws
        -> (any ListStorage, FileLocation)
    {
        let location = try StoreURL(folder.file(backend.fileName), home: nil).location
        let maker = try location.openStorage(.readWriteCreate)
        _ = try await maker.commit(StorageChanges(items: [Fixtures.item(1)]))
        await maker.close()
        var storage: (any ListStorage)?
        try await Immutable.during(folder.path) {
            storage = try location.openStorage(mode)
            #expect(try await storage?.allItems().count == 1)
            await storage?.recheckAccess()
            #expect(storage?.readOnlyReason != nil)
        }
        return (try #require(storage), location)
    }

    @Test(
        "it is written to once it can be, and what others wrote until then is fetched",
        arguments: StorageBackend.all(with: .file))
    func gained(_ backend: StorageBackend) async throws {
        let (storage, location) = try await opened(backend, .readWrite)
        let other = try location.openStorage(.readWrite)
        _ = try await other.commit(StorageChanges(items: [Fixtures.item(2)]))
        await storage.recheckAccess()
        #expect(storage.readOnlyReason == nil)
        let fetched = try await storage.externalChanges { StorageChanges() }
        #expect(fetched.changes.items.upserts.contains(Fixtures.item(2)))
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(3)]))
        #expect(try await other.allItems() == Fixtures.items(3))
        await storage.close()
        await other.close()
    }

    @Test("opened to be only read, it stays so", arguments: StorageBackend.all(with: .file))
    func readOnly(_ backend: StorageBackend) async throws {
        let (storage, _) = try await opened(backend, .readOnly)
        await storage.recheckAccess()
        #expect(storage.readOnlyReason == "It was opened with --read-only.")
        await storage.close()
    }
}
