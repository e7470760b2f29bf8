import Swidux
import SwiduxTesting
import Testing

/// Actions with an effect each, which is built by the test.
private enum Step: Sendable {
    case add(String)
    case run(Effect<Step>?)
}

@Suite("Effects that begin later", .timeLimit(.minutes(1)))
@MainActor
struct TimingTests {
    private let clock = ManualClock()
    private let store = Store(
        initialState: [String](),
        reducer: Reduce<[String], Step, Step, Void> { lines, step, _ in
            switch step {
            case .add(let line): lines.append(line)
            case .run(let effect): return effect
            }
            return nil
        },
        environment: ())

    private func adding(_ line: String) -> Effect<Step> {
        { send in await send(.add(line)) }
    }

    private func throttle(_ line: String) {
        store.send(
            .run(Effects.throttle(id: 1, for: .seconds(10), clock: clock, adding(line))))
    }

    @Test("of throttled effects the first begins at once, and the last when the time is over")
    func throttled() async {
        for line in ["a", "b", "c"] { throttle(line) }
        #expect(store.state == ["a"])
        await clock.sleepBegan(2)
        clock.advance(by: .seconds(9))
        #expect(store.state == ["a"])
        clock.advance(by: .seconds(1))
        await store.settled()
        #expect(store.state == ["a", "c"])
        throttle("d")
        await clock.sleepBegan(3)
        #expect(store.state == ["a", "c"])
        clock.advance(by: .seconds(10))
        await store.settled()
        clock.advance(by: .seconds(10))
        throttle("e")
        #expect(store.state == ["a", "c", "d"] + ["e"])
    }

    @Test("a throttled effect that has begun is not replaced, and a cancellation ends all")
    func throttledAndRunning() async {
        let (clock, gate) = (clock, Gate())
        store.send(
            .run(
                Effects.throttle(id: 1, for: .seconds(10), clock: clock) { send in
                    await gate.waitUntilCancelled()
                    await send(.add("never"))
                }))
        await gate.entered(1)
        throttle("waits")
        await clock.sleepBegan()
        #expect(await gate.cancelled == 0)
        store.send(.run(Effects.cancel(id: 1)))
        await store.settled()
        #expect(store.state == [])
        #expect(await gate.cancelled == 1)
    }

    @Test("serial effects run one after the other, in the order of their actions")
    func serial() async {
        let clock = clock
        for (number, delay) in [3, 1, 2].enumerated() {
            store.send(
                .run(
                    Effects.serial(id: 1) { send in
                        await send(.add("begin \(number)"))
                        do { try await clock.sleep(for: .seconds(delay)) } catch {}
                        await send(.add("end \(number)"))
                    }))
        }
        #expect(store.state == ["begin 0"])
        for number in 1...3 {
            await clock.sleepBegan(number)
            clock.advance(by: .seconds(3))
        }
        await store.settled()
        #expect(store.state == (0..<3).flatMap { ["begin \($0)", "end \($0)"] })
    }

    @Test("a cancellation ends serial effects that run and wait, and later ones begin")
    func serialCancelled() async {
        let gate = Gate()
        store.send(
            .run(Effects.serial(id: 1) { _ in await gate.waitUntilCancelled() }))
        store.send(.run(Effects.serial(id: 1, adding("waits"))))
        await gate.entered(1)
        store.send(.run(Effects.cancel(id: 1)))
        store.send(.run(Effects.serial(id: 1, adding("later"))))
        await store.settled()
        #expect(store.state == ["later"])
    }

    @Test("what merge returns can be cancelled, and nothing cancels what is in flight")
    func optional() async {
        let gate = Gate()
        let waiting = Effects.run { (send: Send<Step>) in
            await gate.waitUntilCancelled()
            await send(.add("never"))
        }
        store.send(.run(Effects.cancellable(id: 1, Effects.merge(waiting, waiting))))
        await gate.entered(2)
        let none = Effects.merge([Effect<Step>?]())
        #expect(Effects.cancellable(id: 1, none) == nil)
        store.send(.run(Effects.cancellable(id: 1, cancelInFlight: true, none)))
        await store.settled()
        #expect(store.state == [])
    }

    @Test("20,000 effects are merged and concatenated")
    func many() async {
        let effects = (0..<20_000).map { number -> Effect<Step>? in
            { send in if number % 1_000 == 0 { await send(.add("\(number)")) } }
        }
        await store.dispatch(.run(Effects.merge(effects))).value
        await store.dispatch(.run(Effects.concatenate(effects))).value
        let few = effects.prefix(500)
        await store.dispatch(.run(few.reduce(nil) { Effects.merge($0, $1) })).value
        await store.dispatch(.run(few.reduce(nil) { Effects.concatenate($0, $1) })).value
        #expect(store.state.count == 42)
    }
}
