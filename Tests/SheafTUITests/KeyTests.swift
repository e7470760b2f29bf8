import SheafCore
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// What keys do, from key to state, one rule of the design a test.
@MainActor
@Suite("Keys")
struct KeyTests {
    private func lettered(_ letters: String = "abcde") async -> Driver {
        await Driver(items: Fixtures.items(letters.map(String.init)))
    }

    // Moving and selecting

    @Test("deleting selects the next row, else the previous")
    func deleteSelectsNext() async {
        let driver = await lettered("abc")
        driver.type("j d d")
        #expect(driver.names == ["a", "c"])
        #expect(driver.state.selectedItem?.name == "c")
        driver.type("d d")
        #expect(driver.state.selectedItem?.name == "a")
        driver.type("d d")
        #expect(driver.state.selectedItem == nil)
        driver.type("d d x J r t e")
        #expect(driver.names.isEmpty)
    }

    @Test("the selection stays on its item while others move around it")
    func selectionStays() async {
        let driver = await lettered()
        driver.type("j j J")
        #expect(driver.names == ["a", "b", "d", "c", "e"])
        #expect(driver.state.selectedItem?.name == "c")
    }

    @Test("pages, halves, first and last keep the selection on the screen")
    func scrolling() async {
        let driver = await Driver(items: Fixtures.items((1...200).map(String.init)))
        for keys in ["^D", "^F", "G", "^B", "^U", "g g", "PgDn", "k k k", "End", "PgUp"] {
            driver.type(keys)
            let top = driver.state.ui.itemScroll.top
            let row = driver.state.ui.selectedItem.flatMap { driver.state.rows.row(of: $0) }
            let height = Layout(driver.state).itemRows
            #expect(row.map { (top..<(top + height)).contains($0) } == true, "after \(keys)")
        }
    }

    @Test("a key sequence that leads nowhere says so and changes nothing")
    func brokenSequence() async {
        let driver = await lettered()
        driver.type("d x")
        #expect(driver.names.count == 5)
        #expect(driver.state.items.values.allSatisfy { !$0.isDone })
        #expect(driver.state.ui.toast?.text == "dx does nothing here")
        driver.type("d Esc j")
        #expect(driver.state.selectedItem?.name == "b")
    }

    // Adding and renaming

    @Test("a opens a row below, Enter keeps it and selects it")
    func addBelow() async {
        let driver = await lettered("abc")
        driver.type("j a 'new' Enter")
        #expect(driver.names == ["a", "b", "new", "c"])
        #expect(driver.state.selectedItem?.name == "new")
        #expect(driver.state.ui.mode.isNormal)
    }

    @Test("A adds at the end")
    func addAtEnd() async {
        let driver = await lettered("abc")
        driver.type("A 'new' Enter")
        #expect(driver.names == ["a", "b", "c", "new"])
    }

    @Test("Esc, or nothing typed, leaves no item and no undo step behind")
    func addNothing() async {
        let driver = await lettered("abc")
        driver.type("x a 'new' Esc a Enter a Space Enter u")
        #expect(driver.names == ["a", "b", "c"])
        #expect(driver.state.items.values.allSatisfy { !$0.isDone })
    }

    @Test("a new item takes the chosen tag, and stays although the filter does not match it")
    func addUnderFilter() async {
        let driver = await Driver.readingList()
        driver.type("h j j j l / 'swift' Enter a 'other' Enter")
        #expect(driver.names == ["Swift Concurrency by Example", "other"])
        #expect(driver.state.selectedItem?.tags == [Fixtures.id(102)])
        driver.type("k")
        #expect(driver.names == ["Swift Concurrency by Example"])
    }

    @Test("a rename keeps every byte, and a cancelled one none")
    func rename() async {
        let driver = await lettered("abc")
        driver.type("r ^U '日本語' Space 'e\u{301}' Enter j r 'x' Esc")
        #expect(driver.names == ["日本語 e\u{301}", "b", "c"])
        #expect(Array(driver.names[0].utf8) == Array("日本語 e\u{301}".utf8))
    }

    @Test("a rename to nothing is refused, and the old name stays")
    func renameToNothing() async {
        let driver = await lettered("abc")
        driver.type("r ^U Enter")
        #expect(driver.names == ["a", "b", "c"])
        #expect(driver.state.ui.toast?.isAlert == true)
    }

    @Test("a paste is one insertion into a line, and only a hint elsewhere")
    func paste() async {
        let driver = await lettered("abc")
        driver.paste("dd\nq")
        #expect(driver.names == ["a", "b", "c"])
        driver.type("a")
        driver.paste("one\ntwo dd\n")
        driver.type("Enter")
        #expect(driver.names == ["a", "one two dd ", "b", "c"])
    }

    @Test("text that comes in one burst is one edit, up to a key that is none")
    func burst() async {
        let driver = await lettered("abc")
        driver.type("j")
        var actions = 0
        let subscription = driver.store.subscribe { _ in actions += 1 }
        let text = String(repeating: "dd q\u{e9}\u{301} ", count: 200)
        KeyDispatcher(store: driver.store).handle(
            Driver.keys("a") + text.unicodeScalars.map { Key(.character(Character($0))) }
                + [Key(.paste("x\ny"))] + Driver.keys("Backspace 'z'"))
        subscription.cancel()
        driver.type("Enter")
        #expect(actions == 4)
        #expect(driver.names == ["a", "b", text + "x z", "c"])
    }

    // Reordering and filtering

    @Test(
        "a hint goes once its key would do something else, and no sooner",
        arguments: [
            // What is typed, and the hint that is left of it.
            ("d d", "u undo"), ("d d x", nil), ("d d j k H", nil), ("d d j k Tab Tab", "u undo"),
            ("x u", "U redo"), ("x u x", nil), ("x u G J", "U redo"), ("x u K j", "U redo"),
            ("x u a Esc", nil), ("x u j J", nil), ("Q", "? help"), ("Q x", nil), ("x u U", nil),
            ("h a 'new' Enter d d", "u undo"),
            ("h a 'new' Enter a 'two' Enter d d c", nil),
        ] as [(String, String?)])
    func hints(keys: String, hint: String?) async {
        let driver = await lettered()
        driver.type(keys)
        #expect(driver.state.ui.toast?.hint == hint, "after \(keys)")
    }

    @Test("nothing is offered that a list which is read-only refuses")
    func hintReadOnly() async {
        let driver = await Driver(items: Fixtures.items(["a"]), readOnlyReason: "No.")
        driver.paste("text")
        #expect(driver.state.ui.toast != nil)
        #expect(driver.state.ui.toast?.hint == nil)
    }

    @Test("what was said before a line opened does not hide its keys; an alert stays")
    func toastAndMode() async {
        let driver = await lettered()
        driver.paste("text")
        #expect(driver.state.ui.toast != nil)
        driver.type("a")
        #expect(driver.state.ui.toast == nil)
        driver.type("Esc")
        var status = driver.state.saving
        status.refused = [.init(id: AnyID(Fixtures.id(1)), reason: "no")]
        driver.store.send(.saving(.statusChanged(status)))
        driver.type("a")
        #expect(driver.state.ui.toast?.isAlert == true)
    }

    @Test("J and K pass the next row that is shown, whatever lies hidden between")
    func moveUnderFilter() async {
        let driver = await Driver(items: Fixtures.items(["k1", "x", "k2", "y", "k3"]))
        driver.type("/ 'k' Enter J")
        #expect(driver.names == ["k2", "k1", "k3"])
        driver.type("Esc")
        #expect(driver.names == ["x", "k2", "k1", "y", "k3"])
    }

    @Test("a row that an edit takes out of the filter stays until the selection leaves it")
    func pinned() async {
        let driver = await lettered("abc")
        driver.type("H x")
        #expect(driver.names == ["a", "b", "c"])
        driver.type("j")
        #expect(driver.names == ["b", "c"])
    }

    @Test("the filter follows the typing, Enter keeps it, Esc in it goes back to what was")
    func filter() async {
        let driver = await Driver.readingList()
        driver.type("/ 'IN_sys'")
        #expect(driver.names == ["Thinking in Systems"])
        driver.type("^U 'swift' Enter")
        #expect(driver.names == ["Swift Concurrency by Example"])
        driver.type("/ 'zzz'")
        #expect(driver.names.isEmpty)
        driver.type("Esc")
        #expect(driver.names == ["Swift Concurrency by Example"])
        driver.type("Esc")
        #expect(driver.names.count == 5)
    }

    @Test("leaving a filter keeps the selection on its item")
    func filterSelection() async {
        let driver = await Driver.readingList()
        driver.type("/ 'systems' Enter Esc")
        #expect(driver.state.selectedItem?.name == "Thinking in Systems")
    }

    // Tags

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

    // Undo

    @Test("undo and redo go through everything, back and forth")
    func undoRedo() async {
        let driver = await lettered()
        let first = driver.state.items.values
        driver.type("x j d d J a 'new' Enter r 'er' Enter K")
        let last = driver.state.items.values
        driver.type("u u u u u u u u")
        #expect(driver.state.items.values == first)
        #expect(driver.state.ui.toast?.text == "Nothing to undo")
        driver.type("U U U U ^R ^R ^R")
        #expect(driver.state.items.values == last)
    }

    @Test("a command that changes nothing leaves no step and keeps redo")
    func emptyCommand() async {
        let driver = await lettered()
        driver.type("x u r Enter K U")
        #expect(driver.state.items.first?.isDone == true)
    }

    @Test("undo selects what it touched, and says so where that is hidden")
    func undoSelects() async {
        let driver = await lettered()
        driver.type("j j x g g u")
        #expect(driver.state.selectedItem?.name == "c")
        driver.type("x g g / 'e' Enter u")
        #expect(driver.state.selectedItem?.name == "e")
        #expect(driver.state.ui.toast?.text == "Undid done on a hidden item")
    }

    // Saving and leaving

    @Test("quit keeps the open draft, writes everything and leaves with 0")
    func quitKeepsDraft() async {
        let driver = await lettered("abc")
        driver.type("a 'draft'")
        driver.store.send(.session(.leaveRequested(.signalled(15))))
        await driver.store.settled()
        #expect(driver.terminal.left?.status == 143)
        #expect(await driver.storage.loadItems(after: nil, limit: 9).map(\.name).contains("draft"))
        driver.type("q")
        await driver.store.settled()
        #expect(driver.terminal.left?.status == 0)
    }

    @Test("quit asks while storage fails, n stays, y leaves with what is lost on stderr")
    func quitAsks() async {
        let driver = await lettered("abc")
        await driver.storage.fail(with: StorageError(.full, at: "x", reason: "disk full"))
        driver.type("x q")
        await driver.store.settled()
        guard case .confirmation(let confirmation) = driver.state.ui.mode else {
            Issue.record("nothing was asked")
            return
        }
        #expect(confirmation.question.contains("Quit with 1 unsaved change? (disk full)"))
        driver.type("n")
        #expect(driver.terminal.left == nil)
        await driver.storage.fail(with: nil)
        driver.type("q")
        await driver.store.settled()
        #expect(driver.terminal.left?.status == 0)
        #expect(await driver.storage.loadItems(after: nil, limit: 1).first?.isDone == true)
    }

    @Test("what fails to be saved is saved once the cause is gone, without a restart")
    func recovers() async {
        let driver = await lettered("abc")
        await driver.storage.fail(with: StorageError(.full, at: "x", reason: "disk full"))
        driver.type("x")
        await driver.store.flush()
        #expect(driver.state.saving.phase == .failing)
        driver.type("j x")
        await driver.storage.fail(with: nil)
        await driver.store.flush()
        #expect(driver.state.saving.phase == .saved)
        #expect(await driver.storage.loadItems(after: nil, limit: 9) == driver.state.items.values)
    }

    @Test("the note goes through the editor and back, as one step of undo")
    func note() async {
        let driver = await lettered("abc")
        driver.terminal.editedText = "two\nlines"
        driver.type("e")
        await driver.store.settled()
        #expect(driver.state.selectedItem?.note == "two\nlines")
        driver.type("u")
        #expect(driver.state.selectedItem?.note.isEmpty == true)
    }

    @Test("every key of the table has a name that the decoder can deliver, once a context")
    func table() {
        var seen: Set<String> = []
        for binding in Keymap.standard.bindings {
            for keys in binding.keys {
                for label in keys {
                    #expect(Key(label)?.label == label, "\(label) of “\(binding.title)”")
                }
                for context in binding.contexts {
                    let isNew = seen.insert("\(context) \(keys)").inserted
                    #expect(isNew, "\(keys) twice in \(context)")
                }
            }
        }
    }
}
