import Foundation
import Swidux
import SwiduxTesting
import Testing

private struct Search: Equatable, Sendable {
    var text = ""
    var results: [String] = []
}

private enum SearchAction: Sendable, Equatable { case typed(String), found([String]), watch }

@Suite("Test store", .timeLimit(.minutes(1)))
@MainActor
struct TestStoreTests {
    private let clock = ManualClock()
    private let soon = Duration.milliseconds(20)

    private func makeStore(
        _ exhaustivity: TestStore<Search, SearchAction, Void>.Exhaustivity = .on,
        timeout: Duration = .seconds(10), _ failures: Failures
    ) -> TestStore<Search, SearchAction, Void> {
        let clock = clock
        return TestStore(
            initialState: Search(),
            reducer: Reduce { state, action, _ in
                switch action {
                case .typed(let text):
                    state.text = text
                    return Effects.debounce(id: "search", for: .seconds(1), clock: clock) { send in
                        await send(.found([text.uppercased()]))
                    }
                case .found(let results): state.results = results
                case .watch: return { send in await clock.wait() }
                }
                return nil
            },
            environment: (), exhaustivity: exhaustivity, timeout: timeout,
            onFailure: failures.record)
    }

    @Test("what is expected in full passes")
    func passes() async {
        let failures = Failures()
        let store = makeStore(failures)
        store.send(.typed("a")) { $0.text = "a" }
        await clock.sleepBegan()
        clock.advance(by: .seconds(1))
        await store.receive(.found(["A"])) { $0.results = ["A"] }
        await store.finish()
        #expect(failures.messages == [])
    }

    @Test("the same test passes a thousand times, whatever else the machine does")
    func repeated() async {
        let failures = Failures()
        let work = Task.detached { while !Task.isCancelled {} }
        for _ in 0..<1_000 {
            let clock = ManualClock(onFailure: failures.record)
            let store = TestStore(
                initialState: Lookup(), reducer: LookupReducer(),
                environment: LookupEnvironment(clock: clock) { [$0] },
                onFailure: failures.record)
            store.send(.typed("a")) { $0.text = "a" }
            store.send(.typed("b")) { $0.text = "b" }
            await clock.sleepBegan(2)
            clock.advance(by: .milliseconds(300))
            await store.receive(.found(["b"])) { $0.results = ["b"] }
            await store.finish()
        }
        work.cancel()
        #expect(failures.messages == [])
    }

    @Test("a change that is not expected is told readably")
    func unexpected() async {
        let failures = Failures()
        let store = makeStore(failures)
        store.send(.found(["x"])) { $0.text = "y" }
        #expect(failures.messages.count == 1)
        #expect(failures.messages[0].contains("text: \"y\" → \"\""))
        #expect(failures.messages[0].contains("results + \"x\""))
        #expect(failures.lines == [#line - 4])
    }

    @Test("actions that were not received and effects that run on are failures")
    func leftOvers() async {
        let failures = Failures()
        let store = makeStore(timeout: soon, failures)
        store.send(.typed("a")) { $0.text = "a" }
        store.send(.watch)
        await clock.sleepBegan(2)
        await store.finish()
        #expect(failures.lines == [#line - 1])
        #expect(
            failures.messages.last?.contains(
                """
                of: typed("a") (asleep until its clock advances by 1.0 seconds), \
                watch (asleep until its clock advances by 1000000.0 seconds).
                """) == true)
        store.timeout = .seconds(10)
        clock.advance(by: .seconds(1))
        await store.receive(.found(["other"])) { $0.results = ["A"] }
        #expect(failures.lines.last == #line - 1)
        #expect(failures.messages.last == "Another action was received: found([\"A\"])")
        clock.advance(by: .seconds(1_000_000))
        await store.finish()
        #expect(failures.messages.count == 2)
    }

    @Test("an action that was not received is a failure of finish, and of the next send")
    func notReceived() async {
        let failures = Failures()
        let store = makeStore(failures)
        store.send(.typed("a")) { $0.text = "a" }
        await clock.sleepBegan()
        clock.advance(by: .seconds(1))
        await store.finish()
        #expect(failures.messages == ["The test has not received found([\"A\"])."])
        store.send(.found([]))
        #expect(failures.messages.count == 2)
        #expect(failures.lines.last == #line - 2)
        await store.finish()
    }

    @Test("receive gives up, and tells which effects run and for how long they sleep")
    func forgottenAdvance() async {
        let failures = Failures()
        let store = makeStore(timeout: soon, failures)
        store.send(.typed("a")) { $0.text = "a" }
        await clock.sleepBegan()
        await store.receive(.found(["A"]))
        #expect(failures.lines == [#line - 1])
        #expect(
            failures.messages.first?.contains(
                "of: typed(\"a\") (asleep until its clock advances by 1.0 seconds)") == true)
        store.timeout = .seconds(10)
        clock.advance(by: .seconds(1))
        await store.receive(.found(["A"])) { $0.results = ["A"] }
        await store.finish()
        #expect(failures.messages.count == 1)
    }

    @Test("receive waits on while effects send or end")
    func progress() async {
        let failures = Failures()
        let store = TestStore(
            initialState: 0,
            reducer: Reduce<Int, Int, Int, Void> { state, action, _ in
                state = action
                guard action == 0 else { return nil }
                let effects = (1...20).map { number -> Effect<Int>? in
                    { send in
                        do { try await Task.sleep(for: .milliseconds(20 * number)) } catch {}
                        await send(number)
                    }
                }
                return Effects.merge(effects)
            }, environment: (), exhaustivity: .off, timeout: .milliseconds(300),
            onFailure: failures.record)
        store.send(0)
        await store.receive(20)
        #expect(failures.messages == [])
    }

    @Test("a wait ends when its test is cancelled")
    func cancelled() async {
        let failures = Failures()
        let store = makeStore(failures)
        let clock = clock
        store.send(.watch)
        await clock.sleepBegan()
        let test = Task { await store.receive(.found([])) }
        await Task.yield()
        test.cancel()
        await test.value
        #expect(failures.messages.count == 1)
        clock.advance(by: .seconds(1_000_000))
        await store.finish()
    }

    @Test("a clock gives up waiting for more sleeps than begin, and tells which are due")
    func tooManySleeps() async {
        let failures = Failures()
        // Long enough for the sleeper to begin on a busy machine.
        let clock = ManualClock(timeout: .milliseconds(500), onFailure: failures.record)
        await clock.sleepBegan()
        #expect(failures.lines == [#line - 1])
        #expect(failures.messages.last?.contains("than 1 have begun: 0. None is left") == true)
        let sleeper = Task { await clock.wait() }
        await clock.sleepBegan(2)
        #expect(
            failures.messages.last?.contains("than 2 have begun: 1. Due: in 1000000.0 s") == true)
        sleeper.cancel()
        await sleeper.value
    }

    @Test("a sleep that is cancelled before it begins counts as begun")
    func replacedSleeps() async {
        let failures = Failures()
        let clock = ManualClock(onFailure: failures.record)
        for _ in 0..<20 {
            let sleeper = Task { await clock.wait() }
            sleeper.cancel()
        }
        await clock.sleepBegan(20)
        #expect(failures.messages == [])
    }

    @Test("a storage gives up waiting for more commits than are attempted")
    func tooManyCommits() async throws {
        let failures = Failures()
        let storage = FailingStorage<Int>(timeout: soon, onFailure: failures.record)
        _ = try await storage.commit(1)
        await storage.attempted(1)
        #expect(failures.messages == [])
        await storage.attempted(2)
        #expect(failures.lines == [#line - 1])
        #expect(failures.messages.first?.contains("than 2 were attempted: 1") == true)
    }

    @Test("a store that is released before it is finished is a failure, if it ran effects")
    func released() async {
        let failures = Failures()
        var store: TestStore? = makeStore(failures)
        store?.send(.found([]))
        store = nil
        #expect(failures.messages == [])

        store = makeStore(failures)
        store?.send(.typed("a")) { $0.text = "a" }
        let line = #line - 1
        store = nil
        #expect(failures.lines == [line])
        #expect(failures.messages.first?.contains("await store.finish()") == true)

        store = makeStore(failures)
        store?.send(.watch)
        store?.exhaustivity = .off
        store = nil
        #expect(failures.messages.count == 1)
    }

    @Test("unequal states that print alike are a failure that says so", arguments: [true, false])
    func printAlike(isOrder: Bool) {
        struct State: Equatable {
            var ratio = Double.nan
            var cards = EntityStore([Card(1), Card(2), Card(3)])
        }
        let failures = Failures()
        var initial = State()
        if isOrder { initial.ratio = 1 }
        let store = TestStore(
            initialState: initial,
            reducer: Reduce<State, Int, Int, Void> { state, _, _ in
                if isOrder { state.cards.sort { $0.id > $1.id } }
                return nil
            }, environment: (), onFailure: failures.record)
        store.send(0)
        let ids = [3, 2, 1].map(UUID.numbered)
        let difference =
            isOrder
            ? "cards order from row 0: \(Array(ids.reversed())) → \(ids)"
            : "ratio: unequal values that print alike, nan"
        #expect(
            failures.messages == [
                "The state is not as expected after 0 (expected → actual):\n\(difference)"
            ])
    }

    @Test("values are shown as they describe themselves")
    func values() {
        let failures = Failures()
        let store = TestStore(
            initialState: EntityStore([Row(1, rank: "a0")]),
            reducer: Reduce<EntityStore<Row>, Int, Int, Void> { rows, _, _ in
                rows.modify(.numbered(1)) { $0.rank = .spelled("a5") }
                return nil
            }, environment: (), onFailure: failures.record)
        store.send(0)
        #expect(failures.messages.first?.hasSuffix("rank: a0 → a5") == true)
    }

    @Test("to wait for an action that nobody can send is a failure, not a hang")
    func nobody() async {
        let failures = Failures()
        let store = makeStore(failures)
        await store.receive(.found([]))
        #expect(failures.messages.count == 1)
    }

    @Test("when it need not be exhaustive, only what is said is checked")
    func nonExhaustive() async {
        let failures = Failures()
        let store = makeStore(.off, failures)
        store.send(.typed("a"))
        await clock.sleepBegan()
        store.send(.typed("ab")) { $0.results = [] }
        await clock.sleepBegan(2)
        clock.advance(by: .seconds(1))
        await store.receive({ if case .found = $0 { true } else { false } })
        store.send(.typed("abc")) { $0.results = ["AB"] }
        await store.finish()
        #expect(failures.messages == [])
        store.send(.typed("d")) { $0.text = "e" }
        #expect(failures.messages.count == 1)
    }

    private func makeStore(_ failures: Failures) -> TestStore<Search, SearchAction, Void> {
        makeStore(.on, failures)
    }
}

extension ManualClock {
    fileprivate func wait() async {
        do { try await sleep(for: .seconds(1_000_000)) } catch {}
    }
}
