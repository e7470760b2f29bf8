import SheafCore
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// What keys do to the open line, and with the text that is typed into it.
@MainActor
@Suite("Keys that open a line")
struct KeyLineTests {
    @Test("a rename keeps every byte, and a cancelled one none")
    func rename() async {
        let driver = await Driver.lettered("abc")
        driver.type("r ^U '日本語' Space 'e\u{301}' Enter j r 'x' Esc")
        #expect(driver.names == ["日本語 e\u{301}", "b", "c"])
        #expect(Array(driver.names[0].utf8) == Array("日本語 e\u{301}".utf8))
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
}
