import Foundation
import Swidux

/// The application of the original README: it keeps the stores itself and calls the middleware by
/// hand.
enum Seed000 {
    typealias Send = Swidux.Send<AppAction>
    typealias Effect = Swidux.Effect<AppAction>

    struct Item: Identifiable, Equatable, Sendable {
        let id: UUID
        var name: String
        var tagID: UUID?

        nonisolated init(id: UUID = UUID(), name: String, tagID: UUID? = nil) {
            self.id = id
            self.name = name
            self.tagID = tagID
        }
    }

    struct Tag: Identifiable, Equatable, Sendable {
        let id: UUID
        var name: String
    }

    struct UIState: Equatable, Sendable {
        var selectedItemID: UUID?
    }

    struct AppState: Sendable {
        var items = EntityStore<Item>()
        var tags = EntityStore<Tag>()
        var ui = UIState()
    }

    enum AppAction: Sendable {
        case items(ItemAction)
        case tags(TagAction)
    }

    enum ItemAction: Sendable {
        case create
        case rename(UUID, newName: String)
        case tag(UUID, with: UUID)
        case delete(UUID)
    }

    enum TagAction: Sendable {
        case create(Tag)
        case delete(UUID)
    }

    struct AppEnvironment: Sendable {
        let makeID: @Sendable () -> UUID
        let created: @Sendable (UUID) async -> Void
    }

    struct ItemReducer: SwiduxReducer {
        func reduce(
            state: inout AppState, action: ItemAction, environment: AppEnvironment
        ) -> Effect? {
            switch action {
            case .create:
                let item = Item(id: environment.makeID(), name: "New Item")
                state.items[item.id] = item
                state.ui.selectedItemID = item.id
                return { send in
                    await environment.created(item.id)
                    await send(.items(.rename(item.id, newName: "Created Item")))
                }
            case .rename(let id, let newName):
                state.items.modify(id) { $0.name = newName }
            case .tag(let id, let tag):
                state.items.modify(id) { $0.tagID = tag }
            case .delete(let id):
                state.items[id] = nil
            }
            return nil
        }
    }

    struct TagReducer: SwiduxReducer {
        func reduce(
            state: inout AppState, action: TagAction, environment: AppEnvironment
        ) -> Effect? {
            switch action {
            case .create(let tag): state.tags[tag.id] = tag
            case .delete(let id):
                for item in state.items where item.tagID == id {
                    state.items.modify(item.id) { $0.tagID = nil }
                }
                state.tags[id] = nil
            }
            return nil
        }
    }

    struct AppReducer: SwiduxReducer {
        let itemReducer = ItemReducer()
        let tagReducer = TagReducer()

        let itemDB: any ItemDBProtocol
        let tagDB: any TagDBProtocol

        func reduce(
            state: inout AppState, action: AppAction, environment: AppEnvironment
        ) -> Effect? {
            switch action {
            case .items(let action):
                return itemReducer.reduce(state: &state, action: action, environment: environment)
            case .tags(let action):
                return tagReducer.reduce(state: &state, action: action, environment: environment)
            }
        }
    }

    @MainActor
    final class AppStore: SwiduxDispatcher {
        private(set) var items = EntityStore<Item>()
        private(set) var tags = EntityStore<Tag>()
        private(set) var ui = UIState()

        let persistence: PersistenceMiddleware<AppState>
        private let environment: AppEnvironment
        private let reducer: AppReducer
        /// The document leaves its tasks to themselves; a test has to wait for them.
        private(set) var tasks: [Task<Void, Never>] = []

        init(
            environment: AppEnvironment, reducer: AppReducer,
            options: PersistenceOptions = PersistenceOptions()
        ) {
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
                ],
                debounce: .milliseconds(250),
                options: options)
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
                tasks.append(
                    Task { [weak self] in
                        await effect { action in self?.send(action) }
                    })
            }
        }
    }

    /// The content of the view: a line for each item.
    @MainActor
    static func itemList(_ store: AppStore) -> [String] {
        store.items.values.map { item in
            let tag = item.tagID.flatMap { store.tags[$0]?.name }
            return tag.map { "\(item.name) #\($0)" } ?? item.name
        }
    }
}
