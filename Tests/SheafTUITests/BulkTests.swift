import SheafList
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

@MainActor
@Suite("Commands about many items")
struct BulkTests {
    private static let count = 1_500

    private func many(_ count: Int = count) async -> Driver {
        await Driver(
            tags: Fixtures.tags(["one"]), items: Fixtures.items((1...count).map(String.init)),
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
        #expect(driver.canvas.textRows.last?.contains("Toggling done: 0 of 1,500") == true)
        driver.clock.advance(by: .seconds(5))
        await driver.store.settled()
        #expect(isDone(driver) == Self.count)
        #expect(driver.state.ui.toast?.text == "1,500 items done")
        #expect(await driver.storage.commits.isEmpty)
        await driver.store.flush()
        #expect(await driver.storage.commits.map(\.items.upserts.count) == [Self.count])
    }

    @Test("the status line says what is done to the items, once that is known")
    func titles() async {
        let driver = await many()
        let seen = Seen()
        let subscription = driver.store.subscribe { state in
            if let title = state.ui.bulk?.title, title != seen.titles.last {
                seen.titles.append(title)
            }
        }
        for keys in ["^A x", "x", "t 'one' Enter", "t 'one' Enter"] {
            await driver.typeSettling(keys)
        }
        subscription.cancel()
        #expect(
            seen.titles == [
                "Toggling done", "Marking done", "Toggling done", "Marking not done",
                "Toggling a tag", "Tagging", "Toggling a tag", "Removing a tag",
            ])
    }

    private final class Seen {
        var titles: [String] = []
    }

    @Test("undo and redo go in parts, too, are shown, and are one step and one transaction")
    func undo() async {
        let driver = await many()
        await driver.typeSettling("^A x")
        await driver.store.flush()
        driver.type("u")
        #expect(isDone(driver) == Self.count - 250)
        #expect(driver.canvas.textRows.last?.contains("Undoing done: 250 of 1,500") == true)
        driver.type("j")
        #expect(driver.state.selectedItem?.name == "2")
        driver.clock.advance(by: .seconds(5))
        await driver.store.settled()
        #expect(isDone(driver) == 0)
        #expect(driver.state.ui.toast?.text == "Undid: done")
        await driver.store.flush()
        #expect(
            await driver.storage.commits.map(\.items.upserts.count) == [Self.count, Self.count])
        await driver.typeSettling("u")
        #expect(driver.state.ui.toast?.text == "Nothing to undo")
        driver.type("U x")
        #expect(driver.canvas.textRows.last?.contains("Redoing done: 250 of 1,500") == true)
        #expect(driver.state.ui.waitingKeys == 1)
        await Driver.wait(for: driver) { driver.state.ui.waitingKeys == 0 }
        await driver.store.settled()
        #expect(isDone(driver) == 0)
        await driver.typeSettling("u u")
        await driver.store.flush()
        #expect(await driver.storage.allDone == 0)
    }

    @Test("the message of a copy that ends late does not replace the one that offers undo")
    func lateCopy() async {
        let driver = await many()
        driver.type("^A y Esc d d")
        await driver.store.settled()
        #expect(driver.state.items.count == Self.count - 1)
        #expect(driver.state.ui.toast?.text == "Deleted: “1”")
        driver.type("p")
        await driver.store.settled()
        #expect(driver.state.items.count == 2 * Self.count - 1)
    }

    @Test("undo in parts leaves alone what another process changes meanwhile, and says so")
    func undoAmongOthers() async throws {
        let driver = await many()
        let ids = driver.state.rows.ids
        await driver.typeSettling("^A x")
        var edited = try #require(driver.state.items[ids[1_200]])
        edited.name = "theirs"
        await driver.store.flush()
        driver.type("u")
        driver.store.send(.saving(.arrived(deleting: [ids[1_400]])))
        driver.store.send(.saving(.arrived(Arrival(StorageChanges(items: [edited])))))
        await driver.store.settled()
        #expect(isDone(driver) == 1)
        #expect(driver.state.items[edited.id] == edited)
        #expect(driver.state.items[ids[1_400]] == nil)
        #expect(
            driver.state.ui.toast?.text == "Undid: done, except 2 items changed or deleted since")
    }

    @Test("a signal waits for the rest of an undo, which is saved with the beginning")
    func leavingUndo() async {
        let driver = await many()
        await driver.typeSettling("^A x")
        await driver.store.flush()
        driver.type("u")
        driver.store.send(.leaving(.signalled(15)))
        await driver.store.settled()
        #expect(driver.state.leaving.exit?.status == 143)
        #expect(await driver.storage.allDone == 0)
        #expect(await driver.storage.commits.count == 2)
    }

    @Test("when a signal has no more time for it, none of it is kept, and that is said")
    func cutShort() async {
        let driver = await many()
        driver.type("^A x")
        driver.store.send(.leaving(.signalled(15)))
        driver.store.send(.leaving(.overdue(15)))
        #expect(
            driver.state.leaving.exit?.message
                == "Toggling done was interrupted: nothing was changed")
    }

    @Test("a number undoes and redoes so many steps, in one transaction")
    func counted() async {
        let driver = await Driver.lettered()
        driver.type("x j x j x d d")
        await driver.store.flush()
        await driver.typeSettling("3 u")
        #expect(driver.state.ui.toast?.text == "Undid: 3 steps")
        #expect(driver.names == ["a", "b", "c", "d", "e"])
        #expect(isDone(driver) == 1)
        #expect(driver.state.ui.bulk == nil && driver.state.ui.count == nil)
        await driver.store.flush()
        #expect(await driver.storage.commits.count == 2)
        await driver.typeSettling("9 9 U")
        #expect(driver.state.ui.toast?.text == "Redid: 3 steps; there were no more")
        #expect(driver.names == ["a", "b", "d", "e"])
        await driver.typeSettling("5 u x")
        #expect(driver.state.items.first?.isDone == true)
    }

    @Test("a tag of many items is deleted in parts, and one undo brings it back with all of them")
    func tagDeletion() async {
        let tag = Fixtures.tag(1, "one")
        let items = Fixtures.items((1...Self.count).map(String.init)).map { item in
            var item = item
            item.tags = [tag.id]
            return item
        }
        let driver = await Driver(tags: [tag], items: items, idsFrom: 10_001)
        driver.type("h j j d d y")
        #expect(driver.canvas.textRows.last?.contains("Deleting tag: 0 of 1,500") == true)
        await driver.store.settled()
        #expect(driver.state.tags.isEmpty)
        #expect(driver.state.ui.toast?.text == "Tag deleted: “one”")
        #expect(!driver.state.items.values.contains { !$0.tags.isEmpty })
        await driver.typeSettling("u")
        #expect(driver.state.tags.count == 1)
        #expect(driver.state.items.values == items)
        await driver.typeSettling("u")
        #expect(driver.state.ui.toast?.text == "Nothing to undo")
    }

    @Test("many rows are marked and inverted on another thread, shown at once and waited for")
    func marks() async {
        let driver = await many(5_000)
        driver.type("j Space")
        driver.type("^A x")
        #expect(driver.text.contains("marking 5,000 rows"))
        #expect(driver.canvas.textRows[3].contains("*○"))
        #expect(driver.state.ui.waitingKeys == 1)
        await Driver.wait(for: driver) { driver.state.ui.waitingKeys == 0 }
        await driver.store.settled()
        #expect(isDone(driver) == 5_000)
        driver.type("v")
        #expect(driver.state.isMarked(driver.state.rows.ids[5], at: 5) == false)
        await driver.store.settled()
        #expect(driver.state.ui.marks.isEmpty)
        driver.type("g g j V G x")
        await Driver.wait(for: driver) { driver.state.ui.waitingKeys == 0 }
        await driver.store.settled()
        #expect(isDone(driver) == 1)
        driver.type("^A Esc")
        await driver.store.settled()
        #expect(driver.state.ui.marks.isEmpty)
    }

    @Test("what another process deletes while rows are being marked is not marked")
    func marksAmongOthers() async {
        let driver = await many(5_000)
        driver.type("^A")
        driver.store.send(.saving(.arrived(deleting: [driver.state.rows.ids[9]])))
        await driver.store.settled()
        #expect(driver.state.ui.marks.count == 4_999)
        #expect(driver.state.ui.marks.hiddenCount == 0)
    }

    @Test("the tag picker shows the tags of many items, too")
    func picker() async {
        let driver = await many()
        await driver.typeSettling("Space ^A t")
        #expect(driver.text.contains("Tags of 1,500 items"))
        await driver.typeSettling("'new' Tab")
        #expect(driver.text.contains("✓ ● new"))
        await driver.typeSettling("Esc Esc g g x t Tab")
        #expect(driver.text.contains("✓ ● one"))
        await driver.typeSettling("Esc ^A t")
        #expect(driver.text.contains("– ● one"))
        #expect(driver.text.contains("✓ ● new"))
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
        await driver.store.settled()
        #expect(isDone(driver) == 0)
        #expect(driver.names.prefix(4) == ["1", "2", "new", "3"])
        #expect(driver.state.items.count == Self.count + 1)
    }

    @Test(
        "keys that wait are dropped once where it takes the selection away",
        arguments: ["d d", "r 'x' Enter", "! b", "3 x", "Space x", "a 'x' Enter", "y p"])
    func takenSelection(keys: String) async {
        let driver = await Driver(items: Fixtures.items(["a", "b", "c"]), idsFrom: 10_001)
        driver.type("j")
        driver.paste((1...Self.count).map(String.init).joined(separator: "\n"))
        await driver.typeSettling("y")
        #expect(driver.state.selectedItem?.name == "1")
        let before = driver.state.items.values.filter { $0.name.first?.isLetter == true }
        driver.type("u")
        #expect(driver.state.ui.bulk != nil)
        driver.type(keys)
        await Driver.wait(for: driver) { driver.state.ui.waitingKeys == 0 }
        await driver.store.settled()
        #expect(driver.names == ["a", "b", "c"])
        #expect(driver.state.items.values == before)
        #expect(driver.state.ui.mode.isNormal && driver.state.ui.marks.isEmpty)
        #expect(driver.state.ui.toast?.text.hasSuffix("dropped. The selection moved") == true)
        let selected = driver.state.selectedItem?.name
        driver.type("x")
        #expect(driver.done == [selected])
    }

    @Test("and where the items were marked, or the tag was the selection, that it deletes")
    func takenMarks() async {
        let driver = await many()
        driver.type("^A g g Space k d d y r 'x' Enter")
        #expect(driver.state.ui.waitingKeys > 0)
        await Driver.wait(for: driver) { driver.state.ui.waitingKeys == 0 }
        await driver.store.settled()
        #expect(driver.names == ["1"])
        #expect(driver.state.ui.toast?.text.hasSuffix("dropped. The marked items are gone") == true)

        let tags = Fixtures.tags(["one", "two"])
        let items = Fixtures.items((1...Self.count).map(String.init)).map { item in
            var item = item
            item.tags = [tags[0].id]
            return item
        }
        let other = await Driver(tags: tags, items: items, idsFrom: 10_001)
        other.type("h j j d d y d d")
        await Driver.wait(for: other) { other.state.ui.waitingKeys == 0 }
        await other.store.settled()
        #expect(other.state.tags.values.map(\.name) == ["two"])
        #expect(other.state.ui.toast?.text == "2 keys dropped. The selection moved")
    }

    @Test("keys that wait are done where the selection stays")
    func keptSelection() async {
        let driver = await Driver(items: Fixtures.items(["a", "b", "c"]), idsFrom: 10_001)
        driver.paste((1...Self.count).map(String.init).joined(separator: "\n"))
        await driver.typeSettling("y")
        driver.type("u G d d")
        await Driver.wait(for: driver) { driver.state.ui.waitingKeys == 0 }
        await driver.store.settled()
        #expect(driver.names == ["a", "b"])
    }

    @Test("what another process deletes meanwhile stays deleted, and what it edits keeps that")
    func others() async throws {
        let driver = await many()
        let ids = driver.state.rows.ids
        var edited = try #require(driver.state.items[ids[1_200]])
        edited.name = "theirs"
        driver.type("^A x")
        driver.store.send(.saving(.arrived(deleting: [ids[1_400]])))
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
            await driver.typeSettling(keys)
            #expect(driver.state.items.count == count, "\(keys)")
            await driver.typeSettling(keys.hasSuffix("K") ? "u u u" : "u")
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
