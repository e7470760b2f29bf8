import SheafCore
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

    @Test(
        "screens",
        arguments: [
            ("palette", ":", 100, 30), ("palette-80x24", "j ^P", 80, 24),
            ("palette-typed", ": 'delete'", 100, 30),
            ("palette-row-number", ": 'row_by' Enter '3'", 80, 24),
            ("palette-low", "j j : 'sort'", 40, 12), ("palette-10x3", ": 'del'", 10, 3),
            ("help-wide", "?", 120, 40),
            ("help-100x30", "?", 100, 30), ("help-80x24", "? 'done'", 80, 24),
        ])
    func screens(name: String, keys: String, columns: Int, rows: Int) async throws {
        let driver = await Driver.readingList(size: Size(columns: columns, rows: rows))
        driver.type(keys)
        try expectGolden(driver.canvas, name)
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

    @Test("rows without keys are in no help, and the README names them")
    func unkeyed() {
        let keymap = Keymap.standard
        let names = keymap.bindings.filter(\.keys.isEmpty).map(\.name)
        #expect(names.contains("switch the mouse on or off"))
        let help = keymap.helpEntries(in: .items, of: AppState())
        #expect(help.allSatisfy { !$0.keys.isEmpty })
        #expect(names.allSatisfy(keymap.markdown.contains))
    }

    @Test("what it does is one undo step, as by its key, and it can undo")
    func undo() async {
        let driver = await Driver.lettered("abc")
        driver.type(": 'delete_the_item' Enter")
        #expect(driver.names == ["b", "c"])
        driver.type(": 'undo' Enter")
        #expect(driver.names == ["a", "b", "c"])
        #expect(driver.state.ui.mode.isNormal)
        driver.type(": 'redo' Enter")
        #expect(driver.names == ["b", "c"])
        driver.type("u :")
        #expect(rows(driver).prefix(3).map(\.keys) == ["U ^R", "u", "dd Del"])
        driver.type("Esc")
        #expect(driver.state.ui.mode.isNormal)
    }

    @Test("a priority is asked for, by its letter")
    func priority() async {
        let driver = await Driver.lettered("ab")
        driver.type(": 'priority' ↑")
        driver.type("^U 'give_priority' Enter")
        #expect(rows(driver).count == 26)
        driver.type("'c'")
        #expect(rows(driver).map(\.name) == ["(C)"])
        driver.type("Enter")
        #expect(driver.state.items.map(\.priority) == [.c, nil])
        driver.type("u")
        #expect(driver.state.items.map(\.priority) == [nil, nil])
        #expect(driver.state.ui.usedActions == ["give the item a priority"])
    }

    @Test("it opens what a key would open: a line, the help, a question")
    func opens() async {
        let driver = await Driver.readingList()
        driver.type(": 'rename_the_item' Enter '!' Enter")
        #expect(driver.names[0] == "The Art of Computer Programming, vol. 4B!")
        driver.type(": 'valid_keys' Enter")
        guard case .help(let help) = driver.state.ui.mode else {
            return #expect(Bool(false), "no help")
        }
        #expect(help.entries.contains { $0.keys == ": ^P" })
        driver.type("Esc h j j : 'delete_the_tag' Enter")
        guard case .confirmation = driver.state.ui.mode else {
            return #expect(Bool(false), "no question")
        }
    }

    @Test("what is about the other pane is listed, and says so")
    func otherPane() async {
        let driver = await Driver.readingList()
        driver.type(": 'delete_the_tag' Enter")
        #expect(driver.state.ui.toast?.text == "delete the tag or view: only in the tags pane")
        #expect(driver.state.tags.count == 3)
    }

    @Test("on a list that can only be read, edits are dimmed with the reason")
    func readOnly() async {
        let driver = await Driver(items: Fixtures.items(["a"]), readOnlyReason: "No.")
        driver.type(": 'delete_the_item' Enter")
        #expect(driver.state.items.count == 1)
        #expect(driver.state.ui.toast?.text == "delete the item: Read-only. No.")
    }

    @Test("keys that come in one read with Enter are about what it did")
    func burst() async {
        let driver = await Driver.lettered("abc")
        driver.typeAtOnce(": 'add_an_item_at_the_end' Enter 'new' Enter")
        #expect(driver.names == ["a", "b", "c", "new"])
        driver.typeAtOnce(": 'row_by' Enter '2' Enter x")
        #expect(driver.state.items[Fixtures.id(2)]?.isDone == true)
    }

    @Test("the mouse is switched by it, and a sort is chosen by name")
    func withoutKeys() async {
        let driver = await Driver.lettered("cab")
        driver.type(": 'sort_by_name' Enter")
        #expect(driver.names == ["a", "b", "c"])
        let wasOn = driver.state.ui.mouse.isOn
        driver.type(": 'mouse' Enter")
        #expect(driver.state.ui.mouse.isOn != wasOn)
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
        #expect(reason("p") == "nothing to put")
        driver.type("x m")
        #expect(reason("u") == nil)
        #expect(reason("p") == nil)
        driver.type("u")
        #expect(reason("u") == "nothing to undo")
        #expect(reason("U ^R") == nil)
    }

    @Test("the words of a name in their order win over those of another one")
    func wordsInOrder() async {
        let driver = await Driver.lettered("abc")
        driver.type(": 'show_view'")
        #expect(rows(driver).first?.name == "show a saved view by its name")
        driver.type("Esc : 'move_down'")
        #expect(rows(driver).first?.name.hasPrefix("move") == true)
    }

    @Test("the reason why a row cannot be moved has room beside it")
    func sorted() async {
        let driver = await Driver.lettered("abc")
        driver.type("s n : 'move_item'")
        #expect(driver.text.contains("sorted by name, s m ends that"))
    }
}
