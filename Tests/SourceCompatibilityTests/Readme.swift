import Foundation
import Observation
@_exported import Swidux

/// The application of the original README, as its reader types it: the main actor by default, and
/// only Swidux imported. Parts of SwiftUI or SwiftData are a function or an actor here.
enum Readme {
    // MARK: App/Effect.swift

    typealias Send = Swidux.Send<AppAction>
    typealias Effect = Swidux.Effect<AppAction>

    // MARK: App/AppState.swift

    struct AppState: Sendable {
        var items = EntityStore<Item>()
        var tags = EntityStore<Tag>()
        var ui = UIState()
    }

    struct UIState: Sendable {
        var selectedItemID: UUID?
    }

    // MARK: App/AppAction.swift

    enum AppAction: Sendable {
        case items(ItemAction)
        case tags(TagAction)
    }

    enum ItemAction: Sendable {
        case create
        case rename(UUID, newName: String)
        case sort
        case delete(UUID)
    }

    enum TagAction: Sendable {
        case create(name: String)
    }

    // MARK: Models

    nonisolated struct Item: Identifiable, Equatable, Sendable {
        let id: UUID
        var name: String
        var sortIndex: Int

        nonisolated init(id: UUID = UUID(), name: String, sortIndex: Int = 0) {
            self.id = id
            self.name = name
            self.sortIndex = sortIndex
        }
    }

    nonisolated struct Tag: Identifiable, Equatable, Sendable {
        let id: UUID
        var name: String

        nonisolated init(id: UUID = UUID(), name: String) {
            self.id = id
            self.name = name
        }
    }

    // MARK: Services

    protocol ItemDBProtocol: Sendable {
        func upsert(_ item: Item) async throws
        func delete(id: UUID) async throws
    }

    protocol TagDBProtocol: Sendable {
        func upsert(_ tag: Tag) async throws
        func delete(id: UUID) async throws
    }

    actor ItemDB: ItemDBProtocol {
        private(set) var rows: [UUID: Item] = [:]
        private(set) var upserts: [UUID] = []

        func upsert(_ item: Item) {
            rows[item.id] = item
            upserts.append(item.id)
        }

        func delete(id: UUID) { rows[id] = nil }
    }

    actor TagDB: TagDBProtocol {
        private(set) var rows: [UUID: Tag] = [:]

        func upsert(_ tag: Tag) { rows[tag.id] = tag }
        func delete(id: UUID) { rows[id] = nil }
    }

    struct AppEnvironment: Sendable {
        let track: @Sendable (String) async -> Void
    }

    // MARK: App/AppReducer.swift

    struct AppReducer: SwiduxReducer {
        let itemReducer = ItemReducer()
        let tagReducer = TagReducer()

        let itemDB: any ItemDBProtocol
        let tagDB: any TagDBProtocol

        func reduce(
            state: inout AppState,
            action: AppAction,
            environment: AppEnvironment
        ) -> Effect? {
            switch action {
            case .items(let action):
                return itemReducer.reduce(state: &state, action: action, environment: environment)
            case .tags(let action):
                return tagReducer.reduce(state: &state, action: action, environment: environment)
            }
        }
    }

    // MARK: Features

    struct ItemReducer: SwiduxReducer {
        func reduce(
            state: inout AppState,
            action: ItemAction,
            environment: AppEnvironment
        ) -> Effect? {
            switch action {
            case .create:
                let item = Item(name: "New Item", sortIndex: state.items.count)
                state.items[item.id] = item
                state.ui.selectedItemID = item.id
                return { send in
                    await environment.track("created")
                    await send(.items(.rename(item.id, newName: "Created Item")))
                }
            case .rename(let id, let newName):
                state.items.modify(id) { $0.name = newName }
            case .sort:
                state.items.sort { $0.sortIndex > $1.sortIndex }
            case .delete(let id):
                state.items[id] = nil
            }
            return nil
        }
    }

    struct TagReducer: SwiduxReducer {
        func reduce(
            state: inout AppState,
            action: TagAction,
            environment: AppEnvironment
        ) -> Effect? {
            switch action {
            case .create(let name):
                let tag = Tag(name: name)
                state.tags[tag.id] = tag
            }
            return nil
        }
    }

    // MARK: App/AppStore.swift

    @Observable
    final class AppStore: SwiduxDispatcher {
        private(set) var items = EntityStore<Item>()
        private(set) var tags = EntityStore<Tag>()
        private(set) var ui = UIState()

        private let environment: AppEnvironment
        private let reducer: AppReducer
        let persistence: PersistenceMiddleware<AppState>

        init(environment: AppEnvironment, reducer: AppReducer) {
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
                state: &state, action: action, environment: environment
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
    }

    /// The content of `ItemListView`.
    struct ItemList {
        let store: AppStore

        var lines: [String] { store.items.values.map { item in item.name } }
    }
}
