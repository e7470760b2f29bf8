import SheafTestSupport
import Testing

@testable import SheafApp
@testable import SheafList

@Suite("Leaving")
@MainActor
struct LeavingTests {
    private let storage = FakeStorage(items: Fixtures.items(["one"]))
    private let late = LateKey()

    /// A store with its list. `late` types after the first action for which `isMoment` is true.
    private func store(
        at isMoment: @escaping (AppAction) -> Bool = { _ in false }
    ) async -> AppStore {
        let store = AppStore(
            initialState: AppState(),
            environment: .fixture(storage: storage),
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
        store.send(.leaving(.quitRequested))
    }

    @Test(
        "a key that comes when all was saved and the end is near is saved too, and stays if it can",
        arguments: [LeavingAction.quitRequested, .signalled(15)])
    func lateKey(_ wish: LeavingAction) async {
        late.keys = [.items(.doneToggled)]
        let store = await store {
            guard case .saving(.statusChanged(let status)) = $0 else { return false }
            return status.phase == .saved && status.counters.batches == 1
        }
        store.send(.items(.rename(Fixtures.id(1), newName: "changed")))
        store.send(.leaving(wish))
        await store.settled()
        #expect(late.keys.isEmpty)
        #expect(store.state.leaving.exit?.status == (wish == .quitRequested ? nil : 143))
        await store.flush()
        #expect(await storage.loadItems(after: nil, limit: 1).first?.isDone == true)
    }

    @Test("what comes after the end is decided is refused, undo too")
    func afterTheEnd() async {
        late.keys = [
            .items(.doneToggled), .items(.addAtEndRequested), .history(.undoRequested),
            .leaving(.signalled(15)),
        ]
        let store = await store { $0.isFlushed }
        store.send(.items(.rename(Fixtures.id(1), newName: "changed")))
        store.send(.leaving(.quitRequested))
        await store.settled()
        #expect(late.keys.isEmpty)
        #expect(store.state.leaving.exit?.status == 0)
        #expect(store.state.items.values.map(\.name) == ["changed"])
        #expect(store.state.items.first?.isDone == false)
        #expect(store.state.ui.mode.isNormal)
    }

    @Test("a line that is typed while leaving waits for storage is kept as Enter would")
    func lateDraft() async {
        late.keys = [.items(.addAtEndRequested), .line(.edited(.insert("two")))]
        let store = await store {
            $0.isRequest
        }
        store.send(.leaving(.signalled(15)))
        await store.settled()
        #expect(store.state.leaving.exit?.status == 143)
        #expect(await storage.loadItems(after: nil, limit: 9).map(\.name) == ["one", "two"])
    }

    @Test("a key that begins a sequence while storage is waited for does not answer the question")
    func keyBeforeQuestion() async {
        late.keys = [.keys(.pending(["d"]))]
        let store = await store {
            $0.isRequest
        }
        await quitOnFullDisk(store)
        await store.settled()
        #expect(store.state.leaving.isAsking)
        #expect(store.state.ui.pendingKeys == [])
    }

    @Test("whoever goes on typing while storage is waited for stays, and answers no question")
    func typingStays() async {
        late.keys = [.items(.addAtEndRequested), .line(.edited(.insert("ready")))]
        let store = await store {
            $0.isRequest
        }
        await quitOnFullDisk(store)
        await store.settled()
        #expect(store.state.ui.mode.draft?.line.text == "ready")
        #expect(store.state.ui.toast == nil)
        await storage.fail(with: nil)
        await store.flush()
        await store.settled()
        #expect(store.state.ui.mode.draft?.line.text == "ready")
        #expect(store.state.leaving.exit == nil)
        store.send(.line(.accepted))
        store.send(.leaving(.quitRequested))
        await store.settled()
        #expect(store.state.leaving.exit?.status == 0)
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
        #expect(store.state.ui.toast?.text.contains("Quitting") != true)
        await storage.fail(with: nil)
        await store.settled()
        await store.flush()
        await store.settled()
        #expect(store.state.leaving.exit == nil)
    }

    @Test("a key in the moment when everything is saved still answers the question")
    func answerAsAllIsSaved() async {
        late.keys = [.leaving(.answered(.stay))]
        let store = await store {
            guard case .saving(.statusChanged(let status)) = $0 else { return false }
            return status.phase == .saved && status.counters.batches == 1
        }
        await quitOnFullDisk(store)
        await store.settled()
        #expect(store.state.leaving.isAsking && !late.keys.isEmpty)
        await storage.fail(with: nil)
        await store.flush()
        await store.settled()
        #expect(store.state.leaving.exit == nil)
        #expect(!store.state.leaving.isAsking)
    }

    @Test("the question about what is not saved answers itself once everything is saved")
    func staleQuestion() async {
        let store = await store()
        await quitOnFullDisk(store)
        await store.settled()
        #expect(store.state.leaving.isAsking)
        await storage.fail(with: nil)
        await store.flush()
        await store.settled()
        #expect(store.state.leaving.exit?.status == 0)
        #expect(await storage.loadItems(after: nil, limit: 1).first?.isDone == true)
    }
}

extension AppAction {
    /// Whether the program is asked to end.
    fileprivate var isRequest: Bool {
        switch self {
        case .leaving(.quitRequested), .leaving(.signalled): true
        default: false
        }
    }

    fileprivate var isFlushed: Bool {
        if case .leaving(.flushed) = self { true } else { false }
    }
}
