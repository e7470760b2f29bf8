import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafFormats
@testable import SheafStorage

/// An import that the disk has no room for.
@Suite("Imports onto a full disk")
struct ImportDiskTests {
    @Test(
        "an import that fills the disk brings in nothing, and works once there is room",
        .enabled(if: TinyDisk.isPossible), arguments: StoreURL.Backend.allCases)
    func full(_ backend: StoreURL.Backend) async throws {
        let lists = try ListFolder()
        let disk = lists.folder.file("disk")
        try await TinyDisk.during(disk) {
            let url = StoreURL(backend, path: "\(disk)/list.\(backend.rawValue)")
            try await lists.make(url)
            try TinyDisk.fill("\(disk)/filler", spare: 100_000)
            let storage = try url.location.openStorage(.readWrite)
            let list = ImportedList(items: (1...1000).map { ImportedItem(name: "line \($0)") })
            let plan = try await Importer(now: Fixtures.now).plan(list, into: storage)
            let error = await storageError { try await storage.commit(plan.changes) }
            #expect(error?.code == .full)
            #expect(try await storage.itemCount() == 3)
            #expect(unlink("\(disk)/filler") == 0)
            _ = try await storage.commit(plan.changes)
            #expect(try await storage.itemCount() == 1003)
            await storage.close()
        }
    }
}
