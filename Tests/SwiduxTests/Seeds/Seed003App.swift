import Foundation
import Swidux

/// The todo lists of the SwiftDux document, and the view that maps the state to its own model.
enum Seed003 {
    struct TodoItemState: Codable, Hashable, Identifiable, Sendable {
        var id: String
        var text: String
    }

    struct TodoListState: Codable, Hashable, Identifiable, Sendable {
        var id: String
        var name: String
        var orderOfTodos: [String] = []
        var todoById: [String: TodoItemState] = [:]
    }

    struct AppState: Codable, Hashable, Sendable {
        var orderOfTodoLists: [String] = []
        var todoListById: [String: TodoListState] = [:]

        static let defaultState = AppState(
            orderOfTodoLists: ["home", "work"],
            todoListById: [
                "home": TodoListState(id: "home", name: "Home"),
                "work": TodoListState(id: "work", name: "Work"),
            ])
    }

    enum TodoListAction: Sendable {
        case addTodo(text: String)
        case removeTodos(at: IndexSet)
        case moveTodos(from: IndexSet, to: Int)
    }

    enum AppAction: Sendable {
        case todoList(id: String, TodoListAction)
        case renameTodoList(id: String, name: String)
    }

    struct AppEnvironment: Sendable {
        var makeID: @Sendable () -> String
    }

    struct TodoListReducer: SwiduxReducer {
        func reduce(
            state: inout TodoListState, action: TodoListAction, environment: AppEnvironment
        ) -> Effect<AppAction>? {
            switch action {
            case .addTodo(let text):
                let id = environment.makeID()
                state.todoById[id] = TodoItemState(id: id, text: text)
                state.orderOfTodos.insert(id, at: 0)
            case .removeTodos(let indexSet):
                indexSet.forEach { state.todoById.removeValue(forKey: state.orderOfTodos[$0]) }
                state.orderOfTodos.remove(at: indexSet)
            case .moveTodos(let indexSet, let index):
                let ids = Array(indexSet.map { state.orderOfTodos[$0] })
                state.orderOfTodos.remove(at: indexSet)
                // A list view counts the rows that are moved away; the array no longer has them.
                let place = index - indexSet.count(in: 0..<index)
                state.orderOfTodos.insert(contentsOf: ids, at: place)
            }
            return nil
        }
    }

    struct AppReducer: SwiduxReducer {
        let todoLists = TodoListReducer()

        func reduce(
            state: inout AppState, action: AppAction, environment: AppEnvironment
        ) -> Effect<AppAction>? {
            switch action {
            case .todoList(let id, let action):
                guard var list = state.todoListById.removeValue(forKey: id) else { return nil }
                defer { state.todoListById[id] = list }
                return todoLists.reduce(state: &list, action: action, environment: environment)
            case .renameTodoList(let id, let name):
                state.todoListById[id]?.name = name
                return nil
            }
        }
    }

    static func mapStateToTodoLists(state: AppState) -> [TodoListState] {
        state.orderOfTodoLists.compactMap { state.todoListById[$0] }
    }

    /// A view that is given a part of the state and something to send by, and knows no store.
    @MainActor
    struct TodoListDetails {
        var todoList: TodoListState
        var dispatcher: Dispatcher<TodoListAction>

        var todos: [TodoItemState] {
            todoList.orderOfTodos.compactMap { todoList.todoById[$0] }
        }

        func addTodo() { dispatcher.send(.addTodo(text: "New Todo Item")) }

        func removeTodo(at indexSet: IndexSet) { dispatcher.send(.removeTodos(at: indexSet)) }

        func moveTodo(from indexSet: IndexSet, to index: Int) {
            dispatcher.send(.moveTodos(from: indexSet, to: index))
        }
    }
}

extension Array {
    /// Removes the elements at these indices.
    fileprivate mutating func remove(at indices: IndexSet) {
        for index in indices.reversed() { remove(at: index) }
    }
}
