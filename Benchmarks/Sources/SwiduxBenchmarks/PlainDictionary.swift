import CHeap
import Foundation
import Swidux

/// The cost of Swidux, compared with a structure that contains a dictionary, without an order and
/// without recorded changes.
struct PlainDictionary {
    static let title = "Beside a plain dictionary"

    private struct PlainState {
        var entries: [UUID: Entry]
    }

    /// The heap bytes of a dictionary per entity, without the entity's texts.
    let bytesPerEntity: Double
    /// The times of a rename by `send`, by `send` with undo and persistence, and in the dictionary.
    let timings: [Timing]

    @MainActor
    init(_ fixture: Fixture, _ effort: Effort) {
        let before = cheap_allocated()
        var plain = PlainState(
            entries: Dictionary(uniqueKeysWithValues: fixture.entries.map { ($0.id, $0) }))
        bytesPerEntity = Double(cheap_allocated() - before) / Double(fixture.size)
        let store = ListStore(
            initialState: fixture.state, reducer: ListReducer(), environment: ())
        let full = makeStore(fixture.state, hasUndo: true).store
        var next = 0
        func workload(_ rename: @escaping (UUID, String) -> Void) -> Workload {
            Workload(count: 250) { count in
                for number in next..<next + count {
                    rename(fixture.id(number), fixture.name(number))
                }
                next += count
            }
        }
        timings = measure(
            effort: effort,
            [
                workload { store.send(.rename($0, $1)) },
                workload { full.send(.rename($0, $1)) },
                workload { plain.entries[$0]?.content.name = $1 },
            ])
        keep(plain)
    }
}
