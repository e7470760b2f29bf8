import Swidux
import SwiduxTesting
import Testing

nonisolated struct StreetLamp: Identifiable, Equatable, Sendable {
    let id: Int
    var lamp = Lamp()
}

nonisolated struct Street: Equatable, Sendable {
    var lamps = EntityStore<StreetLamp>()
}

nonisolated enum StreetAction: Sendable, Equatable {
    case lamp(Int, LampAction)
    case removed(Int)
}

@Suite("A reducer for each entity", .timeLimit(.minutes(1)))
@MainActor
struct StreetTests {
    @Test("a lamp that is removed takes its timer along, and no other")
    func timers() async {
        let street = Reduce<Street, StreetAction, StreetAction, LampEnvironment> {
            street, action, _ in
            if case .removed(let id) = action { street.lamps[id] = nil }
            return nil
        }
        .forEach(
            \.lamps, LampReducer().scoped(to: \StreetLamp.lamp),
            extract: { if case .lamp(let id, let action) = $0 { (id, action) } else { nil } },
            embed: { .lamp($0, $1) })
        let clock = ManualClock()
        let store = TestStore(
            initialState: Street(lamps: EntityStore([StreetLamp(id: 1), StreetLamp(id: 2)])),
            reducer: street,
            environment: LampEnvironment(
                wait: { do { try await clock.sleep(for: .seconds(60)) } catch {} }))
        for id in 1...2 {
            store.send(.lamp(id, .timerStarted)) {
                $0.lamps.modify(id) { $0.lamp = Lamp(isOn: true, isTimed: true) }
            }
        }
        await clock.sleepBegan(2)
        store.send(.removed(1)) { $0.lamps[1] = nil }
        clock.advance(by: .seconds(60))
        await store.receive(.lamp(2, .timeIsUp)) { $0.lamps.modify(2) { $0.lamp = Lamp() } }
        await store.finish()
    }
}
