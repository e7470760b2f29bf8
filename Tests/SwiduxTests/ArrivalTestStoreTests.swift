import Swidux
import SwiduxTesting
import Testing

@MainActor
@Suite("Test store of shared storage", .timeLimit(.minutes(1)))
struct ArrivalTestStoreTests {
    private let clock = ManualClock()

    @Test("an arrival waits until the test receives it, and fits the state that it finds")
    func arrival() async {
        let failures = Failures()
        let row = Row(7, "theirs")
        let persistence = PersistencePipeline<ListState, ListChanges>(
            writers: [BatchWriter(keyPath: \ListState.rows, into: \ListChanges.rows)],
            empty: { ListChanges() },
            options: PersistenceOptions(clock: clock),
            commit: { _ in
                // Another program has renamed the row meanwhile.
                CommitResult(stored: ListChanges(rows: EntityChanges(upserts: [row])))
            })
        let store = TestStore(
            initialState: ListState(rows: EntityStore([Row(7)])), reducer: ListReducer(),
            environment: ListEnvironment(), persistence: persistence,
            arrived: { .arrived($0) }, onFailure: failures.record)
        store.send(.quiet { $0.rows.modify(row.id) { $0.rank = .spelled("a1") } }) {
            $0.rows.modify(row.id) { $0.rank = .spelled("a1") }
        }
        await persistence.flush()
        await store.finish()
        #expect(failures.messages == ["The test has not received what storage has told."])
        await store.receive({ if case .arrived = $0 { true } else { false } }) {
            $0.rows[row.id] = row
        }
        await store.finish()
        #expect(failures.messages.count == 1)
    }
}
