import Foundation
import Swidux
import SwiduxTesting
import Testing

/// A whole application in a test store: undo, persistence and middleware.
@MainActor
@Suite("Test store of an application", .timeLimit(.minutes(1)))
struct ApplicationTestStoreTests {
    private let clock = ManualClock()
    private let storage = FailingStorage<ShoppingChanges>()
    private let milk = UUID.numbered(1)

    private var environment: ShoppingEnvironment {
        ShoppingEnvironment(makeID: { [milk] in milk }, fetchIdeas: { [] })
    }

    private func makePersistence() -> PersistencePipeline<ShoppingList, ShoppingChanges> {
        PersistencePipeline(
            writers: [BatchWriter(keyPath: \ShoppingList.items, into: \ShoppingChanges.items)],
            empty: { ShoppingChanges() },
            options: PersistenceOptions(clock: clock),
            commit: { [storage] in try await storage.commit($0) })
    }

    @Test("a command is saved and undone")
    func undo() async {
        let (persistence, milk) = (makePersistence(), milk)
        var seen: [ShoppingAction] = []
        let store = TestStore(
            initialState: ShoppingList(), reducer: ShoppingReducer(), environment: environment,
            persistence: persistence, undo: makeShoppingUndo(),
            middleware: [.log { action, _, _ in seen.append(action) }])
        store.send(.add("Milk")) { $0.items.append(ShoppingItem(id: milk, name: "Milk")) }
        await persistence.flush()
        #expect(storage.batches.last?.items.upserts.map(\.name) == ["Milk"])
        store.send(.undo) {
            $0.items[milk] = nil
            $0.message = "Undid: add"
            $0.selection = milk
        }
        await persistence.flush()
        #expect(storage.batches.last?.items.deletions == [milk])
        #expect(seen.first == .add("Milk"))
        await store.finish()
    }

    @Test("a status that the pipeline reports is an action that the test receives")
    func status() async {
        nonisolated enum Action: Sendable, Equatable { case add, saved }
        nonisolated struct State: Equatable {
            var items = EntityStore<Card>()
            var isSaved = true
        }
        nonisolated struct Changes: Sendable { var items = EntityChanges<Card>() }
        let persistence = PersistencePipeline<State, Changes>(
            writers: [BatchWriter(keyPath: \State.items, into: \Changes.items)],
            empty: { Changes() },
            commit: { _ in CommitResult() })
        let store = TestStore(
            initialState: State(),
            reducer: Reduce<State, Action, Action, Void> { state, action, _ in
                if action == .add { state.items.append(Card(1)) }
                state.isSaved = action == .saved
                return nil
            },
            environment: (), persistence: persistence)
        let dispatcher = store.dispatcher
        persistence.onStatus = { if $0.phase == .saved { dispatcher.send(.saved) } }
        store.send(.add) {
            $0.items.append(Card(1))
            $0.isSaved = false
        }
        await persistence.flush()
        await store.receive(.saved) { $0.isSaved = true }
        await store.finish()
    }
}
