import Foundation
import Swidux
import SwiduxTesting
import Testing

/// Reports from users of similar libraries, as tests of this one.
@Suite("Peers' pain")
@MainActor
struct PeersPainTests {
    private let pipeline = Pipeline.three()
    private var store: Store<ListState, ListAction, ListEnvironment> { pipeline.store }

    private func titling(_ text: String) -> Effect<ListAction> {
        { send in await send(.quiet { $0.title += text }) }
    }

    // MARK: An effect cancelled before it starts never runs

    /// pointfreeco/swift-composable-architecture#1848
    @Test("an effect cancelled before it starts never runs")
    func cancelledBeforeItStarts() async {
        let log = Log()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let late = store.dispatch(
            .run { send in
                for await _ in gate {}
                await Effects.cancellable(id: 1) { _ in await log.add(["ran"]) }(send)
            })
        await store.dispatch(.run(Effects.cancel(id: 1))).value
        open.finish()
        await late.value
        #expect(await log.lines == [])
        await store.dispatch(.run(Effects.cancellable(id: 1, titling("later")))).value
        #expect(store.state.title == "later")
    }

    @concurrent private static func work() async {}

    @Test(
        "once a cancellation was sent nothing of the run arrives, wherever that is",
        arguments: ["waiting", "working elsewhere", "in a merge", "replaced"])
    func cancelledAtOnce(_ place: String) async {
        let work: Effect<ListAction> = { send in
            if place == "waiting" { await Task.yield() } else { await Self.work() }
            await send(.quiet { $0.title = "late" })
        }
        for number in 0..<500 {
            let run: Effect<ListAction> = Effects.cancellable(id: number, work)
            let other: Effect<ListAction> = { _ in await Task.yield() }
            let merged = Effects.merge(run, place == "in a merge" ? other : nil)
            store.send(.run(merged ?? run))
            if number % 2 == 0 { await Task.yield() }
            let arrived = store.state.title
            let cancel: Effect<ListAction> =
                place == "replaced"
                ? Effects.cancellable(id: number, cancelInFlight: true, { _ in })
                : Effects.cancel(id: number)
            store.send(.run(cancel))
            #expect(store.state.title == arrived)
            await store.settled()
            #expect(store.state.title == arrived)
            store.send(.quiet { $0.title = "" })
        }
    }

    @Test("a debounced search with a busy main actor never shows the result of an earlier text")
    func debouncedBusily() async {
        for round in 0..<20 {
            for text in ["s", "sw", "swi"] {
                store.send(
                    .run(
                        Effects.debounce(id: "search", for: .milliseconds(1)) { send in
                            await Self.work()
                            await send(.quiet { $0.title = "\(text)\(round)" })
                        }))
                // Longer than the pause: the search of the text before is on its way.
                let end = ContinuousClock.now + .milliseconds(3)
                while .now < end {}
            }
            let title = store.state.title
            #expect(title == "" || title == "swi\(round - 1)")
            await store.settled()
            #expect(store.state.title == "swi\(round)")
        }
    }

    /// pointfreeco/swift-composable-architecture#3563
    @Test("an effect cancelled before its turn in a row never runs, and those after it do")
    func cancelledBeforeItsTurn() async throws {
        let clock = pipeline.clock
        let log = Log()
        let first: Effect<ListAction> = { _ in
            do { try await clock.sleep(for: .seconds(1)) } catch { return }
        }
        let second: Effect<ListAction> = { _ in await log.add(["second"]) }
        let third: Effect<ListAction> = { _ in await log.add(["third"]) }
        let row = try #require(
            Effects.concatenate(
                first, Effects.cancellable(id: 2, second), Effects.cancellable(id: 3, third)))
        let whole = store.dispatch(.run(row))
        await clock.sleepBegan()
        await store.dispatch(.run(Effects.cancel(id: 2))).value
        clock.advance(by: .seconds(1))
        await whole.value
        #expect(await log.lines == ["third"])
    }

    /// pointfreeco/swift-composable-architecture#3658 and #1989
    @Test("a cancellation reaches the effects of its own store alone")
    func cancelledElsewhere() async {
        let other = Pipeline.three()
        let gate = Gate()
        other.store.send(
            .run(Effects.cancellable(id: "shared") { _ in await gate.waitUntilCancelled() }))
        await gate.entered(1)
        await store.dispatch(.run(Effects.cancel(id: "shared"))).value
        #expect(await gate.cancelled == 0)
        await other.store.dispatch(.run(Effects.cancel(id: "shared"))).value
        await gate.left(1)
    }

    // MARK: Flush at teardown

    /// rt2zz/redux-persist#252
    @Test("flush at teardown: it returns when all is safe, whatever was under way")
    func flushAtTeardown() async {
        pipeline.storage.hold()
        pipeline.edit { $0.rows[.numbered(1)]?.name = "in flight" }
        pipeline.clock.advance(by: .milliseconds(250))
        pipeline.edit { $0.rows[.numbered(1)]?.name = "last word" }
        let flush = Task { await pipeline.persistence.flush() }
        await pipeline.storage.attempted(1)
        pipeline.storage.release()
        await flush.value
        #expect(pipeline.disk == pipeline.memory)
        #expect(pipeline.status.phase == .saved)
    }

    /// pointfreeco/swift-composable-architecture#3074
    @Test(
        "flush at teardown: what was changed is written though nobody holds the store any more",
        arguments: [false, true])
    func releasedUnsaved(fails: Bool) async {
        let clock = ManualClock()
        let storage = FailingStorage<ListChanges>()
        let (phases, told) = AsyncStream<PersistenceStatus.Phase>.makeStream()
        weak var released: PersistencePipeline<ListState, ListChanges>?
        do {
            let persistence = PersistencePipeline(
                writers: [BatchWriter(keyPath: \ListState.rows, into: \ListChanges.rows)],
                empty: { ListChanges() },
                options: PersistenceOptions(clock: clock)
            ) { try await storage.commit($0) }
            persistence.onStatus = { told.yield($0.phase) }
            released = persistence
            let store = Store(
                initialState: ListState(), reducer: ListReducer(), environment: ListEnvironment(),
                persistence: persistence)
            store.send(.edit { $0.rows[.numbered(1)] = Row(1) })
        }
        if fails {
            storage.failNext()
            clock.advance(by: .milliseconds(250))
            for await phase in phases where phase == .failing { break }
        }
        clock.advance(by: .milliseconds(250))
        for await phase in phases where phase == .saved { break }
        #expect(storage.batches.map { $0.rows.upserts.map(\.id) } == [[.numbered(1)]])
        #expect(released == nil)
    }

    // MARK: Effects of a released store

    /// pointfreeco/swift-composable-architecture#2643 and #3613
    @Test("effects of a released store are cancelled, send nowhere and do not keep it")
    func releasedStore() async {
        let gate = Gate()
        let sent = Log()
        var store: Store<ListState, ListAction, ListEnvironment>? = makeStore()
        weak let released = store
        let task = store?.dispatch(
            .run { send in
                await gate.waitUntilCancelled()
                await send(.quiet { $0.title = "nowhere" })
                await sent.add(["on"])
            })
        await gate.entered(1)
        store = nil
        #expect(released == nil)
        await task?.value
        #expect(await sent.lines == ["on"])
    }

    @Test("effects of a store that is released before they go on are cancelled")
    func releasedBeforeTheyGoOn() async throws {
        let log = Log()
        func adding(_ line: String) -> Effect<ListAction> {
            { _ in
                await Task.yield()
                if !Task.isCancelled { await log.add([line]) }
            }
        }
        let plain = adding("plain")
        let named = Effects.cancellable(id: 1, adding("named"))
        let both = try #require(Effects.merge(plain, named))
        var tasks: [Task<Void, Never>] = []
        for effect in [plain, named, both] {
            let store = makeStore()
            tasks.append(store.dispatch(.run(effect)))
        }
        for task in tasks { await task.value }
        #expect(await log.lines == [])
    }

    @Test("a store released on another thread cancels its effects just so")
    func releasedElsewhere() async {
        let gate = Gate()
        var store: Store<ListState, ListAction, ListEnvironment>? = makeStore()
        store?.send(.run { _ in await gate.waitUntilCancelled() })
        await gate.entered(1)
        let (released, release) = AsyncStream<Void>.makeStream()
        let last = Task.detached { [store] in
            for await _ in released {}
            withExtendedLifetime(store) {}
        }
        store = nil
        release.finish()
        await last.value
        await gate.left(1)
    }

    private func makeStore() -> Store<ListState, ListAction, ListEnvironment> {
        Store(initialState: ListState(), reducer: ListReducer(), environment: ListEnvironment())
    }

    // MARK: A queue that never wedges

    /// pointfreeco/swift-composable-architecture#661 and #1352
    @Test("a queue that never wedges: what is sent as an action is let go of is taken at once")
    func sentFromDeinit() {
        final class Sender: Sendable {
            let send: @MainActor @Sendable () -> Void
            init(_ send: @escaping @MainActor @Sendable () -> Void) { self.send = send }
            deinit { MainActor.assumeIsolated { send() } }
        }
        let send: @MainActor @Sendable () -> Void = { [weak store] in
            store?.send(.quiet { $0.title += "let go. " })
        }
        func pass(_ sender: consuming Sender) {
            store.send(.quiet { [sender] in $0.title += sender === sender ? "taken, " : "" })
        }
        pass(Sender(send))
        #expect(store.state.title == "taken, let go. ")
        store.send(.quiet { $0.title += "next" })
        #expect(store.state.title == "taken, let go. next")
    }

    @Test("a queue that never wedges: after a loop the next action is taken, and its effect")
    func afterALoop() async {
        var refused = 0
        store.onLoop = { _ in refused += 1 }
        let subscription = store.subscribe { [weak store] state in
            if !["", "ended"].contains(state.title) { store?.send(.quiet { $0.title += "." }) }
        }
        store.send(.quiet { $0.title = "loop" })
        #expect(refused == 1)
        await store.dispatch(.quiet { $0.title = "ended" }).value
        #expect(store.state.title == "ended")
        await store.dispatch(.run(titling(""))).value
        #expect(store.state.title == "ended")
        subscription.cancel()
    }

    /// ReSwift/ReSwift#498: there each action of a chain is taken within the one before.
    @Test("a queue that never wedges: 100,000 actions in it take no stack")
    func longQueue() {
        let subscription = store.subscribe { [weak store] state in
            guard state.title == "go" else { return }
            store?.send(.quiet { $0.title = "" })
            for _ in 0..<100_000 { store?.send(.quiet { $0.title = "last" }) }
        }
        store.send(.quiet { $0.title = "go" })
        subscription.cancel()
        #expect(store.state.title == "last")
    }

    // MARK: A thousand subscribers

    /// ReSwift/ReSwift#324 and #330
    @Test("a thousand subscribers are told once each, in order, while others come and go")
    func thousandSubscribers() {
        var told: [Int] = []
        var subscriptions: [Int: Subscription] = [:]
        for number in 0..<1000 {
            subscriptions[number] = store.subscribe { [weak store] state in
                told.append(number)
                guard state.title == "first" else { return }
                if number == 10 { subscriptions[11] = nil }
                if number == 20 { subscriptions[21]?.cancel() }
                guard number == 30 else { return }
                subscriptions[1000] = store?.subscribe { _ in told.append(1000) }
            }
        }
        #expect(told == Array(0..<1000))
        told = []
        store.send(.quiet { $0.title = "first" })
        let stayed = (0..<1000).filter { $0 != 11 && $0 != 21 }
        // The new one is told of the current state, once.
        #expect(told == stayed.filter { $0 <= 30 } + [1000] + stayed.filter { $0 > 30 })
        told = []
        store.send(.quiet { $0.title = "second" })
        #expect(told == stayed + [1000])
        subscriptions = [:]
        told = []
        store.send(.quiet { $0.title = "third" })
        #expect(told == [])
    }

    /// ReSwift/ReSwift#519
    @Test("a thousand subscribers to a part are told of each value once, though one of them sends")
    func thousandSelections() {
        var told = Array(repeating: [String](), count: 1000)
        let subscriptions = (0..<1000).map { number in
            store.subscribe(to: { $0.title }) { [weak store] title in
                told[number].append(title)
                if number == 500, title == "43" { store?.send(.quiet { $0.title = "42" }) }
            }
        }
        store.send(.quiet { $0.title = "43" })
        store.send(.quiet { $0.title = "42" })
        #expect(told.allSatisfy { $0 == ["", "43", "42"] })
        for subscription in subscriptions { subscription.cancel() }
    }

    // MARK: A send from a subscriber from an effect

    /// ReSwift/ReSwift#74
    @Test("a send from a subscriber waits until all were told of what it answers")
    func sendFromSubscriber() {
        var titles: [String] = []
        let first = store.subscribe { [weak store] state in
            if state.title == "a" { store?.send(.quiet { $0.title += "b" }) }
        }
        let second = store.subscribe { titles.append($0.title) }
        store.send(.quiet { $0.title = "a" })
        #expect(titles == ["", "a", "ab"])
        first.cancel()
        second.cancel()
    }

    @Test("a send from a subscriber from an effect is taken before the effect goes on")
    func sendFromSubscriberFromEffect() async {
        let answer = titling(" and its effect")
        let subscription = store.subscribe { [weak store] state in
            guard state.title == "effect" else { return }
            store?.send(.quiet { $0.title += ", subscriber" })
            store?.send(.run(answer))
        }
        await store.dispatch(
            .run { [weak store] send in
                await send(.quiet { $0.title = "effect" })
                // The effect that the subscriber sent may have answered by now.
                #expect(await store?.state.title.hasPrefix("effect, subscriber") == true)
            }
        ).value
        await store.settled()
        #expect(store.state.title == "effect, subscriber and its effect")
        subscription.cancel()
    }
}
