import Foundation
import Swidux
import SwiduxJSON
import Testing

private struct Chore: Identifiable, Equatable, Codable {
    var id: Int
    var title: String
    var priority: Int
}

private struct Tag: Identifiable, Equatable, Codable {
    var id: String
}

private struct TodoState {
    var todos = EntityStore<Chore>()
    var tags = EntityStore([Tag(id: "first")])
}

/// Files that earlier and other versions of a program wrote.
@MainActor
@Suite("Migration of kept stores") struct MigrationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let earlier = #"""
        {"swidux":1,"format":"todos","version":1,"entities":{
        "tasks":[
        {"id":1,"name":"Milk"},
        {"id":2,"name":"Bread"}
        ],
        "drafts":[
        {"id":9,"size":12345678901234567890,"share":0.1,"ratio":1.25e-7}
        ]}}

        """#

    private func open(
        _ version: Int = 2, unknownStores: JSONFile.UnknownStores = .refused,
        migrate: (@Sendable (inout EarlierFile) throws -> Void)? = nil
    ) async throws -> (store: Store<TodoState, Int, Void>, file: JSONFile) {
        let file = JSONFile(
            folder.file("list.json"), format: "todos", version: version,
            unknownStores: unknownStores, migrate: migrate)
        let store = try await openedAgain {
            try Store(
                initialState: TodoState(),
                reducer: Reduce<TodoState, Int, Int, Void> { state, id in
                    state.todos[id] = Chore(id: id, title: "new", priority: 0)
                },
                environment: (), keeping: [Kept("todos", \.todos), Kept("tags", \.tags)],
                in: file)
        }
        return (store, file)
    }

    @Sendable private nonisolated static func migrate(_ file: inout EarlierFile) {
        #expect(file.version == 1)
        file.rename("tasks", to: "todos")
        file.transform("todos") { todo in
            todo["title"] = todo.removeValue(forKey: "name")
            todo["priority"] = .integer(3)
        }
        file.drop("drafts")
    }

    @Test("stores are renamed, dropped and transformed, and saved as the new version")
    func migrated() async throws {
        try folder.write(Self.earlier, to: "list.json")
        try await checkMigrated()
        let (store, _) = try await open(migrate: { _ in Issue.record("it is of this version") })
        #expect(store.state.todos.count == 3)
    }

    private func checkMigrated() async throws {
        let (store, _) = try await open(migrate: Self.migrate)
        #expect(
            store.state.todos.values == [
                Chore(id: 1, title: "Milk", priority: 3), Chore(id: 2, title: "Bread", priority: 3),
            ])
        store.send(3)
        await store.persistence?.flush()
        #expect(try folder.text(of: "list.json").contains(#""version":2"#))
        #expect(try !folder.text(of: "list.json").contains("drafts"))
    }

    @Test("a store that the file lacks begins with the entities of the initial state")
    func missing() async throws {
        try folder.write(
            #"{"swidux":1,"format":"todos","version":2,"entities":{"todos":[]}}"#, to: "list.json")
        let (store, _) = try await open()
        #expect(store.state.tags.map(\.id) == ["first"])
        store.send(1)
        await store.persistence?.flush()
        #expect(try folder.text(of: "list.json").contains("first"))
    }

    @Test("a store that the program does not keep is refused by name, or stays as it is")
    func unknown() async throws {
        try folder.write(Self.earlier, to: "list.json")
        let failure = await #expect(throws: JSONFile.Failure.self) { _ = try await open() }
        #expect(
            failure?.reason.contains("drafts") == true || failure?.reason.contains("tasks") == true)
        let (store, _) = try await open(unknownStores: .kept)
        store.send(1)
        await store.persistence?.flush()
        let text = try folder.text(of: "list.json")
        #expect(text.contains(#"{"id":1,"name":"Milk"}"#) && text.contains("12345678901234567890"))
        #expect(text.contains(#""share":0.1}"#) || text.contains(#""share":0.1,"#))
    }

    @Test("an error of a migration, and a property that is missing, are named; the file stays")
    func named() async throws {
        try folder.write(Self.earlier, to: "list.json")
        let failure = await #expect(throws: JSONFile.Failure.self) {
            _ = try await open { file in
                file.rename("tasks", to: "todos")
                file.drop("drafts")
            }
        }
        #expect(failure?.reason == "entities.todos[0].title is missing")
        #expect(try folder.text(of: "list.json") == Self.earlier)
    }

    @Test("new times on the same bytes do not stop saving")
    func touched() async throws {
        let (store, _) = try await open()
        utimes(folder.file("list.json"), nil)
        store.send(1)
        await store.persistence?.flush()
        #expect(store.persistence?.status.phase == .saved)
        #expect(try folder.text(of: "list.json").contains("new"))
    }

    @Test(
        "a file that another program changed or deleted is written again once that is allowed",
        arguments: [true, false])
    func overwritten(isDeleted: Bool) async throws {
        let (store, file) = try await open()
        if isDeleted {
            unlink(folder.file("list.json"))
        } else {
            try folder.write("mine\n", to: "list.json")
        }
        store.send(1)
        await store.persistence?.flush()
        #expect(store.persistence?.status.failure != nil)
        file.overwrite()
        await store.persistence?.flush()
        #expect(store.persistence?.status.phase == .saved)
        #expect(try folder.text(of: "list.json").contains("new"))
        // The permission was for once.
        try folder.write("mine again\n", to: "list.json")
        store.send(2)
        await store.persistence?.flush()
        #expect(store.persistence?.status.failure != nil)
        #expect(try folder.text(of: "list.json") == "mine again\n")
    }
}
