import SheafTestSupport
import Testing

@testable import SheafCore

@Suite("Leaving")
@MainActor
struct LeavingTests {
    private let storage = FakeStorage(items: Fixtures.items(["one"]))
    private let terminal = FakeTerminal()
    private let late = LateKey()

    /// A store with its list; the first action that `isMoment` is true of is followed by what
    /// `late` types.
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

    /// Wishes to quit with a change that the disk has no room for.
    private func quitOnFullDisk(_ store: AppStore) async {
        await storage.fail(with: StorageError(.full, at: "list", reason: "disk full"))
        store.send(.items(.doneToggled))
        store.send(.session(.leaveRequested(.quit)))
    }

    @Test(
        "a key that comes when all was saved and the end is near is saved too, and stays if it can",
        arguments: [SessionAction.Leave.quit, .signalled(15)])
    func lateKey(_ leave: SessionAction.Leave) async {
        late.keys = [.items(.doneToggled)]
        let store = await store {
            if case .session(.savedBeforeLeaving) = $0 { true } else { false }
        }
        store.send(.session(.leaveRequested(leave)))
        await store.settled()
        #expect(terminal.left?.status == (leave == .quit ? nil : 143))
        await store.flush()
        #expect(await storage.loadItems(after: nil, limit: 1).first?.isDone == true)
    }

    @Test("a line that is typed while leaving waits for storage is kept as Enter would")
    func lateDraft() async {
        late.keys = [.items(.addRequested(.atEnd)), .line(.edited(.insert("two")))]
        let store = await store {
            if case .session(.leaveRequested) = $0 { true } else { false }
        }
        store.send(.session(.leaveRequested(.signalled(15))))
        await store.settled()
        #expect(terminal.left?.status == 143)
        #expect(await storage.loadItems(after: nil, limit: 9).map(\.name) == ["one", "two"])
    }

    @Test("a key that begins a sequence while storage is waited for does not answer the question")
    func keyBeforeQuestion() async {
        late.keys = [.keys(.pending(["d"]))]
        let store = await store {
            if case .session(.leaveRequested) = $0 { true } else { false }
        }
        await quitOnFullDisk(store)
        await store.settled()
        #expect(!store.state.ui.mode.isNormal)
        #expect(store.state.ui.pendingKeys == [])
    }

    @Test("whoever goes on typing while storage is waited for stays, and answers no question")
    func typingStays() async {
        late.keys = [.items(.addRequested(.atEnd)), .line(.edited(.insert("ready")))]
        let store = await store {
            if case .session(.leaveRequested) = $0 { true } else { false }
        }
        await quitOnFullDisk(store)
        await store.settled()
        #expect(store.state.ui.mode.draft?.line.text == "ready")
        #expect(store.state.ui.toast == nil)
        await storage.fail(with: nil)
        await store.flush()
        await store.settled()
        #expect(store.state.ui.mode.draft?.line.text == "ready")
        #expect(terminal.left == nil)
        store.send(.line(.kept))
        store.send(.session(.leaveRequested(.quit)))
        await store.settled()
        #expect(terminal.left?.status == 0)
    }

    @Test(
        "any key takes the wish to quit back, and what was said of it",
        arguments: [
            AppAction.browse(.moved(.rows(1))), .keys(.unknown(label: "Z")),
            .keys(.pasteIgnored), .saving(.saveRequested),
        ])
    func anyKey(_ action: AppAction) async {
        let store = await store()
        await quitOnFullDisk(store)
        store.send(action)
        #expect(store.state.ui.toast?.text.contains("Leaving") != true)
        await storage.fail(with: nil)
        await store.settled()
        await store.flush()
        await store.settled()
        #expect(terminal.left == nil)
    }

    @Test("the question about what is not saved answers itself once all is saved")
    func staleQuestion() async {
        let store = await store()
        await quitOnFullDisk(store)
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
