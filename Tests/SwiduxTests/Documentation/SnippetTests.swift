import Foundation
import Swidux
import SwiduxTesting
import Testing

@MainActor
@Suite("Snippets of the articles") struct SnippetTests {
    private let milk = ShoppingItem(id: .numbered(1), name: "Milk")
    private let bread = ShoppingItem(id: .numbered(2), name: "Bread")

    private func makeStore(_ shelf: Shelf = Shelf()) -> ShoppingStore {
        makeShoppingStore(
            shelf: shelf,
            environment: ShoppingEnvironment(makeID: { .numbered(3) }, fetchIdeas: { [] }),
            options: PersistenceOptions())
    }

    @Test("an entity store is edited and read")
    func entities() {
        var items = EntityStore<ShoppingItem>()
        items.append(milk)
        items.append(bread)
        items.modify(milk.id) { $0.name = "Oat milk" }
        items.move(bread.id, before: milk.id)
        #expect(items.values.map(\.name) == ["Bread", "Oat milk"])
        #expect(items.position(of: milk.id) == 1)
        #expect(items.page(at: 0, count: 1).map(\.id) == [bread.id])
    }

    @Test("a move changes one entity")
    func moves() {
        var items = EntityStore<ShoppingItem>()
        items.append(milk)
        items.append(bread)
        items.resetChanges()
        items.move(bread.id, before: milk.id)
        #expect(items.changes.upserts == [bread.id])
    }

    @Test("the last operation of an id is the one that counts")
    func changeSets() {
        var items = EntityStore([milk])
        items[bread.id] = bread
        items[bread.id] = nil
        items[milk.id] = nil
        items[milk.id] = milk
        #expect(items.changes.upserts == [milk.id])
        #expect(items.changes.deletions == [bread.id])
    }

    @Test("an older copy tells what has changed since")
    func deltas() {
        var items = EntityStore([milk])
        let seen = items
        items.modify(milk.id) { $0.isBought = true }
        for item in items.changes(since: seen).upserts {
            #expect(seen[item.id] == milk)
            #expect(item.isBought)
        }
        #expect(items.changes(since: seen).count == 1)
    }

    @Test("undo of a removal brings the item back to its place")
    func undo() {
        let store = makeStore()
        store.send(.loaded([milk, bread]))
        store.send(.remove(milk.id))
        store.send(.undo)
        #expect(store.state.items.values == [milk, bread])
        #expect(store.state.message == "Undid: remove")
        #expect(store.state.selection == milk.id)
    }

    @Test("chained actions come in their order, and so do concatenated effects", arguments: [1, 2])
    func order(way: Int) async throws {
        let log = Log()
        let environment = DraftEnvironment(
            upload: { await log.add(["upload \($0)"]) }, publish: { await log.add(["publish"]) })
        if way == 1 {
            let store = Store(
                initialState: Draft(text: "a"), reducer: Snippet.chained, environment: environment)
            await store.dispatch(.submit).value
            #expect(store.state.isUploaded && store.state.isPublished)
        } else {
            let effect = try #require(Snippet.submission(of: "a", environment))
            await effect { _ in }
        }
        #expect(await log.lines == ["upload a", "publish"])
    }

    @Test("what is abandoned is not reported as uploaded")
    func cancellation() async {
        let gate = Gate()
        let environment = DraftEnvironment(
            upload: { _ in await gate.waitUntilCancelled() }, publish: {})
        let store = Store(
            initialState: Draft(),
            reducer: Reduce<Draft, DraftAction, DraftAction, DraftEnvironment> {
                state, action, environment in
                switch action {
                case .submit: return Snippet.cancellableSubmission(of: state.text, environment)
                case .cancelled: return nil
                default:
                    state.isUploaded = action == .uploaded
                    return action == .published ? Snippet.abandonment() : nil
                }
            },
            environment: environment)
        store.send(.submit)
        await gate.entered(1)
        store.send(.published)
        await store.settled()
        #expect(!store.state.isUploaded)
        #expect(await gate.cancelled == 1)
    }

    @Test("the status line says what the pipeline does")
    func status() async throws {
        let clock = ManualClock()
        let storage = FailingStorage<ShoppingChanges>()
        let persistence = PersistencePipeline(
            writers: [BatchWriter(keyPath: \ShoppingList.items, into: \ShoppingChanges.items)],
            empty: { ShoppingChanges() },
            options: PersistenceOptions(clock: clock),
            commit: { try await storage.commit($0) })
        let store = Store(
            initialState: ShoppingList(), reducer: ShoppingReducer(),
            environment: ShoppingEnvironment(makeID: { .numbered(1) }, fetchIdeas: { [] }),
            persistence: persistence)
        storage.failNext(with: "disk full")
        store.send(.add("Milk"))
        #expect(Snippet.statusText(persistence.status) == "● 1 unsaved")
        clock.advance(by: .milliseconds(250))
        await storage.attempted(1)
        await persistence.flush()
        #expect(storage.batches.first?.items.upserts.map(\.name) == ["Milk"])
        #expect(Snippet.statusText(persistence.status) == "✓ saved")
        #expect(storage.attempts == 2)
    }

    @Test("a writer of closures saves what the batch writer does")
    func writers() async {
        let shelf = Shelf()
        let persistence = Snippet.writers(shelf)
        var state = ShoppingList()
        state.items.append(milk)
        persistence.afterReduce(state: &state)
        await persistence.flush()
        #expect(await shelf.items.map(\.id) == [milk.id])
    }

    @Test("subscriptions and streams tell of what they select")
    func observation() async {
        let store = makeStore()
        var counts: [Int] = []
        let subscription = Snippet.countUnbought(in: store) { counts.append($0) }
        store.send(.add("Milk"))
        store.send(.toggle(.numbered(3)))
        store.send(.undo)
        #expect(counts == [0, 1, 0, 1])
        #expect(await Snippet.firstMessage(of: store) == "Undid: buy")
        subscription.cancel()
    }
}
