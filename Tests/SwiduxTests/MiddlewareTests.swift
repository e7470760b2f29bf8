import Foundation
import Swidux
import SwiduxTesting
import Testing

@Suite("Middleware")
@MainActor
struct MiddlewareTests {
    private func makeStore(
        _ middleware: [Middleware<Int, Int>]
    ) -> Store<Int, Int, Void> {
        Store(
            initialState: 0,
            reducer: Reduce { state, action, _ in
                state += action
                return nil
            },
            environment: (), middleware: middleware)
    }

    @Test("the first middleware is the outermost, and sees the state before and after")
    func order() {
        var log: [String] = []
        func named(_ name: String) -> Middleware<Int, Int> {
            Middleware { action, state, next in
                log.append("\(name) \(state())")
                next(action)
                log.append("\(name) \(state())")
            }
        }
        makeStore([named("outer"), named("inner")]).send(3)
        #expect(log == ["outer 0", "inner 0", "inner 3", "outer 3"])
    }

    @Test("middleware can drop an action, replace it, or pass on several")
    func steering() {
        let store = makeStore([
            Middleware { action, _, next in
                switch action {
                case 1: break
                case 2: next(20)
                default:
                    next(action)
                    next(action)
                }
            }
        ])
        store.send(1)
        store.send(2)
        store.send(3)
        #expect(store.state == 26)
    }

    @Test("effects of every action that was handed on are run")
    func effects() async {
        let reducer = Reduce<Int, Int, Int, Void> { state, action, _ in
            state += action
            guard action == 1 else { return nil }
            return { send in await send(10) }
        }
        let twice = Middleware<Int, Int> { action, _, next in
            next(action)
            if action == 1 { next(action) }
        }
        let store = Store(
            initialState: 0, reducer: reducer, environment: (), middleware: [twice])
        await store.dispatch(1).value
        #expect(store.state == 22)
    }

    @Test("the log times actions, and lists the changes")
    func log() {
        let clock = ManualClock()
        var durations: [Duration] = []
        var differences: [[String]] = []
        let store = Store(
            initialState: ListState(), reducer: ListReducer(), environment: ListEnvironment(),
            middleware: [
                .log(differences: true, clock: clock) { _, duration, difference in
                    durations.append(duration)
                    differences.append(difference)
                },
                Middleware { action, _, next in
                    clock.advance(by: .milliseconds(3))
                    next(action)
                },
            ])
        store.send(.edit { $0.rows[.numbered(1)] = Row(1, "milk") })
        store.send(.quiet { $0.title = "shopping" })
        store.send(.edit { $0.rows.modify(.numbered(1)) { $0.name = "bread" } })
        #expect(durations == Array(repeating: .milliseconds(3), count: 3))
        #expect(differences[0].count == 1)
        #expect(differences[0][0].hasPrefix("rows + "))
        #expect(differences[1] == ["title: \"\" → \"shopping\""])
        #expect(
            differences[2] == [
                "rows ~ \(UUID.numbered(1)): name: \"milk\" → \"bread\""
            ])
    }
}
