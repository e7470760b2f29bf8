import Foundation
import SheafCore
import SheafTestSupport
import Testing

@testable import SheafFormats

/// An item in which no field has its default goes through the formats, so that none forgets a
/// field.
@Suite("Every field in the formats")
struct EveryFieldTests {
    private let tag = Fixtures.fullTag
    private let item = Fixtures.fullItem

    @Test("comes back from an export as JSON, and a checklist keeps what it has no word for")
    func exported() throws {
        for (form, format, omitted) in [
            (ListWriter.Form.jsonStore, ListFormat.json, Set(["rank", "tags"])),
            (.jsonList, .json, ["rank", "tags"]),
            (.markdown, .markdown, ["rank", "tags", "doneAt", "createdAt", "updatedAt"]),
        ] {
            let text = try RoundTrip.text(form, [item], tags: [tag])
            let (items, tags) = try RoundTrip.list(text, format)
            let read = try #require(items.first)
            for field in Item.fields where !omitted.contains(field.name) {
                #expect(field.isSame(in: read, as: item), "\(field.name) in \(text)")
            }
            #expect(read.isDone)
            #expect(tags.map(\.name) == [tag.name])
            #expect(read.tags == Set(tags.map(\.id)))
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
}
