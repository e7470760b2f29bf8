import Foundation
import SheafCore
import SheafTestSupport
import Testing

@testable import SheafStorage

/// What could not be saved once, in a file.
@Suite("Rescue files")
struct RescueFileTests {
    private let lists: ListFolder

    init() throws {
        lists = try ListFolder()
    }

    private func write(of url: StoreURL) throws -> String {
        try RescueFile.write(
            StorageChanges(items: [Fixtures.item(9)]),
            of: FilePlace(url, environment: lists.environment).home)
    }

    @Test("it keeps its list, by an absolute path", arguments: StoreURL.Backend.allCases)
    func keepsList(_ backend: StoreURL.Backend) throws {
        let url = lists.url(backend, "a \"list\"")
        let target = URL(fileURLWithPath: url.path)
        let link = StoreURL(backend, path: lists.folder.file("link"))
        try FileManager.default.createSymbolicLink(
            at: URL(fileURLWithPath: link.path), withDestinationURL: target)
        #expect(try RescueFile(path: try write(of: link))?.list == .file(url))
        let relative = try RescueFile(path: try write(of: StoreURL(backend, path: "x")))?.list
        #expect(relative?.description.hasSuffix("/x") == true)
        #expect(relative?.description.hasPrefix("\(backend.rawValue):/") == true)
    }

    @Test("a link that takes the list's place later does not make it another list's rescue file")
    func linkLater() async throws {
        let url = lists.url(.json)
        try await lists.make(url)
        let place = try FilePlace(url, environment: lists.environment)
        #expect(rename(url.path, lists.folder.file("away")) == 0)
        #expect(symlink("/dev/null", url.path) == 0)
        let path = try RescueFile.write(StorageChanges(items: [Fixtures.item(9)]), of: place.home)
        #expect(try RescueFile(path: path)?.list == .file(url))
        #expect(rename(lists.folder.file("away"), url.path) == 0)
        #expect(RescueFile.paths(for: place.home) == [path])
    }

    @Test("a file that cannot be removed is told of, and one that is gone already is not")
    func removal() async throws {
        let url = lists.url(.json)
        try await lists.make(url)
        for plantsFolder in [true, false] {
            let rescue = try #require(try RescueFile(path: try write(of: url)))
            #expect(unlink(rescue.path) == 0)
            if plantsFolder { #expect(mkdir(rescue.path, 0o700) == 0) }
            let storage = try openStorage(url.place, mode: .readWrite)
            let outcome = try await rescue.takeIn(to: storage)
            await storage.close()
            #expect((outcome.obstacle != nil) == plantsFolder)
        }
        #expect(try await lists.items(of: url).count == 4)
    }

    @Test("one that is larger than any is refused before it is read")
    func tooLarge() throws {
        let path = try write(of: lists.url(.json))
        #expect(truncate(path, (1 << 30) + 1) == 0)
        #expect(throws: StorageError.self) { try RescueFile(path: path) }
    }

    /// Takes the file at `path` in to the list at `url`.
    private func takeIn(_ path: String, to url: StoreURL) async throws -> UnsavedOutcome {
        let rescue = try #require(try RescueFile(path: path))
        let storage = try openStorage(url.place, mode: .readWrite)
        let outcome = try await rescue.takeIn(to: storage)
        await storage.close()
        return outcome
    }

    @Test("an item gets its new tag once that is taken in, and keeps what was edited meanwhile")
    func refusedNewTag() async throws {
        let url = lists.url(.sqlite)
        try await lists.commit(StorageChanges(tags: [Fixtures.tag(1, "one")]), to: url)
        try Shell.require("name = 'one'", of: "tags", orSay: "not today", on: url.path)
        let (new, twin) = (Fixtures.tag(2, "new"), Fixtures.tag(3, "ONE"))
        let item = Fixtures.item(9, tags: [new.id, twin.id])
        let path = try RescueFile.write(
            StorageChanges(tags: [new, twin], items: [item, Fixtures.item(10)]),
            of: FilePlace(url, environment: lists.environment).home)
        let first = try await takeIn(path, to: url)
        #expect(first.refused.map(\.id) == [new.id])
        #expect(first.obstacle == nil)
        #expect(try await lists.items(of: url).map(\.tags) == [[Fixtures.tagID(1)], []])
        try await lists.commit(
            StorageChanges(
                items: [Fixtures.item(9, "edited", tags: [Fixtures.tagID(1)])],
                deletingItems: [Fixtures.itemID(10)]), to: url)
        try Shell.requireNothing(of: "tags", on: url.path)
        #expect(try await takeIn(path, to: url).refused.isEmpty)
        #expect(access(path, F_OK) != 0)
        let items = try await lists.items(of: url)
        #expect(items.map(\.name) == ["edited"])
        #expect(items.first?.tags == [Fixtures.tagID(1), new.id])
    }

    @Test("a refused item is kept with the tag that stands in for its own")
    func refusedItem() async throws {
        let url = lists.url(.sqlite)
        try await lists.commit(StorageChanges(tags: [Fixtures.tag(1, "one")]), to: url)
        try Shell.require("name = ''", of: "items", orSay: "not today", on: url.path)
        let twin = Fixtures.tag(3, "ONE")
        let path = try RescueFile.write(
            StorageChanges(tags: [twin], items: [Fixtures.item(9, tags: [twin.id])]),
            of: FilePlace(url, environment: lists.environment).home)
        #expect(try await takeIn(path, to: url).refused.map(\.id) == [Fixtures.itemID(9)])
        #expect(try RescueFile(path: path)?.list == .file(url))
        #expect(try RescueFile(path: path)?.count == 1)
        try Shell.requireNothing(of: "items", on: url.path)
        #expect(try await takeIn(path, to: url).refused.isEmpty)
        #expect(try await lists.items(of: url).map(\.tags) == [[Fixtures.tagID(1)]])
    }

    @Test("a file that cannot be rewritten to hold what was refused is told of")
    func cannotBeRewritten() async throws {
        let url = lists.url(.json)
        let (one, two) = (Fixtures.tag(1, "one"), Fixtures.tag(2, "two"))
        try await lists.commit(StorageChanges(tags: [one, two]), to: url)
        let renamed = StorageChanges(tags: [Fixtures.tag(1, "TWO")])
        let home = try FilePlace(url, environment: lists.environment).home
        let path = try RescueFile.write(renamed, of: home)
        let rescue = try #require(try RescueFile(path: path))
        #expect(unlink(path) == 0 && mkdir(path, 0o700) == 0)
        let storage = try openStorage(url.place, mode: .readWrite)
        let outcome = try await rescue.takeIn(to: storage)
        await storage.close()
        #expect(outcome.refused.map(\.id) == [one.id])
        #expect(outcome.obstacle != nil)
    }
}
