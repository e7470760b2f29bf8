import Swidux
import Testing

struct LuckyEnvironment: Sendable {
    var fetchNumber: @Sendable () async -> Int
}

struct Lucky: Equatable, Sendable {
    var number: Int?
    var isAsking = false
}

nonisolated enum LuckyAction: Sendable, Equatable {
    case ask
    case answered(Int)
}

struct LuckyReducer: SwiduxReducer {
    func reduce(
        state: inout Lucky, action: LuckyAction, environment: LuckyEnvironment
    ) -> Effect<LuckyAction>? {
        switch action {
        case .ask:
            state.isAsking = true
            return { send in await send(.answered(environment.fetchNumber())) }
        case .answered(let number):
            state = Lucky(number: number)
            return nil
        }
    }
}

@Suite("Coming from another library")
@MainActor
struct ComingFromTests {
    private let fetchNumber: @Sendable () async -> Int = { 7 }

    @Test("a number is asked for, and arrives")
    func lucky() async {
        let environment = LuckyEnvironment(fetchNumber: fetchNumber)
        let store = Store(initialState: Lucky(), reducer: LuckyReducer(), environment: environment)
        await store.dispatch(.ask).value
        #expect(store.state == Lucky(number: 7))
    }

    @Test("while it is asked for, the state says so")
    func asking() {
        var state = Lucky()
        let effect = LuckyReducer().reduce(
            state: &state, action: .ask, environment: LuckyEnvironment(fetchNumber: fetchNumber))
        #expect(state == Lucky(isAsking: true))
        #expect(effect != nil)
    }

    @Test("a store of functions does the same")
    func functions() async {
        let fetchNumber = fetchNumber
        let store = Store(
            initialState: Lucky(),
            reducer: { (state: inout Lucky, action: LuckyAction) in
                switch action {
                case .ask: state.isAsking = true
                case .answered(let number): state = Lucky(number: number)
                }
            },
            effects: [
                { action, _ in
                    guard action == .ask else { return nil }
                    return .answered(await fetchNumber())
                }
            ])
        await store.dispatch(.ask).value
        #expect(store.state == Lucky(number: 7))
    }
}
