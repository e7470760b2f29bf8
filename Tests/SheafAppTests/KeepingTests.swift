import SheafTestSupport
import Testing

@testable import SheafApp
@testable import SheafList

/// Leaving with changes that are kept for the next start.
@Suite("Keeping what is not saved")
@MainActor
struct KeepingTests {
    private let log = FakeLog()

    /// A store over a disk that is full.
    private func store(
        _ error: StorageError = StorageError(.full, at: "list", reason: "disk full"),
        isIdentified: Bool = true
    ) async -> AppStore {
        let storage = FakeStorage(items: Fixtures.items(["one"]), isIdentified: isIdentified)
        await storage.fail(with: error)
        let store = AppStore(
            initialState: AppState(list: ListInfo(name: "list", loading: Loading())),
            environment: .fixture(
                sleep: { _ in throw CancellationError() }, storage: storage),
            log: log)
        await store.load()
        return store
    }

    @Test("what is not saved is kept, and the end says where")
    func keeps() async {
        let store = await store()
        store.send(.items(.rename(Fixtures.id(1), newName: "changed")))
        await store.flush()
        store.send(.leaving(.flushTimedOut(15)))
        await store.settled()
        #expect(log.kept?.items.upserts.map(\.name) == ["changed"])
        #expect(store.state.leaving.exit?.status == 143)
        #expect(
            store.state.leaving.exit?.message
                == "1 unsaved change could not be saved (disk full); the next start on the list"
                + " saves it. If the list has moved: sheaf restore '/a folder/log' --store LIST")
    }

    @Test("the end of a list that is gone says how to save the changes in another one")
    func keepsOfGoneList() async {
        let store = await store(
            StorageError(.denied, at: "list", reason: "you may no longer read this list"))
        store.send(.items(.rename(Fixtures.id(1), newName: "changed")))
        await store.flush()
        store.send(.leaving(.flushTimedOut(15)))
        await store.settled()
        #expect(
            store.state.leaving.exit?.message
                == "1 unsaved change could not be saved (you may no longer read this list); to save"
                + " it in another list: sheaf restore '/a folder/log' --store URL --force")
    }

    @Test(
        "of a list that was never reached no start is promised, but the command that saves is named",
        arguments: [true, false])
    func keepsOfUnknownList(canKeep: Bool) async {
        if !canKeep { log.obstacle = "permission denied" }
        let store = await store(
            StorageError(.busy, at: "list", reason: "Connection refused"), isIdentified: false)
        store.send(.items(.rename(Fixtures.id(1), newName: "changed")))
        await store.flush()
        store.send(.leaving(.flushTimedOut(15)))
        await store.settled()
        #expect(
            store.state.leaving.exit?.message
                == (canKeep
                    ? "1 unsaved change could not be saved (Connection refused). The list was never"
                        + " reached, so no start saves it by itself: sheaf restore '/a folder/log'"
                        + " --store URL --force"
                    : "1 unsaved change not saved: Connection refused. The list was never reached,"
                        + " so no start saves it by itself: see sheaf doctor --store URL"))
    }

    /// Keeps changes by the answer to the question, or by a signal.
    private func keep(_ store: AppStore, _ leave: LeaveReason) async {
        switch leave {
        case .quit:
            store.send(.leaving(.quitRequested))
            await store.settled()
            store.send(.leaving(.answered(.keep)))
        case .signalled(let signal):
            store.send(.leaving(.flushTimedOut(signal)))
        }
        await store.settled()
    }

    @Test(
        "what is typed meanwhile is kept too after a signal, a line that is open as well; else it stays",
        arguments: [LeaveReason.quit, .signalled(15)])
    func typedMeanwhile(_ leave: LeaveReason) async {
        let late = LateKey()
        late.keys = [.items(.addAtEndRequested), .line(.edited(.insert("two")))]
        log.whenKeeping = { late.type() }
        let store = await store()
        late.store = store
        store.send(.items(.rename(Fixtures.id(1), newName: "changed")))
        await store.flush()
        await keep(store, leave)
        guard leave != .quit else {
            #expect(store.state.ui.mode.draft?.line.text == "two")
            #expect(store.state.leaving == .staying)
            return
        }
        #expect(log.kept?.items.upserts.map(\.name) == ["changed", "two"])
        #expect(store.state.leaving.exit?.status == 143)
    }

    @Test("where nothing can be kept, the question comes again and says why")
    func cannotKeep() async {
        log.obstacle = "permission denied"
        let store = await store()
        store.send(.items(.rename(Fixtures.id(1), newName: "changed")))
        await store.flush()
        await keep(store, .quit)
        #expect(
            store.state.leavingQuestion
                == "Quit with 1 unsaved change? (cannot be kept: permission denied)")
        #expect(store.state.leaving.exit == nil)
    }

    @Test(
        "with nothing unsaved nothing is kept, and there is nothing to say",
        arguments: [LeaveReason.quit, .signalled(15)])
    func nothingUnsaved(_ leave: LeaveReason) async {
        let store = await store()
        await keep(store, leave)
        #expect(log.kept == nil)
        #expect(store.state.leaving.exit?.status == (leave == .quit ? 0 : 143))
        #expect(store.state.leaving.exit?.message == nil)
    }
}
