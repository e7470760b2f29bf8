import Foundation
import Swidux

/// A list without stores, ranks, journals and pipelines: two arrays.
struct PlainList: Equatable {
    struct Entry: Equatable {
        var number: Int
        var name: String
        var parent: Int?
    }

    var parents: [Entry] = []
    var rows: [Entry] = []

    init() {}

    /// The content of a state, in its order.
    init(_ state: ListState) {
        parents = state.parents.map(Entry.init)
        rows = state.rows.map(Entry.init)
    }

    /// The content of a disk, in the order of its ranks.
    init(disk: [UUID: Row]) {
        let sorted = disk.values.sorted { ($0.rank, $0.id) < ($1.rank, $1.id) }.map(Entry.init)
        parents = sorted.filter { $0.number < 10 }
        rows = sorted.filter { $0.number >= 10 }
    }

    /// Applies `step`, if it is an edit.
    mutating func apply(_ step: ModelStep) {
        switch step {
        case .rename(let row, let name): change(row) { $0.name = name }
        case .delete(let row): rows.removeAll { $0.number == row }
        case .append(let row, let name):
            if place(row) == nil { rows.append(Entry(number: row, name: name)) }
        case .insert(let row, let next):
            guard place(row) == nil, let place = place(next) else { return }
            rows.insert(Entry(number: row, name: "row"), at: place)
        case .move(let row, let next): move(row, to: next, offset: 0)
        case .moveAfter(let row, let previous): move(row, to: previous, offset: 1)
        case .replace(let row, let name):
            guard let place = place(row) else { return }
            rows.remove(at: place)
            rows.append(Entry(number: row, name: name))
        case .setParent(let row, let parent):
            if !parents.contains(where: { $0.number == parent }) {
                parents.append(Entry(number: parent, name: "parent"))
            }
            change(row) { $0.parent = parent }
        case .deleteParent(let parent):
            parents.removeAll { $0.number == parent }
            for index in rows.indices where rows[index].parent == parent {
                rows[index].parent = nil
            }
        case .sort:
            rows = rows.enumerated()
                .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
                .map(\.element)
        case .removeAll(let suffix): rows.removeAll { $0.name.hasSuffix("\(suffix)") }
        case .assignWithout(let row): rows.removeAll { $0.number == row }
        default: break
        }
    }

    private func place(_ row: Int) -> Int? { rows.firstIndex { $0.number == row } }

    private mutating func change(_ row: Int, _ body: (inout Entry) -> Void) {
        if let place = place(row) { body(&rows[place]) }
    }

    private mutating func move(_ row: Int, to other: Int, offset: Int) {
        guard row != other, let place = place(row), self.place(other) != nil else { return }
        let entry = rows.remove(at: place)
        guard let target = self.place(other) else { return }
        rows.insert(entry, at: target + offset)
    }
}

extension PlainList.Entry {
    init(number: Int, name: String) { self.init(number: number, name: name, parent: nil) }

    init(_ row: Row) {
        self.init(
            number: row.id.number, name: row.name, parent: row.parent.map { $0.number })
    }
}

extension UUID {
    /// The argument of ``numbered(_:)``.
    var number: Int { Int(uuid.14) << 8 | Int(uuid.15) }
}
