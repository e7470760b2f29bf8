import Foundation
import Swidux
import SwiduxTesting
import Testing

@Suite("Undo history")
@MainActor
struct UndoHistoryTests {
    private let id = UUID.numbered(1)

    private func makePipeline(limit: Int = 64 << 20) -> Pipeline {
        Pipeline(ListState(rows: EntityStore([Row(1, "first")])), limit: limit)
    }

    private func rename(_ pipeline: Pipeline, _ name: String) {
        pipeline.edit { $0.rows.modify(.numbered(1)) { $0.name = name } }
    }

    @Test("steps that can no longer be redone are given back")
    func redoIsForgotten() {
        let pipeline = makePipeline()
        let fresh = makePipeline()
        rename(fresh, "other")
        for name in ["one", "two", "three"] { rename(pipeline, name) }
        for _ in 0..<3 { pipeline.store.send(.undo) }
        rename(pipeline, "other")
        #expect(!pipeline.undo.canRedo)
        #expect(pipeline.undo.size == fresh.undo.size)
    }

    @Test("the parts of a command are one step, whatever is done between them")
    func parts() {
        let pipeline = Pipeline.three()
        let before = pipeline.state
        pipeline.store.send(.part(of: 1) { $0.rows.modify(.numbered(1)) { $0.name = "one" } })
        pipeline.edit { $0.parents[.numbered(9)] = Row(9) }
        pipeline.store.send(.part(of: 1) { $0.rows.modify(.numbered(2)) { $0.name = "two" } })
        pipeline.store.send(.part(of: 1) { $0.rows[.numbered(3)] = nil })
        pipeline.store.send(.part(of: 2) { $0.rows.modify(.numbered(1)) { $0.name = "again" } })
        let after = pipeline.state
        pipeline.store.send(.undo)
        #expect(pipeline.state.rows[.numbered(1)]?.name == "one")
        pipeline.store.send(.undo)
        #expect(pipeline.state.parents.isEmpty)
        pipeline.store.send(.undo)
        #expect(pipeline.state == before)
        #expect(!pipeline.undo.canUndo)
        for _ in 0..<3 { pipeline.store.send(.redo) }
        #expect(pipeline.state.rows.values == after.rows.values)
    }

    @Test("the newest step is kept, however large, and those before it go")
    func largeStep() {
        let fresh = makePipeline()
        rename(fresh, "a name")
        let pipeline = makePipeline(limit: fresh.undo.size / 2)
        for number in 0..<4 { rename(pipeline, "name \(number)") }
        #expect(pipeline.undo.size == fresh.undo.size)
        pipeline.store.send(.undo)
        #expect(pipeline.state.rows[id]?.name == "name 2")
        #expect(!pipeline.undo.canUndo)
    }

    @Test("beyond its limit the oldest steps go, and the newest can be undone")
    func limit() {
        let fresh = makePipeline()
        rename(fresh, "a name")
        let pipeline = makePipeline(limit: fresh.undo.size * 3)
        for number in 0..<9 { rename(pipeline, "name \(number)") }
        #expect(pipeline.undo.size <= fresh.undo.size * 3)
        for _ in 0..<9 { pipeline.store.send(.undo) }
        #expect(pipeline.state.rows[id]?.name == "name 5")
        #expect(!pipeline.undo.canUndo)
    }
}
