import SheafTestSupport
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
