import Foundation
import SheafCore
import SheafTestSupport
import Swidux
import SwiduxTesting
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
        let path = folder.file(backend.fileName)
        let first = try backend.open(path)
        _ = try await first.commit(changes)
        return (
            await SharedScreen(over: first, at: Fixtures.now),
            await SharedScreen(
                over: try backend.open(path),
                at: Timestamp(milliseconds: Fixtures.now.milliseconds + seconds * 1_000))
        )
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
            #expect(screen.toast == "Cannot undo done: “Water plants” was changed elsewhere")
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
        #expect(one.toast == "Cannot undo done: “Water plants” was deleted elsewhere")
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
        #expect(one.toast == "Cannot undo delete tag: “theirs” was changed elsewhere")
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

/// A screen without keys on a list that another one shows.
@MainActor
private final class SharedScreen {
    let store: AppStore
    private let clock = ManualClock()

    init(over storage: any ListStorage, at time: Timestamp) async {
        var environment = AppEnvironment(
            now: { time }, makeID: { UUID() }, sleep: { _ in throw CancellationError() },
            storage: storage, terminal: FakeTerminal())
        environment.calendar = .utc
        let clock = clock
        store = AppStore(
            initialState: AppState(), environment: environment,
            options: PersistenceOptions(now: { clock.now }, timer: clock.makeTimer()))
        await store.load()
    }

    var state: AppState { store.state }
    var toast: String? { state.ui.toast?.text }

    func send(_ action: AppAction) { store.send(action) }

    /// Returns when both screens have saved everything and show the same.
    func agrees(with other: SharedScreen) async throws {
        let screens = [self, other]
        let (actions, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let subscriptions = screens.map { $0.store.subscribe { _ in continuation.yield() } }
        defer { for subscription in subscriptions { subscription.cancel() } }
        var next = actions.makeAsyncIterator()
        while true {
            for screen in screens {
                await screen.store.flush()
                await screen.store.settled()
            }
            if screens.allSatisfy({ $0.state.saving.uncommitted == 0 }),
                state.items.values == other.state.items.values,
                state.tags.values == other.state.tags.values
            {
                return
            }
            guard await next.next() != nil else { return }
        }
    }
}
