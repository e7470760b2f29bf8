import Foundation
import SheafTestSupport
import Synchronization
import Testing

@testable import SheafCore

/// Leaving with a rescue file.
@Suite("Rescuing what is not saved")
@MainActor
struct RescueTests {
    private let terminal = FakeTerminal()

    /// What was written to rescue files.
    private final class Files: Sendable {
        private let all = Mutex<[StorageChanges]>([])

        var changes: [StorageChanges] { all.withLock { $0 } }

        /// As one process's file is replaced.
        func write(_ changes: StorageChanges) { all.withLock { $0 = [changes] } }
        func remove() { all.withLock { $0 = [] } }
    }

    /// A store over a disk that is full, with rescue files in a folder whose name has a blank.
    private func store(
        _ files: Files, obstacle: String? = nil,
        middleware: Middleware<AppState, AppAction>? = nil
    ) async -> AppStore {
        let storage = FakeStorage(items: Fixtures.items(["one"]))
        await storage.fail(with: StorageError(.full, at: "list", reason: "disk full"))
        var environment = AppEnvironment.fixture(
            sleep: { _ in throw CancellationError() }, storage: storage, terminal: terminal)
        environment.rescue = { changes in
            if let obstacle { throw StorageError(.io, at: "/a folder", reason: obstacle) }
            files.write(changes)
            return "/a folder/rescue.json"
        }
        environment.withdrawRescue = { files.remove() }
        let store = AppStore(
            initialState: AppState(list: ListInfo(name: "list", loading: Loading())),
            environment: environment, middleware: middleware.map { [$0] } ?? [])
        await store.load()
        return store
    }

    @Test("what is not saved goes to a file, and what takes it in can be typed as it is said")
    func rescues() async {
        let files = Files()
        let store = await store(files)
        store.send(.items(.rename(Fixtures.id(1), newName: "changed")))
        await store.flush()
        store.send(.session(.rescueRequested(.signalled(15))))
        await store.settled()
        #expect(files.changes.map { $0.items.upserts.map(\.name) } == [["changed"]])
        #expect(terminal.left?.status == 143)
        #expect(
            terminal.left?.message
                == "1 unsaved change could not be saved (disk full); to apply them later:"
                + " sheaf restore '/a folder/rescue.json'")
    }

    @Test(
        "what is typed while the file is written is in it after a signal, a line that is open too; else it stays",
        arguments: [SessionAction.Leave.quit, .signalled(15)])
    func typedMeanwhile(_ leave: SessionAction.Leave) async {
        let files = Files()
        let late = LateKey()
        late.keys = [.items(.addRequested(.atEnd)), .line(.edited(.insert("two")))]
        let store = await store(
            files,
            middleware: Middleware { action, _, next in
                if case .session(.rescued) = action { late.type() }
                next(action)
            })
        late.store = store
        store.send(.items(.rename(Fixtures.id(1), newName: "changed")))
        await store.flush()
        store.send(.session(.rescueRequested(leave)))
        await store.settled()
        guard leave != .quit else {
            #expect(store.state.ui.mode.draft?.line.text == "two")
            #expect(files.changes == [])
            #expect(terminal.left == nil)
            return
        }
        #expect(files.changes.count == 1)
        #expect(files.changes.last?.items.upserts.map(\.name) == ["changed", "two"])
        #expect(terminal.left?.status == 143)
    }

    @Test("a line that is open when no file can be written stays")
    func noFileAndLine() async {
        let store = await store(Files(), obstacle: "permission denied")
        store.send(.items(.rename(Fixtures.id(1), newName: "changed")))
        await store.flush()
        store.send(.items(.addRequested(.atEnd)))
        store.send(.session(.rescueFailed(reason: "permission denied")))
        #expect(store.state.ui.mode.draft != nil)
        #expect(store.state.ui.toast?.text == "No rescue file was written: permission denied")
    }

    @Test("where no file can be written, the question comes again and says why")
    func noFile() async {
        let store = await store(Files(), obstacle: "permission denied")
        store.send(.items(.rename(Fixtures.id(1), newName: "changed")))
        await store.flush()
        store.send(.session(.rescueRequested(.quit)))
        await store.settled()
        guard case .confirmation(let confirmation) = store.state.ui.mode else {
            Issue.record("nothing was asked")
            return
        }
        #expect(
            confirmation.question
                == "Quit with 1 unsaved change? (no rescue file: permission denied)")
        #expect(terminal.left == nil)
    }

    @Test(
        "with nothing unsaved there is no file and nothing to say",
        arguments: [SessionAction.Leave.quit, .signalled(15)])
    func nothingUnsaved(_ leave: SessionAction.Leave) async {
        let files = Files()
        let store = await store(files)
        store.send(.session(.rescueRequested(leave)))
        await store.settled()
        #expect(files.changes.isEmpty)
        #expect(terminal.left?.status == (leave == .quit ? 0 : 143))
        #expect(terminal.left?.message == nil)
    }
}
