import Foundation
import SwiduxTesting
import Testing

@testable import Swidux

/// Defects 1 to 11 of the original Swidux, on the way to storage, each as the test that it would
/// fail.
@MainActor
@Suite struct OriginalPipelineDefectsTests {
    private let a = UUID.numbered(1)
    private let b = UUID.numbered(2)
    private let c = UUID.numbered(3)

    @Test("defect 1: delete then re-insert in one drain is written")
    func defect1() async {
        let pipeline = Pipeline.three()
        let a = a
        pipeline.edit { state in
            state.rows[a] = nil
            state.rows[a] = Row(1, "again", rank: "a1")
        }
        await pipeline.persistence.flush()
        #expect(pipeline.disk[a]?.name == "again")
        #expect(pipeline.storage.batches.last?.rows.deletions == [])
    }

    @Test("defect 2: a row deleted and brought back by undo within the debounce is on disk")
    func defect2() async {
        let pipeline = Pipeline.three()
        let a = a
        pipeline.edit { $0.rows[a] = nil }
        pipeline.clock.advance(by: .milliseconds(100))
        pipeline.store.send(.undo)
        await pipeline.persistence.flush()
        #expect(pipeline.state.rows[a] != nil)
        #expect(pipeline.disk == pipeline.memory)
        #expect(pipeline.storage.batches.last?.rows.upserts.map(\.id) == [a])
    }

    @Test("defect 3: a write that fails is kept, said, and tried again")
    func defect3() async {
        let pipeline = Pipeline.three()
        let a = a
        pipeline.storage.failNext(with: "disk full")
        pipeline.edit { $0.rows[a]?.name = "kept" }
        await pipeline.persistence.flush()
        #expect(pipeline.status.phase == .failing)
        #expect(pipeline.status.failure == "disk full")
        #expect(pipeline.status.pending == 1)
        #expect(pipeline.disk[a]?.name == "row")
        pipeline.clock.advance(by: .milliseconds(250))
        await pipeline.persistence.flush()
        #expect(pipeline.disk[a]?.name == "kept")
        #expect(pipeline.status.phase == .saved)
        #expect(pipeline.status.failure == nil)
    }

    @Test("defect 4: an edit during a flush cancels nothing")
    func defect4() async {
        let pipeline = Pipeline.three()
        let (a, b) = (a, b)
        pipeline.storage.hold()
        pipeline.edit { $0.rows[a]?.name = "first" }
        pipeline.clock.advance(by: .milliseconds(250))
        await pipeline.storage.attempted(1)
        pipeline.edit { $0.rows[b]?.name = "second" }
        pipeline.clock.advance(by: .seconds(1))
        pipeline.storage.release()
        await pipeline.persistence.flush()
        #expect(pipeline.disk[a]?.name == "first")
        #expect(pipeline.disk[b]?.name == "second")
    }

    @Test("defect 5: steady editing is written within the greatest delay")
    func defect5() async {
        let pipeline = Pipeline.three()
        let a = a
        for step in 0..<12 {
            pipeline.edit { $0.rows[a]?.name = "edit \(step)" }
            pipeline.clock.advance(by: .milliseconds(100))
        }
        await pipeline.storage.attempted(1)
        #expect(pipeline.storage.batches.first?.rows.upserts.first?.name == "edit 9")
    }

    @Test("defect 6: flush during a flush returns only when all is safe")
    func defect6() async {
        let pipeline = Pipeline.three()
        let (a, b) = (a, b)
        pipeline.storage.hold()
        pipeline.edit { $0.rows[a]?.name = "first" }
        pipeline.clock.advance(by: .milliseconds(250))
        await pipeline.storage.attempted(1)
        pipeline.edit { $0.rows[b]?.name = "second" }
        let flush = Task { @MainActor in
            await pipeline.persistence.flush()
            return pipeline.disk
        }
        await Task.yield()
        pipeline.storage.release()
        let disk = await flush.value
        #expect(disk == pipeline.memory)
        #expect(pipeline.status.phase == .saved)
    }

    @Test("defect 7: flushes never overlap, and the newest value is on disk")
    func defect7() async {
        let pipeline = Pipeline.three()
        let a = a
        pipeline.storage.hold()
        for step in 0..<5 {
            pipeline.edit { $0.rows[a]?.name = "edit \(step)" }
            pipeline.persistence.hurry()
            pipeline.clock.advance(by: .seconds(2))
        }
        await pipeline.storage.attempted(1)
        pipeline.storage.release()
        await pipeline.persistence.flush()
        #expect(pipeline.storage.maxInFlight == 1)
        #expect(pipeline.disk[a]?.name == "edit 4")
    }

    @Test("defect 8: a send from within a send loses nothing")
    func defect8() {
        let pipeline = Pipeline.three()
        let (a, b) = (a, b)
        var isFirst = true
        let subscription = pipeline.store.subscribe { [weak store = pipeline.store] _ in
            guard isFirst else { return }
            isFirst = false
            store?.send(.edit { $0.rows[b]?.name = "inner" })
        }
        pipeline.edit { $0.rows[a]?.name = "outer" }
        subscription.cancel()
        #expect(pipeline.state.rows[a]?.name == "outer")
        #expect(pipeline.state.rows[b]?.name == "inner")
    }

    @Test("defect 9: hydration writes nothing and keeps what was done meanwhile")
    func defect9() async {
        let pipeline = Pipeline(waitsForHydration: true)
        let (a, b) = (a, b)
        let stored = [
            Row(1, "stored", rank: "a1"), Row(2, "stored", rank: "a2"), Row(3, rank: "a3"),
        ]
        pipeline.quietly { $0.rows.hydrate(stored.prefix(1)) }
        pipeline.edit { $0.rows[a]?.name = "edited meanwhile" }
        pipeline.edit { $0.rows[.numbered(9)] = Row(9, "created meanwhile", rank: "a9") }
        pipeline.edit { $0.rows[b] = nil }
        pipeline.clock.advance(by: .seconds(5))
        #expect(pipeline.status.inFlight == 0)
        pipeline.quietly {
            $0.rows.hydrate(stored)
            $0.rows.endHydration()
        }
        pipeline.clock.advance(by: .seconds(5))
        #expect(pipeline.status.inFlight == 0)
        pipeline.quietly { $0.parents.endHydration() }
        await pipeline.persistence.flush()
        #expect(
            pipeline.state.rows.map(\.name) == [
                "edited meanwhile", "stored", "row", "created meanwhile",
            ])
        #expect(pipeline.storage.batches.map { $0.rows.upserts.map(\.id) } == [[a, .numbered(9)]])
        #expect(pipeline.storage.batches.map(\.rows.deletions) == [[]])
    }

    @Test("defect 10: deletions run after upserts, and in the opposite order of the writers")
    func defect10() async {
        let pipeline = Pipeline(
            ListState(
                parents: EntityStore([Row(1)]), rows: EntityStore([Row(2, parent: .numbered(1))])))
        let (a, b) = (a, b)
        let log = Log()
        let persistence = PersistenceMiddleware<ListState>(
            writers: [
                StateWriter(keyPath: \.parents) { upserts, deletions in
                    await log.add(
                        upserts.map { "parent \($0.name)" } + deletions.map { _ in "no parent" })
                },
                StateWriter(keyPath: \.rows) { upserts, deletions in
                    await log.add(
                        upserts.map { "row \($0.name)" } + deletions.map { _ in "no row" })
                },
            ], options: PersistenceOptions(now: { pipeline.clock.now }, timer: pipeline.timer))
        var state = pipeline.state
        persistence.begin(with: &state)
        state.parents[a] = nil
        state.rows[b] = nil
        state.rows[c] = Row(3, "new")
        state.parents[.numbered(4)] = Row(4, "new")
        persistence.afterReduce(state: &state)
        await persistence.flush()
        #expect(await log.lines == ["parent new", "row new", "no row", "no parent"])
    }

    @Test("defect 11: the writes of a batch come in the order in which they first appeared")
    func defect11() async {
        let pipeline = Pipeline()
        let order = [7, 3, 9, 1, 8, 2, 6, 4, 5]
        for number in order { pipeline.edit { $0.rows[.numbered(number)] = Row(number) } }
        pipeline.edit { $0.rows[.numbered(3)]?.name = "again" }
        await pipeline.persistence.flush()
        #expect(
            pipeline.storage.batches.first?.rows.upserts.map(\.id) == order.map { .numbered($0) })
    }
}
