import SheafApp
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// The mouse where something is open above the list, and while the list is being read.
@MainActor
@Suite("The mouse in modes")
struct MouseModeTests {
    /// Clicks, a double click and a drag all over the screen.
    private func clickEverywhere(_ driver: Driver) {
        for row in 1...16 {
            for column in [1, 5, 22, 40, 80] { driver.click(column, row) }
            driver.click(40, row)
            driver.drag(from: (40, row), to: (5, 5))
        }
    }

    /// The first row of the help, or the marked one of a picker.
    private func row(_ driver: Driver) -> Int? {
        switch driver.state.ui.mode {
        case .help(let help): help.top
        case .tagPicker(let picker): picker.highlightedRow
        case .sortMenu(let menu): menu.row(in: driver.state)
        case .palette(let palette): palette.highlightedRow
        default: nil
        }
    }

    @Test(
        "clicks leave what is open as it is",
        arguments: ["t 'sw'", "?", "s", ": 'de'", "/ 'wift'", "a 'x'"])
    func clicks(keys: String) async {
        let driver = await Driver.readingList()
        driver.type(keys)
        let before = driver.canvas
        clickEverywhere(driver)
        #expect(driver.canvas == before)
        #expect(driver.state.items.values == Fixtures.readingList().items)
    }

    @Test("clicks answer no question")
    func confirmation() async {
        let driver = await Driver.readingList()
        driver.type("h j j d d")
        clickEverywhere(driver)
        #expect(driver.state.tags.count == 3)
        driver.type("y")
        #expect(driver.state.tags.count == 2)
    }

    @Test("clicks do not answer whether to quit with changes that cannot be saved")
    func leaving() async {
        let driver = await Driver.readingList()
        await driver.storage.fail(with: StorageError(.full, at: "x", reason: "disk full"))
        driver.type("x q")
        await driver.store.settled()
        #expect(driver.state.leaving.isAsking)
        clickEverywhere(driver)
        driver.mouse("65;40;5M")
        #expect(driver.state.leaving.isAsking)
    }

    @Test("a paste that stands still does not answer it")
    func stalledPaste() async {
        let driver = await Driver.readingList()
        await driver.storage.fail(with: StorageError(.full, at: "x", reason: "disk full"))
        driver.type("x q")
        await driver.store.settled()
        driver.handle([Key(.unterminatedPaste)])
        #expect(driver.state.leaving.isAsking)
    }

    @Test("the wheel scrolls the help, and moves through pickers and the found rows")
    func wheel() async {
        let driver = await Driver.readingList()
        driver.type("?")
        driver.mouse("65;40;5M")
        driver.mouse("65;1;1M")
        #expect(row(driver) == 6)
        driver.type("Esc t")
        driver.mouse("65;40;5M")
        #expect(row(driver) == 1)
        driver.type("Esc s")
        driver.mouse("65;40;5M", "65;40;5M", "64;40;5M")
        #expect(row(driver) == 1)
        let long = await Driver(items: Fixtures.items((1...40).map { "item \($0)" }))
        long.type("/ 'item'")
        long.mouse("65;40;5M")
        #expect(long.state.ui.itemScroll.top == 3)
        #expect(long.state.ui.mode.line?.text == "item")
    }

    @Test("a click that comes with keys before it is about the row that was shown")
    func order() async {
        let driver = await Driver.lettered()
        // All in one read: the list is longer by one when the click has its turn.
        driver.handle(Driver.keys("A 'new' Enter k k K") + Driver.reports(["0;40;5M", "0;40;5m"]))
        #expect(driver.names == ["a", "b", "d", "c", "e", "new"])
        #expect(driver.state.selectedItem?.name == "c")
    }

    @Test("after keys that wait a click waits, and is about the row that was shown")
    func waiting() async {
        let early = EarlyTyping(items: Fixtures.items((1...40).map { "item \($0)" }))
        early.loadTags()
        early.loadItems(0..<20)
        early.type("G")
        early.dispatcher.handle(Driver.reports(["0;40;5M", "0;40;5m"]))
        early.type("x")
        #expect(early.state.ui.waitingKeys == 4)
        early.loadItems(20..<40)
        early.endLoad()
        await early.turn()
        #expect(early.done == ["item 3"])
        #expect(early.state.ui.waitingKeys == 0)
    }

    @Test("before any row is there, clicks and the wheel leave the last view to come back")
    func early() async {
        let items = Fixtures.items((1...40).map { "item \($0)" })
        let early = EarlyTyping(items: items, view: RememberedView(selecting: items[30]))
        early.dispatcher.handle(
            Driver.reports(["65;40;5M", "0;40;5M", "32;40;6M", "0;40;6m", "65;5;5M"]))
        await early.loadAll()
        #expect(early.state.selectedItem?.name == "item 31")
    }
}
