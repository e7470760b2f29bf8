import Foundation
import SheafList
import SheafStorage
import SheafTestSupport
import Swidux
import Synchronization
import Testing

@testable import SheafFormats

@Suite("Importing")
struct ImporterTests {
    private let folder: TemporaryFolder
    private let storage: any ListStorage
    private let importer: Importer

    init() throws {
        folder = try TemporaryFolder()
        storage = try StoreURL(.sqlite, path: folder.file("list.sqlite")).location.openStorage(
            .readWriteCreate)
        importer = Self.importer()
    }

    /// Gives the ids of `Fixtures`, from 500 up.
    private static func importer() -> Importer {
        let counter = IDCounter()
        return Importer(now: Fixtures.now, makeID: { counter.next() })
    }

    @discardableResult
    private func run(_ list: ImportedList) async throws -> Importer.Plan {
        let plan = try await importer.plan(list, into: storage)
        #expect(try await storage.commit(plan.changes).refused.isEmpty)
        return plan
    }

    @Test("an item that is updated and makes room for a new one keeps what the file says of it")
    func updatedAndMakingRoom() async throws {
        var last = Fixtures.item(2)
        last.rank = try #require(Rank(text: String(repeating: "z", count: 2_000)))
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1), last]))
        let plan = try await run(
            ImportedList(items: [
                ImportedItem(id: last.id, name: "renamed"), ImportedItem(name: "new"),
            ]))
        #expect((plan.addedItems, plan.updatedItems) == (1, 1))
        let items = try await storage.allItems()
        #expect(items.map(\.name) == ["item 1", "renamed", "new"])
        #expect(items.allSatisfy { !$0.rank.isTooLong })
    }

    @Test("items are appended in order")
    func append() async throws {
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(3)))
        let names = (0..<200).map { "new \($0)" }
        let plan = try await run(ImportedList(items: names.map { ImportedItem(name: $0) }))
        #expect(plan.addedItems == 200)
        #expect(plan.updatedItems == 0)
        let items = try await storage.allItems()
        #expect(items.map(\.name) == ["item 1", "item 2", "item 3"] + names)
        #expect(
            items.suffix(200).allSatisfy {
                $0.createdAt == Fixtures.now && $0.updatedAt == Fixtures.now
            })
    }

    @Test("a second import follows the first")
    func twice() async throws {
        for round in 0..<3 {
            try await run(ImportedList(items: (0..<5).map { ImportedItem(name: "\(round)\($0)") }))
        }
        #expect(
            try await storage.allItems().map(\.name)
                == (0..<3).flatMap { round in (0..<5).map { "\(round)\($0)" } })
    }

    @Test("tags are matched by their folded names, or made with the given or the next colour")
    func tags() async throws {
        _ = try await storage.commit(StorageChanges(tags: [Fixtures.tag(1, "Café", color: .red)]))
        try await run(
            ImportedList(
                tags: [
                    ImportedTag(id: Fixtures.tagID(7), name: "given", color: .magenta),
                    ImportedTag(id: Fixtures.tagID(1), name: "same id"),
                    ImportedTag(name: "CAFE\u{301}", color: .cyan),
                ],
                items: [
                    ImportedItem(name: "a", tags: ["café ", "GIVEN", "new"]),
                    ImportedItem(name: "b", tags: ["new", "New"]),
                    ImportedItem(name: "c", tags: ["same ID"]),
                ]))
        let tags = try await storage.loadTags()
        #expect(tags.map(\.name) == ["Café", "given", "same id", "new"])
        #expect(tags.map(\.color) == [.red, .magenta, .green, .yellow])
        #expect(tags.prefix(2).map(\.id) == [Fixtures.tagID(1), Fixtures.tagID(7)])
        #expect(
            try await storage.allItems().map(\.tags)
                == [[tags[0].id, tags[1].id, tags[3].id], [tags[3].id], [tags[2].id]])
    }

    @Test("an item that exists is updated where it stands, and keeps what is not said")
    func update() async throws {
        let tag = Fixtures.tag(1, "tag")
        var items = Fixtures.items(3)
        items[1].note = "old note"
        items[1].tags = [tag.id]
        items[1].doneAt = Timestamp(milliseconds: 5)
        items[1].extras = [.init(key: "k", value: "v")]
        items[1].createdAt = Timestamp(milliseconds: 3)
        _ = try await storage.commit(StorageChanges(tags: [tag], items: items))
        let plan = try await run(
            ImportedList(items: [
                ImportedItem(name: "first"), ImportedItem(id: items[1].id, name: "renamed"),
                ImportedItem(id: Fixtures.itemID(50), name: "own id"),
            ]))
        #expect(plan.addedItems == 2)
        #expect(plan.updatedItems == 1)
        items[1].name = "renamed"
        items[1].note = "old note\nwas: item 2"
        items[1].updatedAt = Fixtures.now
        let stored = try await storage.allItems()
        #expect(Array(stored.prefix(3)) == items)
        #expect(stored.map(\.name).suffix(2) == ["first", "own id"])
        #expect(stored.last?.id == Fixtures.itemID(50))
        try await run(
            ImportedList(items: [
                ImportedItem(
                    id: items[1].id, name: "all", note: "", tags: [], done: .no,
                    createdAt: Timestamp(milliseconds: 1), updatedAt: Fixtures.now, extras: [])
            ]))
        let all = Item(
            id: items[1].id, name: "all", rank: items[1].rank,
            createdAt: Timestamp(milliseconds: 1), updatedAt: Fixtures.now)
        #expect(try await storage.loadItems(ids: [items[1].id]) == [all])
    }

    @Test("what another process writes between the reading and the commit stays")
    func meanwhile() async throws {
        let old = Fixtures.item(1)
        _ = try await storage.commit(StorageChanges(items: [old]))
        let plan = try await importer.plan(
            ImportedList(items: [ImportedItem(id: old.id, name: "imported")]), into: storage)
        let other = try StoreURL(.sqlite, path: folder.file("list.sqlite")).location.openStorage(
            .readWriteCreate)
        var theirs = old
        theirs.name = "theirs"
        theirs.doneAt = Fixtures.now
        var changes = StorageChanges()
        changes.items.replace(old, with: theirs)
        _ = try await other.commit(changes)
        #expect(try await storage.commit(plan.changes).conflicts.count == 1)
        let item = try #require(try await storage.loadItems(ids: [old.id]).first)
        #expect(item.name == "imported")
        #expect(item.doneAt == Fixtures.now)
        #expect(item.note == "was: item 1\nwas: theirs")
    }

    @Test("done without a time gets the best that is known")
    func doneTimes() async throws {
        let early = Timestamp(milliseconds: 1)
        var old = Fixtures.item(1)
        old.doneAt = early
        let plan = importer.plan(
            ImportedList(items: [
                ImportedItem(id: old.id, name: "a", done: .yes(at: nil)),
                ImportedItem(name: "b", done: .yes(at: nil)),
                ImportedItem(name: "c", done: .yes(at: nil), updatedAt: Timestamp(milliseconds: 9)),
                ImportedItem(name: "d", done: .yes(at: early)),
            ]), tags: [], lastRank: old.rank, existing: [old])
        #expect(
            plan.changes.items.upserts.map { $0.doneAt?.milliseconds } == [
                1, Timestamp.unknown.milliseconds, 9, 1,
            ])
        // A time that is unknown is on no day.
        let search = try ItemSearch(
            Query("done:..today"), tags: [], now: Fixtures.now, calendar: .utc)
        let added = plan.changes.items.upserts.filter { $0.id != old.id }
        #expect(await ItemOrder(.match).sorted(added, foundBy: search).map(\.name) == ["c", "d"])
    }

    @Test("a word of a file means the tag for which an export writes it")
    func tagWords() async throws {
        _ = try await storage.commit(
            StorageChanges(tags: Fixtures.tags(["+Pets", "shop", "+red", "@red"])))
        func run(_ text: String, _ format: ListFormat) async throws -> [String] {
            let plan = try await importer.plan(
                format.read(Data(text.utf8)), into: storage, excludingKnown: format)
            _ = try await storage.commit(plan.changes)
            #expect(
                try await importer.plan(
                    format.read(Data(text.utf8)), into: storage, excludingKnown: format
                ).addedItems == 0)
            return plan.changes.tags.upserts.map(\.name).sorted()
        }
        let text =
            "- [ ] a #pets or #red now #@shop #+red\n\n# Shop\n\n- [ ] b\n\n# Pets\n\n- [ ] c\n"
        #expect(try await run(text, .markdown) == ["@shop", "Pets", "red"])
        #expect(
            try RoundTrip.text(
                .markdown, try await storage.allItems(), tags: try await storage.loadTags())
                == text.replacing("#@shop #+red", with: "#+red #@shop")
                .replacing("Shop", with: "shop"))
        #expect(try await run("c @shop +Pets\n", .todotxt) == [])
        #expect(try await run("d +shop @shop @work\n", .todotxt) == ["+shop", "@work"])
        let items = try await storage.allItems()
        let tags = try await storage.loadTags()
        #expect(
            try RoundTrip.text(.todotxt, Array(items.suffix(2)), tags: tags)
                == "c @shop +Pets\nd +shop @shop @work\n")
    }

    @Test(
        "a list that was exported and imported elsewhere is the same",
        arguments: [ListWriter.Form.jsonList, .jsonStore])
    func elsewhere(_ form: ListWriter.Form) async throws {
        var generator = SplitMix64(seed: 5)
        let tags = (0..<4).map { Fixtures.tag($0, "tag \($0)", color: .yellow) }
        let items = (0..<150).map { RandomText.item($0, tags: tags, using: &generator) }
        var bytes: [UInt8] = []
        var writer = ListWriter(form, tags: tags) { bytes += $0 }
        try writer.write(items)
        try writer.finish()
        try await run(ListFormat.json.read(Data(bytes)))
        let stored = try await storage.allItems()
        var again: [UInt8] = []
        var second = ListWriter(form, tags: try await storage.loadTags()) { again += $0 }
        try second.write(stored)
        try second.finish()
        #expect(stored.map(\.id) == items.map(\.id))
        if form == .jsonStore {
            #expect(again == bytes)
        } else {
            // Only the store form brings the order of the tags; the list form names them as items
            // do.
            #expect(
                try ListFormat.json.read(Data(again)).items.map { $0.tags?.sorted() }
                    == items.map { item in
                        tags.filter { item.tags.contains($0.id) }.map(\.name)
                    })
        }
    }
}

/// Ids that are known beforehand.
private final class IDCounter: Sendable {
    private let number = Mutex(500)

    func next() -> UUID {
        number.withLock { number in
            number += 1
            return Fixtures.itemID(number)
        }
    }
}
