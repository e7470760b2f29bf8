import SheafCore
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// What the mouse does, from a terminal's reports to the screen. At 80x16 the items begin in
/// column 22 and the tags in column 2, both in row 3.
@MainActor
@Suite("The mouse")
struct MouseTests {
    @Test("a click selects the row, and gives its pane the focus")
    func click() async {
        let driver = await Driver.readingList()
        driver.type("h")
        driver.click(40, 5)
        #expect(driver.state.selectedItem?.name == "Structured Programming")
        #expect(driver.state.ui.pane == .items)
        driver.click(5, 5)
        #expect(driver.state.selectedTag?.name == "book")
        #expect(driver.state.ui.pane == .tags)
        #expect(driver.names.count == 3)
        driver.click(5, 4)
        #expect(driver.names == ["日本語の本", "Thinking in Systems"])
    }

    @Test("a click where no row is gives the pane the focus, and elsewhere does nothing")
    func clickBeside() async {
        let driver = await Driver.readingList()
        let id = driver.state.ui.selectedItem
        for (column, row) in [(5, 12), (2, 2), (20, 9)] {
            driver.type("l")
            driver.click(column, row)
            #expect(driver.state.ui.pane == .tags, "\(column), \(row)")
        }
        for (column, row) in [(1, 1), (80, 1), (1, 16), (40, 16), (81, 3), (40, 17), (9999, 9999)] {
            driver.click(column, row)
            #expect(driver.state.ui.pane == .tags, "\(column), \(row)")
        }
        driver.click(40, 12)
        #expect(driver.state.ui.pane == .items)
        #expect(driver.state.ui.selectedItem == id)
        #expect(driver.state.ui.tagChoice == .all)
    }

    @Test("in a scrolled list a click means the row that is shown there")
    func scrolledClick() async {
        let driver = await Driver(items: Fixtures.items((1...40).map { "item \($0)" }))
        driver.type("G")
        driver.click(40, 3)
        #expect(driver.state.selectedItem?.name == "item 29")
    }

    @Test("on a screen without room for frames the first row of the list is the screen's")
    func narrow() async {
        let driver = await Driver.readingList(size: Size(columns: 20, rows: 4))
        driver.click(3, 2)
        #expect(driver.state.selectedItem?.name == "Swift Concurrency by Example")
        driver.click(3, 4)
        #expect(driver.state.selectedItem?.name == "Swift Concurrency by Example")
    }

    @Test("a marked row takes all that are marked along, and another one goes alone")
    func dragMarked() async {
        let driver = await Driver.lettered("abcdef")
        driver.type("Space j Space")
        driver.mouse("0;40;3M", "32;40;7M")
        #expect(driver.state.ui.toast?.text == "Move here: 2 items")
        driver.mouse("0;40;7m")
        #expect(driver.names == ["b", "d", "e", "a", "c", "f"])
        #expect(driver.state.ui.toast?.text == "Moved 2 items")
        driver.type("u")
        #expect(driver.names == ["a", "b", "c", "d", "e", "f"])
        driver.drag(from: (40, 4), to: (40, 8))
        #expect(driver.names == ["a", "c", "d", "e", "f", "b"])
        driver.drag(from: (40, 3), to: (40, 4))
        #expect(driver.names == ["a", "c", "d", "e", "f", "b"])
    }

    @Test("a drag of marked rows to a tag puts it on all of them in one step")
    func tagMarked() async {
        let driver = await Driver.readingList()
        driver.type("^A")
        driver.mouse("0;40;3M", "32;5;5M")
        #expect(driver.state.ui.toast?.text == "Tag with “book”: 5 items")
        driver.mouse("0;5;5m")
        #expect(driver.tagged("book") == 5)
        driver.drag(from: (40, 3), to: (5, 5))
        #expect(driver.state.ui.toast?.text == "They already have the tag “book”")
        driver.type("u")
        #expect(driver.tagged("book") == 3)
    }

    @Test("the wheel leaves the dragged item selected, and it can be dropped far away")
    func wheelInDrag() async {
        let driver = await Driver(items: Fixtures.items((1...40).map { "item \($0)" }))
        driver.mouse("0;40;3M", "32;40;4M", "65;40;4M", "65;40;4M")
        #expect(driver.state.selectedItem?.name == "item 1")
        #expect(driver.state.ui.itemScroll.top == 6)
        driver.mouse("32;40;5M", "0;40;5m")
        #expect(driver.names.firstIndex(of: "item 1") == 8)
        #expect(driver.state.selectedItem?.name == "item 1")
        driver.mouse("0;40;5M", "32;40;4M", "65;40;4M")
        driver.type("Esc")
        let top = driver.state.ui.itemScroll.top
        #expect(top <= 8 && 8 < top + 13)
    }

    @Test("a drag whose end is not reported does not let a key act on an item out of sight")
    func keyInDrag() async {
        let driver = await Driver(items: Fixtures.items((1...40).map { "item \($0)" }))
        driver.mouse("0;40;3M", "32;40;4M", "65;40;4M", "65;40;4M")
        driver.type("x")
        #expect(driver.state.items.values.allSatisfy { !$0.isDone })
        #expect(driver.state.ui.toast?.text == "The selection was out of sight")
        #expect(driver.state.ui.itemScroll.top == 0)
        driver.type("x")
        #expect(driver.state.selectedItem?.isDone == true)
        driver.mouse("0;40;5m")
        #expect(driver.names.first == "item 1")
        driver.mouse("0;40;3M", "32;40;4M", "65;40;4M", "65;40;4M")
        driver.type("d d")
        #expect(driver.names.first == "item 1")
        #expect(driver.state.ui.pendingKeys.isEmpty)
    }

    @Test("a drop waits for rows that are being marked, and takes them along")
    func dropAmongFill() async {
        let driver = await Driver(
            tags: Fixtures.tags(["one"]), items: Fixtures.items((1...5_000).map(String.init)),
            idsFrom: 10_001)
        driver.type("^A")
        driver.drag(from: (40, 3), to: (5, 5))
        #expect(driver.state.ui.waitingKeys == 1)
        await Driver.wait(for: driver) { driver.state.ui.waitingKeys == 0 }
        await driver.store.settled()
        #expect(driver.state.items.values.allSatisfy { !$0.tags.isEmpty })
        driver.drag(from: (40, 3), to: (5, 5))
        await driver.store.settled()
        #expect(driver.state.ui.toast?.text == "They already have the tag “one”")
    }

    @Test("the wheel leaves an open range open")
    func wheelInRange() async {
        let driver = await Driver(items: Fixtures.items((1...40).map { "item \($0)" }))
        driver.type("j V")
        driver.mouse("65;40;5M", "65;40;5M", "65;40;5M")
        #expect(driver.state.markedRange?.lowerBound == 1)
        #expect(driver.text.contains("range of"))
        driver.type("G x")
        #expect(driver.state.items.values.count(where: \.isDone) == 39)
    }

    @Test("the wheel scrolls the pane under the pointer, and the selection stays in sight")
    func wheel() async {
        let driver = await Driver(
            tags: Fixtures.tags((1...20).map { "tag \($0)" }),
            items: Fixtures.items((1...40).map { "item \($0)" }))
        driver.type("h")
        driver.mouse("65;40;5M", "65;40;5M")
        #expect(driver.state.ui.itemScroll.top == 6)
        #expect(driver.state.selectedItem?.name == "item 7")
        #expect(driver.state.ui.pane == .tags)
        driver.mouse("64;40;5M")
        #expect(driver.state.ui.itemScroll.top == 3)
        #expect(driver.state.selectedItem?.name == "item 7")
        for _ in 0..<1000 { driver.mouse("65;40;5M") }
        #expect(driver.state.ui.itemScroll.top == 28)
        for _ in 0..<1000 { driver.mouse("64;40;5M") }
        #expect(driver.state.ui.itemScroll.top == 0)
        driver.mouse("65;5;5M")
        #expect(driver.state.ui.tagScroll.top == 3)
        #expect(driver.state.selectedTag?.name == "tag 2")
    }

    @Test("a double click renames, and more clicks leave the typing alone")
    func doubleClick() async {
        let driver = await Driver.readingList()
        driver.click(40, 4)
        driver.click(40, 4)
        #expect(driver.state.ui.mode.draft?.line.text == "Swift Concurrency by Example")
        driver.type("'!'")
        driver.click(40, 4)
        driver.click(40, 7)
        driver.click(5, 5)
        driver.mouse("65;40;5M")
        #expect(driver.state.ui.mode.draft?.line.text == "Swift Concurrency by Example!")
        driver.type("Enter")
        #expect(driver.names[1] == "Swift Concurrency by Example!")
        driver.click(5, 5)
        driver.click(5, 5)
        driver.type("^U 'read' Enter")
        #expect(driver.state.tags.first?.name == "read")
        driver.click(5, 3)
        driver.click(5, 3)
        #expect(driver.state.ui.mode.isNormal)
    }

    @Test("two clicks on different rows, or cells, are no double click")
    func twoClicks() async {
        let driver = await Driver.readingList()
        driver.click(40, 4)
        driver.click(40, 5)
        driver.click(41, 5)
        #expect(driver.state.ui.mode.isNormal)
    }

    @Test("an item that is dragged takes the row that it is dropped on, in one undo step")
    func drag() async {
        let driver = await Driver.lettered()
        driver.drag(from: (40, 3), to: (30, 6))
        #expect(driver.names == ["b", "c", "d", "a", "e"])
        #expect(driver.state.selectedItem?.name == "a")
        driver.drag(from: (40, 7), to: (40, 3))
        #expect(driver.names == ["e", "b", "c", "d", "a"])
        driver.type("u")
        #expect(driver.names == ["b", "c", "d", "a", "e"])
        driver.type("u")
        #expect(driver.names == ["a", "b", "c", "d", "e"])
        #expect(driver.state.ui.toast?.text == "Undid move")
        driver.type("u")
        #expect(driver.state.ui.toast?.text == "Nothing to undo")
    }

    @Test("a drag says what letting go would do, and nothing once it is over")
    func said() async {
        let driver = await Driver(tags: Fixtures.tags(["new"]), items: Fixtures.items(["a", "b"]))
        var said: [String?] = []
        for report in [
            "0;40;3M", "32;41;3M", "32;41;4M", "32;10;5M", "32;10;4M", "32;41;3M", "0;41;3m",
        ] {
            driver.mouse(report)
            said.append(driver.state.ui.toast?.text)
        }
        #expect(
            said == [
                nil, nil, "Move here: “a”", "Tag with “new”: “a”", "Leave as it is: “a”",
                "Leave as it is: “a”", nil,
            ])
        #expect(driver.names == ["a", "b"])
        driver.type("u")
        #expect(driver.state.ui.toast?.text == "Nothing to undo")
    }

    @Test("of the drags that come in one read only the last is looked at")
    func manyDrags() async {
        let driver = await Driver.lettered()
        let drags = (0..<1_000).map { "32;40;\(4 + $0 % 4)M" }
        driver.handle(Driver.reports(["0;40;3M"] + drags))
        #expect(driver.state.ui.toast?.serial == 1)
        driver.mouse("0;40;6m")
        #expect(driver.names == ["b", "c", "d", "a", "e"])
    }

    @Test("dropped where nothing can be done with it, an item stays as it is")
    func dropBeside() async {
        let driver = await Driver.readingList()
        for place in [(5, 3), (5, 4), (5, 14), (40, 14), (40, 2), (40, 1), (40, 16), (900, 900)] {
            driver.drag(from: (40, 3), to: place)
        }
        #expect(driver.state.items.values == Fixtures.readingList().items)
        #expect(driver.state.ui.tagChoice == .all)
        driver.drag(from: (5, 5), to: (40, 3))
        driver.drag(from: (5, 5), to: (5, 6))
        #expect(driver.state.items.values == Fixtures.readingList().items)
        #expect(driver.state.tags.values == Fixtures.readingList().tags)
    }

    @Test("Esc ends a drag, and so does a key that deletes the item")
    func escape() async {
        let driver = await Driver.lettered()
        driver.mouse("0;40;3M", "32;40;5M")
        driver.type("Esc")
        #expect(driver.state.ui.toast == nil)
        driver.mouse("0;40;5m")
        #expect(driver.names == ["a", "b", "c", "d", "e"])
        driver.mouse("0;40;3M", "32;40;5M")
        driver.type("d d")
        driver.mouse("0;40;5m")
        #expect(driver.names == ["b", "c", "d", "e"])
    }

    @Test("under a sort nothing moves, and the way back is named")
    func sorted() async {
        let driver = await Driver.lettered()
        driver.type("s n")
        driver.drag(from: (40, 3), to: (40, 5))
        #expect(driver.names == ["a", "b", "c", "d", "e"])
        #expect(
            driver.state.ui.toast?.text == "Sorted by name; s m goes back to the manual order")
        driver.type("u")
        #expect(driver.state.ui.toast?.text == "Nothing to undo")
    }

    @Test("dropped on a tag, the item has it, and keeps it the next time")
    func tagged() async {
        let driver = await Driver.readingList()
        driver.drag(from: (40, 7), to: (5, 6))
        #expect(driver.state.items.last.map(driver.state.tags(of:))?.map(\.name) == ["swift"])
        #expect(driver.state.ui.toast?.text == "Tagged with “swift”: “Thinking in Systems”")
        #expect(driver.state.ui.tagChoice == .all)
        driver.drag(from: (40, 7), to: (5, 6))
        #expect(driver.state.items.last?.tags.count == 1)
        #expect(driver.state.ui.toast?.text == "It already has the tag “swift”")
        driver.type("u")
        #expect(driver.state.items.values == Fixtures.readingList().items)
    }

    @Test("a list that can only be read is clicked through, and says so when it is to be changed")
    func readOnly() async {
        let (tags, items) = Fixtures.readingList()
        let driver = await Driver(tags: tags, items: items, readOnlyReason: "No.")
        driver.click(40, 5)
        #expect(driver.state.selectedItem?.name == "Structured Programming")
        #expect(driver.state.ui.toast == nil)
        for change in 0..<3 {
            driver.store.send(.session(.toastExpired(serial: driver.state.ui.toast?.serial ?? 0)))
            switch change {
            case 0: driver.click(40, 5)
            case 1: driver.drag(from: (40, 3), to: (40, 5))
            default: driver.drag(from: (40, 3), to: (5, 6))
            }
            #expect(driver.state.ui.toast?.text == "Read-only. No.", "\(change)")
        }
        #expect(driver.state.ui.mode.isNormal)
        #expect(driver.state.items.values == items)
    }

    @Test("a click ends a sequence of keys, so that the rest of it is not about another row")
    func sequence() async {
        let driver = await Driver.lettered()
        driver.type("d")
        driver.click(40, 5)
        driver.type("d")
        #expect(driver.names == ["a", "b", "c", "d", "e"])
        driver.type("Esc d d")
        #expect(driver.names == ["a", "b", "d", "e"])
    }

    @Test("other buttons, and what is done with a modifier, are left alone")
    func others() async {
        let driver = await Driver.lettered()
        driver.mouse("1;40;5M", "1;40;5m", "2;40;5M", "2;40;5m", "4;40;5M", "4;40;5m", "16;40;5M")
        #expect(driver.state.selectedItem?.name == "a")
        driver.mouse("0;40;3M", "36;40;5M", "4;40;5m")
        #expect(driver.names == ["a", "b", "c", "d", "e"])
        #expect(driver.state.ui.toast == nil)
    }

    @Test("switched off, it does nothing, and what was held is let go")
    func off() async {
        let driver = await Driver.lettered()
        driver.mouse("0;40;3M", "32;40;5M")
        driver.store.send(.session(.mouseToggled))
        await driver.store.settled()
        #expect(driver.state.ui.toast?.text == "The mouse is off")
        driver.mouse("0;40;5m")
        driver.click(40, 6)
        #expect(driver.state.selectedItem?.name == "a")
        #expect(driver.names == ["a", "b", "c", "d", "e"])
        driver.store.send(.session(.mouseToggled))
        await driver.store.settled()
        #expect(driver.state.ui.toast?.text == "The mouse is on; with Shift it selects text")
        driver.click(40, 6)
        #expect(driver.state.selectedItem?.name == "d")
        driver.store.send(.session(.mouseToggled))
        await driver.store.settled()
        driver.terminal.hasMouse = false
        driver.store.send(.session(.mouseToggled))
        await driver.store.settled()
        #expect(driver.state.ui.toast?.text == "This terminal does not report a mouse")
        #expect(!driver.state.ui.mouse.isOn)
    }
}
