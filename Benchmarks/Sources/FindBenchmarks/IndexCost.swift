import CHeap
import Foundation
import SheafApp
import Swidux

/// What the rows of a long list take in memory, and what they cost an edit: right after another
/// one, and after a search, which holds a copy of them.
///
/// As in the program, where the pipeline to storage has the items as they were before the edit, and
/// lets go of them after it: to free what an edit replaced is no cost of the rows.
struct IndexCost {
    private static let edits = 20_000

    private let bytes: Int
    private var times: [(name: String, alone: [Double], held: [Double])] = []

    init(_ list: LongList) {
        var items = EntityStore(list.items)
        var rows = ItemRows()
        let before = cheap_allocated()
        rows.update(from: items)
        bytes = Int(cheap_allocated()) - Int(before)
        let ids = (0..<Self.edits).map { list.items[$0 * 7_919 % list.items.count].id }
        var values: [Item.ID: Item] = [:]
        for id in ids { values[id] = items[id] }
        items.resetChanges()
        var drained = items
        func time(_ name: String, _ edit: (inout EntityStore<Item>, Item.ID, Int) -> Void) {
            let times = [false, true].map { holds in
                ids.enumerated().map { number, id in
                    edit(&items, id, number)
                    let copy = holds ? rows : nil
                    let begin = ContinuousClock.now
                    rows.update(from: items)
                    let time = (ContinuousClock.now - begin) / .microseconds(1)
                    withExtendedLifetime((copy, drained)) {}
                    items.resetChanges()
                    drained = items
                    return time
                }.sorted()
            }
            self.times.append((name, times[0], times[1]))
        }
        time("a name") { items, id, number in items[id]?.name += " \(number)" }
        time("done") { items, id, _ in
            let isDone = items[id]?.isDone ?? false
            items[id]?.doneAt = isDone ? nil : Timestamp(milliseconds: 0)
        }
        time("a deletion, and then an insertion") { items, id, number in
            if number % 2 == 0 {
                items[id] = nil
            } else {
                items[ids[number - 1]] = values[ids[number - 1]]
            }
        }
    }

    var markdown: String {
        var lines = [
            "The index takes \(bytes / 1_000_000) MB (budget: 80). What it costs an edit (budget: 5 µs):",
            "",
            "| what is edited | median µs | p99 | after a search, median | p99 |",
            "|---|--:|--:|--:|--:|",
        ]
        for (name, alone, held) in times {
            let cells = [alone, held].flatMap { [$0[$0.count / 2], $0[$0.count * 99 / 100]] }
            lines.append(
                "| \(name) | " + cells.map { String(format: "%.1f", $0) }.joined(separator: " | ")
                    + " |")
        }
        return lines.joined(separator: "\n")
    }
}
