import Foundation
import SheafCore
import Testing

@testable import SheafStorage

/// What could not be saved once, in a file.
@Suite("Rescue files")
struct RescueFileTests {
    private let care: CareFolder

    init() throws {
        care = try CareFolder()
    }

    private func write(of url: StoreURL) throws -> String {
        try RescueFile.write(
            StorageChanges(items: [Fixtures.item(9)]), of: url, environment: care.environment)
    }

    @Test("it keeps its list, by an absolute path", arguments: StoreURL.Backend.allCases)
    func keepsList(_ backend: StoreURL.Backend) throws {
        let url = care.url(backend, "a \"list\"")
        let target = URL(fileURLWithPath: url.path)
        let link = StoreURL(backend, path: care.folder.file("link"))
        try FileManager.default.createSymbolicLink(
            at: URL(fileURLWithPath: link.path), withDestinationURL: target)
        #expect(try RescueFile(path: try write(of: link))?.list == url)
        let relative = try RescueFile(path: try write(of: StoreURL(backend, path: "x")))?.list
        #expect(relative?.path.hasSuffix("/x") == true)
        #expect(relative?.path.hasPrefix("/") == true)
    }

    @Test("a file that cannot be removed is told of, and one that is gone already is not")
    func removal() async throws {
        let url = care.url(.json)
        try await care.make(url)
        for plantsFolder in [true, false] {
            let rescue = try #require(try RescueFile(path: try write(of: url)))
            #expect(unlink(rescue.path) == 0)
            if plantsFolder { #expect(mkdir(rescue.path, 0o700) == 0) }
            let storage = try openStorage(url, mode: .readWrite)
            let outcome = try await rescue.takeIn(to: storage)
            await storage.close()
            #expect((outcome.obstacle != nil) == plantsFolder)
        }
        #expect(try await care.items(of: url).count == 4)
    }

    @Test("one that is larger than any is refused before it is read")
    func tooLarge() throws {
        let path = try write(of: care.url(.json))
        #expect(truncate(path, (1 << 30) + 1) == 0)
        #expect(throws: StorageError.self) { try RescueFile(path: path) }
    }

    @Test("one that cannot be made durable is not there")
    func notDurable() throws {
        let home = care.folder.file("state/sheaf")
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        try UnsyncableFolder.during(home) {
            #expect(throws: StorageError.self) {
                try RescueFile.write(
                    StorageChanges(items: [Fixtures.item(9)]), of: care.url(.json),
                    environment: ["XDG_STATE_HOME": care.folder.file("state")])
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: home).isEmpty)
    }
}
