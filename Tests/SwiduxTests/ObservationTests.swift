import Dispatch
import Foundation
import Swidux
import Testing

@Suite("Observation")
@MainActor
struct ObservationTests {
    private func makeStore(rows: Int = 3) -> Store<ListState, ListAction, ListEnvironment> {
        Store(
            initialState: ListState(rows: EntityStore((0..<rows).map { Row($0) })),
            reducer: ListReducer(), environment: ListEnvironment())
    }

    /// Returns when the present work of the main queue is done.
    private func nextTurn() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume() }
        }
    }

    private func all<Value: Sendable>(_ stream: AsyncStream<Value>?) async -> [Value] {
        guard let stream else { return [] }
        var values: [Value] = []
        for await value in stream { values.append(value) }
        return values
    }

    @Test("a selection is told at once, and then when it has changed")
    func selection() {
        let store = makeStore()
        var titles: [String] = []
        let subscription = store.subscribe(to: { $0.title }) { titles.append($0) }
        store.send(.quiet { $0.rows[.numbered(0)] = nil })
        store.send(.quiet { $0.title = "a" })
        store.send(.quiet { $0.title = "a" })
        store.send(.quiet { $0.title = "b" })
        subscription.cancel()
        store.send(.quiet { $0.title = "c" })
        #expect(titles == ["", "a", "b"])
    }

    @Test("an entity store is compared by its revision, not by its elements")
    func revisions() {
        let store = makeStore(rows: 1000)
        Compared.count = 0
        let counted = Store<Counted, Int, Void>(
            initialState: Counted(
                entities: EntityStore((0..<1000).map { Compared(id: $0, value: 0) })),
            reducer: Reduce { state, action, _ in
                if action < 0 { state.other += 1 } else { state.entities[action]?.value += 1 }
                return nil
            }, environment: ())
        var told = 0
        let subscription = counted.subscribe(to: { $0.entities }) { _ in told += 1 }
        #expect(told == 1)
        Compared.count = 0
        counted.send(-1)
        #expect(told == 1)
        #expect(Compared.count == 0)
        counted.send(999)
        #expect(told == 2)
        #expect(Compared.count < 10)
        subscription.cancel()
        _ = store
    }

    @Test("who asks to be told once a turn is, with the last state")
    func oncePerTurn() async {
        let store = makeStore()
        var titles: [String] = []
        let subscription = store.subscribe(oncePerTurn: true) { titles.append($0.title) }
        store.send(.quiet { $0.title = "a" })
        store.send(.quiet { $0.title = "b" })
        #expect(titles == [])
        await nextTurn()
        #expect(titles == ["b"])
        store.send(.quiet { $0.title = "c" })
        subscription.cancel()
        await nextTurn()
        #expect(titles == ["b"])
    }

    @Test("subscriptions and streams all begin with the current value")
    func currentValue() async {
        var store: Store<ListState, ListAction, ListEnvironment>? = makeStore()
        store?.send(.quiet { $0.title = "now" })
        var told: [String] = []
        let subscriptions = [
            store?.subscribe { told.append("state: \($0.title)") },
            store?.subscribe(to: { $0.title }) { told.append("title: \($0)") },
            store?.subscribe(to: { $0.title }, oncePerTurn: true) {
                told.append("turn: \($0)")
            },
        ]
        #expect(told == ["state: now", "title: now"])
        await nextTurn()
        #expect(told == ["state: now", "title: now", "turn: now"])
        let (states, titles) = (store?.states(), store?.values(of: { $0.title }))
        for subscription in subscriptions { subscription?.cancel() }
        store = nil
        #expect(await all(states).map(\.title) == ["now"])
        #expect(await all(titles) == ["now"])
    }

    @Test("states can be iterated over until the store is gone")
    func states() async {
        var store: Store<ListState, ListAction, ListEnvironment>? = makeStore()
        let titles = store?.values(of: { $0.title }, buffering: 10)
        let states = store?.states(buffering: 1)
        store?.send(.quiet { $0.title = "a" })
        store?.send(.quiet { $0.rows[.numbered(0)] = nil })
        store?.send(.quiet { $0.title = "b" })
        store = nil
        #expect(await all(titles) == ["", "a", "b"])
        #expect(await all(states).map(\.title) == ["b"])
    }

    @Test(
        "a dispatcher sends from anywhere, as a feature's own actions too, and does not keep the store"
    )
    func dispatcher() async {
        var store: Store<ListState, ListAction, ListEnvironment>? = makeStore()
        weak let gone = store
        let dispatcher = store?.dispatcher
        let titles: Dispatcher<String>? = dispatcher?.map { title in
            .quiet { $0.title += title }
        }
        titles?.send("a")
        #expect(store?.state.title == "a")
        await Task.detached {
            for letter in ["b", "c", "d"] { titles?.post(letter) }
        }.value
        await nextTurn()
        #expect(store?.state.title == "abcd")
        store = nil
        #expect(gone == nil)
        titles?.send("nowhere")
    }

    @Test("a plan reads the state between the actions that it sends, and ends with their effects")
    func plan() async {
        let store = makeStore()
        await store.run { state, send in
            send(.quiet { $0.title = "first" })
            let title = state()?.title ?? ""
            send(.quiet { $0.title = title + ", second" })
            send(.run { send in await send(.quiet { $0.title += ", third" }) })
        }.value
        #expect(store.state.title == "first, second, third")
    }
}

private struct Compared: Identifiable, Equatable, Sendable {
    nonisolated(unsafe) static var count = 0
    let id: Int
    var value: Int

    static func == (lhs: Compared, rhs: Compared) -> Bool {
        count += 1
        return lhs.id == rhs.id && lhs.value == rhs.value
    }
}

private struct Counted: Sendable {
    var entities: EntityStore<Compared>
    var other = 0
}
