import Swidux
import SwiduxTesting
import Testing

struct Lookup: Equatable, Sendable {
    var text = ""
    var results: [String] = []
}

nonisolated enum LookupAction: Sendable, Equatable {
    case typed(String)
    case found([String])
}

struct LookupEnvironment: Sendable {
    var clock: any Clock<Duration>
    var search: @Sendable (String) async -> [String]
}

struct LookupReducer: SwiduxReducer {
    func reduce(
        state: inout Lookup, action: LookupAction, environment: LookupEnvironment
    ) -> Effect<LookupAction>? {
        switch action {
        case .typed(let text):
            state.text = text
            return Effects.debounce(
                id: "search", for: .milliseconds(300), clock: environment.clock
            ) { send in
                await send(.found(environment.search(text)))
            }
        case .found(let results):
            state.results = results
            return nil
        }
    }
}

@Suite("A search that waits for a pause in typing")
@MainActor
struct LookupTests {
    @Test("only the last text is searched for")
    func pause() async {
        let clock = ManualClock()
        let environment = LookupEnvironment(clock: clock) { ["\($0)!"] }
        let store = TestStore(
            initialState: Lookup(), reducer: LookupReducer(), environment: environment
        )
        store.send(.typed("m")) { $0.text = "m" }
        await clock.sleepBegan()
        store.send(.typed("mi")) { $0.text = "mi" }
        await clock.sleepBegan(2)
        clock.advance(by: .milliseconds(300))
        await store.receive(.found(["mi!"])) { $0.results = ["mi!"] }
        await store.finish()
    }
}
