import Foundation
import SheafList
import SheafTestSupport
import Swidux
import Testing

/// Undo on two screens that share a list: it takes back a whole group of changes or none of it, on
/// every backend alike.
@Suite("Storage contract: undo on two screens", .timeLimit(.minutes(1)))
@MainActor
struct StorageContractUndoTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Two screens on one list that holds `changes`; their clocks are `seconds` apart.
    private func screens(
        _ backend: StorageBackend, _ changes: StorageChanges, apart seconds: Int64 = 1
    ) async throws -> (SharedScreen, SharedScreen) {
        try await SharedScreen.two(
            on: backend, at: folder.file(backend.fileName), changes, apart: seconds)
    }

    private var plants: Item {
        var item = Fixtures.item(1, "Water plants")
        item.repeat = Repeat("1w")
        return item
    }

    @Test(
        "what two screens finished is undone by neither, and both say why",
        arguments: StorageBackend.all(with: .watch), [-5, 5] as [Int64])
    func finishedTwice(_ backend: StorageBackend, clocksApart seconds: Int64) async throws {
        let (one, two) = try await screens(
            backend, StorageChanges(items: [plants, Fixtures.item(2)]), apart: seconds)
        two.send(.items(.doneToggled))
        one.send(.items(.doneToggled))
        await one.store.flush()
        await two.store.flush()
        try await one.agrees(with: two)
        let finished = two.state.items.values
        #expect(finished.map(\.id) == [plants.id, plants.nextID, Fixtures.itemID(2)])
        #expect(finished.map(\.isDone) == [true, false, false])

        for screen in [two, one] {
            screen.send(.history(.undoRequested))
            #expect(screen.state.items.values == finished)
            #expect(screen.toast == "Cannot undo done: “Water plants” was changed since")
            screen.send(.history(.redoRequested))
            #expect(screen.state.items.values == finished)
            #expect(screen.toast == "Nothing to redo")
        }
        try await one.agrees(with: two)
        #expect(two.state.items.values == finished)
    }

    @Test(
        "what is undone before it is saved leaves what another screen finished",
        arguments: StorageBackend.all(with: .watch))
    func undoneBeforeSaved(_ backend: StorageBackend) async throws {
        let (one, two) = try await screens(backend, StorageChanges(items: [plants]))
        two.send(.items(.doneToggled))
        two.send(.history(.undoRequested))
        #expect(two.state.items.values == [plants])
        one.send(.items(.doneToggled))
        await one.store.flush()
        await two.store.flush()
        try await one.agrees(with: two)
        #expect(two.state.items.values.map(\.isDone) == [true, false])
    }

    @Test(
        "a finish whose next item is deleted elsewhere is not undone",
        arguments: StorageBackend.all(with: .watch))
    func nextDeleted(_ backend: StorageBackend) async throws {
        let (one, two) = try await screens(backend, StorageChanges(items: [plants]))
        one.send(.items(.doneToggled))
        try await one.agrees(with: two)
        two.send(.items(.deleteConfirmed([plants.nextID])))
        try await one.agrees(with: two)
        one.send(.history(.undoRequested))
        #expect(one.state.items.values.map(\.isDone) == [true])
        #expect(one.toast == "Cannot undo done: “Water plants” was deleted since")
        try await one.agrees(with: two)
    }

    @Test(
        "an undo that storage refuses does not hide that another item came back",
        arguments: StorageBackend.all(with: .watch))
    func refusedBesideRestored(_ backend: StorageBackend) async throws {
        let (one, two) = try await screens(
            backend, StorageChanges(items: [plants, Fixtures.item(5)]))
        one.send(.items(.doneToggled))
        try await one.agrees(with: two)
        one.send(.history(.undoRequested))
        one.send(.items(.noteEdited(Fixtures.item(5), to: "mine")))
        two.send(.items(.rename(plants.nextID, newName: "theirs")))
        two.send(.items(.deleteConfirmed([Fixtures.item(5).id])))
        try await two.saves(before: one)
        let restored =
            "Deleted by another process; your edit restored it: “\(Fixtures.item(5).name)”"
        #expect(one.toast == "\(restored). Cannot undo done: “theirs” was changed since")
    }

    @Test(
        "a finish is undone in the moment in which its next item is edited elsewhere: it is not",
        arguments: StorageBackend.all(with: .watch), [false, true])
    func nextEdited(_ backend: StorageBackend, isRenamed: Bool) async throws {
        let (one, two) = try await screens(backend, StorageChanges(items: [plants]))
        one.send(.items(.doneToggled))
        try await one.agrees(with: two)
        let finished = one.state.items.values
        one.send(.history(.undoRequested))
        #expect(one.toast == "Undid: done")
        // A command afterwards changes nothing about that.
        one.send(.items(.noteEdited(plants, to: "mine")))
        two.send(.items(.rename(plants.nextID, newName: "theirs")))
        if isRenamed { two.send(.items(.rename(plants.id, newName: "also theirs"))) }
        try await two.saves(before: one)
        let items = two.state.items.values
        #expect(items.map(\.id) == finished.map(\.id))
        #expect(items.map(\.name) == [isRenamed ? "also theirs" : "Water plants", "theirs"])
        #expect(items.map(\.doneAt) == finished.map(\.doneAt))
        #expect(items.map(\.note) == ["mine", ""])
        #expect(one.toast == "Cannot undo done: “theirs” was changed since")
        #expect(one.state.saving.phase == .saved)
    }

    @Test(
        "a late refusal leaves what others made of the step, and it can be tried again",
        arguments: StorageBackend.all(with: .watch))
    func triedAgain(_ backend: StorageBackend) async throws {
        let (one, two) = try await screens(backend, StorageChanges(items: [plants]))
        one.send(.items(.doneToggled))
        try await one.agrees(with: two)
        let finished = one.state.items.values
        one.send(.history(.undoRequested))
        two.send(.items(.rename(plants.nextID, newName: "theirs")))
        try await two.saves(before: one)
        one.send(.history(.redoRequested))
        #expect(one.toast == "Nothing to redo")
        two.send(.history(.undoRequested))
        try await two.saves(before: one)
        #expect(one.state.items.values == finished)
        one.send(.history(.undoRequested))
        #expect(one.toast == "Undid: done")
        #expect(one.state.items.values.map(\.isDone) == [false])
        try await one.agrees(with: two)
    }

    @Test(
        "a quit right after such an undo saves what is reverted",
        arguments: StorageBackend.all(with: .watch))
    func quitting(_ backend: StorageBackend) async throws {
        let (one, two) = try await screens(backend, StorageChanges(items: [plants]))
        one.send(.items(.doneToggled))
        try await one.agrees(with: two)
        one.send(.history(.undoRequested))
        two.send(.items(.rename(plants.nextID, newName: "theirs")))
        await two.store.flush()
        one.send(.keys(.counted(3)))
        one.send(.leaving(.quitRequested))
        await one.store.settled()
        #expect(one.state.leaving.exit?.status == 0)
        #expect(one.state.ui.count == 3)
        let stored = try await backend.open(folder.file(backend.fileName))
            .loadItems(after: nil, limit: 9)
        #expect(stored.map(\.isDone) == [true, false])
        #expect(stored.map(\.name) == ["Water plants", "theirs"])
    }

    @Test(
        "a new tag is undone in the moment in which it is put on another item: it is not",
        arguments: StorageBackend.all(with: .watch))
    func newTagUsed(_ backend: StorageBackend) async throws {
        let (one, two) = try await screens(backend, StorageChanges(items: Fixtures.items(2)))
        one.send(.tagPicker(.opened))
        one.send(.line(.edited(.insert("new"))))
        one.send(.tagPicker(.chosen))
        try await one.agrees(with: two)
        let tag = try #require(two.state.tags.first)
        one.send(.history(.undoRequested))
        #expect(one.state.tags.isEmpty)
        two.send(.items(.tagged(Fixtures.itemID(2), with: tag.id)))
        try await two.saves(before: one)
        #expect(two.state.tags.values == [tag])
        #expect(two.state.items.values.map(\.tags) == [[tag.id], [tag.id]])
        #expect(one.toast == "Cannot undo tag: “new” is used by another process")
        one.send(.history(.redoRequested))
        one.send(.history(.undoRequested))
        #expect(one.toast == "Cannot undo tag: “new” is used by another process")
        try await one.agrees(with: two)
    }

    @Test(
        "a tag's rename is undone in the moment in which another tag gets its old name: it is not",
        arguments: StorageBackend.all(with: .watch), [true, false])
    func formerNameTaken(_ backend: StorageBackend, hasView: Bool) async throws {
        let tag = Fixtures.tag(1, "home")
        var changes = StorageChanges(tags: [tag], items: Fixtures.items(2))
        if hasView { changes.views.upsert([Fixtures.view(1, "at home", query: "#home")]) }
        let (one, two) = try await screens(backend, changes)
        one.send(.tags(.rename(tag.id, newName: "house")))
        try await one.agrees(with: two)
        one.send(.history(.undoRequested))
        #expect(one.toast == "Undid: rename tag")
        two.send(.tagPicker(.opened))
        two.send(.line(.edited(.insert("Home"))))
        two.send(.tagPicker(.chosen))
        try await two.saves(before: one)
        #expect(two.state.tags[tag.id]?.name == "house")
        #expect(two.state.tags.count == 2)
        #expect(one.state.views.map(\.query) == (hasView ? ["#house"] : []))
        #expect(one.toast == "Cannot undo rename tag: a tag “Home” already exists")
        #expect(one.state.saving.phase == .saved)
    }

    @Test(
        "of many finishes that are undone, only those stay whose next items are edited elsewhere",
        arguments: StorageBackend.all(with: .watch))
    func manyFinished(_ backend: StorageBackend) async throws {
        var items = Fixtures.items(3)
        for index in items.indices { items[index].repeat = Repeat("1w") }
        let (one, two) = try await screens(backend, StorageChanges(items: items))
        one.send(.marks(.allMarked))
        one.send(.items(.doneToggled))
        try await one.agrees(with: two)
        #expect(one.state.items.count == 6)
        one.send(.history(.undoRequested))
        two.send(.items(.rename(items[1].nextID, newName: "theirs")))
        try await two.saves(before: one)
        let ids = [items[0].id, items[1].id, items[1].nextID, items[2].id]
        #expect(two.state.items.values.map(\.id) == ids)
        #expect(two.state.items.values.map(\.isDone) == [false, true, false, false])
        #expect(one.toast == "Undid: done, except 2 items: “theirs” was changed since")
        one.send(.history(.redoRequested))
        #expect(one.state.items.values.map(\.isDone) == [true, false, true, false, true, false])
        try await one.agrees(with: two)
    }

    @Test(
        "a deleted tag does not come back without an item that has changed elsewhere",
        arguments: StorageBackend.all(with: .watch))
    func tagDeleted(_ backend: StorageBackend) async throws {
        let tag = Fixtures.tag(1, "red")
        let items = (1...3).map { Fixtures.item($0, tags: [tag.id]) }
        let (one, two) = try await screens(
            backend, StorageChanges(tags: [tag], items: items))
        one.send(.tags(.delete(tag.id)))
        try await one.agrees(with: two)
        two.send(.items(.rename(items[1].id, newName: "theirs")))
        try await one.agrees(with: two)
        one.send(.history(.undoRequested))
        #expect(one.state.tags.isEmpty)
        #expect(one.state.items.values.allSatisfy { $0.tags.isEmpty })
        #expect(one.toast == "Cannot undo delete tag: “theirs” was changed since")
        try await one.agrees(with: two)
        #expect(two.state.items.values.map(\.name) == ["item 1", "theirs", "item 3"])
    }

    @Test(
        "a command about many leaves single items that changed elsewhere, and counts them",
        arguments: StorageBackend.all(with: .watch))
    func many(_ backend: StorageBackend) async throws {
        let items = Fixtures.items(4)
        let (one, two) = try await screens(backend, StorageChanges(items: items))
        one.send(.marks(.allMarked))
        one.send(.items(.doneToggled))
        try await one.agrees(with: two)
        two.send(.items(.rename(items[1].id, newName: "theirs")))
        try await one.agrees(with: two)
        one.send(.history(.undoRequested))
        #expect(one.state.items.values.map(\.isDone) == [false, true, false, false])
        #expect(one.toast == "Undid: done, except 1 item changed since")
        try await one.agrees(with: two)
    }
}
