import SheafTestSupport
import Testing

@testable import SheafCore

@Suite("Leaving")
@MainActor
struct LeavingTests {
    private let storage = MemoryStorage(items: Fixture.items(["one"]))
    private let terminal = FakeTerminal()
    private let late = LateKey()

    /// A store with its list; the first action that `isMoment` is true of is followed by what `late` types.
    private func store(
        at isMoment: @escaping (AppAction) -> Bool = { _ in false }
    ) async -> AppStore {
        let store = AppStore(
            initialState: AppState(),
            environment: .fixture(storage: storage, terminal: terminal),
            middleware: [
                Middleware { [late] action, _, next in
                    next(action)
                    if isMoment(action) { late.type() }
                }
            ])
        late.store = store
        await store.load()
        return store
    }

    @Test("a key that comes when all was saved and the end is near is saved too")
    func lateKey() async {
        late.keys = [.items(.doneToggled)]
        let store = await store {
            if case .session(.savedBeforeLeaving) = $0 { true } else { false }
        }
        store.send(.session(.leaveRequested(.quit)))
        await store.settled()
        #expect(terminal.left?.status == 0)
        #expect(await storage.loadItems(after: nil, limit: 1).first?.isDone == true)
    }

    @Test("a line that is typed while leaving waits for storage is kept as Enter would")
    func lateDraft() async {
        late.keys = [.items(.addRequested(.atEnd)), .line(.edited(.insert("two")))]
        let store = await store {
            if case .session(.leaveRequested) = $0 { true } else { false }
        }
        store.send(.session(.leaveRequested(.quit)))
        await store.settled()
        #expect(terminal.left?.status == 0)
        #expect(await storage.loadItems(after: nil, limit: 9).map(\.name) == ["one", "two"])
    }

    @Test("a key that begins a sequence while storage is waited for does not answer the question")
    func keyBeforeQuestion() async {
        late.keys = [.session(.keysPending(["d"]))]
        let store = await store {
            if case .session(.leaveRequested) = $0 { true } else { false }
        }
        await storage.fail(with: StorageError(.full, at: "list", reason: "disk full"))
        store.send(.items(.doneToggled))
        store.send(.session(.leaveRequested(.quit)))
        await store.settled()
        #expect(!store.state.ui.mode.isNormal)
        #expect(store.state.ui.pendingKeys == [])
    }

    @Test("the question about what is not saved answers itself once all is saved")
    func staleQuestion() async {
        let store = await store()
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

/// Somebody who types once.
@MainActor
private final class LateKey {
    weak var store: AppStore?
    var keys: [AppAction] = []

    func type() {
        let keys = keys
        self.keys = []
        for key in keys { store?.send(key) }
    }
}
