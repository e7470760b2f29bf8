import SheafList
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// Tags that are typed into the name of a new item.
@MainActor
@Suite("Keys that type tags")
struct KeyTypedTagTests {
    @Test("a row shows a link as its text, unless the query found letters in its address")
    func links() async {
        let driver = await Driver.readingList()
        driver.type("a '[the_site](https://x.org/q)_about_+Web_things' Enter")
        #expect(driver.text.contains("○ the site about +Web things"))
        driver.type("k")
        let tag = driver.state.tags.first { $0.name == "+Web" }
        let row = driver.canvas.textRows.firstIndex { $0.contains("the site about") } ?? 0
        let line = Rect(x: 0, y: row, width: driver.canvas.size.columns, height: 1)
        let colored = zip(driver.canvas.textRows[row], driver.canvas.cells(of: line))
            .filter { $0.1.style == tag.map { Theme.tag($0.color) } }
        #expect(String(colored.map { $0.0 }) == "+Web")
        driver.type("/ 'x.org' Enter")
        #expect(driver.text.contains("[the site](https://x.org/q) about"))
        driver.type("/ ^U 'site' Enter")
        #expect(driver.text.contains("○ the site about"))
    }

    @Test("suspending and quitting keep a line as Enter does", arguments: ["^Z", "signal"])
    func leaving(way: String) async throws {
        let driver = await Driver.readingList()
        driver.type("a 'x_#book_#fresh'")
        if way == "^Z" { driver.type("^Z") } else { driver.store.send(.leaving(.signalled(15))) }
        await driver.store.settled()
        #expect((driver.state.leaving.exit != nil) == (way == "signal"))
        let items = await driver.storage.loadItems(after: nil, limit: 9)
        let stored = try #require(items.first { $0.name == "x" })
        let names = try await driver.storage.loadTags()
            .filter { stored.tags.contains($0.id) }.map(\.name)
        #expect(names == ["book", "fresh"])
    }
}
