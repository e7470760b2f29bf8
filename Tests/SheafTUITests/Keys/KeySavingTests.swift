import SheafList
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// The times of saving, and the question on quitting.
@MainActor
@Suite("Keys that save and quit")
struct KeySavingTests {
    @Test("changes that wait in the log of an interrupted session show as unsaved")
    func waitingChanges() async {
        let driver = await Driver.lettered()
        driver.store.send(.session(.abandonedFound(changes: 3)))
        #expect(driver.canvas.textRows.last?.contains("● 3 unsaved") == true)
        driver.type("x")
        #expect(driver.canvas.textRows.last?.contains("● 4 unsaved") == true)
        driver.store.send(.session(.abandonedFound(changes: 0)))
        await driver.store.flush()
        #expect(driver.canvas.textRows.last?.contains("✓ saved") == true)
    }

    @Test("a signal keeps the open draft; q after Enter writes everything and leaves with 0")
    func quitKeepsDraft() async {
        let driver = await Driver.lettered("abc")
        driver.type("a 'draft'")
        driver.store.send(.leaving(.signalled(15)))
        await driver.store.settled()
        #expect(driver.state.leaving.exit?.status == 143)
        #expect(await driver.storage.loadItems(after: nil, limit: 9).map(\.name).contains("draft"))
        let other = await Driver.lettered("abc")
        other.type("a 'draft' Enter q")
        await other.store.settled()
        #expect(other.state.leaving.exit?.status == 0)
        #expect(await other.storage.loadItems(after: nil, limit: 9).map(\.name).contains("draft"))
    }

    @Test("quit asks while storage fails, n stays, d leaves with what is lost on stderr")
    func quitAsks() async {
        let driver = await Driver.lettered("abc")
        await driver.storage.fail(with: StorageError(.full, at: "x", reason: "disk full"))
        driver.type("x q")
        await driver.store.settled()
        #expect(driver.state.leavingQuestion == "Quit with 1 unsaved change? (disk full)")
        await driver.storage.fail(with: StorageError(.io, at: "x", reason: "no connection"))
        await driver.store.flush()
        #expect(driver.state.leavingQuestion == "Quit with 1 unsaved change? (no connection)")
        driver.type("n")
        #expect(driver.state.leaving.exit == nil)
        await driver.storage.fail(with: nil)
        driver.type("q")
        await driver.store.settled()
        #expect(driver.state.leaving.exit?.status == 0)
        #expect(await driver.storage.loadItems(after: nil, limit: 1).first?.isDone == true)
        let other = await Driver.lettered("abc")
        await other.storage.fail(with: StorageError(.full, at: "x", reason: "disk full"))
        other.type("x q")
        await other.store.settled()
        #expect(other.text.contains("r retry   y keep   d discard   n stay"))
        other.type("d")
        #expect(other.state.leaving.exit?.status == 74)
        #expect(other.state.leaving.exit?.message == "1 unsaved change lost: disk full")
    }

    @Test("quit asks about what was typed before the right to write was taken")
    func quitAsksReader() async {
        let driver = await Driver.lettered("abc")
        driver.type("x")
        await driver.storage.refuseWriting(because: "you may only read this list")
        driver.type("q")
        await driver.store.settled()
        #expect(driver.state.leaving.exit == nil)
        #expect(
            driver.state.leavingQuestion
                == "Quit with 1 unsaved change? (you may only read this list)")
    }

    @Test(
        "a right to write that is lost refuses edits at once, and quit still asks about earlier ones"
    )
    func lostWriteAccess() async {
        let driver = await Driver.lettered("abc")
        driver.type("x")
        // From here on, any fetch may report the lost right.
        await driver.storage.refuseWriting(because: "No.")
        await driver.store.flush()
        driver.store.send(.session(.accessLost(reason: "No.")))
        driver.type("j x")
        #expect(driver.state.ui.toast?.text == "Read-only. No.")
        #expect(driver.state.items.values.count(where: \.isDone) == 1)
        driver.type("q")
        await driver.store.settled()
        #expect(driver.state.leavingQuestion == "Quit with 1 unsaved change? (No.)")
        driver.type("Esc")
        await driver.storage.allowWriting()
        await driver.storage.fail(with: nil)
        driver.store.send(.session(.accessCheckRequested))
        await driver.store.settled()
        #expect(driver.state.list.readOnlyReason == nil)
        driver.type("j x q")
        await driver.store.settled()
        #expect(driver.state.leaving.exit?.status == 0)
        let stored = await driver.storage.loadItems(after: nil, limit: 3)
        #expect(stored.count(where: \.isDone) == 2)
    }

    @Test("what fails to be saved is saved once the cause is gone, without a restart")
    func recovers() async {
        let driver = await Driver.lettered("abc")
        await driver.storage.fail(with: StorageError(.full, at: "x", reason: "disk full"))
        driver.type("x")
        await driver.store.flush()
        #expect(driver.state.saving.phase == .failing)
        driver.type("j x")
        await driver.storage.fail(with: nil)
        await driver.store.flush()
        #expect(driver.state.saving.phase == .saved)
        #expect(await driver.storage.loadItems(after: nil, limit: 9) == driver.state.items.values)
    }

    @Test("the note goes through the editor and back, as one step of undo")
    func note() async {
        let driver = await Driver.lettered("abc")
        driver.terminal.editedText = "two\nlines"
        driver.type("e")
        await driver.store.settled()
        #expect(driver.state.selectedItem?.note == "two\nlines")
        driver.type("u")
        #expect(driver.state.selectedItem?.note.isEmpty == true)
    }
}
