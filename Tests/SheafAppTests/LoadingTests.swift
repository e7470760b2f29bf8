import SheafTestSupport
import Testing

@testable import SheafApp
@testable import SheafList

@Suite("While the list is loading")
@MainActor
struct LoadingTests {
    private let reducer = AppReducer()
    private let environment = AppEnvironment.fixture()

    private func reduce(_ state: inout AppState, _ actions: AppAction...) {
        for action in actions {
            _ = reducer.reduce(state: &state, action: action, environment: environment)
        }
    }

    @Test("an item that is added at the end comes behind those that are not here yet")
    func addAtEnd() {
        let items = Fixtures.items(["one", "two", "three"])
        var state = AppState(list: ListInfo(name: "list", loading: Loading()))
        reduce(
            &state,
            .session(
                .tagsAndViewsLoaded(StorageChanges(), itemCount: 3, lastRank: items.last?.rank)),
            .session(.itemsLoaded([items[0]])),
            .items(.addAtEndRequested), .line(.edited(.insert("last"))), .line(.accepted),
            .session(.itemsLoaded(Array(items.dropFirst()))),
            .session(.loadEnded(advice: nil)))
        #expect(state.items.map(\.name) == ["one", "two", "three", "last"])
        #expect(state.selectedItem?.name == "last")
    }

    @Test("items that are added before anything is here come behind what is loaded")
    func addEarly() {
        let items = Fixtures.items(["one", "two", "three"])
        var state = AppState(list: ListInfo(name: "list", loading: Loading()))
        for (number, name) in ["four", "five"].enumerated() {
            let environment = AppEnvironment(
                now: { Fixtures.now }, makeID: { Fixtures.id(90 + number) }, sleep: { _ in },
                storage: FakeStorage(), terminal: FakeTerminal())
            for action: AppAction in [
                .items(.addAtEndRequested), .line(.edited(.insert(name))), .line(.accepted),
            ] {
                _ = reducer.reduce(state: &state, action: action, environment: environment)
            }
        }
        reduce(
            &state,
            .session(
                .tagsAndViewsLoaded(StorageChanges(), itemCount: 3, lastRank: items.last?.rank)),
            .session(.itemsLoaded(items)), .session(.loadEnded(advice: nil)))
        #expect(state.items.map(\.name) == ["one", "two", "three", "four", "five"])
    }

    @Test("a row that was deleted or changed is not brought back by its page")
    func editsWin() {
        let items = Fixtures.items(["one", "two"])
        var state = AppState(list: ListInfo(name: "list", loading: Loading()))
        reduce(
            &state,
            .session(.itemsLoaded(items)),
            .items(.rename(items[1].id, newName: "changed")), .items(.delete),
            .session(.itemsLoaded(items)), .session(.loadEnded(advice: nil)))
        #expect(state.items.map(\.name) == ["changed"])
    }

    @Test("advice about the store is shown once all is here")
    func advice() {
        var state = AppState(list: ListInfo(name: "list", loading: Loading()))
        reduce(&state, .session(.loadEnded(advice: "Take another")))
        #expect(state.ui.toast?.text == "Take another")
        #expect(state.list.loading == nil)
    }

    @Test("a note that comes back from the editor after loading failed is kept")
    func noteAfterFailure() {
        let item = Fixtures.items(["one"])[0]
        var state = AppState(list: ListInfo(name: "list", loading: Loading()))
        reduce(
            &state, .session(.itemsLoaded([item])), .session(.loadFailed(reason: "damaged")),
            .items(.noteEdited(item, to: "precious")))
        #expect(state.items[item.id]?.note == "precious")
        reduce(&state, .items(.doneToggled))
        #expect(state.items[item.id]?.isDone == false)
    }

    @Test("a list that is locked is waited for, says so, and is there once it is free")
    func locked() async {
        let storage = FakeStorage(items: Fixtures.items(["one"]))
        let busy = StorageError(.busy, at: "list", reason: "locked by another process")
        await storage.failReads(with: busy, count: 3)
        let store = AppStore(
            initialState: AppState(list: ListInfo(name: "list", loading: Loading())),
            environment: .fixture(storage: storage))
        var obstacles: Set<String> = []
        let subscription = store.subscribe { state in
            if let obstacle = state.list.loading?.obstacle { obstacles.insert(obstacle) }
        }
        await store.load()
        subscription.cancel()
        #expect(obstacles == [busy.reason])
        #expect(store.state.items.map(\.name) == ["one"])
        #expect(store.state.list.readOnlyReason == nil)
    }

    @Test("a right that is lost before a list opens later comes back without a restart")
    func rightBeforeOpening() async {
        let items = Fixtures.items(["one"])
        let storage = FakeStorage(items: items)
        // As a screen begins that does not wait for its list.
        let info = ListInfo(
            name: "list", readOnlyReason: storage.readOnlyReason,
            loading: Loading(obstacle: "connecting"))
        await storage.refuseWriting(because: "you may only read this list")
        let store = AppStore(
            initialState: AppState(list: info), environment: .fixture(storage: storage))
        await store.load()
        store.send(.items(.rename(items[0].id, newName: "mine")))
        await store.flush()
        #expect(store.state.saving.reasonNotSaved == "you may only read this list")
        await storage.allowWriting()
        await storage.recheckAccess()
        await storage.fail(with: nil)
        await store.flush()
        #expect(store.state.saving.phase == .saved)
        #expect(await storage.commits.count == 1)
    }

    @Test("what an interrupted session left counts as unsaved while the list is locked")
    func lockedWithLeft() async throws {
        let storage = FakeStorage(items: Fixtures.items(["one"]))
        let busy = StorageError(.busy, at: "list", reason: "locked by another process")
        await storage.failReads(with: busy, count: 3)
        let log = FakeLog()
        log.abandonedBatches = [StorageChanges(items: [Fixtures.item(2), Fixtures.item(3)])]
        let store = AppStore(
            initialState: AppState(
                list: ListInfo(name: "list", loading: Loading(obstacle: busy.reason))),
            environment: .fixture(storage: storage), log: log)
        var toasts: Set<String> = []
        var waiting: Set<Int> = []
        var isAsking = false
        var unsaved = 0
        var isFirst = true
        let subscription = store.subscribe { state in
            // The first call has the state before loading.
            guard !isFirst else { return isFirst = false }
            unsaved = max(unsaved, state.saving.uncommitted)
            if let toast = state.ui.toast { toasts.insert(toast.text) }
            guard state.list.loading?.stage == .begun else { return }
            waiting.insert(state.list.waitingChanges)
            #expect(!state.isSaved)
            if !isAsking { store.send(.saving(.saveEnded)) }
            isAsking = true
        }
        await store.load()
        subscription.cancel()
        #expect(waiting == [2])
        #expect(toasts.contains("Cannot save: locked by another process"))
        #expect(!toasts.contains("Saved"))
        #expect(store.state.list.waitingChanges == 0)
        #expect(unsaved == 2)
        await store.flush()
        #expect(store.state.isSaved)
    }

    @Test("what another process took in while the list was locked is unsaved here no longer")
    func leftTakenElsewhere() async throws {
        let storage = FakeStorage(items: Fixtures.items(["one"]))
        let busy = StorageError(.busy, at: "list", reason: "locked by another process")
        await storage.failReads(with: busy, count: 1)
        let log = FakeLog()
        log.abandonedBatches = [StorageChanges(items: [Fixtures.item(2)])]
        let store = AppStore(
            initialState: AppState(list: ListInfo(name: "list", loading: Loading())),
            environment: .fixture(storage: storage), log: log)
        let subscription = store.subscribe { state in
            if state.list.waitingChanges > 0 { log.abandonedBatches = [] }
        }
        await store.load()
        subscription.cancel()
        #expect(log.abandonedBatches.isEmpty)
        #expect(store.state.isSaved)
        #expect(store.state.items.map(\.name) == ["one"])
    }

    @Test("what a server has committed of an interrupted session is not brought back")
    func leftCommitted() async throws {
        let storage = FakeStorage(items: Fixtures.items(["one"]))
        let log = FakeLog()
        log.abandonedBatches = (2...4).map { StorageChanges(items: [Fixtures.item($0)]) }
        for index in log.abandonedBatches.indices {
            log.abandonedBatches[index].batch = BatchName(
                clients: [Fixtures.id(9)], number: Int64(index))
        }
        // The second commit includes the changes of the first one.
        await storage.know(BatchName(clients: [Fixtures.id(9)], number: 1))
        let store = AppStore(
            initialState: AppState(list: ListInfo(name: "list", loading: Loading())),
            environment: .fixture(storage: storage), log: log)
        await store.load()
        #expect(store.state.items.map(\.name) == ["one", "item 4"])
        #expect(store.state.saving.uncommitted == 1)
    }

    @Test("leaving before all is here keeps what the last run showed")
    func remembersView() {
        var view = RememberedView(AppState())
        view.hidesDone = true
        view.selectedItem = Fixtures.id(7)
        let state = AppState(list: ListInfo(loading: Loading()), view: view)
        #expect(RememberedView(state) == view)
    }
}
