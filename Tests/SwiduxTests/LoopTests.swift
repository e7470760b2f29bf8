import Foundation
import Testing

@testable import Swidux

/// Long chains of actions.
@MainActor
@Suite struct LoopTests {
    private let store = Store(
        initialState: ListState(), reducer: ListReducer(), environment: ListEnvironment())

    /// Loads a page of one row, and requests the next.
    private nonisolated func page(_ number: Int) -> ListAction {
        .run { send in
            await Task.yield()
            await send(.quiet { $0.rows.append(Row(number)) })
            if number < 1500 { await send(page(number + 1)) }
        }
    }

    @Test("a chain through effects is never cut, and reported once with its actions")
    func pages() async {
        let store = store
        var loops: [String] = []
        store.onLoop = { loops.append($0) }
        await store.dispatch(page(1)).value
        #expect(store.state.rows.count == 1500)
        #expect(loops.count == 1)
        #expect(loops.first?.hasPrefix("Actions follow each other") == true)
        #expect(loops.first?.components(separatedBy: " → ").count == 8)
    }

    @Test("a chain of sends from subscribers is stopped, however slow its clock")
    func nested() {
        var time = ContinuousClock.now
        let store = Store(
            initialState: ListState(), reducer: ListReducer(), environment: ListEnvironment(),
            now: {
                time += .seconds(2)
                return time
            })
        var loops: [String] = []
        store.onLoop = { loops.append($0) }
        let subscription = store.subscribe { [weak store] state in
            if !state.title.isEmpty { store?.send(.quiet { $0.title += "." }) }
        }
        store.send(.quiet { $0.title = "go" })
        subscription.cancel()
        #expect(loops.count == 1)
        #expect(loops.first?.hasPrefix("Actions that send each other") == true)
        #expect(store.state.title.count == 1001)
    }
}

/// References that a store, its subscriptions and its effects hold.
@MainActor
@Suite struct ReleaseTests {
    private final class Probe: Sendable {}

    private let store = Store(
        initialState: ListState(), reducer: ListReducer(), environment: ListEnvironment())

    @Test(
        "a subscription that is cancelled or released lets go of its function at once",
        arguments: [true, false], [true, false])
    func subscription(isCancelled: Bool, oncePerTurn: Bool) {
        weak var probe: Probe?
        var subscription: Subscription?
        do {
            let held = Probe()
            probe = held
            subscription = store.subscribe(oncePerTurn: oncePerTurn) { _ in _ = held }
        }
        #expect(probe != nil)
        if isCancelled { subscription?.cancel() } else { subscription = nil }
        #expect(probe == nil)
        _ = subscription
    }

    @Test("an id that is cancelled is forgotten once the effects before it have ended")
    func cancelledIDs() async {
        let registry = EffectRegistry()
        registry.begin(1)
        for ordinal in UInt64(2)..<2000 {
            registry.begin(ordinal)
            registry.cancel(AnyID(ordinal), before: ordinal)
            registry.end(ordinal)
        }
        #expect(registry.rememberedIDs == 1998)
        registry.end(1)
        #expect(registry.rememberedIDs == 0)
        // An effect that goes on does not keep ids that were cancelled before it began.
        for ordinal in UInt64(3000)..<5000 {
            registry.begin(ordinal)
            registry.cancel(AnyID(ordinal), before: ordinal)
            registry.begin(ordinal + 10_000)
            registry.end(ordinal)
        }
        #expect(registry.rememberedIDs < 200)
    }

    @Test("a cancellation by the synchronous part of an effect reaches its later parts")
    func duringBeginning() {
        let registry = EffectRegistry()
        registry.begin(1)
        registry.begin(2)
        registry.cancel(AnyID("id"), before: 2)
        registry.end(2)
        let run = EffectRegistry.Run(ordinal: 1)
        registry.register(run, id: AnyID("id"))
        #expect(run.isCancelled)
    }
}

/// Mistakes that are told at once.
@MainActor
@Suite struct MisuseTests {
    @Test("a pipeline belongs to one store")
    func sharedPipeline() async {
        await #expect(processExitsWith: .failure) {
            _ = await MainActor.run {
                let pipeline = Pipeline()
                return Store(
                    initialState: ListState(), reducer: ListReducer(),
                    environment: ListEnvironment(), persistence: pipeline.persistence)
            }
        }
    }

    @Test("a history belongs to one store")
    func sharedHistory() async {
        await #expect(processExitsWith: .failure) {
            _ = await MainActor.run {
                let pipeline = Pipeline()
                return Store(
                    initialState: ListState(), reducer: ListReducer(),
                    environment: ListEnvironment(), undo: pipeline.undo)
            }
        }
    }

    @Test("the state cannot be read while a status is reported")
    func stateInStatus() async {
        await #expect(processExitsWith: .failure) {
            await MainActor.run {
                let pipeline = Pipeline()
                let store = pipeline.store
                pipeline.persistence.onStatus = { _ in _ = store.state.title }
                pipeline.edit { $0.rows.append(Row(1)) }
            }
        }
    }

    @Test("a plan that waits for all effects ends with a message")
    func settledInPlan() async {
        await #expect(processExitsWith: .failure) {
            let pipeline = await Pipeline()
            let store = pipeline.store
            await store.run { _, _ in await store.settled() }.value
        }
    }

    @Test("a commit that flushes ends with a message")
    func flushInCommit() async {
        await #expect(processExitsWith: .failure) {
            await flushWithinCommit()
        }
    }
}

@MainActor
private func flushWithinCommit() async {
    final class Holder: Sendable {
        nonisolated(unsafe) var pipeline: PersistencePipeline<ListState, ListChanges>?
    }
    let holder = Holder()
    let pipeline = PersistencePipeline(
        writers: [BatchWriter(keyPath: \ListState.rows, into: \ListChanges.rows)],
        empty: { ListChanges() },
        commit: { _ in
            await holder.pipeline?.flush()
            return CommitResult()
        })
    holder.pipeline = pipeline
    let store = Store(
        initialState: ListState(), reducer: ListReducer(), environment: ListEnvironment(),
        persistence: pipeline)
    store.send(.quiet { $0.rows.append(Row(1)) })
    await pipeline.flush()
}
