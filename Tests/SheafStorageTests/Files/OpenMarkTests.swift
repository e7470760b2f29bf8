import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// Lists that are open in processes that `/proc` does not show. In these tests, the process is this
/// one, which the search in `/proc` leaves out.
@Suite("Marks of open lists")
struct OpenMarkTests {
    private let lists: ListFolder
    private var folder: TemporaryFolder { lists.folder }

    init() throws { lists = try ListFolder() }

    @Test("an open list is neither restored nor overwritten", arguments: StoreURL.Backend.allCases)
    func open(_ backend: StoreURL.Backend) async throws {
        let (url, source) = (lists.url(backend), lists.url(backend, "source"))
        for list in [url, source] { try await lists.make(list) }
        let storage = try url.location.openStorage(.readWrite)
        // A commit to a JSON list replaces its file.
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(9)]))
        let restored = await storageError { try Restore.run(source.path, to: url.location) }
        let backedUp = await storageError {
            try Backup.make(of: source.location, to: url.path, replacing: true)
        }
        for error in [restored, backedUp] {
            #expect(error?.code == .busy)
            #expect(error?.reason.hasPrefix("a process of another user or container") == true)
        }
        await storage.close()
        _ = try Backup.make(of: source.location, to: url.path, replacing: true)
        _ = try Restore.run(source.path, to: url.location)
    }

    @Test("the mark belongs to one list, under all names of its folder")
    func place() throws {
        let (path, other) = (folder.file("list.json"), folder.file("other.json"))
        let link = folder.file("link")
        try FileManager.default.createDirectory(
            atPath: folder.file("folder"), withIntermediateDirectories: false)
        #expect(symlink(folder.file("folder"), link) == 0)
        var mark = OpenMark(at: path)
        #expect(mark != nil)
        #expect(OpenMark.isSet(at: path) && !OpenMark.isSet(at: other))
        mark = OpenMark(at: folder.file("folder/list.json"))
        #expect(!OpenMark.isSet(at: path) && OpenMark.isSet(at: link + "/list.json"))
        mark = nil
        #expect(!OpenMark.isSet(at: link + "/list.json"))
        #expect(OpenMark(at: folder.file("missing/list.json")) == nil)
        #expect(!OpenMark.isSet(at: folder.file("missing/list.json")))
    }
}
