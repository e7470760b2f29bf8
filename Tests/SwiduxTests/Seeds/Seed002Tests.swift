import Swidux
import SwiduxTesting
import Testing

@MainActor
@Suite("Seed 002: a store of functions") struct Seed002Tests {
    private let clock = ManualClock()

    private func makeStore() -> Store<Seed002.AppState, Seed002.AppAction, Void> {
        Store(
            initialState: Seed002.AppState(),
            reducer: Seed002.appReducer,
            effects: [Seed002.userEffect]
        )
    }

    private func makeCounter() -> Store<Seed002.CounterState, Seed002.CounterAction, Void> {
        Store(
            initialState: Seed002.CounterState(),
            reducer: Seed002.counterReducer,
            effects: [Seed002.counterEffects(clock: clock)]
        )
    }

    @Test("a reducer is a function that a test calls")
    func reducer() {
        var state = Seed002.CounterState(value: 0)
        Seed002.counterReducer(&state, .increment)
        #expect(state.value == 1)
        Seed002.counterReducer(&state, .decrement)
        #expect(state.value == 0)
    }

    @Test("an effect's action follows the one that it answers, and dispatch waits for both")
    func effect() async {
        let store = makeStore()
        await store.dispatch(.increment).value
        let loading = store.dispatch(.fetchUser(id: "123"))
        #expect(Seed002.contentView(store) == ["Count: 1", "…"])
        await loading.value
        #expect(Seed002.contentView(store) == ["Count: 1"])
        #expect(store.state.user?.name == "Ada")
    }

    @Test("an error becomes an action")
    func error() async {
        let store = makeStore()
        await store.dispatch(.fetchUser(id: "0")).value
        #expect(store.state.user == nil)
        #expect(store.state.isLoading == false)
    }

    @Test("an asynchronous increment counts now and once more a second later")
    func counter() async {
        let store = makeCounter()
        let task = store.dispatch(.incrementAsync)
        #expect(store.state.value == 1)
        await clock.sleepBegan()
        clock.advance(by: .seconds(1))
        await task.value
        #expect(store.state.value == 2)
    }

    @Test("an effect function is given the state that its action left")
    func stateAfter() async {
        let doubled: FollowUp<Int, Int> = { action, state in state < 10 ? state : nil }
        let store = Store(
            initialState: 1, reducer: { state, action in state += action }, effects: [doubled])
        await store.dispatch(2).value
        #expect(store.state == 12)
    }

    @Test("several effect functions run for one action")
    func severalEffects() async {
        let store = Store<[String], String, Void>(
            initialState: [], reducer: { state, action in state.append(action) },
            effects: [
                { action, _ in action == "go" ? "one" : nil },
                { action, _ in action == "go" ? "two" : nil },
            ])
        await store.dispatch("go").value
        #expect(store.state.first == "go")
        #expect(Set(store.state) == ["go", "one", "two"])
    }

    @Test("a store that is released cancels its effects")
    func release() async {
        let gate = Gate()
        var store: Store<Int, Int, Void>? = Store(
            initialState: 0, reducer: { state, action in state += action },
            effects: [
                { _, _ in
                    await gate.waitUntilCancelled()
                    return nil
                }
            ])
        store?.send(1)
        await gate.entered(1)
        store = nil
        await gate.left(1)
        #expect(await gate.cancelled == 1)
    }

    @Test("states can be iterated over")
    func states() async {
        var store: Store<Seed002.AppState, Seed002.AppAction, Void>? = makeStore()
        let states = store?.states(buffering: 10)
        store?.send(.increment)
        store?.send(.decrement)
        store?.send(.increment)
        store = nil
        var counts: [Int] = []
        if let states {
            for await state in states { counts.append(state.count) }
        }
        #expect(counts == [0, 1, 0, 1])
    }

    @Test("todos are added, completed, removed and loaded")
    func todos() {
        let store = Store(
            initialState: Seed002.TodoState(), reducer: Seed002.todoReducer)
        store.send(.add(Seed002.Todo(id: "1", title: "Milk")))
        store.send(.add(Seed002.Todo(id: "2", title: "Bread")))
        store.send(.toggleComplete(id: "2"))
        store.send(.toggleComplete(id: "3"))
        store.send(.remove(id: "1"))
        #expect(store.state.todos == [Seed002.Todo(id: "2", title: "Bread", isCompleted: true)])
        store.send(.loadTodos)
        #expect(store.state.isLoading)
        store.send(.todosLoaded([]))
        #expect(store.state.todos == [] && !store.state.isLoading)
    }

    @Test("a search cancels the one before")
    func search() async {
        let searches = Seed002.SearchStore(clock: clock)
        searches.search(query: "s")
        await clock.sleepBegan(1)
        let first = searches.searchTask
        searches.search(query: "sw")
        await first?.value
        await clock.sleepBegan(2)
        clock.advance(by: .milliseconds(500))
        await searches.searchTask?.value
        #expect(searches.store.state.query == "sw")
        #expect(searches.store.state.results.map(\.title) == ["All of sw"])
        #expect(searches.store.state.isSearching == false)
    }
}
