import SheafCore
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// What keys do with tags, in their pane and in the picker.
@MainActor
@Suite("Keys about tags")
struct KeyTagTests {
    @Test("moving in the tags pane filters at once")
    func tagPane() async {
        let driver = await Driver.readingList()
        driver.type("h j")
        #expect(driver.names == ["日本語の本", "Thinking in Systems"])
        driver.type("j j")
        #expect(driver.names == ["Swift Concurrency by Example"])
    }

    @Test("deleting a tag in use asks; one undo brings the tag back onto every item")
    func tagDelete() async {
        let driver = await Driver.readingList()
        let before = driver.state.items.values
        driver.type("h j j d d")
        #expect(driver.state.tags.count == 3)
        driver.type("y")
        #expect(driver.state.tags.count == 2)
        #expect(driver.state.counts.ungrouped == 3)
        driver.type("u")
        #expect(driver.state.tags.values.map(\.name) == ["book", "swift", "classic"])
        #expect(driver.state.items.values == before)
    }

    @Test("a tag that nothing uses goes without a question, and the row below takes over")
    func unusedTag() async {
        let driver = await Driver(tags: Fixtures.tags(["one", "two"]), items: [])
        driver.type("h j j d d")
        #expect(driver.state.tags.values.map(\.name) == ["two"])
        #expect(driver.state.selectedTag?.name == "two")
    }

    @Test("tags are renamed, recoloured and reordered, and undo takes each back")
    func tagEdits() async {
        let driver = await Driver.readingList()
        driver.type("h j j r ^U 'read' Enter")
        #expect(driver.state.tags.values.map(\.name) == ["read", "swift", "classic"])
        driver.type("c")
        #expect(driver.state.tags.first?.color == .green)
        driver.type("J")
        #expect(driver.state.tags.values.map(\.name) == ["swift", "read", "classic"])
        driver.type("u u u")
        #expect(driver.state.tags.values == Fixtures.readingList().tags)
    }

    @Test("two tags cannot have one name, whatever its case")
    func tagNames() async {
        let driver = await Driver.readingList()
        driver.type("h j j r ^U 'SWIFT' Enter")
        #expect(driver.state.tags.first?.name == "book")
        driver.type("a '#Classic' Enter")
        #expect(driver.state.tags.count == 3)
        #expect(driver.state.selectedTag?.name == "classic")
    }

    @Test("the picker puts a tag on and off, Tab stays, Enter closes")
    func picker() async {
        let driver = await Driver.readingList()
        driver.type("t 'sw' Tab 'cla' Enter")
        #expect(driver.state.ui.mode.isNormal)
        #expect(
            driver.state.selectedItem.map(driver.state.tags(of:))?.map(\.name)
                == ["book", "swift", "classic"])
        driver.type("t 'book' Enter")
        #expect(
            driver.state.selectedItem.map(driver.state.tags(of:))?.map(\.name)
                == ["swift", "classic"])
    }

    @Test("the picker creates what is typed when no name begins with it, and undo takes both back")
    func pickerCreate() async {
        let driver = await Driver.readingList()
        driver.type("t 'ook' Enter")
        #expect(driver.state.tags.values.map(\.name) == ["book", "swift", "classic", "ook"])
        #expect(driver.state.selectedItem?.tags.count == 2)
        driver.type("u")
        #expect(driver.state.tags.count == 3)
        #expect(driver.state.selectedItem?.tags.count == 1)
    }

    @Test("a tag is named alike wherever it is typed, and not by # alone")
    func tagNaming() async {
        let driver = await Driver(tags: Fixtures.tags(["foo"]), items: Fixtures.items(["one"]))
        driver.type("t '#' Space 'foo' Enter")
        #expect(driver.state.selectedItem?.tags.count == 1)
        driver.type("h a '#' Enter a '##' Space 'foo' Enter")
        #expect(driver.state.tags.values.map(\.name) == ["foo"])
        driver.type("a '##' Space 'bar' Enter r ^U '#' Space '#' Enter")
        #expect(driver.state.tags.values.map(\.name) == ["foo", "bar"])
        driver.type("r ^U '#baz' Enter")
        #expect(driver.state.tags.values.map(\.name) == ["foo", "baz"])
    }

    @Test("a tag with a sigil of its own is found without it, and shows no other")
    func sigils() async {
        let driver = await Driver(
            tags: Fixtures.tags(["+Garden", "@home"]), items: Fixtures.items(["one"]))
        driver.type("t 'gard' Enter t '@ho' Enter")
        #expect(driver.state.selectedItem?.tags.count == 2)
        #expect(driver.canvas.goldenText.contains("+Garden @home"))
        #expect(!driver.canvas.goldenText.contains("#"))
    }
}
