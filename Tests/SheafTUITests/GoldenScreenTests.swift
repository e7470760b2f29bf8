import SheafList
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// Keys to screens: the screen after typing.
@MainActor
@Suite("Golden screens")
struct GoldenScreenTests {
    @Test("in an enormous name nothing is marked, and its row is drawn as any other")
    func enormousName() async throws {
        let enormous = String(repeating: "garden ", count: 150_000)
        let items = Fixtures.items([enormous, "garden\u{301} " + enormous, "garden"])
        let driver = await Driver(items: items)
        driver.type("/ 'gar'")
        func row(_ index: Int) -> (text: Substring, isMarked: Bool) {
            let y = 2 + index
            let isMarked = driver.canvas.row(y).contains {
                $0.style.attributes.contains([.bold, .underline])
            }
            return (driver.canvas.textRows[y].drop { $0 != "○" }, isMarked)
        }
        #expect(row(0).text.hasPrefix("○ garden garden garden"))
        #expect(row(0).text.contains("…"))
        #expect(!row(0).isMarked)
        #expect(row(1).text.hasPrefix("○ garden\u{301} garden garden"))
        #expect(!row(1).isMarked)
        #expect(row(2).isMarked)
    }

    @Test("a store that fails says so in the status line, and editing goes on")
    func failing() async throws {
        let driver = await Driver.readingList()
        await driver.storage.fail(
            with: StorageError(.full, at: "reading.sqlite", reason: "disk full"))
        driver.type("x")
        await driver.store.flush()
        driver.type("j x")
        try expectGolden(driver.canvas, "not-saved")
    }

    @Test("rows whose changes a slow commit has not confirmed yet have a mark, until it has")
    func unsavedRows() async throws {
        let driver = await Driver.readingList()
        await driver.storage.fail(
            with: StorageError(.busy, at: "reading.sqlite", reason: "the list is locked"))
        driver.type("x j j r '!' Enter")
        let calm = driver.canvas
        #expect(!calm.textRows.contains { $0.contains("•") })
        await driver.store.flush()
        try expectGolden(driver.canvas, "unsaved-rows")
        await driver.storage.fail(with: nil)
        await driver.store.flush()
        #expect(!driver.canvas.textRows.contains { $0.contains("•") })
        driver.type("x")
        #expect(!driver.canvas.textRows.contains { $0.contains("•") })
    }

    /// Items due around 14 November 2023, a Tuesday.
    private func dueItems() -> [Item] {
        var items = Fixtures.items([
            "late", "later than late", "today", "tomorrow", "Friday", "the 20th", "next year",
            "some day",
        ])
        for (index, days) in [-3, -400, 0, 1, 3, 6, 60].enumerated() {
            items[index].due = LocalCalendar.utc.day(Fixtures.now).advanced(days: days)
        }
        return items
    }

    @Test("rows sorted by what is due stand under headings, which keys skip")
    func headings() async throws {
        let driver = await Driver(
            views: [.agenda], items: dueItems(), size: Size(columns: 80, rows: 20))
        driver.type("s d j j")
        try expectGolden(driver.canvas, "due")
        #expect(driver.store.state.selectedItem?.name == "tomorrow")
        // A heading is a part of the pane, and no row.
        driver.click(30, 3)
        #expect(driver.store.state.selectedItem?.name == "tomorrow")
        driver.click(30, 4)
        #expect(driver.store.state.selectedItem?.name == "later than late")
        driver.type("S")
        #expect(driver.canvas.textRows[2].contains("2024"))
    }

    @Test("the selected row keeps the colors of a late day and a priority, but of no tag")
    func selectedColors() async throws {
        var item = Fixtures.items(["Milk"])[0]
        let tag = Fixtures.tags(["home"])[0]
        item.due = LocalCalendar.utc.day(Fixtures.now).advanced(days: -3)
        item.priority = .a
        item.tags = [tag.id]
        let driver = await Driver(tags: [tag], items: [item])
        func style(of text: Character) -> Style? {
            driver.canvas.row(2).last { $0.text.contains(text) }?.style
        }
        #expect(style(of: "A") == Theme.selected(Theme.priority(.a)))
        #expect(style(of: "#") == Theme.selected)
        #expect(style(of: "1") == Theme.selected(Theme.alert))
        #expect(style(of: "M") == Theme.selected)
        #expect(Theme.selected(Theme.alert) != Theme.selected)
    }

    @Test("every row is reached and seen below its heading at every size", arguments: 6...16)
    func headingsAtAnySize(rows: Int) async throws {
        let driver = await Driver(items: dueItems(), size: Size(columns: 40, rows: rows))
        driver.type("s d")
        for keys in ["j", "k", "^D", "^U", "^F", "^B", "G", "g g"] {
            for _ in 0..<8 {
                driver.type(keys)
                let name = try #require(driver.store.state.selectedItem?.name)
                let line = driver.canvas.textRows.first { $0.contains("▌") }
                #expect(line?.contains("○ \(name)") == true, "\(keys)")
            }
        }
        driver.type("G a 'new' Enter")
        #expect(driver.canvas.textRows.contains { $0.contains("▌ ○ new") })
    }
}
