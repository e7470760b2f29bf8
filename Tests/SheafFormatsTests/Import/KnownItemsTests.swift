import Foundation
import SheafList
import SheafStorage
import SheafTestSupport
import Swidux
import Testing

@testable import SheafFormats

/// Tasks and bullets that a list has already.
@Suite("Importing what is there already")
struct KnownItemsTests {
    private let folder: TemporaryFolder
    private let storage: any ListStorage

    init() throws {
        folder = try TemporaryFolder()
        storage = try StoreURL(.sqlite, path: folder.file("list.sqlite")).location.openStorage(
            .readWriteCreate)
    }

    /// Imports `text` and returns how many items were added and how many left out.
    private func run(_ text: String, _ format: ListFormat, again: Bool = false) async throws
        -> [Int]
    {
        let plan = try await Importer(now: Fixtures.now).plan(
            format.read(Data(text.utf8)), into: storage, excludingKnown: again ? nil : format)
        _ = try await storage.commit(plan.changes)
        return [plan.addedItems, plan.knownItems]
    }

    @Test("equal lines of a file stay as many as they are, and are not added twice")
    func multiset() async throws {
        let two = "- [ ] a\n- [ ] a\n- [x] b\n"
        #expect(try await run(two, .markdown) == [3, 0])
        #expect(try await run(two, .markdown) == [0, 3])
        #expect(try await run("- [ ] a\n" + two, .markdown) == [1, 3])
        #expect(try await run("- [ ] b\n", .markdown) == [1, 0])
        #expect(try await run(two, .markdown, again: true) == [3, 0])
        #expect(try await storage.itemCount() == 8)
    }

    @Test("what a line does not say does not matter, and what it says does")
    func said() async throws {
        let lines = [
            "x 2026-01-03 2026-01-02 a", "x 2026-01-03 b", "2026-01-02 c @t", "d h:1 id:2",
        ]
        #expect(try await run(lines.joined(separator: "\n"), .todotxt) == [4, 0])
        #expect(try await run("x a\nx b\nc @T\nid:2 d h:1\n", .todotxt) == [0, 4])
        #expect(
            try await run(
                "x 2026-01-04 a\nx 2026-01-03 2026-01-05 b\nc\nd h:1\nc @t @u\n", .todotxt) == [
                    5, 0,
                ])
    }

    @Test("a line that says less leaves the fuller one its item")
    func specific() async throws {
        #expect(try await run("2026-01-02 a\n", .todotxt) == [1, 0])
        #expect(try await run("a\n2026-01-02 a\n", .todotxt) == [1, 1])
    }

    @Test(
        "an export that is imported into its own list adds nothing",
        arguments: 1...UInt64(Torture.count(3, of: 8)))
    func ownExport(seed: UInt64) async throws {
        var generator = SplitMix64(seed: seed)
        let tags = RoundTrip.tags(using: &generator)
        let items = (0..<60).map { RoundTrip.item($0, tags: tags, using: &generator) }
        _ = try await storage.commit(StorageChanges(tags: tags, items: items))
        for (form, format) in [
            (ListWriter.Form.markdown, ListFormat.markdown), (.todotxt, .todotxt),
        ] {
            let all = try await storage.allItems()
            let text = try RoundTrip.text(form, all, tags: try await storage.loadTags())
            // A name of nothing has become a space.
            let nameless = all.count { $0.name.isEmpty }
            let done = try await run(text, format)
            #expect(done == [nameless, all.count - nameless], "\(format)")
        }
    }
}
