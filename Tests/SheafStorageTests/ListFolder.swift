import Foundation
import SheafList
import SheafTestSupport

@testable import SheafStorage

/// A folder with lists of both kinds, and a home beside them.
struct ListFolder {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    var environment: [String: String] { ["HOME": folder.file("home")] }

    func url(_ backend: StoreURL.Backend, _ name: String = "list") -> StoreURL {
        StoreURL(backend, path: folder.file("\(name).\(backend.rawValue)"))
    }

    /// Makes or opens the list at `url`, commits `changes` and closes it.
    func commit(_ changes: StorageChanges, to url: StoreURL) async throws {
        let storage = try url.location.openStorage(.readWriteCreate)
        _ = try await storage.commit(changes)
        await storage.close()
    }

    /// Makes the list at `url` with items 1 to `count`, every other one with a tag.
    func make(_ url: StoreURL, _ count: Int = 3) async throws {
        var items = Fixtures.items(count)
        for index in stride(from: 0, to: count, by: 2) { items[index].tags = [Fixtures.tagID(1)] }
        try await commit(StorageChanges(tags: [Fixtures.tag(1, "one")], items: items), to: url)
    }

    /// The items of the list at `url`.
    func items(of url: StoreURL) async throws -> [Item] {
        let storage = try url.location.openStorage(.readWrite)
        let items = try await storage.allItems()
        await storage.close()
        return items
    }

    func mode(of path: String) throws -> UInt32 { UInt32(try status(of: path).st_mode & 0o777) }
}
