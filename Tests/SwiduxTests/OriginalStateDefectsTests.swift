import Foundation
import Swidux
import SwiduxTesting
import Testing

/// Defects 12 to 23 of the original Swidux, in state, undo and effects, each as the test that it
/// would fail.
@MainActor
@Suite struct OriginalStateDefectsTests {
    private let a = UUID.numbered(1)
    private let b = UUID.numbered(2)
    private let c = UUID.numbered(3)

    @Test("defect 12: under a foreign key an entity is kept by its own id")
    func defect12() {
        var store = EntityStore([Card(1), Card(2)])
        store[a] = Card(3, "mislaid")
        #expect(store.values.map(\.id) == [a, b, c])
        #expect(store[a] == Card(1))
        #expect(store[c]?.title == "mislaid")
        #expect(store.changes.upserts == [c])
        store[a] = nil
        #expect(store.ids.map { store.position(of: $0) } == [0, 1])
    }

    @Test("defect 13: an edit that changes the id deletes the old row")
    func defect13() {
        var store = EntityStore([Card(1), Card(2, "kept"), Card(4)])
        let c = c
        store.modify(b) { $0.id = c }
        #expect(store.values == [Card(1), Card(3, "kept"), Card(4)])
        #expect(store.changes.upserts == [c])
        #expect(store.changes.deletions == [b])
    }

    @Test("defect 14: of duplicate ids the last value is kept, once")
    func defect14() {
        let cards = EntityStore([Card(1, "first"), Card(2), Card(1, "last")])
        #expect(cards.values == [Card(1, "last"), Card(2)])
        #expect(cards.count == 2)
        let rows = EntityStore([Row(1, rank: "a5"), Row(2, rank: "a3"), Row(1, rank: "a1")])
        #expect(rows.values == [Row(1, rank: "a1"), Row(2, rank: "a3")])
    }

    @Test("defect 15: a store assigned whole deletes and writes what differs")
    func defect15() async {
        let pipeline = Pipeline.three()
        let a = a
        pipeline.edit { state in
            state.rows = EntityStore(state.rows.filter { $0.id != a })
            state.rows[.numbered(2)]?.name = "changed"
        }
        await pipeline.persistence.flush()
        #expect(pipeline.disk == pipeline.memory)
        #expect(pipeline.storage.batches.map(\.rows.deletions) == [[a]])
        #expect(pipeline.storage.batches.map { $0.rows.upserts.map(\.id) } == [[b]])
        pipeline.store.send(.undo)
        await pipeline.persistence.flush()
        #expect(pipeline.disk == pipeline.memory)
        #expect(pipeline.state.rows.count == 3)
    }

    @Test("defect 16: setting an equal value writes nothing")
    func defect16() async {
        let pipeline = Pipeline.three()
        let a = a
        let revision = pipeline.state.rows.revision
        pipeline.edit { $0.rows[a] = $0.rows[a] }
        await pipeline.persistence.flush()
        #expect(pipeline.state.rows.revision == revision)
        #expect(pipeline.storage.attempts == 0)
        #expect(pipeline.status.phase == .saved)
    }

    @Test("defect 17: undo leaves alone what another action has touched since")
    func defect17() async {
        let pipeline = Pipeline.three()
        let (a, b, c) = (a, b, c)
        pipeline.edit { state in
            state.rows[a]?.name = "command"
            state.rows[b]?.name = "command"
        }
        pipeline.quietly { state in
            state.rows[b]?.name = "another process"
            state.rows[c]?.name = "another process"
            state.rows[.numbered(4)] = Row(4, "another process")
        }
        pipeline.store.send(.undo)
        #expect(pipeline.state.rows[a]?.name == "row")
        #expect(pipeline.state.rows[b]?.name == "another process")
        #expect(pipeline.state.rows[c]?.name == "another process")
        #expect(pipeline.state.rows[.numbered(4)] != nil)
        let report = pipeline.store.environment.reports.last
        #expect(report?.touched(\ListState.rows) == [a])
        #expect(report?.skipped(\ListState.rows) == [b])
        await pipeline.persistence.flush()
        #expect(pipeline.disk == pipeline.memory)
    }

    @Test("defect 18: only repeats on one entity within a second are one step")
    func defect18() {
        let pipeline = Pipeline.three()
        func rename(_ id: UUID, _ name: String) {
            pipeline.store.send(.edit(name: "rename", coalesces: true) { $0.rows[id]?.name = name })
        }
        rename(a, "one")
        rename(a, "two")
        rename(b, "three")
        pipeline.clock.advance(by: .milliseconds(1100))
        rename(b, "four")
        pipeline.store.send(.undo)
        #expect(pipeline.state.rows.map(\.name) == ["two", "three", "row"])
        pipeline.store.send(.undo)
        #expect(pipeline.state.rows.map(\.name) == ["two", "row", "row"])
        pipeline.store.send(.undo)
        #expect(pipeline.state.rows.map(\.name) == ["row", "row", "row"])
        #expect(!pipeline.undo.canUndo)
    }

    @Test("defect 19: a command that changed nothing leaves no step and keeps redo")
    func defect19() {
        let pipeline = Pipeline.three()
        let a = a
        pipeline.edit { $0.rows[a]?.name = "renamed" }
        pipeline.store.send(.undo)
        pipeline.edit { $0.title = "no entity touched" }
        pipeline.edit { state in
            state.rows[a]?.name = "there"
            state.rows[a]?.name = "and back"
            state.rows[a]?.name = "row"
        }
        #expect(!pipeline.undo.canUndo)
        pipeline.store.send(.redo)
        #expect(pipeline.state.rows[a]?.name == "renamed")
    }

    @Test("defect 20: undo of a sort and of a move brings the order back, in memory and on disk")
    func defect20() async {
        let pipeline = Pipeline.three()
        let (a, c) = (a, c)
        pipeline.edit { $0.rows.sort { $0.id > $1.id } }
        #expect(pipeline.state.rows.map(\.id) == [c, b, a])
        pipeline.edit { $0.rows.move(a, before: c) }
        #expect(pipeline.state.rows.map(\.id) == [a, c, b])
        pipeline.store.send(.undo)
        #expect(pipeline.state.rows.map(\.id) == [c, b, a])
        pipeline.store.send(.undo)
        #expect(pipeline.state.rows.map(\.id) == [a, b, c])
        await pipeline.persistence.flush()
        #expect(pipeline.disk == pipeline.memory)
    }

    @Test("defect 21: no two rows share a place after a delete, and a move writes one row")
    func defect21() async {
        let pipeline = Pipeline()
        for number in 1...5 { pipeline.edit { $0.rows.append(Row(number)) } }
        pipeline.edit { $0.rows[.numbered(2)] = nil }
        pipeline.edit { $0.rows.append(Row(6)) }
        #expect(Set(pipeline.state.rows.map(\.rank)).count == 5)
        await pipeline.persistence.flush()
        pipeline.edit { $0.rows.move(.numbered(6), before: .numbered(1)) }
        await pipeline.persistence.flush()
        #expect(pipeline.state.rows.map(\.id) == [6, 1, 3, 4, 5].map { .numbered($0) })
        #expect(pipeline.storage.batches.last?.rows.upserts.map(\.id) == [.numbered(6)])
        #expect(pipeline.storage.batches.last?.rows.deletions == [])
    }

    @Test("defect 22: a loop that touches no entity is caught, and fast typing is not")
    func defect22() {
        let pipeline = Pipeline.three()
        let a = a
        var loops = 0
        pipeline.store.onLoop = { _ in loops += 1 }
        for step in 0..<5000 { pipeline.edit { $0.rows[a]?.name = "key \(step)" } }
        #expect(loops == 0)
        let subscription = pipeline.store.subscribe { [weak store = pipeline.store] in
            if !$0.title.isEmpty { store?.send(.quiet { $0.title += "." }) }
        }
        pipeline.quietly { $0.title = "go" }
        subscription.cancel()
        #expect(loops == 1)
        #expect(pipeline.state.title.count == 1001)
    }

    @Test("defect 23: effects end with the store, can be cancelled, and turn errors into actions")
    func defect23() async {
        let gate = Gate()
        var pipeline: Pipeline? = Pipeline.three()
        pipeline?.store.send(
            .run(
                Effects.cancellable(id: "search") { send in
                    await gate.waitUntilCancelled()
                    await send(.quiet { $0.title = "must not arrive" })
                }))
        await gate.entered(1)
        pipeline?.store.send(.run(Effects.cancel(id: "search")))
        await pipeline?.store.settled()
        #expect(await gate.cancelled == 1)
        #expect(pipeline?.state.title == "")

        struct Refused: Error {}
        await pipeline?.store.dispatch(
            .run { send in
                do { throw Refused() } catch {
                    let text = "\(error)"
                    await send(.quiet { $0.title = text })
                }
            }
        ).value
        #expect(pipeline?.state.title == "Refused()")

        pipeline?.store.send(.run { _ in await gate.waitUntilCancelled() })
        await gate.entered(2)
        pipeline = nil
        await gate.left(2)
        #expect(await gate.cancelled == 2)
    }
}
