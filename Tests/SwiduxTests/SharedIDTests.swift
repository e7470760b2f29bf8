import Foundation
import SwiduxTesting
import Testing

@testable import Swidux
@testable import SwiduxJSON

/// Two stores whose entities have the same ids.
@MainActor
@Suite struct SharedIDTests {
    private struct Tag: Identifiable, Equatable, Sendable, Codable {
        var id: Int
        var name: String
    }

    private struct Todo: Identifiable, Equatable, Sendable, Codable {
        var id: Int
        var title: String
    }

    private struct AppState: Sendable {
        var tags = EntityStore([Tag(id: 1, name: "tag")])
        var todos = EntityStore([Todo(id: 1, title: "todo")])
    }

    private struct Changes: Sendable {
        var tags = EntityChanges<Tag>()
        var todos = EntityChanges<Todo>()
    }

    private let clock = ManualClock()
    private let storage = FailingStorage<Changes>()

    private func pipeline() -> PersistencePipeline<AppState, Changes> {
        let (clock, storage) = (clock, storage)
        return PersistencePipeline(
            writers: [
                BatchWriter(keyPath: \AppState.tags, into: \Changes.tags),
                BatchWriter(keyPath: \AppState.todos, into: \Changes.todos),
            ],
            empty: { Changes() },
            options: PersistenceOptions(clock: clock)
        ) { try await storage.commit($0) }
    }

    @Test("a refusal that names its store is about no entity of another one")
    func refused() async {
        let pipeline = pipeline()
        var state = AppState()
        pipeline.begin(with: &state)
        storage.refusals = [Refusal(id: 1, in: \Changes.tags, reason: "no")]
        state.tags.modify(1) { $0.name = "new" }
        state.todos.modify(1) { $0.title = "new" }
        pipeline.afterReduce(state: &state)
        await pipeline.flush()
        #expect(
            pipeline.status.refused == [Refusal(id: 1, in: \AppState.tags, reason: "no")])
        #expect(pipeline.saveState(of: 1, in: \.tags) == .refused("no"))
        #expect(pipeline.saveState(of: 1, in: \.todos) == .committed)
        #expect(pipeline.saveState(of: 1) == .refused("no"))
        // The next change of the todo begins with the stored value.
        state.todos.modify(1) { $0.title = "newer" }
        pipeline.afterReduce(state: &state)
        #expect(pipeline.buffer.pending.todos[1]?.before?.title == "new")
    }

    @Test("how an entity stands is told for its store alone")
    func pending() {
        let pipeline = pipeline()
        var state = AppState()
        pipeline.begin(with: &state)
        state.todos.modify(1) { $0.title = "new" }
        pipeline.afterReduce(state: &state)
        #expect(pipeline.saveState(of: 1, in: \.todos) == .pending)
        #expect(pipeline.saveState(of: 1, in: \.tags) == .committed)
    }

    @Test("repeats on entities of two stores with one number are two steps")
    func coalescing() {
        let history = UndoHistory<AppState, Int>(
            tracks: [UndoTrack(\.tags), UndoTrack(\.todos)],
            classify: { action, _ in
                action == 0 ? .undo : .command(name: "rename", coalesces: true)
            })
        let store = Store(
            initialState: AppState(),
            reducer: Reduce<AppState, Int, Int, Void> { state, action in
                if action == 1 { state.tags.modify(1) { $0.name = "new" } }
                if action == 2 { state.todos.modify(1) { $0.title = "new" } }
            },
            environment: (), undo: history)
        for action in [1, 2, 0] { store.send(action) }
        #expect(store.state.tags[1]?.name == "new")
        #expect(store.state.todos[1]?.title == "todo")
    }

    @Test("a kept file refuses an entity of one store and not of another with its id")
    func kept() async throws {
        struct Measure: Identifiable, Equatable, Sendable, Codable {
            var id: Int
            var value: Double
        }
        struct KeptState: Sendable {
            var tags = EntityStore<Tag>()
            var measures = EntityStore<Measure>()
        }
        let folder = try TemporaryFolder()
        let store = try Store(
            initialState: KeptState(),
            reducer: Reduce<KeptState, Int, Int, Void> { state, id in
                state.tags[id] = Tag(id: id, name: "tag")
                state.measures[id] = Measure(id: id, value: .nan)
            },
            environment: (),
            keeping: [Kept("tags", \.tags), Kept("measures", \.measures)],
            in: JSONFile(folder.file("kept.json"), format: "kept"))
        store.send(1)
        await store.persistence?.flush()
        #expect(store.persistence?.saveState(of: 1, in: \.measures) != .committed)
        #expect(store.persistence?.saveState(of: 1, in: \.tags) == .committed)
    }
}
