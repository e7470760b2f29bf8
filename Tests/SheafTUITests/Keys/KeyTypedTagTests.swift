import SheafList
import SheafTestSupport
import Testing

@testable import SheafTUI

/// Tags that are typed into the name of a new item.
@MainActor
@Suite("Keys that type tags")
struct KeyTypedTagTests {
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
