import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafFormats

/// An item in which no field has its default goes through the formats, so that none forgets a
/// field.
@Suite("Every field in the formats")
struct EveryFieldTests {
    private let tag = Fixtures.fullTag
    private let item = Fixtures.fullItem

    @Test("comes back from an export as JSON; what a line has no word for is kept beside it")
    func exported() throws {
        for (form, format, omitted) in [
            (ListWriter.Form.jsonStore, ListFormat.json, Set(["rank", "tags"])),
            (.jsonList, .json, ["rank", "tags"]),
            (.markdown, .markdown, ["rank", "tags", "doneAt", "createdAt", "updatedAt"]),
            (.todotxt, .todotxt, ["rank", "tags", "doneAt", "createdAt", "updatedAt"]),
        ] {
            let text = try RoundTrip.text(form, [item], tags: [tag])
            let (items, tags) = try RoundTrip.list(text, format)
            let read = try #require(items.first)
            for field in Item.fields where !omitted.contains(field.name) {
                #expect(field.isSame(in: read, as: item), "\(field.name) in \(text)")
            }
            #expect(read.isDone)
            #expect(tags.map(\.name) == [format == .todotxt ? "@\(tag.name)" : tag.name])
            #expect(read.tags == Set(tags.map(\.id)))
        }
    }

    @Test("a view comes back from an export, and chooses the tag of that name of the list")
    func exportedView() throws {
        let view = Fixtures.fullView
        let text = try RoundTrip.text(.jsonStore, [item], tags: [tag], views: [view])
        let list = try ListFormat.json.read(Data(text.utf8))
        var known = tag
        known = SheafList.Tag(
            id: Fixtures.id(7), name: "FULL", color: known.color, rank: known.rank)
        let plan = Importer(now: Fixtures.now).plan(
            list, tags: [known], lastRank: nil, existing: [])
        let read = try #require(plan.changes.views.upserts.first)
        #expect(read.tag == known.id)
        for field in SavedView.fields where !["rank", "tag"].contains(field.name) {
            #expect(field.isSame(in: read, as: view), "\(field.name) in \(text)")
        }
        // One that the list has, by its id or its name, stays as it is there.
        let others = [
            SavedView(id: view.id, name: "other", rank: view.rank),
            SavedView(id: Fixtures.id(8), name: "A View", rank: view.rank),
        ]
        for other in others {
            let plan = Importer(now: Fixtures.now).plan(
                list, tags: [tag], rows: StorageChanges(views: [other]), lastRank: nil,
                existing: [])
            #expect(plan.changes.views.isEmpty)
        }
    }

    @Test(
        "is imported into an item that exists, alone as with others",
        arguments: Item.fields.map(\.name))
    func imported(_ name: String) throws {
        let old = Item(id: item.id)
        let text = try RoundTrip.text(.jsonStore, [item], tags: [tag])
        let list = try ListFormat.json.read(Data(text.utf8))
        let plan = Importer(now: Fixtures.now).plan(
            list, tags: [tag], lastRank: old.rank, existing: [old])
        let merged = try #require(plan.changes.items.upserts.first)
        let field = try #require(Item.fields.first { $0.name == name })
        // Places are the list's own, and an item that the import changes is edited then or later.
        guard name != "rank" else { return #expect(merged.rank == old.rank) }
        guard name != "updatedAt" else { return #expect(merged.updatedAt >= item.updatedAt) }
        #expect(field.isSame(in: merged, as: item))
    }

    /// Items that differ only in place, in the time of the edit, or within a day, are one item.
    @Test(
        "tells two items apart that differ in it alone",
        arguments: Item.fields.map(\.name).filter {
            !["rank", "createdAt", "updatedAt"].contains($0)
        }, [ListFormat.markdown, .todotxt])
    func distinct(_ name: String, _ format: ListFormat) throws {
        let field = try #require(Item.fields.first { $0.name == name })
        var other = item
        field.copy(from: Item(id: item.id), to: &other)
        let form = format == .markdown ? ListWriter.Form.markdown : .todotxt
        let text = try RoundTrip.text(form, [item], tags: [tag])
        var known = KnownItems(
            try format.read(Data(text.utf8)).items, format: format, tags: [tag])
        known.markKnown(other)
        #expect(!known.isComplete)
        known.markKnown(item)
        #expect(known.isComplete)
    }

    @Test(
        "keeps a text that an import replaces, and is not touched by an older file",
        // The note is where texts go.
        arguments: Item.fields.filter { $0.rule == .keepingText && $0.name != "note" }.map(\.name))
    func yielding(_ name: String) throws {
        let field = try #require(Item.fields.first { $0.name == name })
        let empty = Item(id: item.id)
        for isLater in [true, false] {
            var imported = ImportedItem(name: "other", updatedAt: Fixtures.now)
            imported.id = item.id
            var old = item
            old.updatedAt = Fixtures.now.advanced(days: isLater ? -1 : 1)
            if isLater {
                // A name is said in any case.
                if name != "name" { field.copy(from: empty, to: &imported.draft) }
            } else {
                field.copy(from: item, to: &imported.draft)
                field.copy(from: empty, to: &old)
            }
            imported.setFields.insert(name)
            let merged = imported.merged(into: old, tags: nil, now: Fixtures.now)
            guard isLater else {
                #expect(merged == old)
                continue
            }
            let texts = field.texts(of: item, overriddenBy: empty)
            #expect(!texts.isEmpty)
            for text in texts {
                #expect(merged.note.hasLines("was: \(text)"), "\(text)")
            }
        }
    }

    @Test("is taken out of the extras of a version that did not know it")
    func former() throws {
        let formers = [FormerExtra("memo", field: "note", since: 3)]
        let extras = ["memo", "other", "memo"].map { Item.Extra(key: $0, value: "of \($0)") }
        var old = Item(id: item.id)
        old.extras = extras
        var item = old
        #expect(item.convertFormerExtras(formers, tags: []) { $0 == "note" } == ["note"])
        #expect(item.note == "of memo")
        #expect(item.extras.map(\.key) == ["other", "memo"])
        item = old
        #expect(item.convertFormerExtras(formers, tags: []) { _ in false }.isEmpty)
        #expect(item == old)
        item.extras = [Item.Extra(key: "memo", value: "no time")]
        old = item
        let wrong = [FormerExtra("memo", field: "doneAt", since: 3)]
        #expect(item.convertFormerExtras(wrong, tags: []) { _ in true }.isEmpty)
        #expect(item == old)
    }
}
