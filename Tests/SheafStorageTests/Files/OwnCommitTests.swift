import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// A storage distinguishes its own commits from changes of other programs.
@Suite("Own commits")
struct OwnCommitTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ backend: StoreURL.Backend) -> String {
        folder.file("list.\(backend.rawValue)")
    }

    private func open(_ backend: StoreURL.Backend) throws -> any ListStorage {
        try StoreURL(backend, path: path(backend)).location.openStorage(.readWriteCreate)
    }

    private func hasExternalChanges(_ storage: any ListStorage) async throws -> Bool {
        switch storage {
        case let storage as SQLiteStorage: try await storage.perform { $0.hasExternalChanges() }
        case let storage as JSONStorage: try await storage.perform { $0.hasExternalChanges() }
        default: throw CocoaError(.featureUnsupported)
        }
    }

    @Test("a commit of one's own is no news", arguments: StoreURL.Backend.allCases)
    func own(_ backend: StoreURL.Backend) async throws {
        let storage = try open(backend)
        #expect(try await !hasExternalChanges(storage))
        for number in 1...3 {
            _ = try await storage.commit(StorageChanges(items: [Fixtures.item(number)]))
            #expect(try await !hasExternalChanges(storage))
        }
        // One that changes nothing, and one that is merged with nothing, too.
        _ = try await storage.commit(StorageChanges())
        _ = try await storage.commit(
            StorageChanges(items: [Fixtures.item(9, tags: [Fixtures.tagID(9)])]))
        #expect(try await !hasExternalChanges(storage))
    }

    @Test(
        "a commit of another process is, also right before or after one's own, until it is fetched",
        arguments: StoreURL.Backend.allCases)
    func others(_ backend: StoreURL.Backend) async throws {
        let (mine, theirs) = (try open(backend), try open(backend))
        _ = try await mine.commit(StorageChanges(items: [Fixtures.item(1)]))
        _ = try await theirs.commit(StorageChanges(items: [Fixtures.item(2)]))
        #expect(try await hasExternalChanges(mine))
        _ = try await mine.externalChanges { StorageChanges() }
        #expect(try await !hasExternalChanges(mine))
        _ = try await theirs.commit(StorageChanges(items: [Fixtures.item(3)]))
        #expect(try await mine.commit(StorageChanges(items: [Fixtures.item(4)])).isBehind)
        #expect(try await hasExternalChanges(mine))
        _ = try await mine.externalChanges { StorageChanges() }
        #expect(try await !hasExternalChanges(mine))
    }

    @Test("a file that is away is, and one that is back", arguments: StoreURL.Backend.allCases)
    func away(_ backend: StoreURL.Backend) async throws {
        let storage = try open(backend)
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        let path = path(backend)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
        #expect(try await hasExternalChanges(storage))
        await #expect(throws: StorageError.self) {
            try await storage.externalChanges { StorageChanges() }
        }
        try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
        #expect(try await hasExternalChanges(storage))
        _ = try await storage.externalChanges { StorageChanges() }
        #expect(try await !hasExternalChanges(storage))
    }

    @Test("in WAL mode nobody can tell, so everything is")
    func writeAheadLog() async throws {
        let storage = try open(.sqlite)
        try Shell.run("PRAGMA journal_mode = WAL", on: path(.sqlite))
        _ = try await storage.externalChanges { StorageChanges() }
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        #expect(try await hasExternalChanges(storage))
    }
}
