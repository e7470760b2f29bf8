import SheafTestSupport
import Testing

@testable import SheafApp
@testable import SheafList

/// `^Z`, which waits for storage as quitting does.
@Suite("Suspending")
@MainActor
struct SuspendingTests {
    private let storage = FakeStorage(items: Fixtures.items(["one"]))
    private let terminal = FakeTerminal()

    private func store() async -> AppStore {
        let store = AppStore(
            initialState: AppState(),
            environment: .fixture(storage: storage, terminal: terminal))
        await store.load()
        return store
    }

    @Test("what is waited for is said until it is saved, and then the shell has the terminal")
    func waits() async {
        let store = await store()
        store.send(.items(.doneToggled))
        store.send(.session(.suspendRequested))
        #expect(store.state.leaving == .suspending)
        #expect(store.state.ui.toast?.text == "Suspending once everything is saved")
        #expect(store.state.ui.toast?.hint == "any key cancels")
        // Storage may take longer than a message stays.
        store.send(.session(.toastExpired(serial: store.state.ui.toastSerial)))
        #expect(store.state.ui.toast != nil)
        #expect(terminal.suspensions == 0)
        await store.settled()
        #expect(terminal.suspensions == 1)
        #expect(store.state.leaving == .staying)
        #expect(store.state.saving.phase == .saved)
        #expect(store.state.ui.toast == nil)
    }

    @Test("with everything saved nothing is said")
    func saved() async {
        let store = await store()
        store.send(.session(.suspendRequested))
        #expect(store.state.ui.toast == nil)
        await store.settled()
        #expect(terminal.suspensions == 1)
    }

    @Test("any key takes it back, and what was said of it")
    func cancelled() async {
        let store = await store()
        store.send(.items(.doneToggled))
        store.send(.session(.suspendRequested))
        store.send(.browse(.moved(.rows(1))))
        #expect(store.state.leaving == .staying)
        #expect(store.state.ui.toast == nil)
        await store.settled()
        #expect(terminal.suspensions == 0)
    }

    @Test("asked for twice it happens once, and instead of quitting")
    func twice() async {
        let store = await store()
        store.send(.items(.doneToggled))
        store.send(.leaving(.quitRequested))
        for _ in 1...2 { store.send(.session(.suspendRequested)) }
        await store.settled()
        #expect(terminal.suspensions == 1)
        #expect(store.state.leaving == .staying)
    }

    @Test("a disk that takes nothing does not keep the terminal, and a signal ends it instead")
    func notSaved() async {
        await storage.fail(with: StorageError(.full, at: "list", reason: "disk full"))
        let store = await store()
        store.send(.items(.doneToggled))
        store.send(.session(.suspendRequested))
        await store.settled()
        #expect(terminal.suspensions == 1)
        #expect(store.state.saving.uncommitted == 1)
        #expect(store.state.leaving == .staying)
        store.send(.leaving(.signalled(15)))
        store.send(.session(.suspendRequested))
        await store.settled()
        #expect(terminal.suspensions == 1)
        #expect(store.state.leaving.exit?.status == 143)
    }
}
