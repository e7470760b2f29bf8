import Swidux
import Testing

private struct Counter: Equatable, Sendable { var count = 0 }

private enum CounterAction: Sendable { case increment, later }

/// A feature that knows only itself.
private struct CounterReducer: SwiduxReducer {
    func reduce(
        state: inout Counter, action: CounterAction, environment: Int
    ) -> Effect<CounterAction>? {
        switch action {
        case .increment: state.count += environment
        case .later: return { send in await send(.increment) }
        }
        return nil
    }
}

private struct World: Equatable, Sendable {
    var left = Counter()
    var right = Counter()
    var log: [String] = []
}

private enum WorldAction: Sendable { case left(CounterAction), right(CounterAction), note(String) }

private struct Settings: Sendable { var step = 2 }

@Suite("Composed reducers")
@MainActor
struct ReduceTests {
    private func makeStore() -> Store<World, WorldAction, Settings> {
        let left = CounterReducer()
            .embedded(
                extract: { if case .left(let action) = $0 { action } else { nil } },
                embed: { WorldAction.left($0) }
            )
            .scoped(to: \World.left) { (settings: Settings) in settings.step }
        let right = CounterReducer()
            .embedded(
                extract: { if case .right(let action) = $0 { action } else { nil } },
                embed: { WorldAction.right($0) }
            )
            .scoped(to: \World.right) { (_: Settings) in 10 }
        let notes = Reduce<World, WorldAction, WorldAction, Settings> { state, action, _ in
            if case .note(let text) = action { state.log.append(text) }
            return nil
        }
        return Store(
            initialState: World(), reducer: left.combined(with: right).combined(with: notes),
            environment: Settings())
    }

    @Test("a feature sees its own slice of the state and of the environment")
    func scoped() {
        let store = makeStore()
        store.send(.left(.increment))
        store.send(.right(.increment))
        store.send(.note("x"))
        #expect(
            store.state == World(left: Counter(count: 2), right: Counter(count: 10), log: ["x"]))
    }

    @Test("what a feature's effect sends comes back to that feature")
    func embedded() async {
        let store = makeStore()
        await store.dispatch(.left(.later)).value
        #expect(store.state == World(left: Counter(count: 2)))
    }

    @Test("a slice is changed in place, not copied")
    func inPlace() {
        struct Box: Sendable { var numbers = [Int](repeating: 0, count: 4) }
        struct Parent: Sendable { var box = Box() }
        let base = Reduce<Box, Int, Int, Void> { state, action, _ in
            let before = state.numbers.withUnsafeBufferPointer { $0.baseAddress }
            state.numbers[0] = action
            #expect(before == state.numbers.withUnsafeBufferPointer { $0.baseAddress })
            return nil
        }
        var parent = Parent()
        parent.box.numbers[1] = 1
        _ = base.scoped(to: \Parent.box).reduce(state: &parent, action: 5, environment: ())
        #expect(parent.box.numbers == [5, 1, 0, 0])
    }
}
