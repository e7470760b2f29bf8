import SheafTestSupport
import Testing

@testable import SheafApp
@testable import SheafList

/// The log at the end of the program.
@Suite("The end")
@MainActor
struct EndingTests {
    private let log = FakeLog()
    private let storage = FakeStorage(items: Fixtures.items(["one"]))

    /// A store with a change that the disk has no room for.
    private func store() async -> AppStore {
        await storage.fail(with: StorageError(.full, at: "list", reason: "disk full"))
        let store = AppStore(
            initialState: AppState(),
            environment: .fixture(sleep: { _ in throw CancellationError() }, storage: storage),
            log: log)
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

    @Test("all is saved: the log goes")
    func saved() async throws {
        let store = await store()
        await send(.quitRequested, to: store)
        await storage.fail(with: nil)
        await send(.answered(.retry), to: store)
        try finish(store)
        #expect(store.state.leaving.exit?.unsavedChanges == Exit.UnsavedChanges.none)
        #expect(log.rest == .givenUp)
    }

    @Test("it is discarded: the log goes")
    func discarded() async throws {
        let store = await store()
        await send(.quitRequested, to: store)
        await send(.answered(.discard), to: store)
        try finish(store)
        #expect(log.rest == .givenUp)
        #expect(store.state.leaving.exit?.message == "1 unsaved change lost: disk full")
    }

    @Test(
        "it is discarded while nothing tells whether it was saved: the end says so",
        arguments: [(1, "1 change"), (2, "2 changes")])
    func discardedUnsure(count: Int, changes: String) async {
        let store = await store()
        if count > 1 { store.send(.items(.addAtEndRequested)) }
        if count > 1 { store.send(.line(.edited(.insert("two")))) }
        var error = StorageError(.busy, at: "list", reason: "the server does not answer")
        error.isOutcomeUnknown = true
        await storage.fail(with: error)
        await send(.quitRequested, to: store)
        let reason = "the server does not answer"
        #expect(
            store.state.leavingQuestion
                == "Quit with \(changes) that may have been saved? (\(reason))")
        await send(.answered(.discard), to: store)
        #expect(store.state.leaving.exit?.status == 74)
        #expect(store.state.leaving.exit?.message == "\(changes) may have been saved: \(reason)")
    }

    @Test("it is kept: the log stays", arguments: [true, false])
    func kept(isQuit: Bool) async throws {
        let store = await store()
        await send(isQuit ? .quitRequested : .signalled(15), to: store)
        if isQuit { await send(.answered(.keep), to: store) }
        try finish(store)
        #expect(log.kept != nil)
        #expect(log.rest == .left)
        #expect(store.state.leaving.exit?.status == (isQuit ? 74 : 143))
    }

    @Test("after a signal, what cannot be made durable stays in the log as it is")
    func notDurable() async throws {
        log.obstacle = "permission denied"
        let store = await store()
        await send(.signalled(15), to: store)
        try finish(store)
        #expect(log.rest == .left)
        #expect(
            store.state.leaving.exit?.message
                == "1 unsaved change not saved: disk full; the next start tries again")
    }

    @Test("a disk that takes too long is not waited for: it stays in the log")
    func slowDisk() async throws {
        let (keepAttempts, keeping) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        log.whenKeeping = {
            keeping.yield()
            for await _ in ends { break }
        }
        let store = await store()
        store.send(.leaving(.signalled(1)))
        for await _ in keepAttempts { break }
        store.send(.leaving(.flushTimedOut(1)))
        #expect(store.state.leaving.exit == nil)
        store.send(.leaving(.overdue(1)))
        try finish(store)
        #expect(store.state.leaving.exit?.status == 129)
        #expect(log.rest == .left)
        end.yield()
        await store.settled()
    }

    @Test("what another process did while a flush is waited for does not take the quit back")
    func adoption() async {
        await storage.fail(with: nil)
        let store = AppStore(initialState: AppState(), environment: .fixture(storage: storage))
        await store.load()
        store.send(.leaving(.quitRequested))
        var changes = StorageChanges()
        changes.tags.upsert(Fixtures.tags(["home"]))
        store.send(.saving(.arrived(Arrival(changes))))
        #expect(store.state.leaving == .saving(.quit))
        await store.settled()
        #expect(store.state.leaving.exit?.status == 0)
    }

    @Test(
        "the open query of a view is saved at the end, unless it is invalid",
        arguments: [" one", " due:nonsense"], [LeavingAction.signalled(15), .quitRequested])
    func viewQuery(typed: String, action: LeavingAction) async throws {
        await storage.fail(with: nil)
        let store = AppStore(initialState: AppState(), environment: .fixture(storage: storage))
        await store.load()
        let view = Fixtures.view(1, "V", query: "is:open")
        store.send(.saving(.arrived(Arrival(StorageChanges(views: [view])))))
        store.send(.browse(.paneChosen(.tags)))
        store.send(.views(.choose(view.id)))
        store.send(.views(.queryRequested))
        store.send(.line(.edited(.insert(typed))))
        #expect(store.state.ui.mode.commandName == "view query")
        store.send(.leaving(action))
        let limit = ContinuousClock.now + .seconds(10)
        while store.state.leaving.exit == nil, .now < limit { await Task.yield() }
        let expected = typed == " one" ? "is:open one" : "is:open"
        #expect(store.state.views[view.id]?.query == expected)
        try finish(store)
    }
}
