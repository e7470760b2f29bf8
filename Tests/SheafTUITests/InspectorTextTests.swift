import SheafApp
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// The text of the inspector, and scrolling it by keys.
@MainActor
@Suite("The inspector's text")
struct InspectorTextTests {
    private static let note = """
        # Why

        It is **the** book, see [site](https://x.org) and `make`.

        - one thing that is long enough to be wrapped in a narrow column, surely
        - [ ] open
        - [x] done

        > quoted

        ```
        code *here*
        ```
        snake_case_name and 2 * 3 * 4
        """

    private func driver(_ columns: Int, _ rows: Int, note: String = note) async -> Driver {
        var (tags, items) = Fixtures.readingList()
        items[1].note = note
        items[1].extras = [Item.Extra(key: "due", value: "2026-12-01")]
        items[1].createdAt = Fixtures.now.advanced(days: -2)
        return await Driver(tags: tags, items: items, size: Size(columns: columns, rows: rows))
    }

    private func text(_ item: Item, columns: Int = 40, limit: Int = .max) -> [String] {
        let moment = Moment(wall: Fixtures.now, monotonic: .now, calendar: .utc)
        var state = AppState()
        state.tags.hydrate([Fixtures.fullTag])
        state.today = moment.calendar.day(moment.wall)
        return InspectorText(item, state, columns: columns, limit: limit, at: moment).lines
            .map { $0.map(\.text).joined() }
    }

    @Test(
        "screens",
        arguments: [
            ("inspector-120x40", "j o", 120, 40), ("inspector-100x30", "j o", 100, 30),
            ("inspector-80x24", "j o", 80, 24), ("inspector-scrolled", "j o ^E ^E ^E ^Y", 80, 24),
            ("inspector-renaming", "j o r", 120, 24), ("inspector-40x12", "j o", 40, 12),
            ("inspector-10x3", "j o", 10, 3), ("inspector-200x60", "j o", 200, 60),
        ])
    func screens(name: String, keys: String, columns: Int, rows: Int) async throws {
        let driver = await driver(columns, rows)
        driver.type(keys)
        try expectGolden(driver.canvas, name)
    }

    @Test("days say how far they are, and a repeat what it means")
    func days() {
        var item = Fixtures.items(["a"])[0]
        item.due = CalendarDay("2023-11-17")
        item.scheduled = CalendarDay("2023-11-13")
        item.repeat = Repeat("+2w")
        item.priority = .a
        #expect(
            text(item)[2...5] == [
                "priority A", "due     2023-11-17, in 3 days", "scheduled 2023-11-13, yesterday",
                "repeat  +2w, every 2 weeks",
            ])
    }

    @Test("each field but the place in the list shows", arguments: Item.fields.map(\.name))
    func everyField(name: String) throws {
        let field = try #require(Item.fields.first { $0.name == name })
        var without = Fixtures.fullItem
        field.copy(from: Item(id: without.id), to: &without)
        let (full, rest) = (text(Fixtures.fullItem), text(without))
        #expect((full == rest) == (name == "rank"), "\(full)")
    }

    @Test("times are full, by the local calendar, and say how long ago that was")
    func times() {
        var item = Fixtures.items(["a"])[0]
        item.createdAt = Fixtures.now.advanced(days: -2)
        item.updatedAt = Timestamp(milliseconds: Fixtures.now.milliseconds - 3 * 3_600_000)
        item.doneAt = Timestamp(milliseconds: Fixtures.now.milliseconds - 60_000)
        #expect(
            text(item).suffix(5) == [
                "created 2023-11-12 22:13, 2 days ago", "changed 2023-11-14 19:13, 3 hours ago",
                "done    2023-11-14 22:12, 1 minute ago", "id      00000000", "✓ saved",
            ])
    }

    @Test("a day without a time has no time in the inspector either")
    func daysWithoutTimes() throws {
        var item = Fixtures.items(["a"])[0]
        item.createdAt = Timestamp(try #require(CalendarDay("2023-11-12")))
        item.updatedAt = item.createdAt
        item.doneAt = Timestamp(try #require(CalendarDay("2023-11-14")))
        #expect(
            text(item).suffix(5) == [
                "created 2023-11-12, 2 days ago", "changed 2023-11-12, 2 days ago",
                "done    2023-11-14, today", "id      00000000", "✓ saved",
            ])
    }

    @Test("a long name is there whole")
    func name() {
        let name = (1...40).map { "word\($0)" }.joined(separator: " ")
        let item = Fixtures.items([name])[0]
        #expect(text(item, columns: 20).prefix { !$0.isEmpty }.joined(separator: " ") == name)
        #expect(text(item, columns: 1).prefix(5).joined() == "word1")
    }

    @Test("of an enormous text only so much is laid out, and the rest is told")
    func enormous() {
        for enormous in [
            String(repeating: "a", count: 1 << 20), String(repeating: "line\n", count: 1 << 18),
            String(repeating: "日本 ", count: 1 << 18), String(repeating: "[", count: 1 << 20),
            String(repeating: "*a", count: 1 << 19), String(repeating: "[]( ", count: 1 << 18),
            "e" + String(repeating: "\u{301}", count: 1 << 19),
        ] {
            var item = Fixtures.items([enormous])[0]
            item.note = enormous
            item.extras = [Item.Extra(key: enormous, value: enormous)]
            let lines = text(item)
            #expect(lines.count <= 5 * InspectorText.maxBytes)
            #expect(lines.contains { $0.hasPrefix("… and ") && $0.hasSuffix(" more bytes") })
            #expect(text(item, limit: 10).count == 10)
        }
    }

    @Test("no line is wider than the column, whatever the text", arguments: [1, 2, 7, 40])
    func widths(columns: Int) {
        for nasty in Fixtures.nastyTexts + HostileText.all {
            var item = Fixtures.items([nasty])[0]
            item.note = nasty
            item.extras = [Item.Extra(key: nasty, value: nasty)]
            for line in text(item, columns: columns) {
                #expect(DisplayText.width(of: line) <= max(columns, 2), "\(nasty.debugDescription)")
            }
        }
    }

    @Test("it scrolls to its end and no further, so that one key leads back at once")
    func scrolling() async {
        let driver = await driver(80, 24)
        driver.type("j o")
        for _ in 0..<100 { driver.type("^E") }
        let last = driver.state.ui.inspector.top
        #expect(driver.canvas.textRows.contains { $0.contains("due     2026-12-01") })
        #expect(last > 0 && last < 30)
        driver.type("^Y")
        #expect(driver.state.ui.inspector.top == last - 1)
        driver.mouse("65;20;20M", "65;20;20M")
        #expect(driver.state.ui.inspector.top == last)
        driver.mouse("64;20;20M")
        #expect(driver.state.ui.inspector.top == last - 3)
        driver.type("k")
        #expect(driver.state.ui.inspector.top == 0)
    }

    @Test("the keys of the list work beside it, and move items as ever")
    func keys() async {
        let driver = await driver(120, 24)
        driver.type("o J r '!' Enter x")
        #expect(driver.names[1] == "The Art of Computer Programming, vol. 4B!")
        #expect(driver.state.selectedItem?.isDone == true)
        driver.type("q")
        await driver.store.settled()
        #expect(driver.state.leaving.exit?.status == 0)
    }

    @Test("the state of saving is that of its item, whatever the others are")
    func unsaved() async {
        let driver = await driver(120, 24)
        func shows(_ text: String) -> Bool {
            driver.canvas.textRows.contains { $0.dropFirst(70).contains(text) }
        }
        driver.type("o x")
        #expect(shows("● unsaved"))
        driver.type("G")
        #expect(shows("✓ saved"))
        await driver.storage.fail(with: StorageError(.io, at: "/list", reason: "disk full"))
        driver.type("g g")
        await driver.store.flush()
        #expect(shows("! not saved: disk full"))
        await driver.storage.fail(with: nil)
        await driver.store.flush()
        #expect(shows("✓ saved"))
    }

    @Test("what storage refused is said of its item")
    func refused() async {
        let driver = await driver(120, 24)
        driver.type("o")
        var status = driver.state.saving
        status.phase = .failing
        status.refused = [Refusal(id: Fixtures.id(1), reason: "too long")]
        driver.store.send(.saving(.statusChanged(status)))
        #expect(driver.canvas.textRows.contains { $0.contains("! not saved: too long") })
        driver.type("j")
        #expect(!driver.canvas.textRows.contains { $0.contains("! not saved: too long") })
    }
}
