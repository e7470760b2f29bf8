import Foundation
import SheafTestSupport
import Terminal
import Testing

@testable import SheafApp
@testable import SheafList
@testable import SheafTUI

/// The order in which parts of the status line make room for others.
@Suite("Status line")
struct StatusViewTests {
    private func line(_ toast: String, hint: String? = nil, columns: Int) -> String {
        var state = AppState(size: Size(columns: columns, rows: 5))
        state.saving.phase = .failing
        state.saving.pending = 3
        state.saving.failure = "disk full"
        state.ui.show(toast, hint: hint)
        let canvas = ScreenView.canvas(
            of: state, at: Moment(wall: Fixtures.now, monotonic: .now))
        return canvas.row(4).map(\.text).joined()
    }

    @Test("a list that cannot be read says so as long as it is shown", arguments: [0, 1])
    @MainActor
    func unreadable(_ count: Int) async {
        let driver = await Driver(items: Fixtures.items(Array(["ice"].prefix(count))))
        driver.store.send(.session(.loadFailed(reason: "the list is damaged")))
        driver.store.send(.session(.toastExpired(serial: driver.state.ui.toast?.serial ?? 0)))
        #expect(driver.state.ui.toast == nil)
        let canvas = ScreenView.canvas(
            of: driver.state, at: Moment(wall: Fixtures.now, monotonic: .now))
        let rows = (0..<16).map { canvas.row($0).map(\.text).joined() }
        let text = rows.joined(separator: "\n")
        #expect(rows[0].contains(count == 0 ? "not read" : "partly read"), "\(text)")
        #expect(!text.contains("empty") && !text.contains("No items") && !text.contains("✓ saved"))
        #expect(rows[15].contains(count == 0 ? "! cannot be read" : "! partly read"))
        guard count == 0 else { return }
        #expect(text.contains("The list cannot be read (the list is damaged)."))
        #expect(text.contains("Run 'sheaf doctor'."))
    }

    private static let recovered =
        "Recovered 3 unsaved changes (1 also changed by another process) of an interrupted session"

    @Test("a message is read before the reason why nothing is saved")
    func toastBeforeReason() {
        let wide = line(Self.recovered, columns: 149)
        #expect(wide.contains("! NOT SAVED: disk full"))
        #expect(wide.contains(Self.recovered))
        let narrow = line(Self.recovered, columns: 119)
        #expect(narrow.contains("! NOT SAVED  "))
        #expect(narrow.contains(Self.recovered))
    }

    @Test("that a list may no longer be read is not called unsaved, and makes room for a message")
    func unreadable() {
        func line(_ toast: String?) -> String {
            var state = AppState(size: Size(columns: 80, rows: 5))
            state.list.unreadableReason = "you may no longer read this list"
            if let toast { state.ui.show(toast) }
            let moment = Moment(wall: Fixtures.now, monotonic: .now)
            return ScreenView.canvas(of: state, at: moment).row(4).map(\.text).joined()
        }
        #expect(line(nil).contains("! you may no longer read this list"))
        #expect(!line(nil).contains("saved"))
        let narrow = line(String(repeating: "long ", count: 8))
        #expect(narrow.contains("! NO ACCESS  "))
        #expect(!narrow.contains("no longer"))
    }

    @Test("a name at the end of a message makes room for its hint, other words do not")
    func cut() {
        #expect(
            line(Self.recovered, columns: 89)
                .hasSuffix(
                    "   Recovered 3 unsaved changes (1 also changed by another process) of an… "))
        func deleted(columns: Int) -> String {
            line("Deleted “a rather long name”", hint: "u undo", columns: columns)
        }
        #expect(deleted(columns: 60).hasSuffix(" Deleted “a rather long name”   u undo "))
        #expect(deleted(columns: 52).hasSuffix("   Deleted “a rather long name”   u undo "))
        #expect(deleted(columns: 45).hasSuffix("   Deleted “a rather l…”   u undo "))
        #expect(deleted(columns: 36).hasSuffix("   Deleted “a rather… "))
        let refusal = line("Paste works only in a line", hint: "a add, then paste", columns: 45)
        #expect(refusal.hasSuffix("   Paste works only in a line "))
    }

    @Test(
        "a single delete says how to undo it",
        arguments: [
            (80, "●           Deleted: “Measure the settings page with an old telephone”   u undo"),
            (60, "●   Deleted: “Measure the settings page with an …”   u undo"),
            (40, "●   Deleted: “Measure the se…”   u undo"),
        ])
    @MainActor func undoHint(columns: Int, text: String) async {
        let line = await status(
            "d d", columns: columns, names: ["Measure the settings page with an old telephone"])
        #expect(line == text)
    }

    @Test(
        "where there is little room, hints for the keys that are needed most stay",
        arguments: [
            ("a", 60, "ADD  ✓ saved             Enter keep   ^N next   Esc cancel"),
            ("a", 40, "ADD  ✓ saved   Enter keep   Esc cancel"),
            ("a", 30, "✓     Enter keep   Esc cancel"),
            ("g D", 40, "✓ saved          Enter set   Esc cancel"),
            ("D", 24, "✓ saved     Enter set"),
            ("Space Space d d", 40, "Delete 2 items?       y delete   n keep"),
            ("j", 40, "ITEMS  ✓ saved          a add   ? help"),
            ("j", 18, "✓ saved    ? help"),
            ("h", 40, "TAGS  ✓ saved        Enter items   ? help"),
            ("/", 60, "/                     ✓ saved       Enter keep   Esc cancel"),
        ])
    @MainActor func hints(keys: String, columns: Int, text: String) async {
        let line = await status(keys, columns: columns)
        let words = line.split(separator: " ")
        #expect(words == text.split(separator: " "), "\(line)")
    }

    @MainActor
    private func status(
        _ keys: String, columns: Int, rows: Int = 12, names: [String] = ["a", "b", "c", "d"]
    ) async -> String {
        let driver = await Driver(
            items: Fixtures.items(names), size: Size(columns: columns, rows: rows))
        driver.type(keys)
        return driver.canvas.textRows[rows - 1].trimmingCharacters(in: .whitespaces)
    }

    @Test(
        "what is marked out of sight is said at every width, and hints make room for it",
        arguments: [
            (80, "ITEMS  3 marked, 3 hidden   ✓ saved"),
            (40, "ITEMS  3 marked, 3 hidden   ✓ saved"),
            (30, "3 marked, 3 hidden   ✓ saved"), (24, "3 marked, 3 hidden   ✓"),
            (12, "3 hidden   ✓"), (10, "3 hidden ✓"),
        ])
    @MainActor func marks(columns: Int, text: String) async {
        let line = await status("3 Space / 'd' Enter", columns: columns)
        #expect(line.hasPrefix(text))
    }

    @Test(
        "the question before deleting says at every width how many are hidden",
        arguments: [
            (80, "SURE?  ✓ saved   Delete 3 items, none visible?     y delete   n keep"),
            (64, "SURE?  Delete 3 items, none visible?     y delete   n keep"),
            (50, "Delete 3 items, none visible?   y delete   n keep"),
            (40, "SURE?  ✓ saved   y delete   n keep"), (30, "SURE?   y delete   n keep"),
            (20, "y delete   n keep"),
            (10, "3 hidden?"),
        ])
    @MainActor func question(columns: Int, text: String) async {
        let driver = await Driver(
            items: Fixtures.items(["a", "b", "c", "d"]), size: Size(columns: columns, rows: 6))
        driver.type("3 Space / 'd' Enter d d")
        let rows = driver.canvas.textRows
        #expect(rows[5].split(separator: " ") == text.split(separator: " "), "\(rows[5])")
        // Where it has no room beside the keys it stands above them.
        if !rows[5].contains("?") {
            #expect(rows.joined().contains("none visible?") || columns < 40, "\(rows)")
            #expect(rows.joined().contains("Delete 3 items"), "\(rows)")
        }
    }

    @Test("a question with a name cuts that, not its end", arguments: [80, 60, 40])
    @MainActor func longName(columns: Int) async {
        let driver = await Driver(
            items: Fixtures.items(["Measure the settings page with an old telephone"]),
            size: Size(columns: columns, rows: 24))
        driver.paste("one\ntwo\nthree\nfour")
        let lines = driver.canvas.textRows[20...].joined(separator: "\n")
        #expect(lines.contains("Paste 4 items below “"), "\(lines)")
        #expect(lines.contains(columns == 40 ? "telephone”?" : "…”?"), "\(lines)")
        #expect(lines.contains("y paste   n cancel"), "\(lines)")
    }

    @Test(
        "the reason why a query is at fault takes lines above it",
        arguments: [
            (
                120, ["Expected dates such as today, fri, 2w, <3d, 2026-06, today..2w, or none"],
                " FIND  /due:x"
            ),
            (
                80, ["Expected dates such as today, fri, 2w, <3d, 2026-06, today..2w, or none"],
                " FIND  /due:x   ✓ saved"
            ),
            (
                40, ["Expected dates such as today, fri, 2w,", "<3d, 2026-06, today..2w, or none"],
                "/due:x   ✓ saved"
            ),
        ])
    @MainActor func fault(columns: Int, above: [String], text: String) async {
        let driver = await Driver(
            items: Fixtures.items(["a"]), size: Size(columns: columns, rows: 12))
        driver.type("/ 'due:x'")
        let rows = driver.canvas.textRows
        #expect(rows[11].split(separator: " ").starts(with: text.split(separator: " ")), "\(rows)")
        for (row, line) in zip(rows[(11 - above.count)...], above) {
            #expect(row.trimmingCharacters(in: .whitespaces) == line)
        }
        #expect(rows[10 - above.count].contains("Expected") == false)
    }

    @Test(
        "on a screen without a line to spare, as much of the reason is said as has room",
        arguments: [
            (60, "/due:x  ✓  Expected dates such as today,…"),
            (30, "/due:x  ✓  Expected…"),
            (20, "/due:x  ✓  Exp…"),
        ])
    @MainActor func faultOnFewLines(columns: Int, text: String) async {
        let line = await status("/ 'due:x'", columns: columns, rows: 3)
        #expect(line.split(separator: " ") == text.split(separator: " "), "\(line)")
    }

    @Test("a fault that is out of sight is told at the end of the line where it lies")
    @MainActor func faultOutOfSight() async {
        let text = "/ 'due:x_that_is_early_in_a_long_query'"
        for (keys, start, isFault) in [
            (text, "/‹ly in a long query", (left: true, right: false)),
            ("\(text) ^A", "/due:x that is early›", (left: true, right: false)),
            (
                "/ 'so_many_words_before_a_due:x' ^A", "/so many words befor›",
                (left: false, right: true)
            ),
        ] {
            let driver = await Driver(items: [], size: Size(columns: 60, rows: 8))
            driver.type(keys)
            let canvas = driver.canvas
            #expect(canvas.textRows[7].hasPrefix(start), "\(canvas.textRows[7])")
            #expect((canvas[1, 7].style == Theme.fault) == isFault.left)
            #expect((canvas[20, 7].style == Theme.fault) == isFault.right)
        }
    }

    @Test(
        "all keys that can follow in a sequence are shown, on lines above where they need them",
        arguments: [120, 80, 60, 40])
    @MainActor func sequence(columns: Int) async {
        let driver = await Driver(
            items: Fixtures.items(["a", "b"]), size: Size(columns: columns, rows: 12))
        driver.type("g")
        let keys = [
            "g first", "J item to end", "K item to top", "D schedule", "R repeat", "v save view",
            "1…9 view", "H show/hide scheduled",
        ]
        let rows = driver.canvas.textRows
        for key in keys { #expect(driver.text.contains(" \(key) "), "\(driver.text)") }
        #expect(rows[11].contains("✓"))
        #expect(rows[10].contains("─") == (columns == 120))
        if columns == 80 {
            #expect(rows[11].hasPrefix(" ITEMS  ✓ saved  g "))
            #expect(rows[9].contains("│"))
        }
        driver.type("Esc")
        #expect(driver.canvas.textRows[10].contains("─"))
    }

    @Test("the keys that can follow are shown beside a failed save, too", arguments: [80, 40])
    @MainActor func sequenceBesideFailure(columns: Int) async {
        let driver = await Driver(
            items: Fixtures.items(["a"]), size: Size(columns: columns, rows: 12))
        await driver.storage.fail(
            with: StorageError(.full, at: "reading.sqlite", reason: "disk full"))
        driver.type("x")
        await driver.store.flush()
        driver.type("g")
        #expect(driver.text.contains(" g first "))
        #expect(driver.text.contains(" H show/hide scheduled "), "\(driver.text)")
        #expect(driver.canvas.textRows[11].contains("! NOT SAVED"))
    }

    @Test("what happened is read before what to press, and before all else that is known")
    @MainActor func reasons() async {
        for columns in [80, 60, 50] {
            let line = await status("2 Space / 'd' Enter j x y Esc u", columns: columns)
            #expect(line.contains("Undid: done"), "\(columns): \(line)")
        }
        let names = (1...12).map { "item \($0)" }
        let line = await status("6 Space m", columns: 80, names: names)
        #expect(line.hasSuffix("6 items cut   p paste below"), "\(line)")
        let narrow = await status("3 Space / 'd' Enter x y u", columns: 50)
        #expect(narrow.contains("Undid: done (hidden item)"), "\(narrow)")
    }
}
