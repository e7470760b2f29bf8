import SheafList
import SheafStorage
import SheafTestSupport
import Testing

@testable import SheafTUI

/// A sequence of keys is about the row on which it began.
@MainActor
@Suite("Sequences of keys, and others who edit")
struct KeySequenceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open() throws -> any ListStorage {
        try StoreURL(.sqlite, path: folder.file("list.sqlite")).location.openStorage(
            .readWriteCreate)
    }

    @Test(
        "what is deleted elsewhere after d is not replaced by its neighbour",
        .timeLimit(.minutes(1)))
    func item() async throws {
        let other = try open()
        let items = Fixtures.items(["a", "b", "c"])
        var first = StorageChanges()
        first.items.upsert(items)
        _ = try await other.commit(first)
        let driver = await Driver(over: try open())
        driver.type("j d")
        var deletion = StorageChanges()
        deletion.items.delete(items[1])
        _ = try await other.commit(deletion)
        await Driver.wait(for: driver) { driver.names == ["a", "c"] }
        driver.type("d")
        #expect(driver.names == ["a", "c"])
        #expect(
            driver.state.ui.toast?.text
                == "Keys dropped: the selection was deleted by another process")
        #expect(driver.state.ui.pendingKeys.isEmpty)
        driver.pause()
        driver.type("Esc g g d d")
        #expect(driver.names == ["c"])
    }

    @Test("a tag that is deleted elsewhere after d is not either", .timeLimit(.minutes(1)))
    func tag() async throws {
        let other = try open()
        let tags = Fixtures.tags(["one", "two"])
        var first = StorageChanges()
        first.tags.upsert(tags)
        _ = try await other.commit(first)
        let driver = await Driver(over: try open())
        driver.type("h j j d")
        var deletion = StorageChanges()
        deletion.tags.delete(tags[0])
        _ = try await other.commit(deletion)
        await Driver.wait(for: driver) { driver.state.tags.count == 1 }
        driver.type("d")
        #expect(driver.state.tags.values.map(\.name) == ["two"])
        #expect(
            driver.state.ui.toast?.text
                == "Keys dropped: the selection was deleted by another process")
    }

    @Test("a selection that moves after d is not deleted")
    func movedSelection() async {
        let driver = await Driver(items: Fixtures.items(["a", "b", "c"]))
        driver.type("x j j d")
        driver.store.send(.history(.undoRequested))
        #expect(driver.state.selectedItem?.name == "a")
        driver.type("d")
        #expect(driver.names == ["a", "b", "c"])
        #expect(driver.state.ui.toast?.text == "Keys dropped: the selection moved")
    }

    @Test("a sequence about no row is done wherever the selection is")
    func movement() async {
        let driver = await Driver(items: Fixtures.items(["a", "b", "c"]))
        driver.type("x j j g")
        driver.store.send(.history(.undoRequested))
        driver.type("g")
        #expect(driver.state.selectedItem?.name == "a")
        #expect(driver.state.ui.toast?.text == "Undid: done")
    }
}
