import Swidux
import Testing

struct House: Equatable, Sendable {
    var hall = Lamp()
    var kitchen = Lamp()
}

enum HouseAction: Sendable {
    case hall(LampAction)
    case kitchen(LampAction)
    case leave
}

@Suite("Reducers and middleware")
@MainActor
struct HouseTests {
    private var reducer: Reduce<House, HouseAction, HouseAction, LampEnvironment> {
        let hall = LampReducer()
            .embedded(
                extract: { if case .hall(let action) = $0 { action } else { nil } },
                embed: { HouseAction.hall($0) }
            )
            .scoped(to: \House.hall)
        let kitchen = LampReducer()
            .embedded(
                extract: { if case .kitchen(let action) = $0 { action } else { nil } },
                embed: { HouseAction.kitchen($0) }
            )
            .scoped(to: \House.kitchen)
        let leaving = Reduce<House, HouseAction, HouseAction, LampEnvironment> { house, action, _ in
            if case .leave = action { house = House() }
            return nil
        }
        let house = hall.combined(with: kitchen).combined(with: leaving)
        return house
    }

    private func makeStore(
        _ middleware: Middleware<House, HouseAction>...
    ) -> Store<House, HouseAction, LampEnvironment> {
        Store(
            initialState: House(), reducer: reducer, environment: LampEnvironment(wait: {}),
            middleware: middleware)
    }

    @Test("each lamp has its own switch, and one action is about both")
    func features() {
        let store = makeStore()
        store.send(.kitchen(.switched))
        #expect(store.state == House(kitchen: Lamp(isOn: true)))
        store.send(.hall(.switched))
        store.send(.leave)
        #expect(store.state == House())
    }

    @Test("middleware drops an action, and a log has those that were reduced")
    func middleware() async {
        let childLock = Middleware<House, HouseAction> { action, state, next in
            if case .kitchen(.timerStarted) = action, !state().hall.isOn { return }
            next(action)
        }
        var lines: [String] = []
        let log = Middleware<House, HouseAction>.log(differences: true) { action, _, difference in
            lines.append("\(action)")
            lines += difference
        }
        let store = makeStore(childLock, log)
        await store.dispatch(.kitchen(.timerStarted)).value
        #expect(lines.isEmpty)
        store.send(.hall(.switched))
        #expect(lines.first?.hasPrefix("hall") == true)
        #expect(lines.last?.contains("isOn") == true)
    }

    @Test("a plan reads the state between its actions")
    func plan() async {
        let store = makeStore()
        await store.run { state, send in
            send(.hall(.switched))
            guard let house = state(), house.hall.isOn else { return }
            send(.kitchen(.switched))
        }.value
        #expect(store.state.kitchen.isOn)
    }
}
