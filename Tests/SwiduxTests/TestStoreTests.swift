import Swidux
import SwiduxTesting
import Testing

private struct Search: Equatable, Sendable {
    var text = ""
    var results: [String] = []
}

private enum SearchAction: Sendable, Equatable { case typed(String), found([String]), watch }

@Suite("Test store")
@MainActor
struct TestStoreTests {
    private let clock = ManualClock()

    private func makeStore(
        _ exhaustivity: TestStore<Search, SearchAction, Void>.Exhaustivity = .on,
        _ failures: Failures
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
            environment: (), exhaustivity: exhaustivity
        ) { failures.messages.append($0) }
    }

    private final class Failures { var messages: [String] = [] }

    @Test("what is expected in full passes")
    func passes() async {
        let failures = Failures()
        let store = makeStore(failures)
        store.send(.typed("a")) { $0.text = "a" }
        await clock.sleepBegan()
        clock.advance(by: .seconds(1))
        await store.receive(.found(["A"])) { $0.results = ["A"] }
        await store.finishEffects()
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
    }

    @Test("actions that were not received and effects that run on are failures")
    func leftOvers() async {
        let failures = Failures()
        let store = makeStore(failures)
        store.send(.typed("a")) { $0.text = "a" }
        store.send(.watch)
        await clock.sleepBegan(2)
        await store.finish()
        #expect(failures.messages == ["2 effects are still running, of: typed(\"a\"), watch"])
        clock.advance(by: .seconds(1))
        await store.receive(.found(["other"])) { $0.results = ["A"] }
        #expect(failures.messages.last == "another action was received: found([\"A\"])")
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
