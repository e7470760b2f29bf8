import SheafTestSupport
import Synchronization
import Testing

@testable import SheafApp
@testable import SheafTUI

/// Queries and sorts by keys, in a short list and in one that is searched on other threads.
@Suite("Keys that find and sort") @MainActor
struct KeySearchTests {
    // MARK: Sorting

    @Test("no sort changes an item, nor does a move that is refused")
    func changesNothing() async {
        let driver = await Driver.fruit()
        let before = driver.state.items.values
        driver.type("s n S s t J s m S J s m")
        #expect(driver.state.items.values == before)
        #expect(driver.state.saving.counters.changes == 0)
    }

    @Test("a sort comes back at the next start, and so do earlier queries")
    func remembered() async {
        let driver = await Driver.fruit()
        driver.type("/ 'pear' Enter / ^U 'is:done' Enter Esc s n S")
        let view = RememberedView(driver.state)
        #expect(view.sort == .name && view.isSortReversed)
        #expect(view.queries == ["is:done", "pear"])
    }

    // MARK: Long lists

    @Test("keys typed right after a query are about what it finds, on other threads too")
    func waits() async {
        let driver = await Driver.fruit(elsewhere: true)
        driver.typeAtOnce("/ 'apf' Enter x")
        await driver.store.settled()
        #expect(driver.names == ["Äpfel"])
        #expect(driver.state.items.values.filter(\.isDone).map(\.name) == ["Äpfel", "plum"])
        driver.typeAtOnce("Esc H j x")
        await driver.store.settled()
        #expect(driver.names == ["pear 10", "apple", "pear 9"])
        #expect(
            driver.state.selectedItem?.name == "pear 9" && driver.state.selectedItem?.isDone == true
        )
    }

    @Test("Enter before anything is found leaves the best match selected, as after it")
    func entersAtOnce() async {
        for keys in ["G / 'p' Enter x", "G / 'p' Enter j x"] {
            var ends: [[String]] = []
            for elsewhere in [false, true] {
                let driver = await Driver.fruit(elsewhere: elsewhere)
                driver.typeAtOnce(keys)
                await driver.store.settled()
                ends.append(driver.state.items.values.filter(\.isDone).map(\.name))
                #expect(
                    driver.state.selectedItem?.name == (keys.contains("j") ? "pear 9" : "pear 10"))
            }
            #expect(ends[0] == ends[1])
        }
    }

    @Test("a step while a query is searched for is taken at once, and from the best match")
    func stepsWhileSearching() async {
        let driver = await Driver.fruit(elsewhere: true)
        driver.type("/ 'p' Down Down")
        #expect(driver.state.searching != nil && driver.state.ui.waitingKeys == 0)
        #expect(driver.state.selectedItem?.name == "pear 9")
        await driver.store.settled()
        #expect(driver.names == ["pear 10", "pear 9", "plum", "apple", "Äpfel"])
        #expect(driver.state.selectedItem?.name == "plum")
        driver.type("'l' Down Up Up")
        await driver.store.settled()
        #expect(driver.state.selectedItem?.name == "plum")
        driver.type("Backspace Down 'e' Down")
        await driver.store.settled()
        #expect(driver.names.firstIndex(of: driver.state.selectedItem?.name ?? "") == 1)
    }

    @Test("the newest of several queries wins, and one taken back leaves nothing")
    func newestWins() async {
        let driver = await Driver.fruit(elsewhere: true)
        driver.typeAtOnce("/ 'p' 'l' Backspace 'e' 'a'")
        await driver.store.settled()
        #expect(driver.names == ["pear 10", "pear 9"])
        driver.typeAtOnce("'zzz' Esc")
        await driver.store.settled()
        #expect(driver.names.count == 5)
        #expect(driver.state.searching == nil)
    }

    /// The rows around the selection as a sort by name tells them.
    private func firstRows(_ driver: Driver) async throws -> FirstRows {
        var definition = driver.state.rows.definition
        definition.order = ItemOrder(.name)
        let search = driver.state.rows.searching(
            definition, around: driver.state.ui.selectedItem)
        let told = Mutex<FirstRows?>(nil)
        _ = await search.run(width: 1) { first in told.withLock { $0 = first } }
        return try #require(told.withLock { $0 })
    }

    @Test("a screenful of a sort is shown before the rest is sorted, and keys wait for that")
    func showsFirstRows() async throws {
        let driver = await Driver.fruit(elsewhere: true)
        driver.type("j")
        let first = try await firstRows(driver)
        driver.type("s n")
        driver.store.send(.search(.firstFound(FoundFirstRows(rows: first))))
        let screen = driver.canvas.textRows
        let sorted = ["Äpfel", "apple", "pear 9", "pear 10", "plum"]
        let shown = screen.compactMap { row in sorted.first { row.contains($0) } }
        #expect(shown == sorted)
        #expect(driver.state.selectedItem?.name == "apple" && driver.state.ui.selectedRow == 1)
        #expect(driver.state.searching != nil)
        driver.type("j")
        #expect(driver.state.selectedItem?.name == "apple")
        #expect(driver.canvas.textRows.dropLast() == screen.dropLast())
        await driver.store.settled()
        #expect(driver.state.firstRows == nil)
        #expect(driver.names == sorted && driver.state.selectedItem?.name == "pear 9")
    }

    @Test("the best matches are shown before all are found, and steps go through them")
    func showsBestFirst() async throws {
        let items = Fixtures.items((1...300).map { $0 % 3 == 0 ? "a pear \($0)" : "plum \($0)" })
        let driver = await Driver(items: items, searchesElsewhere: true)
        driver.type("G / 'pe' Down")
        let best = items.filter { $0.name.contains("pear") }.map(\.id)
        let definition = try #require(driver.state.searching)
        let first = FoundFirstRows(
            rows: FirstRows(definition, best, revision: driver.state.items.revision))
        driver.store.send(.search(.firstFound(first)))
        #expect(driver.state.selectedItem?.name == "a pear 6" && driver.state.ui.selectedRow == 1)
        var screen = driver.canvas.textRows
        #expect(screen[0].contains("300 items") && screen.contains { $0.contains("a pear 30") })
        #expect(!screen.contains { $0.contains("plum") })
        driver.type("Down Down Up")
        #expect(driver.state.selectedItem?.name == "a pear 9" && driver.state.ui.selectedRow == 2)
        await driver.store.settled()
        #expect(driver.state.firstRows == nil && driver.state.rows.count == 100)
        #expect(driver.state.selectedItem?.name == "a pear 9" && driver.state.ui.selectedRow == 2)
        screen = driver.canvas.textRows
        #expect(screen[0].contains("100 of 300"))
        driver.type("Backspace 't'")
        driver.store.send(.search(.firstFound(first)))
        #expect(driver.state.firstRows == nil)
        driver.type("Esc")
        await driver.store.settled()
        #expect(driver.state.selectedItem?.name == "a pear 300")
    }

    @Test("the first rows of a sort go when an item changes, or another sort is chosen")
    func dropsFirstRows() async throws {
        let driver = await Driver.fruit(elsewhere: true)
        let first = FoundFirstRows(rows: try await firstRows(driver))
        driver.type("s n")
        driver.store.send(.search(.firstFound(first)))
        #expect(driver.state.firstRows != nil)
        driver.store.send(.items(.rename(Fixtures.id(5), newName: "pearl")))
        #expect(driver.state.firstRows == nil)
        await driver.store.settled()
        driver.type("s m")
        await driver.store.settled()
        let again = FoundFirstRows(rows: try await firstRows(driver))
        driver.type("s n")
        driver.store.send(.search(.firstFound(again)))
        driver.type("s c")
        #expect(driver.state.firstRows == nil)
        driver.store.send(.search(.firstFound(again)))
        #expect(driver.state.firstRows == nil)
        await driver.store.settled()
    }

    @Test("what changes while a search runs is in its result")
    func editsMeanwhile() async {
        let driver = await Driver.fruit(elsewhere: true)
        driver.type("/ 'pear' Enter")
        driver.store.send(.items(.rename(Fixtures.id(5), newName: "pearl")))
        driver.store.send(.items(.rename(Fixtures.id(1), newName: "fig")))
        await driver.store.settled()
        #expect(Set(driver.names) == ["pearl", "pear 9"])
        driver.type("Esc")
        await driver.store.settled()
        #expect(driver.names == ["fig", "apple", "pear 9", "Äpfel", "pearl"])
    }
}
