import Foundation
import Swidux
import Testing

nonisolated struct Pantry: Equatable, Sendable {
    var items = EntityStore<ShoppingItem>()
    var missing = EntityView<ShoppingItem> { !$0.isBought }
    var byName = EntityView<ShoppingItem>(by: \.name)

    mutating func updateViews() {
        missing.update(from: items)
        byName.update(from: items)
    }
}

enum PantryAction: Sendable {
    case opened
    case add(ShoppingItem)
    case toggle(UUID)
}

struct PantryReducer: SwiduxReducer {
    func reduce(
        state: inout Pantry, action: PantryAction, environment: Void
    ) -> Effect<PantryAction>? {
        switch action {
        case .opened: break
        case .add(let item): state.items.append(item)
        case .toggle(let id): state.items.modify(id) { $0.isBought.toggle() }
        }
        state.updateViews()
        return nil
    }
}

@Suite("Filtered and sorted lists")
@MainActor
struct PantryTests {
    private let milk = ShoppingItem(id: .numbered(1), name: "Milk")
    private let bread = ShoppingItem(id: .numbered(2), name: "Bread", rank: .between(nil, nil))

    @Test("views follow their store")
    func views() {
        let pantry = Pantry(items: EntityStore([milk, bread]))
        let store = Store(initialState: pantry, reducer: PantryReducer(), environment: ())
        store.send(.opened)
        #expect(store.state.byName.page(at: 0, count: 20).map(\.name) == ["Bread", "Milk"])
        store.send(.toggle(milk.id))
        #expect(store.state.missing.page(at: 0, count: 20) == [bread])
        #expect(store.state.missing.count == 1)
    }

    @Test("another filter is another view")
    func anotherFilter() {
        let prefix = "M"
        var pantry = Pantry(items: EntityStore([milk, bread]))
        pantry.updateViews()
        pantry.missing = EntityView { !$0.isBought && $0.name.hasPrefix(prefix) }
        pantry.missing.update(from: pantry.items)
        #expect(pantry.missing.page(at: 0, count: 20) == [milk])
    }
}
