import Swidux
import SwiduxTesting
import Testing

@MainActor
@Suite("Seed 004: reducers that return tasks") struct Seed004Tests {
    private typealias Counter = Seed004.Counter
    private typealias Users = Seed004.Users
    private typealias CounterStore = Store<
        Counter.AppState, any Seed004.Action, Counter.AppEnvironment
    >
    private typealias UserStore = Store<Users.AppState, any Seed004.Action, Users.AppEnvironment>

    private let clock = ManualClock()
    private let ada = Users.User(id: 1, name: "Ada")

    private func makeCounter(
        middleware: [Middleware<Counter.AppState, any Seed004.Action>] = []
    ) -> CounterStore {
        Store(
            initialState: Counter.AppState(),
            reducer: Reduce(Counter.counterReducer),
            environment: Counter.AppEnvironment(
                delayService: Counter.ClockDelayService(clock: clock)),
            middleware: middleware
        )
    }

    private func makeUsers(_ service: any Users.UserService) -> UserStore {
        Store(
            initialState: Users.AppState(), reducer: Reduce(Users.appReducer),
            environment: Users.AppEnvironment(userService: service))
    }

    @Test("actions change the state, and those of another feature do not")
    func counter() {
        struct OtherAction: Seed004.Action {}
        let store = makeCounter()
        store.send(Counter.CounterAction.increase)
        store.send(Counter.CounterAction.increase)
        store.send(Counter.CounterAction.decrease)
        store.send(OtherAction())
        #expect(store.state == Counter.AppState(counter: 1))
        store.send(Counter.CounterAction.reset)
        #expect(store.state.counter == 0)
    }

    @Test("the action of a task is dispatched when it completes")
    func asyncIncrease() async {
        let store = makeCounter()
        let task = store.dispatch(Counter.CounterAction.increaseAsync)
        #expect(store.state == Counter.AppState(counter: 0, isLoading: true))
        await clock.sleepBegan()
        clock.advance(by: .seconds(1))
        await task.value
        #expect(store.state == Counter.AppState(counter: 1, isLoading: false))
    }

    @Test("releasing the store cancels its tasks")
    func cancellation() async {
        struct GatedService: Counter.DelayService {
            let gate: Gate

            func delay(seconds: Double) async throws { await gate.waitUntilCancelled() }
        }
        let gate = Gate()
        var store: CounterStore? = Store(
            initialState: Counter.AppState(), reducer: Reduce(Counter.counterReducer),
            environment: Counter.AppEnvironment(delayService: GatedService(gate: gate)))
        store?.send(Counter.CounterAction.increaseAsync)
        await gate.entered(1)
        store = nil
        await gate.left(1)
        #expect(await gate.cancelled == 1)
    }

    @Test("a subscriber is told of the current state and every new one, until it is unsubscribed")
    func subscriber() {
        let store = makeCounter()
        let subscriber = Counter.CounterSubscriber()
        let subscription = store.subscribe { subscriber.newState(state: $0) }
        store.send(Counter.CounterAction.increase)
        store.send(Counter.CounterAction.setLoading(true))
        subscription.cancel()
        store.send(Counter.CounterAction.increase)
        #expect(
            subscriber.lines == [
                "Counter: 0, Loading: false", "Counter: 1, Loading: false",
                "Counter: 1, Loading: true",
            ])
    }

    @Test("a subscriber that selects a part is told of its changes, duplicates left out")
    func substate() async {
        let store = makeUsers(Users.MockUserService(users: [ada]))
        let subscriber = Users.UserListSubscriber()
        let subscription = store.subscribe(to: { $0.users }) { subscriber.newState(state: $0) }
        await store.dispatch(Users.UserAction.fetchUsers).value
        await store.dispatch(Users.UserAction.fetchUsers).value
        #expect(subscriber.lists == [[], [ada]])
        subscription.cancel()
    }

    @Test("fetched data arrives, the state loading meanwhile")
    func fetch() async {
        let store = makeUsers(Users.MockUserService(users: [ada]))
        let task = store.dispatch(Users.UserAction.fetchUsers)
        #expect(store.state.isLoading)
        await task.value
        #expect(store.state.users == [ada])
        #expect(!store.state.isLoading && store.state.error == nil)
    }

    @Test("a task's error becomes an action, and the next attempt clears it")
    func error() async {
        let store = makeUsers(Users.OfflineUserService())
        await store.dispatch(Users.UserAction.fetchUsers).value
        #expect(store.state.error is Users.Offline)
        #expect(store.state.users == [] && !store.state.isLoading)
        store.send(Users.UserAction.fetchUsers)
        #expect(store.state.error == nil)
        await store.settled()
    }

    @Test("middleware sees every action, those of tasks too")
    func middleware() async {
        var seen: [Counter.CounterAction] = []
        let log = Middleware<Counter.AppState, any Seed004.Action> { action, _, next in
            if let action = action as? Counter.CounterAction { seen.append(action) }
            next(action)
        }
        let store = makeCounter(middleware: [log])
        let task = store.dispatch(Counter.CounterAction.increaseAsync)
        await clock.sleepBegan()
        clock.advance(by: .seconds(1))
        await task.value
        #expect(seen == [.increaseAsync, .increase, .setLoading(false)])
    }

    @Test("any reducer can be tested as a function, with a mock of its environment")
    func reducer() async {
        let environment = Users.AppEnvironment(userService: Users.MockUserService(users: [ada]))
        var state = Users.AppState()
        let reducer: Seed004.Reducer<Users.AppState, Users.AppEnvironment> = Users.appReducer
        let effect = reducer(&state, Users.UserAction.fetchUsers, environment)
        #expect(state.isLoading)
        let store = makeUsers(Users.OfflineUserService())
        await effect?(store.dispatcher.send)
        #expect(store.state.users == [ada])
    }
}
