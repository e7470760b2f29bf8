import SheafCore
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
