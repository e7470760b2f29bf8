import Swidux

/// What rows are to be shown, and in which order.
struct RowsDefinition: Hashable, Sendable {
    /// What is looked for, whatever tag is chosen: the numbers beside the tags count it.
    var search = ItemSearch.everything
    /// What the chosen row of the tags pane leaves of it.
    var choice = ItemSearch.everything
    var order = ItemOrder.manual

    /// Whether the best matches come first.
    var isRanked: Bool { order.sort == .match && search.isRanked }

    /// Whether it finds only what `other` shows: letters more of a word, a term more. With a tag
    /// chosen less is shown than is counted.
    func narrows(_ other: RowsDefinition) -> Bool {
        other.choice.isEverything && search.narrows(other.search)
    }

    /// The order of the index: best matches are put in order for themselves.
    var indexOrder: ItemOrder { order.sort == .match ? .manual : order }
}

/// How many of the items that a search finds have each tag, any tag or none.
public struct TagCounts: Hashable, Sendable {
    public private(set) var total = 0
    public private(set) var untagged = 0
    private var counts: [Tag.ID: Int] = [:]

    public subscript(tag: Tag.ID) -> Int { counts[tag] ?? 0 }

    /// Counts an item `step` times more.
    mutating func count(_ item: Item, by step: Int) {
        total += step
        if item.tags.isEmpty { untagged += step }
        for tag in item.tags {
            let count = counts[tag, default: 0] + step
            counts[tag] = count == 0 ? nil : count
        }
    }

    fileprivate init(_ tallies: [RowsSearch.Tally], _ numbers: TagNumbers) {
        total = tallies.reduce(0) { $0 + $1.total }
        untagged = tallies.reduce(0) { $0 + $1.untagged }
        for (tag, number) in numbers.all {
            let count = tallies.reduce(0) { $0 + $1.tags[Int(number)] }
            if count > 0 { counts[tag] = count }
        }
    }

    init() {}
}

/// A search through a whole index: it runs on a copy, on any thread, and gives what
/// ``ItemRows/take(_:from:)`` makes the rows of.
struct RowsSearch: Sendable {
    let definition: RowsDefinition
    /// What is searched, with the rows of the last search.
    let index: ItemIndex
    /// Whether what the last search did not find need not be looked at again.
    let narrowed: Bool
    /// The items that the index holds.
    let source: EntityStore<Item>

    /// What came of it.
    struct Result: Sendable {
        let definition: RowsDefinition
        let index: ItemIndex
        let ranked: RankedRows?
        let counts: TagCounts
        /// The items among which it was found.
        let source: EntityStore<Item>
    }

    fileprivate struct Tally {
        var total = 0
        var untagged = 0
        var tags: [Int]
    }

    private struct Part: Sendable {
        var leaves: [IndexLeaf] = []
        var found: [RankedRows.Found] = []
        var tally: Tally
    }

    /// The result, found on this thread. O(n), and O(n log n) in another order.
    func run() -> Result {
        let order = definition.indexOrder
        let leaves =
            index.order == order ? index.leaves.chunks : Reordering(index, by: order).run()
        return result([part(Slice(first: 0, leaves: leaves[...]))])
    }

    /// The result, found by `width` tasks side by side, or nil if the task was cancelled.
    func run(width: Int) async -> Result? {
        let parts = await sideBySide(slices(width).map { slice in { part(slice) } })
        return Task.isCancelled ? nil : result(parts)
    }

    /// Some of the leaves in the order that is asked for.
    private struct Slice: Sendable {
        /// How many leaves there are before them.
        let first: Int
        let leaves: ArraySlice<IndexLeaf>
    }

    /// All leaves in the order that is asked for, in parts of about one size.
    private func slices(_ width: Int) async -> [Slice] {
        let order = definition.indexOrder
        guard index.order == order else {
            var first = 0
            return await Reordering(index, by: order).run(width: width).map { leaves in
                defer { first += leaves.count }
                return Slice(first: first, leaves: leaves[...])
            }
        }
        let leaves = index.leaves.chunks
        let size = max((leaves.count - 1) / width + 1, 1)
        return stride(from: 0, to: leaves.count, by: size).map {
            Slice(first: $0, leaves: leaves[$0..<min($0 + size, leaves.count)])
        }
    }

    private func part(_ slice: Slice) -> Part {
        var search = ChunkSearch(definition.search, tags: index.numbers)
        var choice = ChunkSearch(definition.choice, tags: index.numbers)
        let chooses = !definition.choice.isEverything
        var part = Part(tally: Tally(tags: Array(repeating: 0, count: index.numbers.count)))
        part.leaves.reserveCapacity(slice.leaves.count)
        for (number, leaf) in slice.leaves.enumerated() {
            // Often enough to end soon, and seldom enough to cost nothing.
            if number & 63 == 0, Task.isCancelled { return part }
            let chunk = leaf.chunk
            let rows = narrowed ? leaf.bits : ChunkBits(first: chunk.count)
            var shown: ChunkBits
            if definition.isRanked {
                let chosen = chooses ? choice.found(in: chunk, among: rows) : rows
                let found = search.scored(in: chunk, among: rows) { row, points in
                    guard chosen[row] else { return }
                    part.found.append(
                        RankedRows.Found(points: points, chunk: slice.first + number, row: row))
                }
                part.tally.count(found, in: chunk)
                shown = found.intersection(chosen)
            } else {
                shown = search.found(in: chunk, among: rows)
                part.tally.count(shown, in: chunk)
                if chooses { shown = choice.found(in: chunk, among: shown) }
            }
            part.leaves.append(IndexLeaf(chunk, shown))
        }
        return part
    }

    private func result(_ parts: [Part]) -> Result {
        let leaves = parts.flatMap(\.leaves)
        return Result(
            definition: definition,
            index: ItemIndex(leaves, in: definition.indexOrder, index.numbers),
            ranked: definition.isRanked
                ? RankedRows(
                    parts.flatMap(\.found), in: ContiguousArray(leaves.lazy.map(\.chunk))) : nil,
            counts: TagCounts(parts.map(\.tally), index.numbers), source: source)
    }
}

extension RowsSearch.Tally {
    fileprivate mutating func count(_ rows: ChunkBits, in chunk: IndexChunk) {
        total += rows.count
        untagged += rows.subtracting(chunk.tags.tagged).count
        chunk.tags.forEach(among: rows) { number, rows in tags[Int(number)] += rows.count }
    }
}
