import Dispatch
import Foundation
import Swidux
import SwiduxTesting
import Synchronization
import Testing

@MainActor
@Suite("Tutorial") struct TutorialTests {
    private struct Offline: Error {}

    private func makeEnvironment(ideas: [String]?) -> ShoppingEnvironment {
        let last = Atomic(0)
        return ShoppingEnvironment(
            makeID: { .numbered(last.add(1, ordering: .relaxed).newValue) },
            fetchIdeas: {
                guard let ideas else { throw Offline() }
                return ideas
            })
    }

    @Test("asking for ideas adds them")
    func ideas() async {
        let milk = UUID.numbered(1)
        let store = TestStore(
            initialState: ShoppingList(), reducer: ShoppingReducer(),
            environment: ShoppingEnvironment(makeID: { milk }, fetchIdeas: { ["Milk"] })
        )
        store.send(.askForIdeas) { $0.isAsking = true }
        await store.receive(.ideasArrived(["Milk"])) {
            $0.isAsking = false
            $0.items.append(ShoppingItem(id: milk, name: "Milk"))
        }
        await store.finish()
    }

    @Test("an error is shown")
    func offline() async {
        let store = makeShoppingStore(shelf: Shelf(), environment: makeEnvironment(ideas: nil))
        await store.dispatch(.askForIdeas).value
        #expect(store.state.message == "No ideas: Offline()")
        #expect(!store.state.isAsking)
    }

    @Test("what is done is saved, and read again in the order that was left")
    func program() async {
        let shelf = Shelf()
        let store = makeShoppingStore(shelf: shelf, environment: makeEnvironment(ideas: ["Eggs"]))
        await load(shelf, into: store)
        store.send(.add("Milk"))
        store.send(.add("Bread"))
        await store.dispatch(.askForIdeas).value
        store.send(.move(.numbered(3), before: .numbered(1)))
        store.send(.toggle(.numbered(2)))
        store.send(.remove(.numbered(1)))
        store.send(.undo)
        #expect(store.state.message == "Undid: remove")
        await store.flush()
        #expect(store.saveStatus.phase == .saved)

        let next = makeShoppingStore(shelf: shelf, environment: makeEnvironment(ideas: []))
        await load(shelf, into: next)
        #expect(lines(of: next.state) == ["○ Eggs", "○ Milk", "✓ Bread"])
    }

    @Test("the list is drawn at first and then once for all that a turn brought")
    func drawing() async {
        let store = makeShoppingStore(shelf: Shelf(), environment: makeEnvironment(ideas: []))
        var screens: [[String]] = []
        let subscription = show(store) { screens.append($0) }
        await nextTurn()
        store.send(.add("Milk"))
        store.send(.add("Bread"))
        await nextTurn()
        #expect(screens == [[], ["○ Milk", "○ Bread"]])
        subscription.cancel()
    }

    private func nextTurn() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume() }
        }
    }
}
