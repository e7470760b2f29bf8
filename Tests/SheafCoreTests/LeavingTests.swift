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
}

/// Types `x`, once.
@MainActor
private final class LateKey {
    weak var store: AppStore?

    func type() {
        store?.send(.items(.doneToggled))
        store = nil
    }
}
