import SheafTestSupport
import Testing

@testable import SheafList

@Suite("A whole list in memory")
struct WholeListTests {
    @Test(
        "the changes that make one list of another are complete",
        arguments: [1, 500, 1_000, 3_000, 20_000])
    func changesSince(_ count: Int) {
        let items = (1...count).map { Fixtures.item($0) }
        let before = WholeList(StorageChanges(items: items))
        var list = before
        var changes = StorageChanges()
        for item in items {
            var done = item
            done.doneAt = Fixtures.now
            changes.items.replace(item, with: done)
        }
        _ = list.apply(changes)
        let found = list.changes(since: before)
        #expect(found.items.count == count)
        #expect(found.items[items[0].id] == changes.items[items[0].id])
        // Also where nothing is known of how one became the other.
        let other = WholeList(StorageChanges(items: list.items.values))
        #expect(other.changes(since: before).items.count == count)
        #expect(before.changes(since: other).items.upserts.allSatisfy { $0.doneAt == nil })
    }
}
