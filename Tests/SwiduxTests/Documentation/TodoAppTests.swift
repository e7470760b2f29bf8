import Foundation
import Swidux
import SwiduxJSON
import Testing

@MainActor
@Suite("The small app") struct TodoAppTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let environment = TodoEnvironment()
    private var path: String { folder.file("todos.json") }

    private func titles(_ store: TodoStore) -> [String] {
        store.state.todos.map { ($0.isDone ? "✓ " : "○ ") + $0.title }
    }

    @Test("what was added, toggled, removed, renamed, moved and undone is there at the next start")
    func wholeLife() async throws {
        let shown = try await firstRun()
        let store = try openTodos(at: path, environment: environment)
        #expect(store.state.todos.values == shown)
        store.send(.undo)
        #expect(store.state.todos.values == shown)
    }

    private func firstRun() async throws -> [Todo] {
        let store = try openTodos(at: path, environment: environment)
        for title in ["Milk", "Bread", "Tea", "Salt"] { store.send(.add(title)) }
        let ids = store.state.todos.map(\.id)
        store.send(.toggle(ids[0]))
        store.send(.rename(ids[1], "Rye bread"))
        store.send(.move(ids[2], before: ids[0]))
        store.send(.remove(ids[3]))
        await store.flush()
        store.send(.remove(ids[0]))
        store.send(.undo)
        #expect(titles(store) == ["○ Tea", "✓ Milk", "○ Rye bread"])
        await store.flush()
        #expect(store.saveStatus.phase == .saved)
        return store.state.todos.values
    }

    @Test("a view is told what to draw")
    func view() async throws {
        let (lines, drawn) = AsyncStream.makeStream(of: [String].self)
        let draw: ([String]) -> Void = { drawn.yield($0) }
        let todos = try openTodos(at: path, environment: TodoEnvironment())
        let subscription = todos.subscribe(to: { $0.todos }, oncePerTurn: true) { list in
            draw(list.map { ($0.isDone ? "✓ " : "○ ") + $0.title })
        }
        todos.send(.add("Milk"))
        var frames = lines.makeAsyncIterator()
        #expect(await frames.next() == ["○ Milk"])
        subscription.cancel()
        await todos.flush()
    }

    @Test("every command is undone, the last one first")
    func undo() throws {
        let store = try openTodos(at: path, environment: environment)
        store.send(.add("Milk"))
        store.send(.add("Bread"))
        let ids = store.state.todos.map(\.id)
        store.send(.toggle(ids[0]))
        store.send(.rename(ids[1], "Rye"))
        store.send(.move(ids[1], before: ids[0]))
        store.send(.remove(ids[0]))
        var seen = [titles(store)]
        for _ in 1...6 {
            #expect(store.undoHistory?.canUndo == true)
            store.send(.undo)
            seen.append(titles(store))
        }
        #expect(
            seen == [
                ["○ Rye"], ["○ Rye", "✓ Milk"], ["✓ Milk", "○ Rye"], ["✓ Milk", "○ Bread"],
                ["○ Milk", "○ Bread"], ["○ Milk"], [],
            ])
        #expect(store.undoHistory?.canUndo == false)
    }

    @Test("it takes at most 40 lines of code and 9 names of Swidux")
    func size() throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let app = try String(contentsOf: here.appending(path: "TodoApp.swift"), encoding: .utf8)
        #expect(app.split(separator: "\n").count <= 40)
        let names = Set(
            app.split { !$0.isLetter }.filter { $0.first?.isUppercase == true }.map(String.init))
        let others: Set = [
            "Codable", "Equatable", "Foundation", "Identifiable", "MainActor", "String", "Swidux",
            "SwiduxJSON", "Todo", "TodoAction", "TodoEnvironment", "TodoList", "TodoStore", "UUID",
        ]
        #expect(
            names.subtracting(others).sorted()
                == [
                    "Effect", "EntityStore", "JSONFile", "Kept", "Rank", "Ranked", "Reduce",
                    "Store",
                ])
        // With `UndoRole`, which goes without saying.
        #expect(names.subtracting(others).count + 1 <= 9)
    }
}
