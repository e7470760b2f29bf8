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

    private func makeSteps(maxAtOnce: Int) -> (pipeline: Pipeline, before: ListState) {
        let pipeline = Pipeline(
            ListState(
                parents: EntityStore([Row(7)]), rows: EntityStore((1...4).map { Row($0) })),
            maxAtOnce: maxAtOnce)
        let before = pipeline.state
        pipeline.edit { state in
            state.parents[.numbered(8)] = Row(8)
            state.parents[.numbered(7)] = nil
            for number in 1...3 { state.rows.modify(.numbered(number)) { $0.name = "new" } }
            state.rows[.numbered(4)] = nil
            state.rows[.numbered(5)] = Row(5, parent: .numbered(8))
        }
        return (pipeline, before)
    }

    @Test("a large step is applied in parts, with the same result", arguments: 1...8)
    func largeStepInParts(maxAtOnce: Int) {
        let (pipeline, before) = makeSteps(maxAtOnce: maxAtOnce)
        let after = pipeline.state
        for (action, state) in [(ListAction.undo, before), (.redo, after), (.undo, before)] {
            pipeline.store.environment.reports = []
            pipeline.store.send(action)
            while pipeline.store.environment.reports.last?.remaining ?? 0 > 0 {
                pipeline.store.send(.rest)
            }
            let reports = pipeline.store.environment.reports
            #expect(pipeline.state == state)
            let first = maxAtOnce < 7 ? max(maxAtOnce / 4, 1) : 7
            #expect(reports.count == 1 + (7 - first + maxAtOnce - 1) / maxAtOnce)
            #expect(reports.map(\.touchedCount).reduce(0, +) == 7)
            #expect(reports.allSatisfy { $0.skippedCount == 0 })
        }
        pipeline.store.send(.rest)
        #expect(pipeline.state == before)
    }

    @Test("between its parts others may change rows, which it leaves alone")
    func changedBetweenParts() {
        let (pipeline, _) = makeSteps(maxAtOnce: 2)
        pipeline.store.send(.undo)
        pipeline.store.send(.rest)
        pipeline.quietly { $0.rows.modify(.numbered(3)) { $0.name = "theirs" } }
        while pipeline.store.environment.reports.last?.remaining ?? 0 > 0 {
            pipeline.store.send(.rest)
        }
        #expect(pipeline.state.rows[.numbered(3)]?.name == "theirs")
        #expect(pipeline.state.rows[.numbered(1)]?.name == "row")
        let reports = pipeline.store.environment.reports
        let skipped = reports.flatMap { $0.skipped(\ListState.rows) }
        #expect(skipped == [.numbered(3)])
    }

    @Test("a command, undo or redo before the last part has the rest applied first")
    func interruptedParts() {
        for action in [ListAction.edit { $0.title = "t" }, .undo, .redo] {
            let (pipeline, before) = makeSteps(maxAtOnce: 1)
            let after = pipeline.state
            pipeline.store.send(.undo)
            pipeline.store.send(.rest)
            pipeline.store.send(action)
            if case .redo = action {
                while pipeline.store.environment.reports.last?.remaining ?? 0 > 0 {
                    pipeline.store.send(.rest)
                }
                #expect(pipeline.state == after)
            } else {
                #expect(pipeline.state.rows == before.rows)
                #expect(pipeline.state.parents == before.parents)
            }
        }
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
