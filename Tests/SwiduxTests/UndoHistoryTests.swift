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
