import SheafList
import SheafTestSupport
import Swidux
import Testing

@testable import sheaf

@Suite("Next occurrences that a command adds")
struct NextOccurrenceTests {
    @Test("each stands below its own item, also among items of one rank")
    func equalRanks() async throws {
        var items = Fixtures.items(["a", "b", "c", "d", "e"])
        for index in items.indices {
            items[index].repeat = Repeat("+1w")
            items[index].due = CalendarDay("2041-01-10")
            if index > 0, index < 4 { items[index].rank = items[1].rank }
        }
        let storage = FakeStorage(items: items)
        let edit = ListEdit(storage: storage, now: Fixtures.now)
        var changes = StorageChanges()
        changes.items = edit.changed(items, by: [.done(since: Fixtures.now)])
        #expect(try await edit.followRepeats(of: &changes.items).added == 5)
        _ = try await storage.commit(changes)
        let stored = await storage.loadItems(after: nil, limit: .max)
        #expect(stored.map(\.id) == items.flatMap { [$0.id, $0.nextID] })
        #expect(stored.map(\.isDone) == items.flatMap { _ in [true, false] })
    }
}
