import SheafCore
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

@MainActor
@Suite("Copying, putting and pasting")
struct KeyClipboardTests {
    @Test("m changes nothing until p, which puts below the current row in one step")
    func move() async {
        let driver = await Driver.lettered("abcdef")
        driver.type("Space j Space m")
        #expect(driver.names == ["a", "b", "c", "d", "e", "f"])
        driver.type("G k p")
        #expect(driver.names == ["b", "d", "e", "a", "c", "f"])
        driver.type("p")
        #expect(driver.state.ui.toast?.text.hasPrefix("Nothing to put") == true)
        driver.type("u")
        #expect(driver.names == ["a", "b", "c", "d", "e", "f"])
    }

    @Test("p on one of the items that are moved gathers them there")
    func moveToItself() async {
        let driver = await Driver.lettered("abcd")
        driver.type("Space G Space m p")
        #expect(driver.names == ["b", "c", "a", "d"])
        driver.type("g g Esc m p")
        #expect(driver.names == ["b", "c", "a", "d"])
    }

    @Test("p moves on another tag's view too, and leaves the tags alone")
    func moveElsewhere() async {
        let driver = await Driver.readingList()
        driver.type("G m h j j j l p h g g l")
        #expect(
            driver.names == [
                "The Art of Computer Programming, vol. 4B", "Swift Concurrency by Example",
                "Thinking in Systems", "Structured Programming", "日本語の本",
            ])
        #expect(
            driver.state.items.values.first { $0.name.hasPrefix("Think") }?.tags.isEmpty == true)
    }

    @Test("p says what it did, and how much of it is out of sight")
    func says() async {
        let driver = await Driver.readingList()
        func said(_ keys: String) -> String? {
            driver.type(keys)
            return driver.state.ui.toast?.text
        }
        #expect(said("G m") == "1 item to move; p puts it below the current row")
        #expect(said("g g p") == "Moved 1 item")
        #expect(said("m p") == "It is there already")
        #expect(said("Esc G 2 Space m") == "1 item to move; p puts it below the current row")
        driver.type("Esc Esc Esc g g")
        #expect(said("2 m") == "2 items to move; p puts them below the current row")
        #expect(said("G p") == "Moved 2 items")
        let letters = await Driver.lettered("abcde")
        letters.type("3 Space m / '\"e\"' Enter p")
        #expect(letters.state.ui.toast?.text == "Moved 3 items, 3 of them hidden")
    }

    @Test("p of one item that does not show where it goes says so")
    func saysHidden() async {
        let driver = await Driver.readingList()
        driver.type("G m / '#swift' Enter p")
        #expect(driver.state.ui.toast?.text == "Moved 1 item, hidden")
        driver.type("Esc G y")
        await driver.store.settled()
        driver.type("p")
        #expect(driver.state.ui.toast?.text == "Added 1 item")
        driver.type("/ '#swift' Enter p")
        #expect(driver.state.ui.toast?.text == "Added 1 item, hidden")
        driver.paste("one\ntwo")
        driver.type("y")
        #expect(driver.state.ui.toast?.text == "Added 2 items, 2 of them hidden")
    }

    @Test("of several items that are moved the first that shows is selected")
    func selectsMoved() async {
        let driver = await Driver.lettered("abcdef")
        driver.type("2 m G p")
        #expect(driver.names == ["c", "d", "e", "f", "a", "b"])
        #expect(driver.state.selectedItem?.name == "a")
    }

    @Test("so it is where they are moved in parts")
    func manyMoved() async {
        let driver = await Driver(items: Fixtures.items((1...2_500).map(String.init)))
        driver.type("2 0 0 0 m G p")
        await driver.store.settled()
        #expect(driver.names.last == "2000")
        #expect(driver.state.selectedItem?.name == "1")
        #expect(driver.state.ui.toast?.text == "Moved 2000 items")
    }

    @Test("of many that are moved only those count that are left, and none that has to make room")
    func manyLeft() async {
        let items = Fixtures.items((1...2_500).map(String.init)).map { item in
            var item = item
            item.rank = Fixtures.rank(1)
            return item
        }
        let driver = await Driver(items: items)
        driver.type("1 2 0 0 m")
        driver.store.send(.saving(.arrived(deleting: [items[0].id])))
        driver.type("1 7 9 9 G p")
        await driver.store.settled()
        #expect(driver.names[599...600] == ["1800", "2"])
        #expect(driver.names.last == "2500")
        #expect(driver.state.selectedItem?.name == "2")
        #expect(driver.state.ui.toast?.text == "Moved 1199 items")
        driver.type("1 2 0 0 m")
        let ids = driver.state.rows.ids
        driver.store.send(.saving(.arrived(deleting: Array(ids))))
        driver.type("p")
        #expect(driver.state.ui.toast?.text == "The items to move were deleted meanwhile")
    }

    @Test("items that make room, for their ranks are equal, are not said to be moved")
    func equalRanks() async {
        let items = Fixtures.items(["x1", "c", "d", "e", "x2"]).map { item in
            var item = item
            item.rank = Fixtures.rank(1)
            return item
        }
        let driver = await Driver(items: items)
        driver.type("/ '\"x\"' Enter G m g g p")
        #expect(driver.state.items.values.map(\.name) == ["x1", "x2", "c", "d", "e"])
        #expect(driver.state.selectedItem?.name == "x2")
        #expect(driver.state.ui.toast?.text == "Moved 1 item")
    }

    @Test("p of many items that are there already says so")
    func manyThere() async {
        let driver = await Driver(items: Fixtures.items((1...2_500).map(String.init)))
        driver.type("2 0 0 0 m p")
        await driver.store.settled()
        #expect(driver.state.ui.toast?.text == "They are there already")
    }

    @Test("that a paste is lost, or a name, is still said after the next key")
    func lostText() async {
        let driver = await Driver.readingList()
        driver.handle([Key(.oversizedPaste(most: 1 << 20))])
        driver.type("j")
        #expect(driver.state.ui.toast?.text == "Dropped a paste of more than 1 MB")
        driver.type("h G r ^U 'book' Enter k")
        #expect(driver.state.ui.toast?.text == "A tag “book” already exists")
    }

    @Test("a question shows no more of a long name than a screen has room for")
    func longName() async {
        let driver = await Driver(items: Fixtures.items([String(repeating: "x", count: 100_000)]))
        driver.paste("one")
        guard case .confirmation(let confirmation) = driver.state.ui.mode else {
            Issue.record("no question")
            return
        }
        #expect(confirmation.question.count < 300)
        #expect(confirmation.name.map { confirmation.question.contains("“\($0)”") } == true)
    }

    @Test("p under a sort moves nothing, and names the key that helps")
    func moveSorted() async {
        let driver = await Driver.lettered("bac")
        driver.type("m s n G p")
        #expect(driver.state.ui.toast?.text.contains("s m") == true)
        driver.type("s m p")
        #expect(driver.names == ["a", "c", "b"])
    }

    @Test("what was to be moved and is deleted meanwhile is left out")
    func moveDeleted() async {
        let driver = await Driver.lettered("abcd")
        driver.type("2 m")
        driver.store.send(.saving(.arrived(deleting: [driver.state.rows.ids[0]])))
        driver.type("G p")
        #expect(driver.names == ["c", "d", "b"])
    }

    @Test("y copies the names for other programs, and p inserts copies below in one step")
    func copy() async throws {
        let driver = await Driver.readingList()
        driver.type("j j 2 y")
        await driver.store.settled()
        #expect(driver.terminal.copied == ["Structured Programming\n日本語の本"])
        #expect(driver.state.ui.toast?.text == "Copied 2 items; p inserts copies")
        driver.type("g g p")
        #expect(driver.names.prefix(3).last == "日本語の本")
        let copy = try #require(driver.state.selectedItem)
        #expect(copy.name == "Structured Programming")
        #expect(!copy.isDone)
        #expect(copy.tags.count == 2)
        #expect(copy.id == Fixtures.id(201))
        driver.type("u")
        #expect(driver.names.count == 5)
        driver.type("3 p")
        #expect(driver.names.count == 11)
    }

    @Test("of several copies in a row the last one is in the clipboard", arguments: 0..<20)
    func lastCopyWins(_: Int) async {
        let driver = await Driver.readingList()
        driver.type("y j 4 y j y")
        await driver.store.settled()
        #expect(driver.terminal.copied.last == driver.state.selectedItem?.name)
        #expect(driver.state.ui.toast?.text == "Copied 1 item; p inserts copies")
    }

    @Test("copies are of the items as they were, though they are gone")
    func copyDeleted() async {
        let driver = await Driver.lettered("ab")
        driver.type("y d d p")
        #expect(driver.names == ["b", "a"])
        driver.type("g g 2 d d y p")
        #expect(driver.names == ["a"])
    }

    @Test("too many copies are refused", arguments: ["9 9 9 9 9 9 9 9 9 9 9 9 p"])
    func tooMany(keys: String) async {
        let driver = await Driver.lettered("ab")
        driver.type("y \(keys)")
        #expect(driver.names == ["a", "b"])
        #expect(driver.state.ui.toast?.text.hasSuffix("copies are too many") == true)
    }

    @Test("y says where the terminal does not take the text", arguments: [true, false])
    func noClipboard(isLong: Bool) async {
        let driver = await Driver.lettered("ab")
        driver.terminal.clipboardAnswer = isLong ? .tooLong : .unsupported
        driver.type("y")
        await driver.store.settled()
        #expect(
            driver.state.ui.toast?.text.hasPrefix("Copied 1 item for p; ") == true)
    }

    // Pasting

    @Test("pasted lines become items after a question that says how many and where")
    func paste() async {
        let driver = await Driver.lettered("ab")
        driver.paste("one\n\n  \ntwo\r\nthree \u{1b}[31m")
        #expect(driver.names == ["a", "b"])
        #expect(driver.question == "Add 3 items below “a”?")
        #expect(driver.text.contains("Paste of 3 lines"))
        driver.type("Enter")
        #expect(driver.names == ["a", "one", "two", "three \u{1b}[31m", "b"])
        #expect(driver.state.selectedItem?.name == "one")
        driver.type("u")
        #expect(driver.names == ["a", "b"])
        driver.paste("x")
        #expect(driver.question == "Add 1 item below “b”?")
        driver.type("Esc")
        #expect(driver.names == ["a", "b"])
    }

    @Test("a paste of nothing but white space says so")
    func blank() async {
        let driver = await Driver.lettered("ab")
        driver.paste(" \n\t\n")
        #expect(driver.state.ui.mode.isNormal)
        #expect(driver.state.ui.toast?.text == "Nothing to add: the paste has no text")
    }

    @Test("pasted items have the chosen tag, and go to the end where the row is gone meanwhile")
    func pasteTagged() async {
        let driver = await Driver.readingList()
        driver.type("h j j l")
        driver.paste("new")
        driver.store.send(.saving(.arrived(deleting: [Fixtures.id(3)])))
        driver.type("Enter")
        #expect(driver.tagged("book") == 3)
        #expect(driver.state.items.values.last?.name == "new")
    }

    @Test("a paste before the first rows waits for them")
    func early() async {
        let early = EarlyTyping(items: Fixtures.items(["a", "b"]))
        early.type("j")
        early.paste("new")
        early.type("Enter")
        await early.loadAll()
        #expect(early.names == ["a", "b", "new"])
    }

    @Test("a paste that is too large is said to be dropped, wherever it comes")
    func oversized() async {
        let driver = await Driver.lettered("ab")
        for keys in ["", "a", "/", "t"] {
            driver.type(keys)
            driver.handle([Key(.oversizedPaste(most: 16 << 20))])
            #expect(driver.state.ui.toast?.text == "Dropped a paste of more than 16 MB")
            driver.type("Esc Esc")
        }
    }

    @Test("many pasted lines are added in parts, as one step")
    func manyLines() async {
        let driver = await Driver.lettered("ab")
        driver.paste((1...5_000).map(String.init).joined(separator: "\n"))
        driver.type("y")
        await driver.store.settled()
        #expect(driver.state.items.count == 5_002)
        #expect(driver.state.items.values.map(\.name).prefix(3) == ["a", "1", "2"])
        #expect(driver.names.suffix(2) == ["5000", "b"])
        await driver.typeSettling("u")
        #expect(driver.names == ["a", "b"])
    }
}
