import SheafTestSupport
import Testing

@testable import SheafCore

@Suite("Leaving")
@MainActor
struct LeavingTests {
    @Test("a key that comes when all was saved and the end is near is saved too")
    func lateKey() async {
        let storage = MemoryStorage(items: Fixture.items(["one"]))
        let terminal = FakeTerminal()
        let late = LateKey()
        let store = AppStore(
            initialState: AppState(),
            environment: AppEnvironment(
                now: { Fixture.now }, makeID: { Fixture.id(99) }, sleep: { _ in },
                storage: storage, terminal: terminal),
            middleware: [
                Middleware { action, _, next in
                    next(action)
                    if case .session(.savedBeforeLeaving) = action { late.type() }
                }
            ])
        late.store = store
        await store.load()
        store.send(.session(.leaveRequested(.quit)))
        await store.settled()
        #expect(terminal.left?.status == 0)
        #expect(await storage.loadItems(after: nil, limit: 1).first?.isDone == true)
    }

    @Test("a line that is typed while leaving waits for storage is kept as Enter would")
    func lateDraft() async {
        let storage = MemoryStorage(items: Fixture.items(["one"]))
        let terminal = FakeTerminal()
        let late = LateKey()
        let store = AppStore(
            initialState: AppState(),
            environment: AppEnvironment(
                now: { Fixture.now }, makeID: { Fixture.id(99) }, sleep: { _ in },
                storage: storage, terminal: terminal),
            middleware: [
                Middleware { action, _, next in
                    next(action)
                    if case .session(.leaveRequested) = action { late.draft() }
                }
            ])
        late.store = store
        await store.load()
        store.send(.session(.leaveRequested(.quit)))
        await store.settled()
        #expect(terminal.left?.status == 0)
        #expect(await storage.loadItems(after: nil, limit: 9).map(\.name) == ["one", "two"])
    }

    @Test("the question about what is not saved answers itself once all is saved")
    func staleQuestion() async {
        let storage = MemoryStorage(items: Fixture.items(["one"]))
        let terminal = FakeTerminal()
        let store = AppStore(
            initialState: AppState(),
            environment: AppEnvironment(
                now: { Fixture.now }, makeID: { Fixture.id(99) }, sleep: { _ in },
                storage: storage, terminal: terminal))
        await store.load()
        await storage.fail(with: StorageError(.full, at: "list", reason: "disk full"))
        store.send(.items(.doneToggled))
        store.send(.session(.leaveRequested(.quit)))
        await store.settled()
        guard case .confirmation = store.state.ui.mode else {
            Issue.record("nothing was asked")
            return
        }
        await storage.fail(with: nil)
        await store.flush()
        await store.settled()
        #expect(terminal.left?.status == 0)
        #expect(await storage.loadItems(after: nil, limit: 1).first?.isDone == true)
    }
}

/// Types a key or a line, once.
@MainActor
private final class LateKey {
    weak var store: AppStore?

    func draft() {
        store?.send(.items(.addRequested(.atEnd)))
        store?.send(.line(.edited(.insert("two"))))
        store = nil
    }

    func type() {
        store?.send(.items(.doneToggled))
        store = nil
    }
}
