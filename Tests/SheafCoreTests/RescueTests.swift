import Dispatch
import SheafTestSupport
import Synchronization
import Testing

@testable import SheafCore

/// Leaving with a rescue file.
@Suite("Rescuing what is not saved")
@MainActor
struct RescueTests {
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
        whenWritten: @escaping @Sendable () -> Void = {}
    ) async -> AppStore {
        let storage = FakeStorage(items: Fixtures.items(["one"]))
        await storage.fail(with: StorageError(.full, at: "list", reason: "disk full"))
        let environment = AppEnvironment.fixture(
            sleep: { _ in throw CancellationError() }, storage: storage)
        let rescue = Rescue(
            write: { changes in
                if let obstacle { throw StorageError(.io, at: "/a folder", reason: obstacle) }
                files.write(changes)
                whenWritten()
                return "/a folder/rescue.json"
            },
            withdraw: { files.remove() })
        let store = AppStore(
            initialState: AppState(list: ListInfo(name: "list", loading: Loading())),
            environment: environment, rescue: rescue)
        await store.load()
        return store
    }

    @Test("what is not saved goes to a file, and what takes it in can be typed as it is said")
    func rescues() async {
        let files = Files()
        let store = await store(files)
        store.send(.items(.rename(Fixtures.id(1), newName: "changed")))
        await store.flush()
        store.send(.leaving(.patienceEnded(15)))
        await store.settled()
        #expect(files.changes.map { $0.items.upserts.map(\.name) } == [["changed"]])
        #expect(store.state.leaving.exit?.status == 143)
        #expect(
            store.state.leaving.exit?.message
                == "1 unsaved change could not be saved (disk full); to apply them later:"
                + " sheaf restore '/a folder/rescue.json'")
    }

    /// What leads to a rescue file: the answer to the question, or a signal.
    private func keep(_ store: AppStore, _ leave: Leave) async {
        switch leave {
        case .quit:
            store.send(.leaving(.quitRequested))
            await store.settled()
            store.send(.leaving(.answered(.keep)))
        case .signalled(let signal):
            store.send(.leaving(.patienceEnded(signal)))
        }
        await store.settled()
    }

    @Test(
        "what is typed while the file is written is in it after a signal, a line that is open too; else it stays",
        arguments: [Leave.quit, .signalled(15)])
    func typedMeanwhile(_ leave: Leave) async {
        let files = Files()
        let late = LateKey()
        late.keys = [.items(.addRequested(.atEnd)), .line(.edited(.insert("two")))]
        let store = await store(files) {
            DispatchQueue.main.sync { MainActor.assumeIsolated { late.type() } }
        }
        late.store = store
        store.send(.items(.rename(Fixtures.id(1), newName: "changed")))
        await store.flush()
        await keep(store, leave)
        guard leave != .quit else {
            #expect(store.state.ui.mode.draft?.line.text == "two")
            #expect(files.changes == [])
            #expect(store.state.leaving == .staying)
            return
        }
        #expect(files.changes.count == 1)
        #expect(files.changes.last?.items.upserts.map(\.name) == ["changed", "two"])
        #expect(store.state.leaving.exit?.status == 143)
    }

    @Test("a line that is open when no file can be written stays")
    func noFileAndLine() async {
        let store = await store(Files(), obstacle: "permission denied")
        store.send(.items(.rename(Fixtures.id(1), newName: "changed")))
        await store.flush()
        store.send(.items(.addRequested(.atEnd)))
        let keeping = Keeping(0, of: store.state.saving)
        store.send(.leaving(.keepingFailed(keeping, reason: "permission denied")))
        #expect(store.state.ui.mode.draft != nil)
        #expect(store.state.ui.toast?.text == "No rescue file was written: permission denied")
    }

    @Test("where no file can be written, the question comes again and says why")
    func noFile() async {
        let store = await store(Files(), obstacle: "permission denied")
        store.send(.items(.rename(Fixtures.id(1), newName: "changed")))
        await store.flush()
        await keep(store, .quit)
        #expect(
            store.state.leavingQuestion
                == "Quit with 1 unsaved change? (no rescue file: permission denied)")
        #expect(store.state.leaving.exit == nil)
    }

    @Test(
        "with nothing unsaved there is no file and nothing to say",
        arguments: [Leave.quit, .signalled(15)])
    func nothingUnsaved(_ leave: Leave) async {
        let files = Files()
        let store = await store(files)
        await keep(store, leave)
        #expect(files.changes.isEmpty)
        #expect(store.state.leaving.exit?.status == (leave == .quit ? 0 : 143))
        #expect(store.state.leaving.exit?.message == nil)
    }
}
