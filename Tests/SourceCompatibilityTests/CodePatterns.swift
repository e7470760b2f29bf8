import Foundation
import Observation
import Swidux

/// The templates of the original's code patterns, as their reader copies them: the main actor by
/// default. Actors stand in for SwiftData's. `logger:` is left out, whose type only Apple has.
enum CodePatterns {
    // MARK: Effect.swift

    typealias Send = Swidux.Send<AppAction>
    typealias Effect = Swidux.Effect<AppAction>

    // MARK: AppState.swift

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

    // MARK: AppAction.swift

    enum AppAction: Sendable {
        case itemBrowser(ItemBrowserAction)
        case inspector(InspectorAction)

        case itemInserted(Item)
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
        case duplicate
    }

    // MARK: AppEnvironment.swift

    struct AppEnvironment: Sendable {
        let analytics: any AnalyticsServiceProtocol
        let preferences: any PreferencesServiceProtocol

        static func mock() -> AppEnvironment {
            AppEnvironment(
                analytics: MockAnalyticsService(),
                preferences: MockPreferencesService()
            )
        }
    }

    enum AnalyticsEvent: Sendable { case itemCreated, itemDeleted }

    protocol AnalyticsServiceProtocol: Sendable {
        func track(event: AnalyticsEvent) async
    }

    protocol PreferencesServiceProtocol: Sendable {
        func getSelectedItemID() async -> UUID?
        func setSelectedItemID(_ id: UUID?) async
    }

    actor MockAnalyticsService: AnalyticsServiceProtocol {
        private(set) var events: [AnalyticsEvent] = []
        func track(event: AnalyticsEvent) { events.append(event) }
    }

    actor MockPreferencesService: PreferencesServiceProtocol {
        private var selectedItemID: UUID?
        func getSelectedItemID() -> UUID? { selectedItemID }
        func setSelectedItemID(_ id: UUID?) { selectedItemID = id }
    }

    // MARK: Value types

    nonisolated struct Item: Identifiable, Equatable, Sendable {
        var id: UUID
        var name: String
        var sortIndex: Int
        var createdAt: Date

        init(
            id: UUID = UUID(),
            name: String = "",
            sortIndex: Int = 0,
            createdAt: Date = Date()
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

    // MARK: DB actors

    protocol ItemDBProtocol: Sendable {
        func fetchAll() async throws -> [Item]
        func upsert(_ item: Item) async throws
        func delete(id: UUID) async throws
    }

    protocol TagDBProtocol: Sendable {
        func fetchAll() async throws -> [Tag]
        func upsert(_ tag: Tag) async throws
        func delete(id: UUID) async throws
    }

    actor ItemDB: ItemDBProtocol {
        private var rows: [UUID: Item] = [:]

        init(_ items: [Item] = []) {
            for item in items { rows[item.id] = item }
        }

        func fetchAll() -> [Item] { rows.values.sorted { $0.sortIndex < $1.sortIndex } }
        func upsert(_ item: Item) { rows[item.id] = item }
        func delete(id: UUID) { rows[id] = nil }
    }

    actor MockTagDB: TagDBProtocol {
        func fetchAll() async throws -> [Tag] { [] }
        func upsert(_ tag: Tag) async throws {}
        func delete(id: UUID) async throws {}
    }

    // MARK: Feature reducer

    struct ItemBrowserReducer: SwiduxReducer {

        func reduce(
            state: inout AppState,
            action: ItemBrowserAction,
            environment: AppEnvironment
        ) -> Effect? {
            switch action {
            case .selectItem(let id):
                state.ui.selectedItemID = id
                let preferences = environment.preferences
                return { _ in
                    await preferences.setSelectedItemID(id)
                }

            case .restoreSelection:
                let preferences = environment.preferences
                let allItems = state.items
                return { send in
                    if let id = await preferences.getSelectedItemID(),
                        allItems.contains(id)
                    {
                        await send(.itemBrowser(.selectItem(id)))
                    }
                }

            case .create:
                let analytics = environment.analytics
                let newItem = Item(
                    name: "New Item",
                    sortIndex: state.items.count
                )
                state.items[newItem.id] = newItem
                state.ui.selectedItemID = newItem.id
                return { _ in
                    await analytics.track(event: .itemCreated)
                }

            case .delete(let id):
                let analytics = environment.analytics
                if state.ui.selectedItemID == id {
                    state.ui.selectedItemID = nil
                }
                state.items[id] = nil
                return { _ in
                    await analytics.track(event: .itemDeleted)
                }

            case .rename(let id, let newName):
                let trimmed = newName.trimmingCharacters(in: .whitespacesAndNewlines)
                guard !trimmed.isEmpty else { return nil }
                state.items.modify(id) { $0.name = trimmed }

            case .reorder(let fromIndex, let toIndex):
                var sorted = state.items.values.sorted { $0.sortIndex < $1.sortIndex }
                guard fromIndex >= 0, fromIndex < sorted.count,
                    toIndex >= 0, toIndex < sorted.count
                else { return nil }
                let item = sorted.remove(at: fromIndex)
                sorted.insert(item, at: toIndex)
                for (i, reorderedItem) in sorted.enumerated() {
                    state.items.modify(reorderedItem.id) { $0.sortIndex = i }
                }
            }

            return nil
        }
    }

    struct InspectorReducer: SwiduxReducer {
        func reduce(
            state: inout AppState,
            action: InspectorAction,
            environment: AppEnvironment
        ) -> Effect? {
            guard let selected = state.selectedItem else { return nil }
            let copy = Item(name: selected.name, sortIndex: state.items.count)
            return { send in await send(.itemInserted(copy)) }
        }
    }

    // MARK: AppReducer

    struct AppReducer: SwiduxReducer {
        let itemBrowser = ItemBrowserReducer()
        let inspector = InspectorReducer()

        let itemDB: any ItemDBProtocol
        let tagDB: any TagDBProtocol

        static func mock() -> AppReducer {
            AppReducer(
                itemDB: ItemDB(),
                tagDB: MockTagDB()
            )
        }

        func reduce(
            state: inout AppState,
            action: AppAction,
            environment: AppEnvironment
        ) -> Effect? {
            switch action {
            case .itemInserted(let item):
                state.items[item.id] = item

            case .itemBrowser(let action):
                return itemBrowser.reduce(state: &state, action: action, environment: environment)

            case .inspector(let action):
                return inspector.reduce(state: &state, action: action, environment: environment)
            }

            return nil
        }
    }

    // MARK: AppStore

    @Observable
    final class AppStore: SwiduxDispatcher {
        private(set) var items = EntityStore<Item>()
        private(set) var tags = EntityStore<Tag>()

        private(set) var ui = UIState()

        private let environment: AppEnvironment
        private let reducer: AppReducer
        let persistence: PersistenceMiddleware<AppState>
        private(set) var failure: (any Error)?

        init(
            initialState: AppState = .init(),
            environment: AppEnvironment,
            reducer: AppReducer
        ) {
            self.items = initialState.items
            self.tags = initialState.tags
            self.ui = initialState.ui

            self.environment = environment
            self.reducer = reducer

            self.persistence = PersistenceMiddleware(
                writers: [
                    StateWriter(keyPath: \.tags) { [reducer] writes, deletes in
                        for tag in writes { try await reducer.tagDB.upsert(tag) }
                        for id in deletes { try await reducer.tagDB.delete(id: id) }
                    },
                    StateWriter(keyPath: \.items) { [reducer] writes, deletes in
                        for item in writes { try await reducer.itemDB.upsert(item) }
                        for id in deletes { try await reducer.itemDB.delete(id: id) }
                    },
                ]
            )
        }

        func send(_ action: AppAction) {
            var state = AppState(items: items, tags: tags, ui: ui)

            let effect = reducer.reduce(
                state: &state,
                action: action,
                environment: environment
            )

            persistence.afterReduce(state: &state)

            self.items = state.items
            self.tags = state.tags
            self.ui = state.ui

            if let effect {
                Task { [weak self] in
                    await effect { action in self?.send(action) }
                }
            }
        }

        func hydrate() async {
            do {
                async let fetchedItems = reducer.itemDB.fetchAll()
                async let fetchedTags = reducer.tagDB.fetchAll()

                let (loadedItems, loadedTags) = try await (fetchedItems, fetchedTags)

                var itemStore = EntityStore<Item>()
                for item in loadedItems { itemStore[item.id] = item }

                var tagStore = EntityStore<Tag>()
                for tag in loadedTags { tagStore[tag.id] = tag }

                self.items = itemStore
                self.tags = tagStore
            } catch {
                failure = error
            }
        }
    }

    // MARK: Controlled component

    /// The binding of `TextField("Name", text:)`.
    struct NameField {
        let store: AppStore
        let itemID: UUID

        var text: String {
            get { store.items[itemID]?.name ?? "" }
            nonmutating set { store.send(.itemBrowser(.rename(itemID, newName: newValue))) }
        }
    }
}

// MARK: Convenience accessors

extension CodePatterns.AppState {
    var selectedItem: CodePatterns.Item? {
        guard let id = ui.selectedItemID else { return nil }
        return items[id]
    }
}
