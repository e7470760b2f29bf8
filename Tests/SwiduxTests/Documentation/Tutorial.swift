import Foundation
import Swidux

nonisolated struct ShoppingItem: Identifiable, Equatable, Sendable, Ranked {
    let id: UUID
    var name: String
    var isBought = false
    var rank = Rank.between(nil, nil)
}

nonisolated struct ShoppingList: Equatable, Sendable {
    var items = EntityStore<ShoppingItem>()
    var isAsking = false
    var message: String?
    var selection: UUID?
}

nonisolated enum ShoppingAction: Sendable, Equatable {
    case add(String)
    case toggle(UUID)
    case remove(UUID)
    case move(UUID, before: UUID)
    case askForIdeas
    case ideasArrived([String])
    case ideasFailed(String)
    case loaded([ShoppingItem])
    case undo
    case undone(UndoReport)
}

struct ShoppingEnvironment: Sendable {
    var makeID: @Sendable () -> UUID
    var fetchIdeas: @Sendable () async throws -> [String]
}

struct ShoppingReducer: SwiduxReducer {
    func reduce(
        state: inout ShoppingList, action: ShoppingAction, environment: ShoppingEnvironment
    ) -> Effect<ShoppingAction>? {
        switch action {
        case .add(let name):
            state.items.append(ShoppingItem(id: environment.makeID(), name: name))
        case .toggle(let id):
            state.items.modify(id) { $0.isBought.toggle() }
        case .remove(let id):
            state.items[id] = nil
        case .move(let id, let next):
            state.items.move(id, before: next)
        case .loaded(let items):
            state.items.hydrate(items)
            state.items.endHydration()
        case .undone(let report):
            state.message = report.name.map { "Undid: \($0)" } ?? "Nothing to undo"
            state.selection = report.touched(\ShoppingList.items).first
        case .undo:
            break
        case .askForIdeas:
            state.isAsking = true
            return Effects.cancellable(
                id: "ideas", cancelInFlight: true,
                Effects.catching(
                    { send in await send(.ideasArrived(try await environment.fetchIdeas())) },
                    { error in .ideasFailed("No ideas: \(error)") }))
        case .ideasArrived(let names):
            state.isAsking = false
            for name in names {
                state.items.append(ShoppingItem(id: environment.makeID(), name: name))
            }
        case .ideasFailed(let message):
            state.isAsking = false
            state.message = message
        }
        return nil
    }
}

nonisolated struct ShoppingChanges: Sendable {
    var items = EntityChanges<ShoppingItem>()
}

actor Shelf {
    private var rows: [UUID: ShoppingItem] = [:]

    var items: [ShoppingItem] { Array(rows.values) }

    func commit(_ changes: ShoppingChanges) throws -> CommitResult<ShoppingChanges> {
        for item in changes.items.upserts { rows[item.id] = item }
        for id in changes.items.deletions { rows[id] = nil }
        return CommitResult()
    }
}

typealias ShoppingStore = Store<ShoppingList, ShoppingAction, ShoppingEnvironment>

@MainActor
func makeShoppingStore(
    shelf: Shelf, environment: ShoppingEnvironment,
    options: PersistenceOptions = PersistenceOptions(waitsForHydration: true)
) -> ShoppingStore {
    let persistence = PersistencePipeline(
        writers: [BatchWriter(keyPath: \ShoppingList.items, into: \ShoppingChanges.items)],
        empty: { ShoppingChanges() },
        options: options,
        commit: { try await shelf.commit($0) })
    return Store(
        initialState: ShoppingList(), reducer: ShoppingReducer(), environment: environment,
        persistence: persistence, undo: makeShoppingUndo())
}

@MainActor
func makeShoppingUndo() -> UndoHistory<ShoppingList, ShoppingAction> {
    UndoHistory(
        tracks: [UndoTrack(\.items)],
        classify: { action, _ in
            switch action {
            case .add: .command(name: "add", coalesces: false)
            case .toggle: .command(name: "buy", coalesces: true)
            case .remove: .command(name: "remove", coalesces: false)
            case .move: .command(name: "move", coalesces: false)
            case .undo: .undo
            default: .ignored
            }
        },
        report: { .undone($0) })
}

@MainActor
func load(_ shelf: Shelf, into store: ShoppingStore) async {
    store.send(.loaded(await shelf.items))
}

@MainActor
func lines(of list: ShoppingList) -> [String] {
    list.items.page(at: 0, count: 20).map { ($0.isBought ? "✓ " : "○ ") + $0.name }
}

@MainActor
func show(_ store: ShoppingStore, on draw: @escaping @MainActor ([String]) -> Void) -> Subscription
{
    store.subscribe(to: { $0.items }, oncePerTurn: true) { _ in
        draw(lines(of: store.state))
    }
}
