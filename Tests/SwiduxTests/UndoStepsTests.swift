import Foundation
import SwiduxTesting
import Testing

@testable import Swidux

/// The depth, the names and the removal of steps of an undo history.
@MainActor
@Suite struct UndoStepsTests {
    private func rename(_ pipeline: Pipeline, _ number: Int, _ name: String) {
        pipeline.store.send(
            .edit(name: "rename \(name)", coalesces: false) {
                $0.rows[.numbered(number)]?.name = name
            })
    }

    @Test("depth and names follow undo and redo")
    func names() {
        let pipeline = Pipeline.three()
        let undo = pipeline.undo
        for name in ["a", "b", "c"] { rename(pipeline, 1, name) }
        #expect((undo.undoDepth, undo.redoDepth) == (3, 0))
        #expect(undo.nextUndo == "rename c")
        pipeline.store.send(.undo)
        pipeline.store.send(.undo)
        #expect((undo.undoDepth, undo.redoDepth) == (1, 2))
        #expect((undo.nextUndo, undo.nextRedo) == ("rename a", "rename b"))
        pipeline.store.send(.undo)
        #expect(undo.nextUndo == nil)
    }

    @Test("a cleared history has nothing to undo, and takes new steps")
    func cleared() {
        let pipeline = Pipeline.three()
        rename(pipeline, 1, "a")
        rename(pipeline, 2, "b")
        pipeline.store.send(.undo)
        pipeline.undo.clear()
        #expect(!pipeline.undo.canUndo && !pipeline.undo.canRedo)
        #expect(pipeline.undo.size == 0)
        pipeline.store.send(.undo)
        pipeline.store.send(.redo)
        #expect(pipeline.state.rows[.numbered(1)]?.name == "a")
        rename(pipeline, 3, "c")
        #expect(pipeline.undo.undoDepth == 1)
    }

    @Test("an undo in parts that is cleared on its way is completed first")
    func clearedInParts() {
        let pipeline = Pipeline(
            ListState(rows: EntityStore((1...8).map { Row($0, rank: "a\($0)") })), maxAtOnce: 4)
        pipeline.edit { state in
            for number in 1...8 { state.rows[.numbered(number)]?.name = "new" }
        }
        pipeline.store.send(.undo)
        pipeline.undo.clear()
        while pipeline.state.rows.contains(where: { $0.name == "new" }) {
            pipeline.store.send(.rest)
        }
        #expect(!pipeline.undo.canUndo && !pipeline.undo.canRedo)
    }

    @Test("the oldest steps go at the limit in steps")
    func limited() {
        let history = UndoHistory<ListState, ListAction>(
            tracks: [UndoTrack(\.rows)], stepLimit: 2,
            classify: { action, _ in if case .undo = action { .undo } else { .command() } })
        let store = Store(
            initialState: ListState(rows: EntityStore([Row(1, rank: "a1")])),
            reducer: ListReducer(), environment: ListEnvironment(), undo: history)
        for name in ["a", "b", "c", "d"] {
            store.send(.edit { $0.rows[.numbered(1)]?.name = name })
        }
        #expect(history.undoDepth == 2)
        for _ in 0..<3 { store.send(.undo) }
        #expect(store.state.rows[.numbered(1)]?.name == "b")
    }

    @Test("repeats on entities of two stores with one id are two steps")
    func sameID() {
        let clock = ManualClock()
        let store = Store(
            initialState: ListState(
                parents: EntityStore([Row(1, rank: "a1")]), rows: EntityStore([Row(1, rank: "a1")])),
            reducer: ListReducer(), environment: ListEnvironment(),
            undo: .ofLists(now: { clock.now }))
        store.send(.edit(name: "rename", coalesces: true) { $0.rows[.numbered(1)]?.name = "x" })
        store.send(.edit(name: "rename", coalesces: true) { $0.parents[.numbered(1)]?.name = "x" })
        store.send(.undo)
        #expect(store.state.rows[.numbered(1)]?.name == "x")
        #expect(store.state.parents[.numbered(1)]?.name == "row")
    }
}
