import Dispatch
import SheafTestSupport
import Synchronization
import Testing

@testable import SheafCore

/// What becomes of the log and of rescue files at the end.
@Suite("The end")
@MainActor
struct EndingTests {
    private let log = Log()
    private let storage = FakeStorage(items: Fixtures.items(["one"]))

    /// A log that remembers how it was ended.
    private final class Log: IntentLog {
        private(set) var keepsRest: Bool?

        func append(_ changes: StorageChanges) {}
        func replace(with changes: StorageChanges) {}
        func handOver() {}
        func committed() {}
        func close(keepsRest: Bool) { self.keepsRest = keepsRest }
    }

    /// Whether there is a rescue file.
    private final class RescueFile: Sendable {
        private let isThere = Mutex(false)

        var exists: Bool {
            get { isThere.withLock { $0 } }
            set { isThere.withLock { $0 = newValue } }
        }
    }

    private let rescueFile = RescueFile()

    /// A store with a change that the disk has no room for; `obstacle` is why there is no rescue
    /// file either, and `write` is called before one is written.
    private func store(
        obstacle: String? = nil, whenWriting write: @escaping @Sendable () -> Void = {}
    ) async -> AppStore {
        await storage.fail(with: StorageError(.full, at: "list", reason: "disk full"))
        let rescue = Rescue(
            write: { [rescueFile] _ in
                write()
                if let obstacle { throw StorageError(.io, at: "there", reason: obstacle) }
                rescueFile.exists = true
                return "rescue.json"
            },
            withdraw: { [rescueFile] in rescueFile.exists = false })
        let store = AppStore(
            initialState: AppState(),
            environment: .fixture(sleep: { _ in throw CancellationError() }, storage: storage),
            log: log, rescue: rescue)
        await store.load()
        store.send(.items(.doneToggled))
        await store.flush()
        return store
    }

    private func send(_ action: LeavingAction, to store: AppStore) async {
        store.send(.leaving(action))
        await store.settled()
    }

    private func finish(_ store: AppStore) throws {
        store.finish(try #require(store.state.leaving.exit))
    }

    @Test("all is saved: the log goes, and so does a rescue file of before")
    func saved() async throws {
        let store = await store()
        await send(.quitRequested, to: store)
        rescueFile.exists = true
        await storage.fail(with: nil)
        await send(.answered(.retry), to: store)
        try finish(store)
        #expect(store.state.leaving.exit?.rest == Exit.Rest.none)
        #expect(log.keepsRest == false)
        #expect(!rescueFile.exists)
    }

    @Test("it is discarded: the log goes")
    func discarded() async throws {
        let store = await store()
        await send(.quitRequested, to: store)
        await send(.answered(.discard), to: store)
        try finish(store)
        #expect(log.keepsRest == false)
        #expect(store.state.leaving.exit?.message == "1 unsaved change lost: disk full")
    }

    @Test("a rescue file takes the place of the log", arguments: [true, false])
    func kept(isQuit: Bool) async throws {
        let store = await store()
        await send(isQuit ? .quitRequested : .signalled(15), to: store)
        if isQuit { await send(.answered(.keep), to: store) }
        try finish(store)
        #expect(rescueFile.exists)
        #expect(log.keepsRest == false)
        #expect(store.state.leaving.exit?.status == (isQuit ? 74 : 143))
    }

    @Test("after a signal, where there is no rescue file, it stays in the log")
    func noFile() async throws {
        let store = await store(obstacle: "permission denied")
        await send(.signalled(15), to: store)
        try finish(store)
        #expect(log.keepsRest == true)
        #expect(
            store.state.leaving.exit?.message
                == "1 unsaved change not saved: disk full; the next start tries again")
    }

    @Test("a rescue file that takes too long is not waited for: it stays in the log")
    func slowFile() async throws {
        let (writes, continuation) = AsyncStream.makeStream(of: Void.self)
        let end = DispatchSemaphore(value: 0)
        let store = await store {
            continuation.yield()
            end.wait()
        }
        store.send(.leaving(.signalled(1)))
        for await _ in writes { break }
        store.send(.leaving(.patienceEnded(1)))
        #expect(store.state.leaving.exit == nil)
        store.send(.leaving(.overdue(1)))
        try finish(store)
        #expect(store.state.leaving.exit?.status == 129)
        #expect(log.keepsRest == true)
        end.signal()
        await store.settled()
    }

    @Test("what another process did while a flush is waited for does not take the quit back")
    func adoption() async {
        await storage.fail(with: nil)
        let store = AppStore(initialState: AppState(), environment: .fixture(storage: storage))
        await store.load()
        store.send(.leaving(.quitRequested))
        let tag = Fixtures.tags(["home"])[0]
        store.send(.tags(.replaced(Fixtures.id(7), by: tag)))
        #expect(store.state.leaving == .saving(.quit))
        await store.settled()
        #expect(store.state.leaving.exit?.status == 0)
    }
}
