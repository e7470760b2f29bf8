import Foundation
import Swidux
import SwiduxJSON

nonisolated struct Todo: Identifiable, Equatable, Codable, Ranked {
    let id: UUID
    var title: String
    var isDone = false
    var rank = Rank.between(nil, nil)
}

nonisolated struct TodoList { var todos = EntityStore<Todo>() }

enum TodoAction {
    case add(String)
    case toggle(UUID)
    case remove(UUID)
    case rename(UUID, String)
    case move(UUID, before: UUID)
    case undo
}

struct TodoEnvironment { var makeID = { UUID() } }

func reduce(
    _ list: inout TodoList, _ action: TodoAction, _ environment: TodoEnvironment
) -> Effect<TodoAction>? {
    switch action {
    case .add(let title): list.todos.append(Todo(id: environment.makeID(), title: title))
    case .toggle(let id): list.todos.modify(id) { $0.isDone.toggle() }
    case .remove(let id): list.todos[id] = nil
    case .rename(let id, let title): list.todos.modify(id) { $0.title = title }
    case .move(let id, let next): list.todos.move(id, before: next)
    case .undo: break
    }
    return nil
}

typealias TodoStore = Store<TodoList, TodoAction, TodoEnvironment>

@MainActor func openTodos(at path: String, environment: TodoEnvironment) throws -> TodoStore {
    try TodoStore(
        initialState: TodoList(), reducer: Reduce(reduce), environment: environment,
        keeping: [Kept("todos", \.todos)], in: JSONFile(path, format: "todos"),
        undo: { action, _ in if case .undo = action { .undo } else { .command() } })
}
