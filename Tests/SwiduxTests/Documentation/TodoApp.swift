import Foundation
import Swidux

nonisolated struct Todo: Identifiable, Equatable, Codable, Ranked {
    var id = UUID()
    var title: String
    var isDone = false
    var rank = Rank.between(nil, nil)
}

nonisolated struct TodoList {
    var todos = EntityStore<Todo>()
}

enum TodoAction {
    case add(String)
    case toggle(UUID)
    case remove(UUID)
    case rename(UUID, String)
    case move(UUID, before: UUID)
    case undo
}

func reduce(_ list: inout TodoList, _ action: TodoAction) {
    switch action {
    case .add(let title): list.todos.append(Todo(title: title))
    case .toggle(let id): list.todos.modify(id) { $0.isDone.toggle() }
    case .remove(let id): list.todos[id] = nil
    case .rename(let id, let title): list.todos.modify(id) { $0.title = title }
    case .move(let id, let next): list.todos.move(id, before: next)
    case .undo: break
    }
}

@MainActor func openTodos(at path: String) throws -> Store<TodoList, TodoAction, Void> {
    try Store(
        initialState: TodoList(), reducer: Reduce(reduce), environment: (),
        keeping: [Kept("todos", \.todos)], in: JSONFile(path, format: "todos"),
        undo: { action, _ in if case .undo = action { .undo } else { .command() } })
}
