import SheafTestSupport
import Testing

@testable import SheafList

@Suite("Edits of items")
struct ItemEditTests {
    private let now = Fixtures.now.advanced(days: 1)
    private let items = Fixtures.items(["milk", "bread"])

    private func edited(_ edit: ItemEdit) -> EntityChanges<Item> {
        EntityChanges(editing: items, at: now) { edit.apply(to: &$0) }
    }

    @Test("an edit changes the items that it makes different, and their times")
    func changes() {
        let changes = edited(.name("milk"))
        #expect(changes.upserts.map(\.id) == [items[1].id])
        #expect(changes.upserts.map(\.updatedAt) == [now])
        #expect(changes[items[1].id]?.before == items[1])
    }

    @Test("an item that is done keeps its time")
    func done() {
        var item = items[0]
        ItemEdit.done(since: Fixtures.now).apply(to: &item)
        ItemEdit.done(since: now).apply(to: &item)
        #expect(item.doneAt == Fixtures.now)
        ItemEdit.done(since: nil).apply(to: &item)
        #expect(!item.isDone)
    }

    @Test("the next occurrence is added once, and removed again unless it was edited")
    func recurrence() throws {
        let today = LocalCalendar.utc.day(now)
        var item = items[0]
        (item.due, item.repeat) = (today, Repeat("+1w"))
        item.doneAt = now
        let added = Recurrence(of: item, stored: nil, at: now, today: today)
        guard case .added(let next) = added else {
            Issue.record("\(String(describing: added)) adds nothing")
            return
        }
        #expect(next.due == today.advanced(days: 7))
        #expect(Recurrence(of: item, stored: next, at: now, today: today) == .known(next))
        item.doneAt = nil
        #expect(Recurrence(of: item, stored: next, at: now, today: today) == .removed(next))
        var edited = next
        edited.edit(at: now.advanced(days: 1)) { $0.name = "oat milk" }
        #expect(Recurrence(of: item, stored: edited, at: now, today: today) == nil)
    }
}
