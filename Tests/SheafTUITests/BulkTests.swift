import SheafCore
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

@MainActor
@Suite("Commands about many items")
struct BulkTests {
    private static let count = 3_500

    private func many() async -> Driver {
        await Driver(
            tags: Fixtures.tags(["one"]), items: Fixtures.items((1...Self.count).map(String.init)),
            idsFrom: 10_001)
    }

    private func isDone(_ driver: Driver) -> Int {
        driver.state.items.values.count(where: \.isDone)
    }

    @Test("they go in parts, are shown, and are one step and one transaction")
    func done() async {
        let driver = await many()
        driver.type("^A x")
        #expect(isDone(driver) == 0)
        #expect(driver.canvas.textRows.last?.contains("Marking done: 0 of 3,500") == true)
        driver.clock.advance(by: .seconds(5))
        await driver.store.settled()
        #expect(isDone(driver) == Self.count)
        #expect(driver.state.ui.toast?.text == "3500 items done")
        #expect(await driver.storage.commits.isEmpty)
        await driver.store.flush()
        #expect(await driver.storage.commits.map(\.items.upserts.count) == [Self.count])
        driver.type("u")
        #expect(isDone(driver) == 0)
        driver.type("u")
        #expect(driver.state.ui.toast?.text == "Nothing to undo")
        driver.type("U")
        #expect(isDone(driver) == Self.count)
        await driver.store.flush()
        #expect(await driver.storage.allDone == Self.count)
    }

    @Test("moving goes on meanwhile, and what else is typed waits, in order")
    func waiting() async {
        let driver = await many()
        driver.type("^A x j")
        #expect(driver.state.selectedItem?.name == "2")
        driver.type("u j a 'new' Enter")
        #expect(driver.state.ui.waitingKeys == 7)
        #expect(driver.text.contains("7 keys waiting"))
        await Driver.wait(for: driver) { driver.state.ui.waitingKeys == 0 }
        #expect(isDone(driver) == 0)
        #expect(driver.names.prefix(4) == ["1", "2", "new", "3"])
        #expect(driver.state.items.count == Self.count + 1)
    }

    @Test("what another process deletes meanwhile stays deleted, and what it edits keeps that")
    func others() async throws {
        let driver = await many()
        let ids = driver.state.rows.ids
        var edited = try #require(driver.state.items[ids[3_000]])
        edited.name = "theirs"
        driver.type("^A x")
        driver.store.send(.saving(.arrived(deleting: [ids[3_400]])))
        driver.store.send(.saving(.arrived(Arrival(StorageChanges(items: [edited])))))
        await driver.store.settled()
        #expect(driver.state.items.count == Self.count - 1)
        #expect(isDone(driver) == Self.count - 1)
        #expect(driver.state.items[edited.id]?.name == "theirs")
    }

    @Test("deleted, tagged with a new tag, moved and copied: each is one step")
    func commands() async {
        let driver = await many()
        let before = driver.state.items.values
        for (keys, count) in [
            ("^A d d y", 0), ("^A t 'fresh' Enter", Self.count), ("9 9 9 9 y G p", 2 * Self.count),
            ("^A m p", Self.count), ("Esc g g Space v J G K", Self.count),
        ] {
            driver.type("g g")
            for key in keys.split(separator: " ") {
                driver.type(String(key))
                await driver.store.settled()
            }
            #expect(driver.state.items.count == count, "\(keys)")
            driver.type("u")
            if keys.hasSuffix("K") { driver.type("u u") }
            #expect(driver.state.items.values.map(\.id) == before.map(\.id), "\(keys)")
            #expect(driver.state.tags.count == 1)
            driver.type("Esc Esc")
        }
    }

    @Test("a signal waits for the rest of it, which is saved with the beginning")
    func leaving() async {
        let driver = await many()
        driver.type("^A x")
        driver.store.send(.leaving(.signalled(15)))
        await driver.store.settled()
        #expect(driver.state.leaving.exit != nil)
        #expect(await driver.storage.commits.map(\.items.upserts.count) == [Self.count])
    }
}

extension FakeStorage {
    fileprivate var allDone: Int { loadItems(after: nil, limit: .max).count(where: \.isDone) }
}
