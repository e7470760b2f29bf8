import SheafCore
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

@MainActor
@Suite("Days, repeats and priorities by keys")
struct KeyDateTests {
    private func screen(_ driver: Driver) -> String {
        driver.canvas.textRows.joined(separator: "\n")
    }

    private func item(_ name: String, in driver: Driver) -> Item? {
        driver.state.items.values.first { $0.name == name }
    }

    /// The day that many after the one of the tests.
    private func day(_ days: Int) -> CalendarDay {
        LocalCalendar.utc.day(Fixtures.now).advanced(days: days)
    }

    @Test("D says what it understands while it is typed, and sets it on Enter")
    func due() async {
        let driver = await Driver.lettered("ab")
        driver.type("D")
        #expect(screen(driver).contains("now no day"))
        driver.type("'3'")
        driver.type("'d'")
        #expect(screen(driver).contains("in 3 days"))
        driver.type("Enter")
        #expect(item("a", in: driver)?.due == day(3))
        #expect(driver.state.ui.mode.isNormal)
        driver.type("D Enter")
        #expect(item("a", in: driver)?.due == day(3))
        driver.type("D 'none' Enter")
        #expect(item("a", in: driver)?.due == nil)
        driver.type("u u")
        #expect(item("a", in: driver)?.due == nil)
        driver.type("U")
        #expect(item("a", in: driver)?.due == day(3))
    }

    @Test("what is not understood is said, and stays to be mended")
    func notUnderstood() async {
        let driver = await Driver.lettered("a")
        driver.type("D 'someday' Enter")
        #expect(!driver.state.ui.mode.isNormal)
        #expect(screen(driver).contains("a day is such as today"))
        driver.type("^U 'today' Enter")
        #expect(item("a", in: driver)?.due == day(0))
        driver.type("D 'tom' Esc")
        #expect(item("a", in: driver)?.due == day(0))
    }

    @Test("^N and ^P step by a day from what is typed, else from what is there, else from today")
    func steps() async {
        let driver = await Driver.lettered("a")
        driver.type("D ^N ^N ^P ^N Enter")
        #expect(item("a", in: driver)?.due == day(2))
        driver.type("D ^P Enter")
        #expect(item("a", in: driver)?.due == day(1))
        driver.type("D '10d' ↓ Enter")
        #expect(item("a", in: driver)?.due == day(11))
        driver.type("D '9999-12-31' ^N ^N Enter")
        #expect(item("a", in: driver)?.due == CalendarDay("9999-12-31"))
    }

    @Test("the marked items are set in one step")
    func marked() async {
        let driver = await Driver.lettered("abc")
        driver.type("Space Space D 'tomorrow' Enter")
        #expect(driver.state.items.values.map(\.due) == [day(1), day(1), nil])
        #expect(screen(driver).contains("2 items due"))
        driver.type("! a")
        #expect(driver.state.items.values.map(\.priority) == [.a, .a, nil])
        driver.type("u u")
        #expect(driver.state.items.values.allSatisfy { $0.due == nil && $0.priority == nil })
    }

    @Test("! and a letter of either case sets the priority, !! takes it away")
    func priority() async {
        let driver = await Driver.lettered("a")
        driver.type("! c")
        #expect(item("a", in: driver)?.priority == .c)
        #expect(screen(driver).contains("(C) a"))
        driver.type("! B")
        #expect(item("a", in: driver)?.priority == .b)
        driver.type("! !")
        #expect(item("a", in: driver)?.priority == nil)
        driver.type("! 1")
        #expect(item("a", in: driver)?.priority == nil)
    }

    @Test("gR sets a repeat, and done makes the next below")
    func repeats() async {
        let driver = await Driver.lettered("ab")
        driver.type("D '2d' Enter g R 'every_week'")
        #expect(screen(driver).contains("every week"))
        driver.type("Enter x")
        #expect(driver.state.items.values.map(\.name) == ["a", "a", "b"])
        #expect(driver.state.items.values.map(\.due) == [day(2), day(9), nil])
        #expect(driver.state.items.values.map(\.isDone) == [true, false, false])
        driver.type("u")
        #expect(driver.state.items.values.map(\.name) == ["a", "b"])
    }

    @Test("what is scheduled for later hides once the selection leaves it, until gH or its day")
    func scheduled() async {
        let driver = await Driver.lettered("abc")
        driver.type("g D '3d' Enter")
        #expect(screen(driver).contains("Hidden until"))
        #expect(driver.state.rows.count == 3)
        driver.type("j")
        #expect(driver.state.rows.count == 2)
        #expect(screen(driver).contains("-is:scheduled"))
        driver.type("g H")
        #expect(driver.state.rows.count == 3)
        driver.type("g H")
        #expect(driver.state.rows.count == 2)
        driver.type("/ 'is:scheduled' Enter")
        #expect(driver.state.rows.ids.compactMap { driver.state.items[$0]?.name } == ["a"])
        driver.type("Esc j")
        driver.wall.set(Fixtures.now.advanced(days: 3))
        driver.type("k")
        #expect(driver.state.rows.count == 3, "\(screen(driver))")
    }

    @Test("what is scheduled in a view that leaves it out stays until the selection leaves it")
    func scheduledInView() async {
        for query in ["-is:scheduled", "scheduled:none"] {
            let driver = await Driver(
                views: [Fixtures.view(1, query: query)], items: Fixtures.items(["a", "b", "c"]))
            driver.type("g 1 g D '3d' Enter")
            #expect(driver.state.rows.count == 3)
            #expect(driver.state.selectedItem?.name == "a")
            driver.type("j")
            #expect(driver.state.rows.count == 2)
        }
    }

    @Test("the first key after midnight finds another day: late is late, today is today")
    func midnight() async {
        let driver = await Driver.lettered("ab")
        driver.type("D 'today' Enter j D 'tomorrow' Enter")
        #expect(driver.state.lateCount == 0)
        #expect(screen(driver).contains("today"))
        driver.wall.set(Fixtures.now.advanced(days: 1))
        driver.type("k")
        #expect(driver.state.lateCount == 1)
        #expect(screen(driver).contains("1 late"))
        #expect(screen(driver).contains("1d late"))
        driver.type("x")
        #expect(driver.state.lateCount == 0)
        driver.wall.set(Fixtures.now)
        driver.type("x")
        #expect(driver.state.lateCount == 0)
        #expect(driver.state.today == day(0))
    }

    @Test("a repeat that is done after midnight counts from that day")
    func doneAfterMidnight() async {
        let driver = await Driver.lettered("a")
        driver.type("g R '1d' Enter")
        driver.wall.set(Fixtures.now.advanced(days: 5))
        driver.type("x")
        #expect(driver.state.items.values.map(\.due) == [nil, day(6)])
    }

    @Test("fields typed into a new item's name are taken out as a step of their own")
    func typed() async {
        let driver = await Driver.lettered("a")
        driver.type("a '(B)_Rent_due:3d_rec:+1m' Enter")
        let rent = item("Rent", in: driver)
        #expect(rent?.priority == .b)
        #expect(rent?.due == day(3))
        #expect(rent?.repeat == Repeat("+1m"))
        driver.type("u")
        #expect(item("(B) Rent due:3d rec:+1m", in: driver) != nil)
    }

    @Test("the column gives way before the name does")
    func narrow() async {
        for columns in [120, 100, 80, 60, 40, 24, 10] {
            let driver = await Driver(
                items: Fixtures.items(["A name of some length"]),
                size: Size(columns: columns, rows: 10))
            driver.type("D '3d' Enter ! a")
            #expect(screen(driver).contains("A name") == (columns >= 24), "\(columns)")
            #expect(screen(driver).contains("3d") == (columns >= 80), "\(columns)")
        }
    }

    @Test("keys about days are refused on a list that is read-only")
    func readOnly() async {
        let driver = await Driver(
            items: Fixtures.items(["a"]), readOnlyReason: "The disk is.")
        driver.type("D")
        #expect(driver.state.ui.mode.isNormal)
        driver.type("! a")
        #expect(item("a", in: driver)?.priority == nil)
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
        #expect(screen(driver).contains("a day is such as today"))
        driver.type("Enter")
        #expect(item("a", in: driver)?.due == nil)
    }
}
