import Foundation
import SheafCore
import SheafStorage
import SheafTestSupport
import Testing

/// The screen on a list that another process edits.
@Suite("A list that others edit too")
@MainActor
struct SharedStoreTests {
    private func open(_ backend: StoreURL.Backend, in folder: URL) throws -> any ListStorage {
        let path = folder.appendingPathComponent("list.\(backend.rawValue)").path
        return try openStorage(StoreURL(backend, path: path), mode: .readWriteCreate)
    }

    @Test(
        "a tag that another process made too is one tag, and nothing stays unsaved",
        arguments: StoreURL.Backend.allCases)
    func tagMadeTwice(_ backend: StoreURL.Backend) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("sheaf-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let driver = await Driver(over: try open(backend, in: folder))
        driver.type("A 'ice' Enter")
        await driver.store.flush()

        let theirs = Fixture.tags(["Cold"])[0]
        let other = try open(backend, in: folder)
        var changes = StorageChanges()
        changes.tags.upserts = [theirs]
        #expect(try await other.commit(changes).refused.isEmpty)

        driver.type("t 'cold' Enter")
        await driver.store.flush()
        await driver.store.settled()
        await driver.store.flush()
        #expect(driver.state.tags.values == [theirs])
        #expect(driver.state.selectedItem?.tags == [theirs.id])
        #expect(driver.state.saving.phase == .saved)
        #expect(driver.state.saving.uncommitted == 0)
        #expect(try await other.loadItems(after: nil, limit: 9).map(\.tags) == [[theirs.id]])
        #expect(try await other.loadTags() == [theirs])
    }
}
