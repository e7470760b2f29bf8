import SheafCore
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

@MainActor
@Suite("Counts and moving")
struct KeyCountTests {
    private static func numbered(_ count: Int = 50) async -> Driver {
        await Driver(items: Fixtures.items((1...count).map(String.init)))
    }

    @Test(
        "a number repeats a movement, and is a row before G and gg",
        arguments: [
            ("1 2 j", "13"), ("1 0 j 3 k", "8"), ("7 G", "7"), ("7 g g", "7"), ("9 9 G", "50"),
            ("9 9 9 9 9 9 9 9 9 9 9 9 j", "50"),
            ("9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 ^D", "50"),
            ("9 9 9 9 9 9 9 9 9 9 9 9 ^B", "1"), ("0 j", "2"), ("5 Esc j", "2"), ("5 Z j", "2"),
            ("5 g Esc j", "2"), ("G 3 ^U", "32"), ("1 0 End", "10"),
        ])
    func moving(keys: String, row: String) async {
        let driver = await Self.numbered()
        driver.type(keys)
        #expect(driver.state.selectedItem?.name == row)
        #expect(driver.state.ui.count == nil)
    }

    @Test("the number is shown until its command is there")
    func shown() async {
        let driver = await Self.numbered()
        driver.type("1 2 d")
        #expect(driver.canvas.textRows.last?.contains("✓ saved  12d ") == true)
        driver.type("Esc")
        #expect(driver.canvas.textRows.last?.contains("12") == false)
    }

    @Test("x and dd take the rows below, which is one step")
    func rows() async {
        let driver = await Self.numbered(6)
        driver.type("j 3 x")
        #expect(driver.done == ["2", "3", "4"])
        driver.type("u 3 d d")
        #expect(driver.question == "Delete 3 items?")
        driver.type("y")
        #expect(driver.names == ["1", "5", "6"])
        driver.type("u 9 Space")
        #expect(driver.marked == ["2", "3", "4", "5", "6"])
    }

    @Test("J and K pass so many rows in one step, which changes one item")
    func reorder() async {
        let driver = await Self.numbered(40)
        let before = driver.state.items
        driver.type("G 3 0 K")
        #expect(driver.names.firstIndex(of: "40") == 9)
        let changed = driver.state.items.values.filter { before[$0.id] != $0 }
        #expect(changed.map(\.name) == ["40"])
        driver.type("u")
        #expect(driver.names.last == "40")
        driver.type("g g 9 9 9 9 9 9 9 9 9 9 9 J")
        #expect(driver.names.last == "1")
    }

    @Test("gJ and gK go to the ends of what is shown, and refuse under a sort")
    func ends() async {
        let driver = await Self.numbered(6)
        driver.type("j g J")
        #expect(driver.names == ["1", "3", "4", "5", "6", "2"])
        driver.type("g K")
        #expect(driver.names == ["2", "1", "3", "4", "5", "6"])
        driver.type("s n j g J")
        #expect(driver.state.ui.toast?.text.hasPrefix("Sorted by name") == true)
        driver.type("s m")
        #expect(driver.names == ["2", "1", "3", "4", "5", "6"])
    }

    @Test("J and K pass so many tags or views, and ^E and ^Y scroll so many lines")
    func tags() async {
        let driver = await Driver(
            tags: Fixtures.tags(["a", "b", "c", "d"]), views: (1...3).map { Fixtures.view($0) },
            items: Fixtures.items(["x"]))
        driver.type("h g g 2 J")
        #expect(driver.state.views.map(\.name) == ["view 2", "view 3", "view 1"])
        driver.type("6 G 2 J")
        #expect(driver.state.tags.map(\.name) == ["b", "c", "a", "d"])
        driver.type("9 J 3 K")
        #expect(driver.state.tags.map(\.name) == ["a", "b", "c", "d"])
        let item = Item(
            id: Fixtures.id(1), name: "x", note: (1...90).map { "\($0)" }.joined(separator: "\n"),
            rank: Fixtures.rank(1), createdAt: Fixtures.now)
        let long = await Driver(items: [item])
        long.type("o 1 0 ^E")
        #expect(long.state.ui.inspector.top == 10)
        long.type("3 ^Y")
        #expect(long.state.ui.inspector.top == 7)
        long.type("9 9 9 9 9 9 9 9 9 9 9 ^E")
        let end = long.state.ui.inspector.top
        #expect(end > 60)
        long.type("^E")
        #expect(long.state.ui.inspector.top == end)
    }

    @Test("marked items move together past the next row, and are gathered by it")
    func block() async {
        let driver = await Self.numbered(6)
        driver.type("j Space j Space J")
        #expect(driver.names == ["1", "3", "5", "2", "4", "6"])
        driver.type("K")
        #expect(driver.names == ["1", "3", "2", "4", "5", "6"])
        driver.type("9 K")
        #expect(driver.names == ["2", "4", "1", "3", "5", "6"])
        driver.type("K")
        #expect(driver.names == ["2", "4", "1", "3", "5", "6"])
        driver.type("u u u")
        #expect(driver.names == ["1", "2", "3", "4", "5", "6"])
    }

    @Test("a number that comes before the list waits with its command")
    func waiting() async {
        let early = EarlyTyping(items: Fixtures.items(["a", "b", "c", "d", "e"]))
        early.type("3 x")
        #expect(early.state.ui.count == 3)
        await early.loadAll()
        #expect(early.done == ["a", "b", "c"])
        #expect(early.state.ui.count == nil)
    }
}
