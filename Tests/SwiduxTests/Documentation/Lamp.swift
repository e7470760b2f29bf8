import Swidux
import Testing

nonisolated struct Lamp: Equatable, Sendable {
    var isOn = false
    var isTimed = false
}

nonisolated enum LampAction: Sendable, Equatable {
    case switched
    case timerStarted
    case timeIsUp
}

struct LampEnvironment: Sendable {
    var wait: @Sendable () async -> Void
}

struct LampReducer: SwiduxReducer {
    func reduce(
        state: inout Lamp, action: LampAction, environment: LampEnvironment
    ) -> Effect<LampAction>? {
        switch action {
        case .switched:
            state.isOn.toggle()
        case .timerStarted:
            state = Lamp(isOn: true, isTimed: true)
            return { send in
                await environment.wait()
                await send(.timeIsUp)
            }
        case .timeIsUp:
            if state.isTimed { state = Lamp() }
        }
        return nil
    }
}

@Suite("What one-way data flow is")
@MainActor
struct LampTests {
    private let environment = LampEnvironment(wait: {})

    @Test("a lamp is switched, and goes out by itself")
    func lamp() async {
        let store = Store(initialState: Lamp(), reducer: LampReducer(), environment: environment)
        store.send(.switched)
        #expect(store.state.isOn)
        await store.dispatch(.timerStarted).value
        #expect(store.state == Lamp())
    }

    @Test("replaying a log of actions leads to the same state")
    func replay() async {
        var log: [LampAction] = []
        let store = Store(
            initialState: Lamp(), reducer: LampReducer(), environment: environment,
            middleware: [.log { action, _, _ in log.append(action) }])
        await store.dispatch(.timerStarted).value
        store.send(.switched)
        var replayed = Lamp()
        for action in log {
            _ = LampReducer().reduce(state: &replayed, action: action, environment: environment)
        }
        #expect(log == [.timerStarted, .timeIsUp, .switched])
        #expect(replayed == store.state)
    }
}
