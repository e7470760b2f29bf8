import Foundation

/// The textbook design: each action packs and unpacks the whole state, undo keeps snapshots, and
/// the place of a row is a dense number.
///
/// The README of the original framework describes this design. The packed state shares its arrays
/// with the store's own properties, so the first mutation of every action copies them.
@MainActor
final class TextbookStore {
    private(set) var entries: TextbookEntityStore
    private(set) var selection = 0
    private var past: [TextbookState] = []
    private var future: [TextbookState] = []
    private(set) var pending: [UUID: TextbookEntry?] = [:]
    private let hasUndo: Bool
    /// The maximum number of snapshots. It is small, so that a million entries fit into memory.
    /// Keeping more costs no time.
    private let limit = 3

    init(_ entries: TextbookEntityStore, hasUndo: Bool) {
        self.entries = entries
        self.hasUndo = hasUndo
    }

    func send(_ action: (inout TextbookState) -> Void) {
        var state = TextbookState(entries: entries, selection: selection)
        if hasUndo {
            past.append(state)
            if past.count > limit { past.removeFirst() }
            future = []
        }
        action(&state)
        finish(&state)
    }

    func undo() {
        guard let last = past.popLast() else { return }
        future.append(TextbookState(entries: entries, selection: selection))
        travel(to: last)
    }

    func redo() {
        guard let next = future.popLast() else { return }
        past.append(TextbookState(entries: entries, selection: selection))
        travel(to: next)
    }

    /// Restores a snapshot. Its differences from the present state must be saved, and only a
    /// comparison finds them.
    private func travel(to target: TextbookState) {
        var state = TextbookState(entries: entries, selection: selection)
        state.entries.restore(from: target.entries)
        finish(&state)
    }

    private func finish(_ state: inout TextbookState) {
        for (id, value) in state.entries.drain() { pending[id] = value }
        entries = state.entries
        selection = state.selection
    }
}

struct TextbookState {
    var entries: TextbookEntityStore
    var selection = 0
}

/// An array with an index, and sets of changed ids.
struct TextbookEntityStore {
    private(set) var values: [TextbookEntry] = []
    private var index: [UUID: Int] = [:]
    private var upserts: Set<UUID> = []
    private var deletions: Set<UUID> = []

    init(_ values: [TextbookEntry]) {
        self.values = values
        reindex()
    }

    var count: Int { values.count }

    func position(of id: UUID) -> Int? { index[id] }

    subscript(id: UUID) -> TextbookEntry? { index[id].map { values[$0] } }

    mutating func modify(_ id: UUID, _ body: (inout TextbookEntry) -> Void) {
        guard let position = index[id] else { return }
        body(&values[position])
        upserts.insert(id)
    }

    mutating func insert(_ entry: TextbookEntry, at position: Int) {
        values.insert(entry, at: position)
        upserts.insert(entry.id)
        if position == values.count - 1 {
            values[position].sortIndex = position
            index[entry.id] = position
        } else {
            renumber(from: position, to: values.count - 1)
        }
    }

    /// Removes an entry, and leaves a gap in the numbers, as the textbook design does.
    mutating func remove(at position: Int) {
        let id = values.remove(at: position).id
        index[id] = nil
        upserts.remove(id)
        deletions.insert(id)
        for position in position..<values.count { index[values[position].id] = position }
    }

    mutating func move(from source: Int, to target: Int) {
        let entry = values.remove(at: source)
        values.insert(entry, at: target)
        renumber(from: min(source, target), to: max(source, target))
    }

    mutating func restore(from other: TextbookEntityStore) {
        for entry in other.values where self[entry.id] != entry { upserts.insert(entry.id) }
        for entry in values where other.index[entry.id] == nil { deletions.insert(entry.id) }
        values = other.values
        index = other.index
    }

    mutating func hydrate(_ entries: [TextbookEntry]) {
        for entry in entries where index[entry.id] == nil {
            index[entry.id] = values.count
            values.append(entry)
        }
    }

    mutating func drain() -> [(UUID, TextbookEntry?)] {
        let changes = upserts.map { ($0, self[$0]) } + deletions.map { ($0, nil) }
        upserts = []
        deletions = []
        return changes
    }

    private mutating func renumber(from first: Int, to last: Int) {
        for position in first...last {
            values[position].sortIndex = position
            index[values[position].id] = position
            upserts.insert(values[position].id)
        }
    }

    private mutating func reindex() {
        index.reserveCapacity(values.count)
        for (position, value) in values.enumerated() { index[value.id] = position }
    }
}
