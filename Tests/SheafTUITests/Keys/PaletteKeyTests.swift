import SheafApp
import SheafTestSupport
import Testing

@testable import SheafTUI

/// The palette from key to screen.
@MainActor
@Suite("Keys of the palette")
struct PaletteKeyTests {
    private func rows(_ driver: Driver) -> [Palette.Row] {
        guard case .palette(let palette) = driver.state.ui.mode else { return [] }
        return palette.rows(in: driver.state)
    }

    @Test("every action of the panes is in it once, with its keys, and those without a key too")
    func entries() {
        let keymap = Keymap.standard
        for pane in Pane.allCases {
            let entries = keymap.paletteEntries(in: pane)
            let names = Set(entries.map(\.name))
            #expect(names.count == entries.count)
            for binding in keymap.bindings(in: .pane(pane))
            where binding.paletteAction != nil {
                #expect(names.contains(binding.name), "\(binding.name)")
            }
            #expect(entries.contains { $0.name.contains("saved view by") && $0.keys == "g1…g9" })
            #expect(entries.contains { $0.keys.isEmpty })
        }
    }

    @Test("rows without keys are in no help, and the guide names them")
    func unkeyed() {
        let keymap = Keymap.standard
        let entries = keymap.paletteEntries(in: .items)
        let names = entries.filter(\.keys.isEmpty).map(\.name)
        #expect(names == ["go to a row by number", "turn the mouse on or off"])
        let help = keymap.helpEntries(in: .items, of: AppState())
        #expect(help.allSatisfy { !$0.keys.isEmpty })
        #expect(names.allSatisfy(keymap.markdown.contains))
    }

    @Test("a sort is in it with the keys of the menu, and found by them")
    func sorts() async {
        let driver = await Driver.lettered("ba")
        driver.type(":")
        let keys = rows(driver).filter { $0.name.hasPrefix("sort ") }.map(\.keys)
        #expect(keys == ["sm", "sb", "sn", "sc", "sh", "sx", "st", "sd", "sp"])
        driver.type("'sn'")
        #expect(rows(driver).first?.name == "sort by name")
        driver.type("Enter")
        #expect(driver.names == ["a", "b"])
    }

    @Test(
        "a word for what a key does finds that key first", arguments: [("tag", "t"), ("done", "x")])
    func words(word: String, keys: String) async {
        let driver = await Driver.lettered("ab")
        driver.type(": '\(word)'")
        #expect(rows(driver).first?.keys == keys)
    }

    @Test("what it did last comes first, undo and redo too")
    func lastUsed() async {
        let driver = await Driver.lettered("abc")
        driver.type(": 'delete_the_item' Enter : 'undo' Enter : 'redo' Enter u :")
        #expect(rows(driver).prefix(3).map(\.keys) == ["U ^R", "u", "dd Del"])
    }

    @Test("a priority is asked for, by its letter")
    func priority() async {
        let driver = await Driver.lettered("ab")
        driver.type(": 'priority' ↑")
        driver.type("^U 'set_priority' Enter")
        #expect(rows(driver).count == 26)
        driver.type("'c'")
        #expect(rows(driver).map(\.name) == ["(C)"])
        driver.type("Enter")
        #expect(driver.state.items.map(\.priority) == [.c, nil])
        driver.type("u")
        #expect(driver.state.items.map(\.priority) == [nil, nil])
        #expect(driver.state.ui.usedActions == ["set the item’s priority"])
    }

    @Test(
        "the current row stays in sight beside it, and beside the tag picker", arguments: 0..<20)
    func inSight(row: Int) async {
        let letters = (0..<20).map { "name\($0)" }
        let driver = await Driver(items: Fixtures.items(letters), size: Size(columns: 80, rows: 24))
        driver.store.send(.browse(.moved(.rows(row))))
        for key in [":", "t"] {
            driver.type(key)
            #expect(driver.canvas.textRows.contains { $0.contains("○ name\(row) ") }, "\(key)")
            driver.type("Esc")
        }
    }

    @Test("undo, redo and p are dimmed with the reason while there is nothing for them")
    func nothing() async {
        let driver = await Driver.lettered("abc")
        func reason(_ keys: String) -> String? {
            driver.type(":")
            defer { driver.type("Esc") }
            return rows(driver).first { $0.keys == keys }?.obstacle
        }
        #expect(reason("u") == "nothing to undo")
        #expect(reason("U ^R") == "nothing to redo")
        #expect(reason("p") == "nothing to paste")
        driver.type("x m")
        #expect(reason("u") == nil)
        #expect(reason("p") == nil)
        driver.type("u")
        #expect(reason("u") == "nothing to undo")
        #expect(reason("U ^R") == nil)
    }
}
