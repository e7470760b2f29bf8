import SheafCore
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// Tags that are typed into the name of a new item.
@MainActor
@Suite("Keys that type tags")
struct KeyTypedTagTests {
    private func tags(_ driver: Driver) -> [String] {
        driver.state.selectedItem.map { driver.state.tags(of: $0).map(\.name) } ?? []
    }

    @Test("Enter takes typed tags out of the name; undo gives the text back, then takes the item")
    func taken() async {
        let driver = await Driver.readingList()
        let (names, tagCount) = (driver.names, driver.state.tags.count)
        driver.type("a 'Read_it_#book_#fresh' Enter")
        #expect(driver.state.selectedItem?.name == "Read it")
        #expect(tags(driver) == ["book", "fresh"])
        driver.type("u")
        #expect(driver.state.selectedItem?.name == "Read it #book #fresh")
        #expect(tags(driver) == [])
        #expect(driver.state.tags.count == tagCount)
        driver.type("u")
        #expect(driver.names == names)
        driver.type("U U")
        #expect(driver.state.selectedItem?.name == "Read it")
        #expect(tags(driver) == ["book", "fresh"])
    }

    @Test("undo that comes in the same read as Enter is about the tags alone")
    func takenAtOnce() async {
        let driver = await Driver.readingList()
        driver.typeAtOnce("a 'x_#book' Enter u")
        #expect(driver.state.selectedItem?.name == "x #book")
    }

    @Test("two words of one new tag make one, and the chosen tag is put on once")
    func once() async {
        let driver = await Driver.readingList()
        let before = driver.state.tags.count
        driver.type("h j j l a 'x_#Fresh_#fresh_#book' Enter")
        #expect(driver.state.tags.count == before + 1)
        #expect(tags(driver) == ["book", "Fresh"])
        driver.type("u")
        #expect(tags(driver) == ["book"])
    }

    @Test("what is pasted, renamed or escaped is text")
    func text() async {
        let driver = await Driver.readingList()
        driver.type("a 'see_'")
        driver.paste("#book and #fresh")
        driver.type("Enter")
        #expect(driver.state.selectedItem?.name == "see #book and #fresh")
        driver.type("r '_#book' Enter")
        #expect(driver.state.selectedItem?.name == "see #book and #fresh #book")
        driver.type("a 'see_\\#book' Enter")
        #expect(driver.state.selectedItem?.name == "see #book")
        #expect(driver.state.tags.count == 3)
        #expect(tags(driver).isEmpty)
    }

    @Test("an item that another process deletes while it is renamed comes back with every word")
    func deletedMeanwhile() async throws {
        let driver = await Driver.readingList()
        let item = try #require(driver.state.items.values.first)
        driver.type("r '_#book'")
        driver.store.send(.items(.delete))
        driver.type("Enter")
        #expect(driver.state.selectedItem?.name == item.name + " #book")
    }

    @Test("^N keeps the line and opens the next one below it, tags taken out")
    func next() async {
        let driver = await Driver.lettered("ab")
        driver.type("a 'one_#t' ^N 'two' ^N 'three_#t' Enter")
        #expect(driver.names == ["a", "one", "two", "three", "b"])
        #expect(tags(driver) == ["t"])
        driver.type("u u u u u")
        #expect(driver.names == ["a", "b"])
        driver.type("A 'x' ^N 'y' ^N ^N x")
        #expect(driver.names == ["a", "b", "x", "y"])
        #expect(driver.state.selectedItem?.isDone == true)
    }

    @Test("^N does nothing in a rename")
    func nextInRename() async {
        let driver = await Driver.lettered("ab")
        driver.type("r '!' ^N")
        #expect(driver.state.ui.mode.draft?.line.text == "a!")
        #expect(driver.names == ["a", "b"])
    }

    @Test("Tab completes a tag before the caret, and is nothing where there is none")
    func completion() async {
        let driver = await Driver(tags: Fixtures.tags(["book", "boots", "+roof", "to read"]))
        func line(_ keys: String) -> String? {
            driver.type(keys)
            defer { driver.type("Esc") }
            return driver.state.ui.mode.draft?.line.text
        }
        #expect(line("a 'x_#boo' Tab") == "x #boo")
        #expect(driver.state.ui.toast?.text == "#book  #boots")
        #expect(line("a 'x_#bO' Tab") == "x #boo")
        #expect(line("a 'x_#boot' Tab 'y'") == "x #boots y")
        #expect(line("a 'x_+R' Tab") == "x +roof ")
        #expect(line("a 'x_#ro' Tab") == "x +roof ")
        #expect(line("a 'x_+boot' Tab") == "x +boots ")
        #expect(line("a 'x_@BO' Tab") == "x @boo")
        #expect(line("a 'x_@ro' Tab") == "x @ro")
        #expect(line("a 'x_#to' Tab") == "x #to")
        #expect(line("a 'x_boo' Tab") == "x boo")
        #expect(line("a Tab") == "")
        #expect(driver.state.ui.pane == .items)
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

    @Test("recognised words are drawn in the style of their tags")
    func drawn() async throws {
        let driver = await Driver.readingList()
        driver.type("j a 'Wide_#book_#new_#12'")
        try expectGolden(driver.canvas, "adding-with-tags")
    }
}
