import Foundation
import SheafList
import SheafTestSupport
import Swidux
import Synchronization
import Testing

@testable import SheafStorage

/// A list copied to another place.
@Suite("Copies")
struct ListCopyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func location(_ name: String, _ backend: StoreURL.Backend = .sqlite) throws
        -> FileLocation
    {
        try StoreURL(backend, path: folder.file("\(name).\(backend.rawValue)")).location
    }

    private func open(
        _ name: String, _ backend: StoreURL.Backend = .sqlite, _ mode: OpenMode = .readWriteCreate
    ) throws -> any ListStorage {
        try location(name, backend).openStorage(mode)
    }

    /// A list of `count` items, some of equal rank, with every field somewhere.
    private func fill(_ storage: any ListStorage, _ count: Int = 50) async throws {
        var items = Fixtures.items(count)
        for index in items.indices where index % 7 == 0 {
            items[index].tags = [Fixtures.tagID(1)]
            items[index].rank = items[index / 2].rank
            items[index].note = "e\u{301}\nline"
        }
        _ = try await storage.commit(
            StorageChanges(
                tags: [Fixtures.tag(1, "one"), Fixtures.fullTag], views: [Fixtures.fullView],
                items: items + [Fixtures.fullItem]))
    }

    /// Whether both have the same, byte for byte.
    private func expectSame(
        _ first: any ListStorage, _ second: any ListStorage,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let (tags, otherTags) = (try await first.loadTags(), try await second.loadTags())
        let (views, otherViews) = (try await first.loadViews(), try await second.loadViews())
        let (items, otherItems) = (try await first.allItems(), try await second.allItems())
        #expect(tags == otherTags, sourceLocation: location)
        #expect(views == otherViews, sourceLocation: location)
        #expect(items.map(\.id) == otherItems.map(\.id), sourceLocation: location)
        for (item, other) in zip(items, otherItems) {
            for field in Item.fields {
                let isSame = field.isSame(in: item, as: other)
                #expect(isSame, "\(field.name)", sourceLocation: location)
            }
        }
    }

    @Test("a list whose views have one name, as an older version stored them, can be copied again")
    func viewsOfOneName() async throws {
        var views = [Fixtures.view(1, "v"), Fixtures.view(2, "V")]
        let text = try WholeList(StorageChanges(views: views, items: Fixtures.items(1)))
            .text()
        try Data(text).write(to: URL(filePath: folder.file("a.json")))
        let source = try open("a", .json)
        #expect(try await source.loadViews() == views)
        let draft = try ListDraft(at: try location("b"))
        _ = try await ListCopy(from: source, to: draft.storage).run()
        #expect(try await draft.finish())
        let target = try open("b")
        views[1].name = "V 2"
        #expect(try await target.loadViews() == views)
        #expect(try await ListCopy(from: source, to: target).run().wasComplete)
    }

    // Any two kinds

    @Test(
        "is the same list in every field, from any kind to any kind and back",
        arguments: StoreURL.Backend.allCases, StoreURL.Backend.allCases)
    func identical(_ from: StoreURL.Backend, _ to: StoreURL.Backend) async throws {
        let source = try open("a", from)
        try await fill(source)
        let draft = try ListDraft(at: try location("b", to))
        let outcome = try await ListCopy(from: source, to: draft.storage, commitSize: 20).run()
        #expect(outcome.items == 51)
        #expect(outcome.tags == 2)
        #expect(outcome.views == 1)
        #expect(try await draft.finish())
        let copy = try open("b", to, .readWrite)
        try await expectSame(source, copy)
        let back = try open("c", from)
        _ = try await ListCopy(from: copy, to: back).run()
        try await expectSame(source, back)
    }

    @Test("an empty list is copied, and loses the view that a new list begins with")
    func empty() async throws {
        let source = try open("a")
        let target = try open("b", .json, .readWriteBegin)
        #expect(try await target.loadViews().count == 1)
        let outcome = try await ListCopy(from: source, to: target).run()
        #expect(!outcome.wasComplete)
        #expect(try await target.loadViews().isEmpty)
    }

    @Test("the view that a new list begins with is replaced by the source's, edited or not")
    func agenda() async throws {
        let source = try open("a", .sqlite, .readWriteBegin)
        var edited = SavedView.agenda
        edited.name = "Soon"
        _ = try await source.commit(StorageChanges(views: [edited]))
        let target = try open("b", .sqlite, .readWriteBegin)
        _ = try await ListCopy(from: source, to: target).run()
        #expect(try await target.loadViews() == [edited])
    }

    // Existing content

    @Test("a list with anything of its own is refused and left as it is")
    func refused() async throws {
        let source = try open("a")
        try await fill(source)
        let own: [StorageChanges] = [
            StorageChanges(items: [Fixtures.item(1, "mine")]),
            StorageChanges(items: [Fixtures.item(77)]),
            StorageChanges(tags: [Fixtures.tag(9, "nine")]),
            StorageChanges(views: [Fixtures.view(9)]),
        ]
        for (number, changes) in own.enumerated() {
            let target = try open("b\(number)")
            _ = try await target.commit(changes)
            let error = await #expect(throws: ListCopy.TargetTaken.self) {
                try await ListCopy(from: source, to: target).run()
            }
            #expect(error?.items == changes.items.upserts.count)
            #expect(try await target.allItems() == changes.items.upserts)
            #expect(try await target.loadTags() == changes.tags.upserts)
            #expect(try await target.loadViews() == changes.views.upserts)
        }
    }

    @Test("a list that has all of the source and one item more is refused")
    func oneMore() async throws {
        let (source, target) = (try open("a"), try open("b"))
        try await fill(source)
        _ = try await ListCopy(from: source, to: target).run()
        _ = try await target.commit(StorageChanges(items: [Fixtures.item(999)]))
        await #expect(throws: ListCopy.TargetTaken.self) {
            try await ListCopy(from: source, to: target).run()
        }
    }

    @Test("a copy that is complete is left alone")
    func idle() async throws {
        let (source, target) = (try open("a"), try open("b", .json))
        try await fill(source)
        _ = try await ListCopy(from: source, to: target).run()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("b.json")))
        let outcome = try await ListCopy(from: source, to: target).run()
        #expect(outcome.wasComplete)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("b.json"))) == bytes)
    }

    // Half way

    @Test("a copy that ends at any commit is completed by the next", arguments: 0...4)
    func interrupted(_ commits: Int) async throws {
        let source = try open("a")
        try await fill(source, 3_500)
        let target = try open("b", .sqlite, .readWriteBegin)
        let limited = LimitedStorage(target, commits: commits)
        func copy(to target: any ListStorage) -> ListCopy {
            ListCopy(from: source, to: target, commitSize: 700, pageSize: 1_000)
        }
        let error = await storageError {
            try await copy(to: limited).run()
        }
        // Four pages, each more than a commit needs.
        #expect((error == nil) == (commits >= 4))
        let outcome = try await copy(to: target).run()
        #expect(outcome.foundItems == min(commits * 1_000, 3_501))
        try await expectSame(source, target)
    }

    @Test("a file that is copied to is not there before it is complete")
    func draft() async throws {
        let source = try open("a")
        try await fill(source)
        for backend in StoreURL.Backend.allCases {
            let names = { try FileManager.default.contentsOfDirectory(atPath: folder.file(".")) }
            let before = Set(try names())
            var draft: ListDraft? = try ListDraft(at: try location("b", backend))
            let storage = try #require(draft?.storage)
            let limited = LimitedStorage(storage, commits: 1)
            _ = await storageError {
                try await ListCopy(from: source, to: limited, commitSize: 10).run()
            }
            #expect(!FileManager.default.fileExists(atPath: try location("b", backend).url.path))
            await storage.close()
            draft = nil
            #expect(Set(try names()) == before)
        }
    }

    @Test("a file that gets the name meanwhile stays")
    func nameTaken() async throws {
        let draft = try ListDraft(at: try location("b"))
        let path = try location("b").url.path
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try await draft.finish() == false)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
    }

    // Changes of other processes during a copy

    @Test("what another process does to the source meanwhile is in the copy", arguments: [1, 2, 3])
    func meanwhile(_ moment: Int) async throws {
        let source = try open("a")
        try await fill(source, 3_000)
        let other = try open("a", .sqlite, .readWrite)
        let target = try open("b")
        let watched = LimitedStorage(target, commits: .max) { number in
            guard number == moment else { return }
            var moved = Fixtures.item(1, "moved")
            moved.rank = Rank.between(try await other.lastItemRank(), nil)
            moved.tags = [Fixtures.tagID(5)]
            _ = try await other.commit(
                StorageChanges(
                    tags: [Fixtures.tag(5, "five")], items: [moved, Fixtures.item(3_800)],
                    deletingItems: [Fixtures.itemID(2), Fixtures.itemID(2_900)],
                    deletingViews: [Fixtures.fullView.id]))
        }
        _ = try await ListCopy(from: source, to: watched, commitSize: 1_000, pageSize: 1_000)
            .run()
        try await expectSame(other, target)
    }
}

/// A storage that fails after a number of commits, and reports the number of each before it begins.
private final class LimitedStorage: ForwardingStorage {
    let base: any ListStorage
    private let limit: Int
    private let count = Mutex(0)
    private let body: @Sendable (_ number: Int) async throws -> Void

    init(
        _ base: any ListStorage, commits: Int,
        _ body: @escaping @Sendable (_ number: Int) async throws -> Void = { _ in }
    ) {
        self.base = base
        limit = commits
        self.body = body
    }

    func commit(_ changes: StorageChanges) async throws -> SheafList.CommitResult {
        let number = count.withLock { count in
            count += 1
            return count
        }
        try await body(number)
        guard number <= limit else {
            throw StorageError(.full, at: displayName, reason: "disk full")
        }
        return try await base.commit(changes)
    }
}
