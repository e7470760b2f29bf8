import Foundation
import Swidux
import SwiduxTesting
import Testing

/// Each numbered defect of the original Swidux, as the test that it would fail.
@MainActor
@Suite struct OriginalDefectsTests {
    private let a = UUID.numbered(1)
    private let b = UUID.numbered(2)
    private let c = UUID.numbered(3)

    private func three() -> Pipeline {
        Pipeline(
            ListState(
                rows: EntityStore([Row(1, rank: "a1"), Row(2, rank: "a2"), Row(3, rank: "a3")])))
    }

    @Test("defect 1: delete then re-insert in one drain is written")
    func defect1() async {
        let pipeline = three()
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
        let pipeline = three()
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
        let pipeline = three()
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
        let pipeline = three()
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
        let pipeline = three()
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
        let pipeline = three()
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
        let pipeline = three()
        let a = a
        pipeline.storage.hold()
        for step in 0..<5 {
            pipeline.edit { $0.rows[a]?.name = "edit \(step)" }
            pipeline.persistence.flushNow()
            pipeline.clock.advance(by: .seconds(2))
        }
        await pipeline.storage.attempted(1)
        pipeline.storage.release()
        await pipeline.persistence.flush()
        #expect(pipeline.storage.mostInFlight == 1)
        #expect(pipeline.disk[a]?.name == "edit 4")
    }

    @Test("defect 8: a send from within a send loses nothing")
    func defect8() {
        let pipeline = three()
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
        #expect(pipeline.storage.attempts == 0)
        pipeline.quietly { $0.rows.hydrate(stored) }
        pipeline.persistence.hydrationEnded()
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
        let pipeline = three()
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
        let pipeline = three()
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
        let pipeline = three()
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
        #expect(report?.touched(on: 1) == [a])
        #expect(report?.skipped(on: 1) == [b])
        await pipeline.persistence.flush()
        #expect(pipeline.disk == pipeline.memory)
    }

    @Test("defect 18: only repeats on one entity within a second are one step")
    func defect18() {
        let pipeline = three()
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
        let pipeline = three()
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
        let pipeline = three()
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
        let pipeline = three()
        let a = a
        var loops = 0
        pipeline.store.onLoop = { _ in loops += 1 }
        for step in 0..<5000 { pipeline.edit { $0.rows[a]?.name = "key \(step)" } }
        #expect(loops == 0)
        let subscription = pipeline.store.subscribe { [weak store = pipeline.store] _ in
            store?.send(.quiet { $0.title += "." })
        }
        pipeline.quietly { $0.title = "go" }
        subscription.cancel()
        #expect(loops == 1)
        #expect(pipeline.state.title.count == 1001)
    }

    @Test("defect 23: effects end with the store, can be cancelled, and turn errors into actions")
    func defect23() async {
        let gate = Gate()
        var pipeline: Pipeline? = three()
        pipeline?.store.send(
            .run(
                cancellable(id: "search") { send in
                    await gate.waitUntilCancelled()
                    await send(.quiet { $0.title = "must not arrive" })
                }))
        await gate.entered(1)
        pipeline?.store.send(.run(cancel(id: "search")))
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
