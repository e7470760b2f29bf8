import Foundation
import Swidux

/// The programs of the Store document: state, actions, a reducer function and effect functions
/// each.
enum Seed002 {
    typealias Reducer<State, Action> = (inout State, Action) -> Void

    struct User: Equatable, Sendable {
        var id: String
        var name: String
    }

    struct AppState: Sendable {
        var count: Int = 0
        var isLoading: Bool = false
        var user: User? = nil
    }

    enum AppAction: Sendable {
        case increment
        case decrement
        case fetchUser(id: String)
        case userLoaded(User)
        case userLoadFailed(any Error)
    }

    @MainActor
    static let appReducer: Reducer<AppState, AppAction> = { state, action in
        switch action {
        case .increment:
            state.count += 1

        case .decrement:
            state.count -= 1

        case .fetchUser:
            state.isLoading = true

        case .userLoaded(let user):
            state.user = user
            state.isLoading = false

        case .userLoadFailed:
            state.isLoading = false
        }
    }

    struct UnknownUser: Error {}

    static func fetchUserFromAPI(id: String) async throws -> User {
        guard id == "123" else { throw UnknownUser() }
        return User(id: id, name: "Ada")
    }

    static func userEffect(action: AppAction, state: AppState) async -> AppAction? {
        switch action {
        case .fetchUser(let id):
            do {
                let user = try await fetchUserFromAPI(id: id)
                return .userLoaded(user)
            } catch {
                return .userLoadFailed(error)
            }
        default:
            return nil
        }
    }

    struct CounterState: Sendable {
        var value: Int = 0
    }

    enum CounterAction: Sendable {
        case increment
        case decrement
        case incrementAsync
    }

    @MainActor
    static let counterReducer: Reducer<CounterState, CounterAction> = { state, action in
        switch action {
        case .increment, .incrementAsync:
            state.value += 1
        case .decrement:
            state.value -= 1
        }
    }

    /// The document's function sleeps by the system's clock; here the clock is handed in.
    static func counterEffects(
        clock: any Clock<Duration>
    ) -> FollowUp<CounterState, CounterAction> {
        { action, state in
            switch action {
            case .incrementAsync:
                do { try await clock.sleep(for: .seconds(1)) } catch { return nil }
                return .increment
            default:
                return nil
            }
        }
    }

    struct Todo: Equatable, Sendable {
        var id: String
        var title: String
        var isCompleted = false
    }

    struct TodoState: Sendable {
        var todos: [Todo] = []
        var isLoading: Bool = false
    }

    enum TodoAction: Sendable {
        case add(Todo)
        case remove(id: String)
        case toggleComplete(id: String)
        case loadTodos
        case todosLoaded([Todo])
    }

    @MainActor
    static let todoReducer: Reducer<TodoState, TodoAction> = { state, action in
        switch action {
        case .add(let todo):
            state.todos.append(todo)

        case .remove(let id):
            state.todos.removeAll { $0.id == id }

        case .toggleComplete(let id):
            if let index = state.todos.firstIndex(where: { $0.id == id }) {
                state.todos[index].isCompleted.toggle()
            }

        case .loadTodos:
            state.isLoading = true

        case .todosLoaded(let todos):
            state.todos = todos
            state.isLoading = false
        }
    }

    struct SearchResult: Equatable, Sendable {
        var title: String
    }

    struct SearchState: Sendable {
        var query: String = ""
        var results: [SearchResult] = []
        var isSearching: Bool = false
    }

    enum SearchAction: Sendable {
        case updateQuery(String)
        case search
        case searchCompleted([SearchResult])
    }

    @MainActor
    static let searchReducer: Reducer<SearchState, SearchAction> = { state, action in
        switch action {
        case .updateQuery(let query):
            state.query = query

        case .search:
            state.isSearching = true

        case .searchCompleted(let results):
            state.results = results
            state.isSearching = false
        }
    }

    /// Cancels by hand, with a task of its own.
    @MainActor
    final class SearchStore {
        let store: Store<SearchState, SearchAction, Void>
        private(set) var searchTask: Task<Void, Never>?
        private let clock: any Clock<Duration>

        init(clock: any Clock<Duration>) {
            self.clock = clock
            store = Store(
                initialState: SearchState(),
                reducer: searchReducer,
                effects: []
            )
        }

        func search(query: String) {
            searchTask?.cancel()

            searchTask = Task {
                store.send(.updateQuery(query))
                await store.dispatch(.search).value

                do {
                    try await clock.sleep(for: .milliseconds(500))
                    let results = try await performSearch(query: query)
                    await store.dispatch(.searchCompleted(results)).value
                } catch {
                    // The next search, which has cancelled this one, shows its own results.
                }
            }
        }

        private func performSearch(query: String) async throws -> [SearchResult] {
            try Task.checkCancellation()
            return [SearchResult(title: "All of \(query)")]
        }
    }

    /// The content of the view.
    @MainActor
    static func contentView(_ store: Store<AppState, AppAction, Void>) -> [String] {
        ["Count: \(store.state.count)"] + (store.state.isLoading ? ["…"] : [])
    }
}
