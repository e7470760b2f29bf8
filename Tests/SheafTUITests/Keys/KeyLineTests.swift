import SheafCore
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// What keys do to the open line, and with the text that is typed into it.
@MainActor
@Suite("Keys that open a line")
struct KeyLineTests {
    @Test("a opens a row below, Enter keeps it and selects it")
    func addBelow() async {
        let driver = await Driver.lettered("abc")
        driver.type("j a 'new' Enter")
        #expect(driver.names == ["a", "b", "new", "c"])
        #expect(driver.state.selectedItem?.name == "new")
        #expect(driver.state.ui.mode.isNormal)
    }

    @Test("A adds at the end")
    func addAtEnd() async {
        let driver = await Driver.lettered("abc")
        driver.type("A 'new' Enter")
        #expect(driver.names == ["a", "b", "c", "new"])
    }

    @Test("Esc, or nothing typed, leaves no item and no undo step behind")
    func addNothing() async {
        let driver = await Driver.lettered("abc")
        driver.type("x a 'new' Esc a Enter a Space Enter u")
        #expect(driver.names == ["a", "b", "c"])
        #expect(driver.state.items.values.allSatisfy { !$0.isDone })
    }

    @Test("a new item takes the chosen tag, and stays although the filter does not match it")
    func addUnderFilter() async {
        let driver = await Driver.readingList()
        driver.type("h j j j l / '^swift' Enter a 'other' Enter")
        #expect(driver.names == ["Swift Concurrency by Example", "other"])
        #expect(driver.state.selectedItem?.tags == [Fixtures.id(102)])
        driver.type("k")
        #expect(driver.names == ["Swift Concurrency by Example"])
    }

    @Test("a rename keeps every byte, and a cancelled one none")
    func rename() async {
        let driver = await Driver.lettered("abc")
        driver.type("r ^U '日本語' Space 'e\u{301}' Enter j r 'x' Esc")
        #expect(driver.names == ["日本語 e\u{301}", "b", "c"])
        #expect(Array(driver.names[0].utf8) == Array("日本語 e\u{301}".utf8))
    }

    @Test("a rename to nothing is refused, and the old name stays")
    func renameToNothing() async {
        let driver = await Driver.lettered("abc")
        driver.type("r ^U Enter")
        #expect(driver.names == ["a", "b", "c"])
        #expect(driver.state.ui.toast?.isAlert == true)
    }

    @Test("a paste is one insertion into a line, asks in a list, and is only a hint elsewhere")
    func paste() async {
        let driver = await Driver.lettered("abc")
        driver.paste("dd\nq")
        #expect(driver.names == ["a", "b", "c"])
        driver.type("Esc s")
        driver.paste("q")
        #expect(driver.state.ui.toast?.text == "Paste works only while editing a line")
        driver.type("Esc")
        driver.type("a")
        driver.paste("one\ntwo dd\n")
        driver.type("Enter")
        #expect(driver.names == ["a", "one two dd ", "b", "c"])
    }

    @Test("text that comes in one burst is one edit, up to a paste or a key that is none")
    func burst() async {
        let driver = await Driver.lettered("abc")
        driver.type("j")
        var actions = 0
        let subscription = driver.store.subscribe { _ in actions += 1 }
        let text = String(repeating: "dd q\u{e9}\u{301} ", count: 200)
        KeyDispatcher(store: driver.store).handle(
            Driver.keys("a") + text.unicodeScalars.map { Key(.character(Character($0))) }
                + [Key(.paste("x\ny"))] + Driver.keys("Backspace 'z'"))
        subscription.cancel()
        driver.type("Enter")
        #expect(actions == 5)
        #expect(driver.names == ["a", "b", text + "x z", "c"])
    }

    @Test(
        "a text whose line does not open is dropped with the rest of its burst, and runs nothing",
        arguments: [
            ("r 'xq' Enter q", "Nothing to rename: 5 keys dropped"),
            ("j u t 'dd' Enter", "Nothing to tag: 4 keys dropped"),
            ("e q", "Nothing to edit: 2 keys dropped"),
            ("d d q", "Nothing to delete: 3 keys dropped"),
            ("h r 'Wq' Enter", "Nothing to rename: 4 keys dropped"),
        ])
    func burstWithoutRow(keys: String, toast: String) async {
        let driver = await Driver()
        driver.typeAtOnce(keys)
        #expect(driver.state.ui.toast?.text == toast)
        #expect(driver.state.ui.toast?.isAlert == true)
        #expect(driver.state.ui.mode.isNormal)
        #expect(!driver.state.ui.showsWrites)
        await driver.store.settled()
        #expect(driver.state.leaving.exit == nil)
        driver.typeAtOnce("a 'new' Enter x")
        #expect(driver.state.tags.count + driver.state.items.count == 1)
    }

    @Test("so it is on a list that is read-only")
    func burstReadOnly() async {
        let driver = await Driver(items: Fixtures.items(["a"]), readOnlyReason: "No.")
        driver.typeAtOnce("a 'milk' Enter q")
        #expect(driver.state.ui.toast?.text == "7 keys dropped. Read-only. No.")
        await driver.store.settled()
        #expect(driver.state.leaving.exit == nil)
    }

    @Test("a key that comes alone and has no item says so; what comes later is done")
    func keysWithoutRow() async {
        let driver = await Driver()
        for keys in ["r", "x", "d d", "t", "e", "J", "K"] {
            driver.type("?")
            driver.type("Esc")
            driver.type(keys)
            #expect(driver.state.ui.toast?.text == "No item is selected", "after \(keys)")
        }
        driver.type("a 'new' Enter")
        #expect(driver.names == ["new"])
    }
}
