import Foundation
import SheafCore
import SheafTestSupport
import Testing

@testable import SheafFormats
@testable import SheafStorage

/// Records of programs that knew no days and priorities.
@Suite("Logs of the version before days")
struct FormerLogTests {
    /// The changes that `text` spells, without the members that the version before did not write.
    private func changes(_ changes: StorageChanges) throws -> StorageChanges {
        var text = String(
            decoding: [0x7b] + ChangesText.members(of: changes) + [0x7d], as: UTF8.self)
        for name in TodoTask.fields.map(\.field) {
            text = text.replacing("\"\(name)\": null, ", with: "")
        }
        #expect(!text.contains("\"due\": "))
        return try ChangesText.changes(ChangesText.object(Data(text.utf8)))
    }

    @Test("have them among the extras of items and of what these began with")
    func former() throws {
        var item = Fixtures.item(1)
        item.extras = [("key", "v"), ("due", "soon"), ("due", "2026-03-06"), ("pri", "A")]
            .map(Item.Extra.init)
        var base = item
        base.extras.removeLast()
        var written = StorageChanges(items: [item])
        written.items.bases[item.id] = base
        let read = try changes(written)
        let known = try #require(read.items.upserts.first)
        #expect((known.due, known.priority) == (CalendarDay("2026-03-06"), .a))
        #expect(known.extras.map(\.value) == ["v", "soon"])
        let before = try #require(read.items.bases[item.id])
        #expect((before.due, before.priority) == (known.due, nil))
        // The list has been upgraded, and keeps a line for the order of its pairs.
        var stored = base
        _ = stored.takeFormerExtras(tags: []) { _ in true }
        #expect(stored.extras.count == 3)
        let merged = StorageMerge.items(base: before, mine: known, theirs: stored)
        #expect(!merged.isConflict)
        #expect((merged.value.priority, merged.value.extras) == (.a, stored.extras))
    }
}
