import SheafApp
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// The mouse, from a terminal's reports to the screen. At 80x16 the items begin in column 22 and
/// the tags in column 2, both in row 3.
@MainActor
@Suite("The mouse")
struct MouseTests {
    @Test("a marked row takes all that are marked along, and another one goes alone")
    func dragMarked() async {
        let driver = await Driver.lettered("abcdef")
        driver.type("Space j Space")
        driver.mouse("0;40;3M", "32;40;7M")
        #expect(driver.state.ui.toast?.text == "Move here: 2 items")
        driver.mouse("0;40;7m")
        #expect(driver.names == ["b", "d", "e", "a", "c", "f"])
        #expect(driver.state.ui.toast?.text == "2 items moved")
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
        #expect(driver.state.ui.toast?.text == "Add #book: 5 items")
        driver.mouse("0;5;5m")
        #expect(driver.tagged("book") == 5)
        driver.drag(from: (40, 3), to: (5, 5))
        #expect(driver.state.ui.toast?.text == "5 items already have #book")
        driver.type("u")
        #expect(driver.tagged("book") == 3)
    }

    @Test("a drag ends when the list is changed elsewhere: rows may have moved under the pointer")
    func movedTag() async {
        let tags = Fixtures.tags(["a", "b", "c"])
        let driver = await Driver(tags: tags, items: Fixtures.items(["one", "two"]))
        driver.mouse("0;40;3M", "32;5;6M")
        #expect(driver.state.ui.toast?.text == "Add #b: “one”")
        var changes = StorageChanges()
        changes.tags.delete(tags[0])
        driver.store.send(.saving(.arrived(Arrival(changes))))
        #expect(
            driver.state.ui.toast?.text == "Drag ended: the list was changed by another process")
        driver.mouse("0;5;6m")
        #expect(driver.state.items.values.allSatisfy { $0.tags.isEmpty })
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
        #expect(driver.state.ui.toast?.text == "Keys dropped: the selected row is not visible")
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
        #expect(driver.state.ui.toast?.text == "5,000 items already have #one")
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
                nil, nil, "Move here: “a”", "Add #new: “a”", "Leave in place: “a”",
                "Leave in place: “a”", nil,
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
        driver.store.send(.mouse(.toggled))
        await driver.store.settled()
        #expect(driver.state.ui.toast?.text == "Mouse off")
        driver.mouse("0;40;5m")
        driver.click(40, 6)
        #expect(driver.state.selectedItem?.name == "a")
        #expect(driver.names == ["a", "b", "c", "d", "e"])
        driver.store.send(.mouse(.toggled))
        await driver.store.settled()
        #expect(driver.state.ui.toast?.text == "Mouse on; hold Shift to select text")
        driver.click(40, 6)
        #expect(driver.state.selectedItem?.name == "d")
        driver.store.send(.mouse(.unsupported(isAnswer: true)))
        #expect(driver.state.ui.toast?.text == "This terminal does not support a mouse")
        #expect(!driver.state.ui.mouse.isOn)
    }
}
