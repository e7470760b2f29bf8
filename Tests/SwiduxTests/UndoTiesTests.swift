import Foundation
import Swidux
import SwiduxTesting
import Testing

@Suite("Undo of changes that depend on each other")
@MainActor
struct UndoTiesTests {
    private let parent = Row(8, "parent")

    /// A step that makes a parent of the rows 1 and 2 and renames row 3.
    private func makeStep(maxAtOnce: Int = .max) -> (pipeline: Pipeline, before: ListState) {
        let pipeline = Pipeline(
            ListState(
                parents: EntityStore([Row(7)]), rows: EntityStore((1...4).map { Row($0) })),
            maxAtOnce: maxAtOnce, isTied: true)
        let before = pipeline.state
        pipeline.edit { [parent] state in
            state.parents[parent.id] = parent
            for number in 1...2 { state.rows.modify(.numbered(number)) { $0.parent = parent.id } }
            state.rows.modify(.numbered(3)) { $0.name = "renamed" }
        }
        return (pipeline, before)
    }

    /// Applies a step with all of its parts.
    private func apply(_ action: ListAction, to pipeline: Pipeline) -> [UndoReport] {
        pipeline.store.environment.reports = []
        pipeline.store.send(action)
        while pipeline.store.environment.reports.last?.remaining ?? 0 > 0 {
            pipeline.store.send(.rest)
        }
        return pipeline.store.environment.reports
    }

    private func rename(_ number: Int, in pipeline: Pipeline) {
        pipeline.quietly { $0.rows.modify(.numbered(number)) { $0.name = "theirs" } }
    }

    @Test("where none has changed all are undone, and redone", arguments: [1, 2, 3, 4, 9])
    func unchanged(maxAtOnce: Int) {
        let (pipeline, before) = makeStep(maxAtOnce: maxAtOnce)
        let after = pipeline.state
        for (action, state) in [(ListAction.undo, before), (.redo, after), (.undo, before)] {
            let reports = apply(action, to: pipeline)
            #expect(pipeline.state == state)
            #expect(reports.map(\.touchedCount).reduce(0, +) == 4)
            #expect(reports.allSatisfy { $0.isTied && $0.skippedCount == 0 })
        }
    }

    @Test("where one has changed none is undone, and what is by itself is", arguments: [1, 2, 9])
    func oneChanged(maxAtOnce: Int) {
        let (pipeline, _) = makeStep(maxAtOnce: maxAtOnce)
        let left = pipeline.state.rows.values[1]
        rename(2, in: pipeline)
        var expected = pipeline.state
        expected.rows.modify(.numbered(3)) { $0.name = "row" }
        let reports = apply(.undo, to: pipeline)
        #expect(pipeline.state.rows.values == expected.rows.values)
        #expect(pipeline.state.parents.values == expected.parents.values)
        let skipped = Set(reports.flatMap { $0.skipped(\ListState.rows) })
        #expect(skipped == [.numbered(1), .numbered(2)])
        #expect(reports.flatMap { $0.skipped(\ListState.parents) } == [parent.id])
        #expect(reports.flatMap { $0.changed(\ListState.rows) } == [left])
        #expect(reports.allSatisfy { $0.changed(\ListState.parents).isEmpty })
    }

    @Test("what others refer to by now is not removed, nor what depends on it", arguments: [1, 9])
    func held(maxAtOnce: Int) {
        let (pipeline, before) = makeStep(maxAtOnce: maxAtOnce)
        let after = pipeline.state
        pipeline.quietly { $0.title = "held" }
        let reports = apply(.undo, to: pipeline)
        #expect(pipeline.state.parents == after.parents)
        #expect(pipeline.state.rows.values.prefix(2) == after.rows.values.prefix(2))
        #expect(pipeline.state.rows.values.suffix(2) == before.rows.values.suffix(2))
        #expect(reports.flatMap { $0.blocked(\ListState.parents) } == [parent])
        #expect(reports.allSatisfy { $0.changed(\ListState.parents).isEmpty })
        pipeline.quietly { $0.title = "" }
        // Part of the step was undone, so it is redone before it can be undone.
        _ = apply(.redo, to: pipeline)
        _ = apply(.undo, to: pipeline)
        #expect(pipeline.state.parents == before.parents)
    }

    @Test("a step that was not undone is not redone, and can be undone again", arguments: [1, 9])
    func refused(maxAtOnce: Int) {
        let (pipeline, before) = makeStep(maxAtOnce: maxAtOnce)
        pipeline.quietly { $0.title = "held" }
        rename(3, in: pipeline)
        #expect(apply(.undo, to: pipeline).map(\.touchedCount).reduce(0, +) == 0)
        #expect(!pipeline.undo.canUndo && !pipeline.undo.canRedo)
        #expect(apply(.undo, to: pipeline).map(\.name) == [nil])
        #expect(apply(.redo, to: pipeline).map(\.name) == [nil])
        #expect(pipeline.undo.canUndo)
        pipeline.quietly { $0.title = "" }
        _ = apply(.undo, to: pipeline)
        #expect(pipeline.state.parents == before.parents)
        #expect(pipeline.undo.canRedo)
    }

    @Test("a step that was not undone stays where a command drops those that were")
    func refusedBeforeCommand() {
        let (pipeline, before) = makeStep()
        rename(1, in: pipeline)
        rename(3, in: pipeline)
        pipeline.edit { $0.rows.modify(.numbered(4)) { $0.name = "later" } }
        _ = apply(.undo, to: pipeline)
        let reports = apply(.undo, to: pipeline)
        #expect(reports.map(\.touchedCount) == [0])
        pipeline.quietly {
            for row in before.rows { $0.rows.modify(row.id) { $0.name = row.name } }
        }
        pipeline.quietly { $0.rows.modify(.numbered(3)) { $0.name = "renamed" } }
        pipeline.edit { $0.rows.modify(.numbered(4)) { $0.name = "last" } }
        #expect(!pipeline.undo.canRedo)
        _ = apply(.undo, to: pipeline)
        #expect(pipeline.state.rows[.numbered(4)]?.name == "row")
        _ = apply(.undo, to: pipeline)
        #expect(pipeline.state.rows.values == before.rows.values)
        #expect(pipeline.state.parents.values == before.parents.values)
        #expect(!pipeline.undo.canUndo)
        _ = apply(.redo, to: pipeline)
        _ = apply(.redo, to: pipeline)
        #expect(pipeline.state.rows[.numbered(4)]?.name == "last")
        #expect(!pipeline.undo.canRedo)
    }

    @Test("what is by itself may have changed without keeping the others")
    func otherChanged() {
        let (pipeline, before) = makeStep()
        rename(3, in: pipeline)
        _ = apply(.undo, to: pipeline)
        #expect(pipeline.state.parents == before.parents)
        #expect(pipeline.state.rows.values.allSatisfy { $0.parent == nil })
        #expect(pipeline.state.rows[.numbered(3)]?.name == "theirs")
    }

    @Test("a redo is refused as an undo is, and neither is in the way of other steps")
    func redone() {
        let (pipeline, before) = makeStep()
        pipeline.edit { $0.rows.modify(.numbered(4)) { $0.name = "later" } }
        _ = apply(.undo, to: pipeline)
        _ = apply(.undo, to: pipeline)
        pipeline.quietly { $0.rows[.numbered(1)] = nil }
        let reports = apply(.redo, to: pipeline)
        #expect(reports.map(\.skippedCount) == [3])
        #expect(reports.first?.changed(\ListState.rows) == [before.rows.values[0]])
        #expect(pipeline.state.parents == before.parents)
        #expect(pipeline.state.rows[.numbered(2)]?.parent == nil)
        _ = apply(.redo, to: pipeline)
        #expect(pipeline.state.rows[.numbered(4)]?.name == "later")
        #expect(!pipeline.undo.canRedo)
        #expect(pipeline.undo.canUndo)
    }

    @Test("rows that refer to what the step did not change are undone one by one")
    func noProvider() {
        let (pipeline, _) = makeStep()
        pipeline.edit { state in
            for id in [3, 4].map(UUID.numbered) {
                state.rows.modify(id) { $0.parent = .numbered(7) }
            }
        }
        rename(3, in: pipeline)
        let reports = apply(.undo, to: pipeline)
        #expect(reports.map(\.isTied) == [false])
        #expect(pipeline.state.rows[.numbered(3)]?.parent == .numbered(7))
        #expect(pipeline.state.rows[.numbered(4)]?.parent == nil)
    }

    @Test("changes of several parts of a command may depend on each other")
    func parts() {
        let (pipeline, _) = makeStep()
        for number in 1...2 {
            pipeline.store.send(
                .part(of: 1) { $0.rows.modify(.numbered(number)) { $0.parent = nil } })
        }
        pipeline.store.send(.part(of: 1) { [parent] in $0.parents[parent.id] = nil })
        rename(1, in: pipeline)
        let deleted = pipeline.state
        _ = apply(.undo, to: pipeline)
        #expect(pipeline.state.rows.values == deleted.rows.values)
        #expect(pipeline.state.parents.values == deleted.parents.values)
    }

    @Test("what arrives between two parts of an undo finds all of it done")
    func arrival() async throws {
        let shared = SharedPipeline(undo: .ofLists(maxAtOnce: 1, isTied: true))
        shared.endLoading()
        let rows = (2...4).map { Row($0, rank: "a\($0)") }
        shared.edit { for row in rows { $0.rows[row.id] = row } }
        shared.store.send(
            .edit { [parent] state in
                state.parents[parent.id] = parent
                for row in rows { state.rows.modify(row.id) { $0.parent = parent.id } }
            })
        await shared.persistence.flush()
        shared.store.send(.undo)
        shared.store.send(.rest)
        var changes = ListChanges()
        changes.rows.upsert([Row(4, "theirs", parent: parent.id, rank: "a4")])
        shared.theirs = [changes]
        shared.persistence.fetchNow()
        await shared.settled()
        #expect(shared.environment.arrivals.count == 1)
        #expect(shared.state.parents.isEmpty)
        #expect(shared.state.rows.values.allSatisfy { $0.parent == nil })
        shared.store.send(.rest)
        let reports = shared.environment.reports
        #expect(reports.last?.remaining == 0)
        #expect(reports.map(\.touchedCount).reduce(0, +) == 4)
        shared.store.send(.rest)
        #expect(shared.environment.reports.count == reports.count)
    }

    // MARK: Late refusals by storage

    /// A pipeline with a step that adds a parent and row 5 to it, and moves row 2 there: saved,
    /// undone, and not saved since.
    private func undoneUnsaved() async -> SharedPipeline {
        let shared = SharedPipeline(undo: .ofLists(isTied: true))
        shared.endLoading()
        shared.edit { $0.rows[.numbered(2)] = Row(2, rank: "a2") }
        shared.store.send(
            .edit { [parent] state in
                state.parents[parent.id] = parent
                state.rows[.numbered(5)] = Row(5, parent: parent.id, rank: "a5")
                state.rows.modify(.numbered(2)) { $0.parent = parent.id }
            })
        await shared.persistence.flush()
        shared.store.send(.undo)
        return shared
    }

    /// Another process has renamed row 5.
    private func renameFifth(in shared: SharedPipeline) async {
        var changes = ListChanges()
        changes.rows.upsert([Row(5, "theirs", parent: parent.id, rank: "a5")])
        shared.theirs = [changes]
        shared.persistence.fetchNow()
        await shared.settled()
    }

    @Test(
        "an undo is reverted if storage turns out to have changed a part of it",
        arguments: [false, true])
    func refusedLate(afterCommand: Bool) async throws {
        let shared = await undoneUnsaved()
        #expect(shared.state.parents.isEmpty)
        if afterCommand { shared.store.send(.edit { $0.rows[.numbered(6)] = Row(6, rank: "a6") }) }
        await renameFifth(in: shared)
        #expect(shared.state.parents.values == [parent])
        #expect(shared.state.rows[.numbered(2)]?.parent == parent.id)
        #expect(shared.state.rows[.numbered(5)]?.name == "theirs")
        let report = try #require(shared.environment.reports.last)
        #expect(report.isLate && !report.isRedo && report.name == "edit")
        #expect(report.touchedCount == 0)
        #expect(report.changed(\ListState.rows) == [Row(5, parent: parent.id, rank: "a5")])
        #expect(report.skipped(\ListState.parents) == [parent.id])
        await shared.persistence.flush()
        let saved = shared.storage.batches.flatMap { $0.rows.upserts }
        #expect(saved.last { $0.id == .numbered(2) }?.parent == parent.id)
        #expect(shared.store.undoHistory?.canRedo == false)
    }

    @Test("an undo is reverted if storage refuses a part of it and tells what it has")
    func refusedByStorage() async throws {
        let shared = await undoneUnsaved()
        let row = Row(2, parent: parent.id, rank: "a2")
        var stored = ListChanges()
        stored.rows.upsert([row])
        shared.storage.result = CommitResult(
            refused: [.init(id: row.id, reason: "taken")], stored: stored)
        await shared.persistence.flush()
        #expect(shared.state.parents.values == [parent])
        #expect(shared.state.rows.values.map(\.parent) == [nil, parent.id, parent.id])
        let report = try #require(shared.environment.reports.last)
        #expect(report.isLate && report.touchedCount == 0)
        #expect(shared.store.undoHistory?.canRedo == false)
        shared.storage.result = CommitResult()
        await shared.persistence.flush()
        #expect(shared.persistence.status.phase == .saved)
    }

    @Test("a change that was made since stays on what is reverted")
    func changedSinceUndo() async {
        let shared = await undoneUnsaved()
        shared.store.send(.edit { $0.rows.modify(.numbered(2)) { $0.name = "renamed" } })
        await renameFifth(in: shared)
        #expect(shared.state.rows[.numbered(2)]?.name == "renamed")
        #expect(shared.state.rows[.numbered(2)]?.parent == parent.id)
    }

    @Test("once an undo is saved, what others do is no part of it", arguments: [true, false])
    func settledUndo(isSaved: Bool) async {
        let shared = await undoneUnsaved()
        if isSaved { await shared.persistence.flush() } else { shared.store.send(.redo) }
        let count = shared.environment.reports.count
        await renameFifth(in: shared)
        #expect(shared.environment.arrivals.count == 1)
        #expect(shared.environment.reports.count == count)
        #expect(shared.state.parents.isEmpty == isSaved)
        #expect(shared.state.rows[.numbered(5)]?.name == (isSaved ? "theirs" : "row"))
    }

    @Test("what a command has brought back since is no refusal")
    func broughtBack() async {
        let shared = await undoneUnsaved()
        shared.store.send(.edit { $0.rows[.numbered(5)] = Row(5, "mine", rank: "a5") })
        let count = shared.environment.reports.count
        await renameFifth(in: shared)
        #expect(shared.environment.reports.count == count)
        #expect(shared.state.parents.isEmpty)
    }
}
