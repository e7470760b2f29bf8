import SheafList
import SheafTestSupport
import Testing

@testable import SheafTUI

@MainActor
@Suite("Days, repeats and priorities by keys")
struct KeyDateTests {
    /// The day that many after the one of the tests.
    private func day(_ days: Int) -> CalendarDay {
        LocalCalendar.utc.day(Fixtures.now).advanced(days: days)
    }

    @Test("a day that is being typed when the program is told to end is kept as Enter would")
    func toldToEnd() async {
        let driver = await Driver.lettered("a")
        driver.type("D '3d'")
        driver.store.send(.leaving(.signalled(15)))
        await driver.store.settled()
        #expect(await driver.storage.loadItems(after: nil, limit: 9).map(\.due) == [day(3)])
        #expect(driver.state.leaving.exit != nil)
    }

    @Test("one that cannot be understood is no obstacle to the end")
    func toldToEndEarly() async {
        let driver = await Driver.lettered("a")
        driver.type("g D 'some'")
        driver.store.send(.leaving(.signalled(15)))
        await driver.store.settled()
        #expect(await driver.storage.loadItems(after: nil, limit: 9).map(\.scheduled) == [nil])
        #expect(driver.state.leaving.exit != nil)
    }

    @Test("a date that another process sets while one is typed is kept in the note")
    func setElsewhere() async throws {
        let driver = await Driver.lettered("ab")
        var theirs = driver.state.items.values[0]
        theirs.due = day(6)
        driver.type("D '3d'")
        driver.store.send(.saving(.arrived(Arrival(StorageChanges(items: [theirs])))))
        driver.type("Enter")
        let item = try #require(driver.state.items[theirs.id])
        #expect(item.due == day(3))
        #expect(item.note == "was: due: \(day(6))")
        #expect(driver.state.ui.toast?.text == "Also changed by another process; see its note: “a”")

        // The typed date is the one that the item had before the other process changed it.
        driver.type("D '3d'")
        theirs = try #require(driver.state.items[theirs.id])
        theirs.due = day(6)
        driver.store.send(.saving(.arrived(Arrival(StorageChanges(items: [theirs])))))
        driver.type("Enter")
        #expect(driver.state.items[theirs.id]?.due == day(3))
    }

    @Test(
        "where the item was deleted elsewhere nothing is said to be set",
        arguments: ["D '3d'", "D 'none'", "g D '3d'", "g R '1w'"])
    func deletedElsewhere(_ keys: String) async {
        let driver = await Driver.lettered("abc")
        let id = driver.state.items.values[1].id
        driver.type("x j \(keys)")
        driver.store.send(.saving(.arrived(deleting: [id])))
        driver.type("Enter")
        #expect(driver.state.ui.toast?.text.hasPrefix("Cannot set the ") == true)
        let reason = ": another process deleted the item"
        #expect(driver.state.ui.toast?.text.hasSuffix(reason) == true)
        #expect(driver.state.ui.toast?.hint == nil)
    }

    @Test("marked items that move leave the selection on its item, and say nothing of that")
    func movedMarks() async {
        var items = Fixtures.items(["late", "today", "also", "tomorrow", "next"])
        for (place, days) in [-1, 0, 0, 1, 3].enumerated() { items[place].due = day(days) }
        let driver = await Driver(items: items)
        driver.type("s d g g Space Space")
        #expect(driver.state.selectedItem?.name == "also")
        driver.type("D '5w' Enter")
        #expect(driver.state.selectedItem?.name == "also")
        #expect(driver.state.ui.toast?.text.hasSuffix("set on 2 items") == true)
    }

    @Test("a paste that is no day is said to be none, however long")
    func pasted() async {
        let driver = await Driver.lettered("a")
        driver.type("D")
        driver.paste("3d\n" + String(repeating: " 3d", count: 100_000))
        #expect(driver.text.contains("Expected a date such as today"))
        driver.type("Enter")
        #expect(driver.state.items.values.map(\.due) == [nil])
    }
}
