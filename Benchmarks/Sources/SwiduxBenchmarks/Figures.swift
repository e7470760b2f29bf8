import CHeap
import Swidux

/// Measurements other than times.
@MainActor
enum Figures {
    /// Returns the heap bytes that undo holds for each changed entity. Measures the growth over
    /// renames of different entities, which includes the journal of the store and pending changes.
    static func undoBytesPerEntity(_ fixture: Fixture) -> Double {
        let count = min(fixture.size, 5_000)
        let step = fixture.size / count
        let (store, history) = makeStore(fixture.state, hasUndo: true)
        let before = cheap_allocated()
        for number in 0..<count {
            store.send(
                .rename(fixture.entries[number * step].id, "A new name for \(number), of its own"))
        }
        let bytes = Double(cheap_allocated() - before) / Double(count)
        keep((store, history))
        return bytes
    }

    struct Moves {
        var count = 0
        var rows = 0
        var longestRank = 0
    }

    /// Performs `count` moves, and returns their statistics. Half of the moves are random among
    /// 10,000 entities. The others are the worst cases for the ranks of 1,000 entities: always
    /// between the same two entities, in zigzag towards one gap, to the front and to the end, with
    /// 1,000 moves at each place.
    static func moves(_ count: Int) -> (random: Moves, adversarial: Moves) {
        let entries = Fixture(size: 10_000).entries
        var random = SeededGenerator(seed: 5)
        let randomly = moves(count / 2, in: EntityStore(entries)) { store, _ in
            store.move(
                store.id(at: Int.random(in: 0..<store.count, using: &random))!,
                before: store.id(at: Int.random(in: 0..<store.count, using: &random))!)
        }
        let worst = moves(count / 2, in: EntityStore(entries.prefix(1_000))) { store, number in
            let round = number / 1_000
            let place = round &* 7_919 % (store.count - 10)
            switch round % 4 {
            case 0: store.move(store.id(at: place + 2)!, before: store.id(at: place + 1)!)
            case 1:
                // The lower and the upper neighbor of a gap alternately move into it.
                if number % 2 == 0 {
                    store.move(store.id(at: place)!, after: store.id(at: place + 1)!)
                } else {
                    store.move(store.id(at: place + 2)!, before: store.id(at: place + 1)!)
                }
            case 2: store.move(store.id(at: store.count - 1)!, before: store.id(at: 0)!)
            default: store.move(store.id(at: 0)!, after: store.id(at: store.count - 1)!)
            }
        }
        return (randomly, worst)
    }

    private static func moves(
        _ count: Int, in store: EntityStore<Entry>,
        _ move: (inout EntityStore<Entry>, Int) -> Void
    ) -> Moves {
        var store = store
        var moves = Moves()
        for number in 0..<count {
            move(&store, number)
            let rows = store.changes.upserts.count
            store.resetChanges()
            if number % 1_000 == 999 {
                let longest = store.map { $0.rank.text.utf8.count }.max() ?? 0
                moves.longestRank = max(moves.longestRank, longest)
            }
            guard rows > 0 else { continue }
            moves.count += 1
            moves.rows += rows
        }
        return moves
    }
}
