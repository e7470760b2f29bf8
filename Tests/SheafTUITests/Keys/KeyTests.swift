import SheafCore
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// What keys do, from key to state, one rule of the design a test.
@MainActor
@Suite("Keys")
struct KeyTests {
    // The table

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

    // Moving and selecting

    @Test("deleting selects the next row, else the previous")
    func deleteSelectsNext() async {
        let driver = await Driver.lettered("abc")
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
        let driver = await Driver.lettered()
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
            let height = Layout(driver.state).paneRows
            #expect(row.map { (top..<(top + height)).contains($0) } == true, "after \(keys)")
        }
    }

    @Test("a key sequence that leads nowhere says so and changes nothing")
    func brokenSequence() async {
        let driver = await Driver.lettered()
        driver.type("d x")
        #expect(driver.names.count == 5)
        #expect(driver.state.items.values.allSatisfy { !$0.isDone })
        #expect(driver.state.ui.toast?.text == "dx does nothing here")
        driver.type("d Esc j")
        #expect(driver.state.selectedItem?.name == "b")
    }

    // Reordering and filtering

    @Test("J and K pass the next row that is shown, whatever lies hidden between")
    func moveUnderFilter() async {
        let driver = await Driver(items: Fixtures.items(["k1", "x", "k2", "y", "k3"]))
        driver.type("/ '^k' Enter J")
        #expect(driver.names == ["k2", "k1", "k3"])
        driver.type("Esc")
        #expect(driver.names == ["x", "k2", "k1", "y", "k3"])
    }

    @Test("J and K refuse where best matches come first, and say which key goes back")
    func moveAmongBest() async {
        let driver = await Driver(items: Fixtures.items(["k1", "x", "k2"]))
        driver.type("/ 'k' Enter J")
        #expect(driver.names == ["k1", "k2"])
        #expect(driver.state.ui.toast?.text.contains("s m") == true)
        driver.type("Esc")
        #expect(driver.names == ["k1", "x", "k2"])
    }

    @Test("a row that an edit takes out of the filter stays until the selection leaves it")
    func pinned() async {
        let driver = await Driver.lettered("abc")
        driver.type("H x")
        #expect(driver.names == ["a", "b", "c"])
        driver.type("j")
        #expect(driver.names == ["b", "c"])
    }

    @Test("the filter follows the typing, Enter keeps it, Esc in it goes back to what was")
    func filter() async {
        let driver = await Driver.readingList()
        driver.type("/ 'in_sys'")
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

    @Test("why a key did nothing is not said any longer once another did something")
    func refusalGoes() async {
        let driver = await Driver.readingList()
        func toast(_ keys: String) -> String? {
            driver.type(keys)
            return driver.state.ui.toast?.text
        }
        #expect(toast("h d d") == "This row is not a tag")
        #expect(toast("l") == nil)
        driver.type(": 'row_by' Enter 'abc' Enter")
        #expect(driver.state.ui.toast != nil)
        #expect(toast("^U '3' Enter") == nil)
        #expect(driver.state.ui.selectedRow == 2)
        #expect(toast("Z")?.contains("does nothing here") == true)
        #expect(toast("j") == nil)
        #expect(toast("x m") != nil)
        #expect(toast("d d")?.hasPrefix("Deleted") == true)
        #expect(toast("j") != nil)
    }
}
