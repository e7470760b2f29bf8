import Foundation
import Swidux
import Synchronization
import Testing

@MainActor
@Suite("Seed 003: one store, many views") struct Seed003Tests {
    private typealias AppStore = Store<Seed003.AppState, Seed003.AppAction, Seed003.AppEnvironment>

    private func makeStore(
        state: Seed003.AppState = .defaultState
    ) -> AppStore {
        let last = Atomic(0)
        return Store(
            initialState: state, reducer: Seed003.AppReducer(),
            environment: Seed003.AppEnvironment {
                "todo \(last.add(1, ordering: .relaxed).newValue)"
            })
    }

    /// The view of one list, as the store has it now.
    private func details(
        of id: String, in store: AppStore
    ) throws -> Seed003.TodoListDetails {
        Seed003.TodoListDetails(
            todoList: try #require(store.state.todoListById[id]),
            dispatcher: store.dispatcher.map { .todoList(id: id, $0) })
    }

    @Test("a view sends its feature's actions, and they reach its list alone")
    func dispatcher() throws {
        let store = makeStore()
        try details(of: "home", in: store).addTodo()
        try details(of: "home", in: store).addTodo()
        #expect(try details(of: "home", in: store).todos.map(\.id) == ["todo 2", "todo 1"])
        #expect(try details(of: "work", in: store).todos == [])
    }

    @Test("todos are removed by their rows")
    func removal() throws {
        let store = makeStore()
        for _ in 1...4 { try details(of: "home", in: store).addTodo() }
        try details(of: "home", in: store).removeTodo(at: [0, 2])
        #expect(try details(of: "home", in: store).todos.map(\.id) == ["todo 3", "todo 1"])
        #expect(store.state.todoListById["home"]?.todoById.count == 2)
    }

    @Test(
        "todos are moved to the place that the view names",
        arguments: [
            (IndexSet([0]), 3, [3, 2, 4, 1]), (IndexSet([0]), 4, [3, 2, 1, 4]),
            (IndexSet([2, 3]), 0, [2, 1, 4, 3]), (IndexSet([1]), 1, [4, 3, 2, 1]),
        ])
    func move(rows: IndexSet, to place: Int, expected: [Int]) throws {
        let store = makeStore()
        for _ in 1...4 { try details(of: "home", in: store).addTodo() }
        try details(of: "home", in: store).moveTodo(from: rows, to: place)
        #expect(try details(of: "home", in: store).todos.map(\.id) == expected.map { "todo \($0)" })
    }

    @Test("a connected view is told of changes of its part, mapped, and of no others")
    func connect() {
        let store = makeStore()
        var shown: [[String]] = []
        let connection = store.subscribe(
            to: { Seed003.mapStateToTodoLists(state: $0).map(\.name) }
        ) { shown.append($0) }
        store.send(.todoList(id: "home", .addTodo(text: "Milk")))
        store.send(.renameTodoList(id: "work", name: "Office"))
        store.send(.renameTodoList(id: "nowhere", name: "None"))
        connection.cancel()
        store.send(.renameTodoList(id: "work", name: "Work"))
        #expect(shown == [["Home", "Work"], ["Home", "Office"]])
    }

    @Test("two views of one store agree after every action")
    func manyViews() {
        let store = makeStore()
        var counts: [Int] = []
        var texts: [String] = []
        let subscriptions = [
            store.subscribe(to: { $0.todoListById["home"]?.todoById.count ?? 0 }) {
                counts.append($0)
            },
            store.subscribe(to: { $0.todoListById["home"]?.todoById.values.map(\.text) ?? [] }) {
                texts += $0
            },
        ]
        store.send(.todoList(id: "home", .addTodo(text: "Milk")))
        #expect(counts == [0, 1])
        #expect(texts == ["Milk"])
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("the state is self-contained: encoded, decoded and given to a store it goes on")
    func codable() throws {
        let store = makeStore()
        try details(of: "home", in: store).addTodo()
        let data = try JSONEncoder().encode(store.state)
        let restored = makeStore(state: try JSONDecoder().decode(Seed003.AppState.self, from: data))
        #expect(restored.state == store.state)
        try details(of: "home", in: restored).removeTodo(at: [0])
        #expect(try details(of: "home", in: restored).todos == [])
    }
}
