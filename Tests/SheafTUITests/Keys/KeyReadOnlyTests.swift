import SheafList
import SheafTestSupport
import Testing

@testable import SheafTUI

/// Which keys a list that can only be read offers.
@MainActor
@Suite("Keys of a read-only list")
struct KeyReadOnlyTests {
    private func footer(of driver: Driver) -> String { driver.canvas.textRows.last ?? "" }

    private func hints(_ driver: Driver) -> [String] {
        Keymap.standard.bindings(in: KeyContext(driver.state), of: driver.state)
            .compactMap(\.hint)
    }

    @Test("the footer offers what works, and all of it again once the list can be written to")
    func footer() async {
        let driver = await Driver(items: Fixtures.items(["a"]), readOnlyReason: "No.")
        #expect(hints(driver) == ["find", "quit", "help"])
        #expect(footer(of: driver).hasSuffix("/ find   q quit   ? help "))
        driver.type("h")
        #expect(hints(driver) == ["items", "find", "quit", "help"])
        driver.type("l")
        driver.store.send(.session(.accessGained))
        driver.store.send(.session(.toastExpired(serial: driver.state.ui.toast?.serial ?? 0)))
        #expect(hints(driver).prefix(2) == ["add", "rename"])
        #expect(footer(of: driver).contains("a add   r rename"))
    }

    @Test("the help lists what works, and a key that edits answers with the reason")
    func help() async {
        let driver = await Driver(items: Fixtures.items(["a"]), readOnlyReason: "No.")
        driver.type("?")
        guard case .help(let help) = driver.state.ui.mode else {
            return #expect(Bool(false), "no help")
        }
        #expect(help.entries.contains { $0.title == "next row" })
        let edits = ["add an item below", "delete", "undo"]
        #expect(!help.entries.contains { edits.contains($0.title) })
        driver.type("Esc x")
        #expect(driver.state.ui.toast?.text == "Read-only. No.")
    }
}
