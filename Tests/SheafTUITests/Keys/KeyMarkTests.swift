import SheafCore
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

@MainActor
@Suite("Marks")
struct KeyMarkTests {
    // Marking

    @Test("Space marks or unmarks and steps down, to the last row and no further")
    func space() async {
        let driver = await Driver.lettered("abc")
        driver.type("Space j Space Space")
        #expect(driver.marked == ["a"])
        driver.type("g g Space Space")
        #expect(driver.marked == ["b"])
        #expect(driver.state.selectedItem?.name == "c")
    }

    @Test("a mark shows in its row, the current one too")
    func shown() async {
        let driver = await Driver.lettered("abc")
        driver.type("Space Space k")
        let screen = driver.canvas.textRows.joined(separator: "\n")
        #expect(screen.contains(" *○ a"))
        #expect(screen.contains("▌*○ b"))
        #expect(screen.contains("  ○ c"))
    }

    @Test("V marks from here to there, in both directions; Esc drops the range alone")
    func range() async {
        let driver = await Driver.lettered("abcdef")
        driver.type("j V j j V")
        #expect(driver.marked == ["b", "c", "d"])
        driver.type("G V k Esc")
        #expect(driver.marked == ["b", "c", "d"])
        driver.type("G V k Space")
        #expect(driver.marked == ["b", "c", "d", "e", "f"])
        driver.type("Esc")
        #expect(driver.marked.isEmpty)
    }

    @Test("any command ends a range, and acts on it")
    func rangeCommand() async {
        let driver = await Driver.lettered("abcd")
        driver.type("V j x")
        #expect(driver.done == ["a", "b"])
        #expect(driver.state.markedRange == nil)
        driver.type("u")
        #expect(driver.done.isEmpty)
    }

    @Test("the range stays where it began when another process deletes that item")
    func rangeWithoutBeginning() async {
        let driver = await Driver.lettered("abcd")
        driver.type("j V j")
        driver.store.send(.saving(.arrived(deleting: [driver.state.rows.ids[1]])))
        driver.type("V")
        #expect(driver.marked == ["c"])
    }

    @Test("v inverts and ^A marks what is shown, and nothing else")
    func all() async {
        let driver = await Driver.readingList()
        driver.type("Space / 'swift' Enter ^A Esc")
        #expect(driver.state.ui.marks.count == 2)
        driver.type("/ 'swift' Enter v Esc")
        #expect(driver.marked == ["The Art of Computer Programming, vol. 4B"])
        driver.type("v")
        #expect(driver.state.ui.marks.count == 4)
    }

    // What becomes of them

    @Test("hidden ones are counted, through filters, tags, edits and the pinned row")
    func hidden() async {
        let driver = await Driver.readingList()
        driver.type("^A")
        #expect(driver.state.ui.marks.hiddenCount == 0)
        driver.type("/ 'swift' Enter")
        #expect(driver.state.ui.marks.hiddenCount == 4)
        driver.type("Esc H")
        #expect(driver.state.ui.marks.hiddenCount == 1)
        driver.type("V x")
        // The current row stays until the selection leaves it.
        #expect(driver.state.ui.marks.hiddenCount == 4)
        driver.type("u")
        #expect(driver.state.ui.marks.hiddenCount == 1)
    }

    @Test("the hidden ones of many are found on another thread, and deleting waits for that")
    func manyHidden() async {
        let driver = await Driver(items: Fixtures.items((1...1_500).map(String.init)))
        driver.type("^A / '=150' Enter")
        driver.type("d d")
        await driver.store.settled()
        let shown = driver.state.rows.count
        #expect(driver.state.ui.marks.hiddenCount == 1_500 - shown)
        await driver.store.settled()
        #expect(driver.question == "Delete 1500 items, \(1_500 - shown) of them hidden?")
    }

    @Test("an item that goes loses its mark, whoever deletes it, and undo gives none back")
    func gone() async {
        let driver = await Driver.lettered("abcd")
        let ids = driver.state.rows.ids
        driver.type("^A")
        driver.store.send(.saving(.arrived(deleting: [ids[2]])))
        #expect(driver.marked == ["a", "b", "d"])
        driver.type("d d y")
        #expect(driver.state.ui.marks.isEmpty)
        driver.type("u")
        #expect(driver.names == ["a", "b", "d"])
        #expect(driver.state.ui.marks.isEmpty)
    }

    @Test("the selection goes to the next row that is left, however many above it go too")
    func goneAbove() async {
        let driver = await Driver.lettered("abcdefgh")
        let ids = driver.state.rows.ids
        driver.type("j j j j")
        driver.store.send(.saving(.arrived(deleting: [ids[0], ids[1], ids[4]])))
        #expect(driver.state.selectedItem?.name == "f")
        driver.store.send(.saving(.arrived(deleting: [ids[2], ids[5], ids[6]])))
        #expect(driver.state.selectedItem?.name == "h")
        driver.store.send(.saving(.arrived(deleting: [ids[7]])))
        #expect(driver.state.selectedItem?.name == "d")
    }

    @Test("a new item that is typed keeps its place, however many rows above it go")
    func goneAboveDraft() async {
        let driver = await Driver.lettered("abcdef")
        let ids = driver.state.rows.ids
        driver.type("j j j a 'new'")
        driver.store.send(.saving(.arrived(deleting: [ids[0], ids[3]])))
        driver.type("Enter")
        #expect(driver.names == ["b", "c", "new", "e", "f"])
    }

    @Test("it keeps its place, too, where the rows above it go one by one")
    func goneAboveDraftInTurn() async {
        let driver = await Driver.lettered("abcdef")
        let ids = driver.state.rows.ids
        driver.type("j j j a 'new'")
        driver.store.send(.saving(.arrived(deleting: [ids[3]])))
        driver.store.send(.saving(.arrived(deleting: [ids[2]])))
        driver.type("Enter")
        #expect(driver.names == ["a", "b", "new", "e", "f"])
    }

    @Test("Esc drops the filter, and marks last")
    func escape() async {
        let driver = await Driver.readingList()
        driver.type("Space / 'swift' Enter Esc")
        #expect(driver.state.ui.filter.isEmpty)
        #expect(driver.state.ui.marks.count == 1)
        driver.type("Esc")
        #expect(driver.state.ui.marks.isEmpty)
    }

    // Commands

    @Test("x makes all marked done, and only where all are, none")
    func done() async {
        let driver = await Driver.lettered("abc")
        driver.type("x j Space x")
        #expect(driver.done == ["a", "b"])
        driver.type("^A x")
        #expect(driver.done == ["a", "b", "c"])
        driver.type("x")
        #expect(driver.done.isEmpty)
        driver.type("u u")
        #expect(driver.done == ["a", "b"])
    }

    @Test("deleting several asks, and is one step")
    func delete() async {
        let driver = await Driver.readingList()
        driver.type("^A / 'swift' Enter d d")
        #expect(driver.question == "Delete 5 items, 4 of them hidden?")
        driver.type("n d d y Esc")
        #expect(driver.names.isEmpty)
        driver.type("u")
        #expect(driver.names.count == 5)
    }

    @Test("the one marked item is deleted without a question where it is shown")
    func deleteOne() async {
        let driver = await Driver.lettered("abc")
        driver.type("Space j d d")
        #expect(driver.names == ["b", "c"])
        driver.type("Space / 'b' Enter d d")
        #expect(driver.question == "Delete 1 item, which is hidden?")
    }

    @Test("t puts a tag on all marked, and takes it off where all have it; one step each")
    func tags() async {
        let driver = await Driver.readingList()
        driver.type("^A t 'boo'")
        #expect(driver.text.contains("– ● book"))
        driver.type("Enter")
        #expect(driver.tagged("book") == 5)
        driver.type("t 'boo' Enter")
        #expect(driver.tagged("book") == 0)
        driver.type("u")
        #expect(driver.tagged("book") == 5)
        driver.type("t 'fresh' Enter")
        #expect(driver.tagged("fresh") == 5)
        driver.type("u")
        #expect(driver.state.tags.count == 3)
    }

    @Test("rename and note are about the current item")
    func rename() async {
        let driver = await Driver.lettered("abc")
        driver.type("Space Space r '!' Enter")
        #expect(driver.names == ["a", "b", "c!"])
    }

    @Test("a list that can only be read has marks, which nothing is done to")
    func readOnly() async {
        let driver = await Driver(
            items: Fixtures.items(["a", "b"]), readOnlyReason: "The file is not writable.")
        driver.type("^A x y")
        await driver.store.settled()
        #expect(driver.marked == ["a", "b"])
        #expect(driver.done.isEmpty)
        #expect(driver.terminal.copied.count == 1)
        driver.type("p m")
        driver.paste("line")
        #expect(driver.names == ["a", "b"])
        #expect(driver.state.ui.mode.isNormal)
    }
}

extension SavingAction {
    /// Another process has deleted items.
    static func arrived(deleting ids: [Item.ID]) -> SavingAction {
        .arrived(Arrival(StorageChanges(deletingItems: ids)))
    }
}

extension Driver {
    /// What the screen shows.
    var text: String { canvas.textRows.joined(separator: "\n") }

    /// The names of the marked rows, from the top.
    var marked: [String] {
        state.rows.ids.enumerated().filter { state.isMarked($1, at: $0) }
            .compactMap { state.items[$1]?.name }
    }

    /// The names of the rows that are done.
    var done: [String] {
        state.rows.ids.compactMap { state.items[$0] }.filter(\.isDone).map(\.name)
    }

    func tagged(_ name: String) -> Int {
        state.tag(named: name).map { tag in
            state.items.values.count { $0.tags.contains(tag.id) }
        } ?? -1
    }

    /// What is asked, or nil.
    var question: String? {
        if case .confirmation(let confirmation) = state.ui.mode {
            confirmation.question
        } else {
            nil
        }
    }
}
