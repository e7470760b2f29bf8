import SheafList
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

@MainActor
@Suite("Counts and moving")
struct KeyCountTests {
    @Test("J and K pass so many rows in one step, which changes one item")
    func reorder() async {
        let driver = await Driver(items: Fixtures.items((1...40).map(String.init)))
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

    @Test("a number before ^E and ^Y is a number of lines")
    func inspector() async {
        let item = Item(
            id: Fixtures.id(1), name: "x", note: (1...90).map { "\($0)" }.joined(separator: "\n"),
            rank: Fixtures.rank(1), createdAt: Fixtures.now)
        let driver = await Driver(items: [item])
        driver.type("o 1 0 ^E")
        #expect(driver.state.ui.inspector.top == 10)
        driver.type("3 ^Y")
        #expect(driver.state.ui.inspector.top == 7)
        driver.type("9 9 9 9 9 9 9 9 9 9 9 ^E")
        let end = driver.state.ui.inspector.top
        #expect(end > 60)
        driver.type("^E")
        #expect(driver.state.ui.inspector.top == end)
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
