import Foundation
import Swidux

/// The application of the code patterns: items in a browser, an inspector, and the framework's
/// store under its own.
enum Seed001 {
    typealias Send = Swidux.Send<AppAction>
    typealias Effect = Swidux.Effect<AppAction>

    nonisolated struct Item: Identifiable, Equatable, Sendable {
        var id: UUID
        var name: String
        var sortIndex: Int
        var createdAt: Date

        init(
            id: UUID = UUID(),
            name: String = "",
            sortIndex: Int = 0,
            createdAt: Date = Date(timeIntervalSince1970: 0)
        ) {
            self.id = id
            self.name = name
            self.sortIndex = sortIndex
            self.createdAt = createdAt
        }
    }

    nonisolated struct Tag: Identifiable, Equatable, Sendable {
        var id: UUID
        var name: String
    }

    nonisolated struct AppState: Sendable {
        var items = EntityStore<Item>()
        var tags = EntityStore<Tag>()

        var ui = UIState()
    }

    nonisolated struct UIState: Sendable {
        var selectedItemID: UUID?
        var isInspectorOpen: Bool = true

        var itemBrowser: ItemBrowserState = .init()
    }

    nonisolated struct ItemBrowserState: Sendable {
        var expandedIDs: Set<UUID> = []
        var editingID: UUID?
    }

    enum AppAction: Sendable {
        case itemBrowser(ItemBrowserAction)
        case inspector(InspectorAction)

        case itemInserted(Item)
        case hydrated(items: [Item], tags: [Tag])
    }

    enum ItemBrowserAction: Sendable {
        case selectItem(UUID?)
        case restoreSelection

        case create
        case delete(UUID)
        case rename(UUID, newName: String)
        case reorder(fromIndex: Int, toIndex: Int)
    }

    enum InspectorAction: Sendable {
        case toggle
        case duplicateSelected
    }

    struct AppReducer: SwiduxReducer {
        let itemBrowser = ItemBrowserReducer()
        let inspector = InspectorReducer()

        let itemDB: any ItemDBProtocol
        let tagDB: any TagDBProtocol

        static func mock() -> AppReducer {
            AppReducer(itemDB: MockItemDB(), tagDB: TagDB())
        }

        func reduce(
            state: inout AppState,
            action: AppAction,
            environment: AppEnvironment
        ) -> Effect? {
            switch action {
            case .itemInserted(let item):
                state.items[item.id] = item

            case .hydrated(let items, let tags):
                state.items.hydrate(items)
                state.items.endHydration()
                state.tags.hydrate(tags)
                state.tags.endHydration()

            case .itemBrowser(let action):
                return itemBrowser.reduce(state: &state, action: action, environment: environment)

            case .inspector(let action):
                return inspector.reduce(state: &state, action: action, environment: environment)
            }

            return nil
        }
    }

    /// The application's face of the framework's store.
    @MainActor
    final class AppStore: SwiduxDispatcher {
        let persistence: PersistenceMiddleware<AppState>
        private let reducer: AppReducer
        private let store: Store<AppState, AppAction, AppEnvironment>

        var items: EntityStore<Item> { store.state.items }
        var tags: EntityStore<Tag> { store.state.tags }
        var ui: UIState { store.state.ui }

        init(
            initialState: AppState = .init(),
            environment: AppEnvironment,
            reducer: AppReducer,
            options: PersistenceOptions = PersistenceOptions()
        ) {
            var options = options
            options.waitsForHydration = true
            persistence = PersistenceMiddleware(
                writers: [
                    StateWriter(keyPath: \.tags) { [reducer] writes, deletes in
                        for tag in writes { try await reducer.tagDB.upsert(tag) }
                        for id in deletes { try await reducer.tagDB.delete(id: id) }
                    },
                    StateWriter(keyPath: \.items) { [reducer] writes, deletes in
                        for item in writes { try await reducer.itemDB.upsert(item) }
                        for id in deletes { try await reducer.itemDB.delete(id: id) }
                    },
                ],
                options: options
            )
            persistence.onStatus = { status in
                if let failure = status.failure { environment.logger.error(failure) }
            }
            self.reducer = reducer
            store = Store(
                initialState: initialState, reducer: reducer, environment: environment,
                persistence: persistence)
        }

        func send(_ action: AppAction) { store.send(action) }

        func settled() async { await store.settled() }

        func hydrate() async {
            do {
                async let fetchedItems = reducer.itemDB.fetchAll()
                async let fetchedTags = reducer.tagDB.fetchAll()

                let (loadedItems, loadedTags) = try await (fetchedItems, fetchedTags)

                send(.hydrated(items: loadedItems, tags: loadedTags))
            } catch {
                store.environment.logger.error("Hydration failed: \(error)")
            }
        }
    }

    /// A text field bound to the store.
    @MainActor
    struct NameField {
        let store: AppStore
        let itemID: UUID

        var text: String {
            get { store.items[itemID]?.name ?? "" }
            nonmutating set { store.send(.itemBrowser(.rename(itemID, newName: newValue))) }
        }
    }
}

extension Seed001.AppState {
    var selectedItem: Seed001.Item? {
        guard let id = ui.selectedItemID else { return nil }
        return items[id]
    }
}
