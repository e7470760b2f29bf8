import SheafList
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

@MainActor
@Suite("Copying, putting and pasting")
struct KeyClipboardTests {
    @Test("lines that are pasted go where the item was that is deleted elsewhere meanwhile")
    func pastedBelowDeleted() async {
        let driver = await Driver.lettered("abcd")
        driver.type("j")
        driver.paste("one\ntwo")
        driver.store.send(.saving(.arrived(deleting: [driver.state.items.values[1].id])))
        driver.type("y")
        #expect(driver.state.items.values.map(\.name) == ["a", "one", "two", "c", "d"])
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
        #expect(driver.state.ui.toast?.text == "1,199 items moved")
        driver.type("1 2 0 0 m")
        let ids = driver.state.rows.ids
        await driver.store.flush()
        driver.store.send(.saving(.arrived(deleting: Array(ids))))
        driver.type("p")
        #expect(driver.state.ui.toast?.text == "Cannot paste: the cut items were deleted")
    }

    @Test("items that make room, for their ranks are equal, are not said to be moved")
    func equalRanks() async {
        let items = Fixtures.items(["x1", "c", "d", "e", "x2"]).map { item in
            var item = item
            item.rank = Fixtures.rank(1)
            return item
        }
        let driver = await Driver(items: items)
        driver.type("/ '\"x\"' Enter s m G m g g p")
        #expect(driver.state.items.values.map(\.name) == ["x1", "x2", "c", "d", "e"])
        #expect(driver.state.selectedItem?.name == "x2")
        #expect(driver.state.ui.toast?.text == "Moved: “x2”")
    }

    @Test("that a paste is lost is still said after the next key")
    func lostText() async {
        let driver = await Driver.readingList()
        driver.handle([Key(.oversizedPaste(most: 1 << 20))])
        driver.type("j")
        #expect(driver.state.ui.toast?.text == "Paste dropped: it is larger than 1 MB")
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

    @Test("y copies the names for other programs, and p inserts a new item that is not done")
    func copy() async throws {
        let driver = await Driver.readingList()
        driver.type("j j 2 y")
        await driver.store.settled()
        #expect(driver.terminal.copied == ["Structured Programming\n日本語の本"])
        driver.type("g g p")
        let copy = try #require(driver.state.selectedItem)
        #expect(copy.name == "Structured Programming")
        #expect(!copy.isDone)
        #expect(copy.id == Fixtures.id(201))
    }

    @Test("of several copies in a row the last one is in the clipboard", arguments: 0..<20)
    func lastCopyWins(_: Int) async {
        let driver = await Driver.readingList()
        driver.type("y j 4 y j y")
        await driver.store.settled()
        #expect(driver.terminal.copied.last == driver.state.selectedItem?.name)
        #expect(driver.state.ui.toast?.text == "Copied: “Structured Programming”")
    }

    @Test("y says where the terminal does not take the text", arguments: [true, false])
    func noClipboard(isLong: Bool) async {
        let driver = await Driver.lettered("ab")
        driver.terminal.clipboardAnswer = isLong ? .tooLong : .unsupported
        driver.type("y")
        await driver.store.settled()
        let reason = isLong ? "too long for the clipboard" : "this terminal has no clipboard"
        #expect(driver.state.ui.toast?.text.hasPrefix("Copied (\(reason))") == true)
    }

    // Pasting

    @Test("a pasted line ends before a carriage return, too")
    func carriageReturn() async {
        let driver = await Driver.lettered("ab")
        driver.paste("one\n\n  \ntwo\r\nthree")
        #expect(driver.question == "Paste 3 items below “a”?")
        driver.type("y")
        #expect(driver.names == ["a", "one", "two", "three", "b"])
    }

    @Test("a paste before the first rows waits for them")
    func early() async {
        let early = EarlyTyping(items: Fixtures.items(["a", "b"]))
        early.type("j")
        early.paste("new")
        early.type("y")
        await early.loadAll()
        #expect(early.names == ["a", "b", "new"])
    }

    @Test("a paste that is too large is said to be dropped, wherever it comes")
    func oversized() async {
        let driver = await Driver.lettered("ab")
        for keys in ["", "a", "/", "t"] {
            driver.type(keys)
            driver.handle([Key(.oversizedPaste(most: 16 << 20))])
            #expect(driver.state.ui.toast?.text == "Paste dropped: it is larger than 16 MB")
            driver.type("Esc Esc")
        }
    }

    @Test("many pasted bullets and their new tags are one step")
    func manyBullets() async {
        let driver = await Driver.lettered("ab")
        driver.paste((1...2_500).map { "- [x] \($0) #tag\($0 % 3)" }.joined(separator: "\n"))
        driver.type("y")
        await driver.store.settled()
        #expect(driver.state.items.count == 2_502)
        #expect(driver.tagged("tag1") == 834)
        await driver.typeSettling("u")
        #expect(driver.names == ["a", "b"])
        #expect(driver.state.tags.isEmpty)
        await driver.typeSettling("U")
        #expect(driver.tagged("tag1") == 834)
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
