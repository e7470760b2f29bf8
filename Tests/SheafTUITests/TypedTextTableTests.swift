import SheafApp
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

@MainActor
@Suite("A text means the same everywhere: the screen") struct TypedTextTableTests {
    /// Types a text, byte for byte.
    private func type(_ text: String, _ driver: Driver) {
        driver.handle(text.unicodeScalars.map { Key(.character(Character($0))) })
    }

    private func expect(_ driver: Driver, _ row: TypedTextTable.Row) {
        guard let item = driver.state.selectedItem else {
            Issue.record("no item for \(row.text)")
            return
        }
        #expect(item.name == row.name, "\(row.text)")
        #expect(driver.state.tags(of: item).map(\.name).sorted() == row.tags, "\(row.text)")
        #expect(item.fieldWords == row.fields, "\(row.text)")
    }

    @Test("in a new row, and in a rename of another name", arguments: TypedTextTable.rows)
    func texts(_ row: TypedTextTable.Row) async {
        for key in ["a", "A", "r ^U"] {
            let driver = await Driver(tags: TypedTextTable.tags, items: Fixtures.items(["Other"]))
            driver.type(key)
            type(row.text, driver)
            // Also where it is drawn.
            #expect(driver.canvas.textRows.count == 16)
            driver.type("Enter")
            expect(driver, row)
            guard row.name != row.text || !row.tags.isEmpty else { continue }
            driver.type("u")
            #expect(driver.state.selectedItem?.name == row.text, "undo gives back \(row.text)")
        }
    }

    @Test("in a rename, where the words of the former name mean nothing")
    func renames() async throws {
        for rename in TypedTextTable.renames {
            var items = Fixtures.items([rename.name])
            items[0].tags = Set(
                TypedTextTable.tags.filter { rename.tags.contains($0.name) }.map(\.id))
            let driver = await Driver(tags: TypedTextTable.tags, items: items)
            driver.type("r ^U")
            type(rename.result.text, driver)
            driver.type("Enter")
            expect(driver, rename.result)
            // The text first, if it was more than a name, then the item as it was.
            driver.type("u")
            if driver.state.selectedItem?.name == rename.result.text { driver.type("u") }
            #expect(driver.state.items.values == items, "\(rename.name)")
        }
    }

    @Test("a paste is a name, and undo of it leaves no tag", arguments: TypedTextTable.rows)
    func pastes(_ row: TypedTextTable.Row) async {
        let driver = await Driver(tags: TypedTextTable.tags, items: Fixtures.items(["Other"]))
        driver.paste(row.text)
        let isTask = row.text.hasPrefix("(A) ")
        driver.type(isTask ? "l" : "y")
        #expect(driver.state.selectedItem?.name == row.text)
        #expect(driver.state.tags.count == TypedTextTable.tags.count)
    }
}
