import Swidux
import SwiduxTesting
import Testing

/// Texts in the order in which they arrived.
private struct Lines: Equatable, Sendable { var lines: [String] = [] }

private enum LineAction: Sendable, Equatable {
    case add(String)
    case run(Effect<LineAction>)

    static func == (lhs: LineAction, rhs: LineAction) -> Bool {
        if case (.add(let lhs), .add(let rhs)) = (lhs, rhs) { return lhs == rhs }
        return false
    }
}

private struct Refused: Error {}

@Suite("Effects")
@MainActor
struct EffectsTests {
    private let clock = ManualClock()

    private func makeStore() -> Store<Lines, LineAction, Void> {
        Store(
            initialState: Lines(),
            reducer: Reduce { state, action, _ in
                switch action {
                case .add(let line): state.lines.append(line)
                case .run(let effect): return effect
                }
                return nil
            },
            environment: ())
    }

    private func adding(_ line: String) -> Effect<LineAction> {
        { send in await send(.add(line)) }
    }

    @Test("merged effects all run, and the action has ended when all have")
    func merged() async throws {
        let store = makeStore()
        let effect = try #require(Effects.merge(adding("a"), nil, adding("b"), adding("c")))
        await store.dispatch(.run(effect)).value
        #expect(Set(store.state.lines) == ["a", "b", "c"])
        #expect(Effects.merge(nil, nil) as Effect<LineAction>? == nil)
    }

    @Test("concatenated effects run one after the other")
    func concatenated() async throws {
        let store = makeStore()
        let clock = clock
        let slow: Effect<LineAction> = { send in
            do { try await clock.sleep(for: .seconds(1)) } catch { return }
            await send(.add("slow"))
        }
        let effect = try #require(Effects.concatenate(slow, adding("quick")))
        let task = store.dispatch(.run(effect))
        await clock.sleepBegan()
        #expect(store.state.lines == [])
        clock.advance(by: .seconds(1))
        await task.value
        #expect(store.state.lines == ["slow", "quick"])
    }

    @Test("a debounced effect runs once the actions pause")
    func debounced() async {
        let store = makeStore()
        for (number, letter) in ["s", "sw", "swi"].enumerated() {
            store.send(
                .run(Effects.debounce(id: "search", for: .seconds(1), clock: clock, adding(letter)))
            )
            await clock.sleepBegan(number + 1)
        }
        // The run of an earlier letter may be on its way to being cancelled; it must send nothing
        // all the same.
        clock.advance(by: .seconds(1))
        await store.settled()
        #expect(store.state.lines == ["swi"])
    }

    @Test("an error becomes an action, and a cancellation does not")
    func caught() async {
        let store = makeStore()
        await store.dispatch(.run(Effects.catching({ _ in throw Refused() }, { .add("\($0)") })))
            .value
        await store.dispatch(
            .run(Effects.catching({ _ in throw CancellationError() }, { .add("\($0)") }))
        ).value
        await store.dispatch(.run(Effects.catching({ _ in throw Refused() }, { _ in nil }))).value
        #expect(store.state.lines == ["Refused()"])
    }

    @Test("a sequence sends an action for each element")
    func sequence() async {
        let store = makeStore()
        let numbers = AsyncStream { continuation in
            for number in 1...4 { continuation.yield(number) }
            continuation.finish()
        }
        await store.dispatch(
            .run(Effects.actions(from: numbers) { $0 % 2 == 0 ? .add("\($0)") : nil })
        ).value
        #expect(store.state.lines == ["2", "4"])
    }

    @Test("a task's action is sent, and its error becomes one")
    func task() async {
        let store = makeStore()
        await store.dispatch(.run(Effects.action(of: Task { LineAction.add("done") }))).value
        await store.dispatch(
            .run(Effects.action(of: Task { throw Refused() }, catching: { _ in .add("failed") }))
        ).value
        #expect(store.state.lines == ["done", "failed"])
    }

    @Test("a feature's effect sends the application's actions")
    func mapped() async {
        let store = makeStore()
        let feature: Effect<Int> = { send in await send(7) }
        await store.dispatch(.run(Effects.map(feature) { .add("\($0)") })).value
        #expect(store.state.lines == ["7"])
    }

    @Test("a cancellation reaches earlier runs and no later one")
    func cancelled() async {
        let store = makeStore()
        let gate = Gate()
        let waiting: Effect<LineAction> = Effects.cancellable(id: 1) { send in
            await gate.waitUntilCancelled()
            await send(.add("never"))
        }
        store.send(.run(waiting))
        await gate.entered(1)
        store.send(.run(Effects.cancel(id: 1)))
        store.send(.run(Effects.cancellable(id: 1, adding("later"))))
        await store.settled()
        #expect(store.state.lines == ["later"])
        #expect(await gate.cancelled == 1)
    }

    @Test("a cancellation that comes late reaches no run of a later action")
    func lateCancellation() async {
        let store = makeStore()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (cancelled, cancel) = AsyncStream<Void>.makeStream()
        store.send(
            .run { send in
                for await _ in begun {}
                await Effects.cancel(id: 1)(send)
                cancel.finish()
            })
        store.send(
            .run(
                Effects.cancellable(id: 1) { send in
                    begin.finish()
                    for await _ in cancelled {}
                    await send(.add("later"))
                }))
        await store.settled()
        #expect(store.state.lines == ["later"])
    }
}
