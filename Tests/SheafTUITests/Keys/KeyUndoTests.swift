import SheafCore
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// What undo takes back, and the hints that offer it.
@MainActor
@Suite("Keys that undo")
struct KeyUndoTests {
    // Undo

    @Test("undo and redo go through everything, back and forth")
    func undoRedo() async {
        let driver = await Driver.lettered()
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
        let driver = await Driver.lettered()
        driver.type("x u r Enter K U")
        #expect(driver.state.items.first?.isDone == true)
    }

    @Test("undo selects what it touched, and says so where that is hidden")
    func undoSelects() async {
        let driver = await Driver.lettered()
        driver.type("j j x g g u")
        #expect(driver.state.selectedItem?.name == "c")
        driver.type("x g g / 'e' Enter u")
        #expect(driver.state.selectedItem?.name == "e")
        #expect(driver.state.ui.toast?.text == "Undid done on a hidden item")
    }

    // Hints

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
        let driver = await Driver.lettered()
        driver.type(keys)
        #expect(driver.state.ui.toast?.hint == hint, "after \(keys)")
    }

    @Test("nothing is offered that a list which is read-only refuses")
    func hintReadOnly() async {
        let driver = await Driver(items: Fixtures.items(["a"]), readOnlyReason: "No.")
        driver.type("s")
        driver.paste("text")
        #expect(driver.state.ui.toast != nil)
        #expect(driver.state.ui.toast?.hint == nil)
    }

    @Test("what was said before a line opened does not hide its keys; an alert stays")
    func toastAndMode() async {
        let driver = await Driver.lettered()
        driver.type("m")
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
}
