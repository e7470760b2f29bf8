import Foundation
import SwiduxTesting
import Testing

@testable import Swidux

/// Rows that a reducer takes in while changes of the same rows wait: a refresh of a loaded list.
@MainActor
@Suite struct RefreshTests {
    /// Where a change of the first row is when the rows are taken in.
    enum Place: CaseIterable {
        case pending, inFlight, refused
    }

    /// How a reducer takes in rows.
    enum Way: CaseIterable {
        case adopt, hydrate, merge, endHydration, hydrateStore

        func takeIn(_ row: Row, _ state: inout ListState) {
            switch self {
            case .adopt: state.rows.adopt(EntityChanges(upserts: [row]))
            case .hydrate: state.rows.hydrate([row])
            case .merge: state.rows.merge(from: EntityStore([row])) { _, _ in true }
            case .hydrateStore: state.rows.hydrate(from: EntityStore([row]))
            case .endHydration:
                state.rows.hydrate([row])
                state.rows.endHydration()
            }
        }
    }

    @Test(
        "rows taken in never override a change that waits",
        arguments: Place.allCases, Way.allCases)
    func edit(_ place: Place, _ way: Way) async {
        await check(place, way) { $0.rows[.numbered(1)]?.name = "typed" }
    }

    @Test(
        "rows taken in never bring back what was deleted",
        arguments: Place.allCases, Way.allCases)
    func deletion(_ place: Place, _ way: Way) async {
        await check(place, way) { $0.rows[.numbered(1)] = nil }
    }

    @Test("a deletion taken in never removes what was typed", arguments: Place.allCases)
    func deleted(_ place: Place) async {
        let pipeline = await pipeline(place) { $0.rows[.numbered(1)]?.name = "typed" }
        pipeline.quietly { $0.rows.adopt(EntityChanges(upserts: [], deletions: [.numbered(1)])) }
        #expect(pipeline.state.rows[.numbered(1)]?.name == "typed")
    }

    /// A fetch that waits, and the rows that storage was known to have at its end.
    @MainActor
    private final class HeldFetch {
        var continuation: CheckedContinuation<Void, Never>?
        var known: ListChanges?

        func run(_ known: @MainActor () -> ListChanges) async -> FetchedChanges<ListChanges> {
            await withCheckedContinuation { continuation = $0 }
            self.known = known()
            return FetchedChanges(ListChanges())
        }
    }

    @Test("rows that storage is known to have are without an edit made during the fetch")
    func known() async {
        let (clock, fetch) = (ManualClock(), HeldFetch())
        let pipeline = PersistencePipeline(
            writers: [BatchWriter(keyPath: \ListState.rows, into: \ListChanges.rows)],
            empty: { ListChanges() },
            options: PersistenceOptions(clock: clock),
            commit: { _ in CommitResult() }, fetch: { await fetch.run($0) })
        let store = Store(
            initialState: ListState(rows: EntityStore([Row(1, "stored", rank: "a1")])),
            reducer: ListReducer(), environment: ListEnvironment(), persistence: pipeline,
            arrived: { .arrived($0) })
        store.send(.quiet { $0.rows.endHydration() })
        while fetch.continuation == nil { await Task.yield() }
        store.send(.quiet { $0.rows[.numbered(1)]?.name = "typed" })
        fetch.continuation?.resume()
        while fetch.known == nil { await Task.yield() }
        #expect(fetch.known?.rows.upserts.map(\.name) == ["stored"])
    }

    private func check(
        _ place: Place, _ way: Way, _ change: @escaping @Sendable (inout ListState) -> Void
    ) async {
        let pipeline = await pipeline(place, change)
        let shown = pipeline.state.rows
        pipeline.quietly { way.takeIn(Row(1, "stored", rank: "a1"), &$0) }
        #expect(pipeline.state.rows == shown)
        #expect(pipeline.status.phase != .saved)
        pipeline.storage.release()
        pipeline.storage.refusals = []
        // A refused change is tried again with the entity's next change.
        pipeline.quietly { $0.rows[.numbered(1)]?.name += "." }
        await pipeline.persistence.flush()
        guard place != .refused || pipeline.state.rows[.numbered(1)] != nil else { return }
        #expect(pipeline.status.phase == .saved)
        #expect(pipeline.disk == pipeline.memory)
    }

    /// A pipeline with a change that has got to `place`.
    private func pipeline(
        _ place: Place, _ change: @escaping @Sendable (inout ListState) -> Void
    ) async -> Pipeline {
        let pipeline = Pipeline(ListState(rows: EntityStore([Row(1, rank: "a1")])))
        switch place {
        case .pending: pipeline.quietly(change)
        case .inFlight:
            pipeline.storage.hold()
            pipeline.quietly(change)
            pipeline.persistence.hurry()
            await pipeline.storage.attempted(1)
        case .refused:
            pipeline.storage.refusals = [Refusal(id: UUID.numbered(1), reason: "no")]
            pipeline.quietly(change)
            await pipeline.persistence.flush()
        }
        return pipeline
    }
}
