import Swidux

/// What rows are to be shown, and in which order.
package struct RowsDefinition: Hashable, Sendable {
    /// What is looked for, whatever tag is chosen. The numbers beside the tags count it, unless
    /// ``countedApart`` says otherwise.
    package var search = ItemSearch.everything
    /// What the chosen row of the tags pane leaves of it.
    package var choice = ItemSearch.everything
    package var order = ItemOrder.manual
    /// What the numbers beside the tags count, where that is not what is looked for: with a saved
    /// view chosen, whoever chooses a tag leaves the view.
    package var countedApart: ItemSearch?

    package init(
        search: ItemSearch = .everything, choice: ItemSearch = .everything,
        order: ItemOrder = .manual, countedApart: ItemSearch? = nil
    ) {
        self.search = search
        self.choice = choice
        self.order = order
        self.countedApart = countedApart
    }

    /// What the numbers beside the tags count.
    var counted: ItemSearch { countedApart ?? search }

    /// Whether the best matches come first.
    package var isRanked: Bool { order.sort == .match && search.isRanked }

    /// Whether it finds only what `other` shows: letters more of a word, a term more. With a tag
    /// chosen less is shown than is counted.
    package func narrows(_ other: RowsDefinition) -> Bool {
        other.choice.isEverything && search.narrows(other.search)
    }

    /// What it asks besides the terms of `other`, if the best matches come first in both; nil if it
    /// does not ask for all of them.
    func beyond(_ other: RowsDefinition) -> ItemSearch? {
        isRanked && other.isRanked && other.choice.isEverything
            ? search.beyond(other.search) : nil
    }

    /// What the rows are sorted by, or nil where they stand in manual order.
    var sort: ItemOrder? {
        isRanked || order.sort == .match || order == .manual ? nil : order
    }
}

/// How many of the items that a search finds have each tag, any tag or none.
public struct TagCounts: Hashable, Sendable {
    public private(set) var total = 0
    public private(set) var untagged = 0
    private var counts: [Tag.ID: Int] = [:]

    public subscript(tag: Tag.ID) -> Int { counts[tag] ?? 0 }

    /// Counts what an item has become instead of what it was, either of which may be nothing.
    mutating func count(_ new: Item?, insteadOf old: Item? = nil) {
        if let new, let old, new.tags == old.tags { return }
        if let old { count(old, by: -1) }
        if let new { count(new, by: 1) }
    }

    private mutating func count(_ item: Item, by step: Int) {
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
package struct RowsSearch: Sendable {
    let definition: RowsDefinition
    /// What is searched, with the rows of the last search.
    let index: ItemIndex
    /// Whether what the last search did not find need not be looked at again.
    let narrowed: Bool
    /// The items that the index holds.
    let source: EntityStore<Item>
    /// All rows in the order of the last sort.
    let sorted: SortedPlaces?
    /// What was found for some of the terms before.
    let earlier: Earlier?
    /// The item whose neighbours are told before all rows are sorted, if any are.
    var center: Item?
    /// Whether the best matches are told before all are found.
    var tellsBest = false
    /// The counts of the last search, where this one counts the same items; nil has them counted.
    var counts: TagCounts?

    /// The best matches of some terms, and what is asked besides.
    struct Earlier: Sendable {
        let rows: OrderedRows
        let rest: ItemSearch
    }

    /// What came of it.
    package struct Result: Sendable {
        package let definition: RowsDefinition
        let index: ItemIndex
        /// The rows, where they do not stand in manual order.
        let ordered: OrderedRows?
        let sorted: SortedPlaces?
        let counts: TagCounts
        /// The items among which it was found.
        let source: EntityStore<Item>

        /// The number of rows.
        package var count: Int { index.leaves.shown }
    }

    fileprivate struct Tally {
        var total = 0
        var untagged = 0
        var tags: [Int]
    }

    private struct Part: Sendable {
        var leaves: [IndexLeaf] = []
        /// What was found, if the best matches come first.
        var ranked = RankedRows()
        /// The same with what it is to be sorted by, unless an earlier order is known.
        var unsorted: SortableRows?
        var near: NearRows?
        var tally: Tally
    }

    /// The result, found on this thread. O(n), and O(n log n) in another order.
    func run() -> Result {
        let leaves = index.leaves.chunks
        let chunks = ContiguousArray(leaves.lazy.map(\.chunk))
        let reused = reusable(chunks)
        let room = sortRoom(for: leaves, reused)
        let parts = [part(leaves[...], earlierPoints(chunks), room, from: 0)]
        func ordered(_ rows: [OrderedRows.Row], _ order: ItemOrder) -> OrderedRows {
            OrderedRows(rows.count, in: chunks, order: order) { rows[$0] }
        }
        guard let order = definition.sort else {
            guard definition.isRanked else { return result(parts, nil, sorted) }
            let rows = OrderedRows.bestFirst(parts.map(\.ranked), in: chunks)
            return result(parts, rows, sorted)
        }
        if let reused { return result(parts, ordered(shown(parts, of: reused), order), reused) }
        let numbers = RowsSort(order, of: chunks).sorted(parts.compactMap(\.unsorted))
        let rows = OrderedRows(numbers.count, in: chunks, order: order) {
            OrderedRows.Row(place: RowPlace(number: numbers[$0]))
        }
        return result(parts, rows, all(numbers, chunks, order))
    }

    /// The result, found by `width` tasks side by side, or nil if the task was cancelled.
    ///
    /// - Parameter tell: takes the rows that are known first, if any are.
    package func run(
        width: Int, telling tell: @escaping @Sendable (FirstRows) async -> Void = { _ in }
    ) async -> Result? {
        let leaves = index.leaves.chunks
        let chunks = ContiguousArray(leaves.lazy.map(\.chunk))
        let reused = reusable(chunks)
        async let toldBest: Void = {
            if tellsBest, definition.isRanked, let first = bestRows() { await tell(first) }
        }()
        // Small parts end at one time, also where another process has a core for a while.
        let size = max((leaves.count - 1) / (32 * width) + 1, 1)
        let room = sortRoom(for: leaves, reused)
        let near = room == nil ? nil : nearRows(chunks)
        let earlier = earlierPoints(chunks)
        var places = 0
        var parts = await sideBySide(
            stride(from: 0, to: leaves.count, by: size).map { start in
                let leaves = leaves[start..<min(start + size, leaves.count)]
                let place = places
                places += leaves.reduce(0) { $0 + $1.chunk.count }
                return { part(leaves, earlier, room, from: place, near) }
            })
        guard !Task.isCancelled else { return nil }
        func ordered(_ rows: [OrderedRows.Row], _ order: ItemOrder) async -> OrderedRows {
            await .made(rows.count, in: chunks, order: order, width: width) { rows[$0] }
        }
        guard let order = definition.sort else {
            guard definition.isRanked else { return result(parts, nil, sorted) }
            let rows = await OrderedRows.bestFirst(parts.map(\.ranked), in: chunks, width: width)
            await toldBest
            return result(parts, rows, sorted)
        }
        if let reused {
            return result(parts, await ordered(shown(parts, of: reused), order), reused)
        }
        let sort = RowsSort(order, of: chunks)
        let first = firstRows(
            parts.compactMap(\.near), tagCounts(parts),
            count: parts.reduce(0) { $0 + ($1.unsorted?.count ?? 0) }, by: sort, chunks)
        async let told: Void = { if let first { await tell(first) } }()
        let unsorted = parts.compactMap(\.unsorted)
        for index in parts.indices { parts[index].unsorted = nil }
        let numbers = await sort.sorted(consume unsorted, width: width)
        await told
        guard !Task.isCancelled else { return nil }
        let rows = await OrderedRows.made(
            numbers.count, in: chunks, order: order, width: width
        ) { OrderedRows.Row(place: RowPlace(number: numbers[$0])) }
        return result(parts, rows, all(numbers, chunks, order))
    }

    /// The order of the last sort, if it is that of these rows.
    private func reusable(_ chunks: ContiguousArray<IndexChunk>) -> SortedPlaces? {
        guard let order = definition.sort, let sorted, sorted.isOrder(order, of: chunks) else {
            return nil
        }
        return sorted
    }

    /// Room for what is to be sorted, or nil if nothing is.
    private func sortRoom(for leaves: [IndexLeaf], _ reused: SortedPlaces?) -> SortRoom? {
        guard definition.sort != nil, reused == nil else { return nil }
        return SortRoom(for: leaves.reduce(0) { $0 + $1.chunk.count })
    }

    private func earlierPoints(_ chunks: ContiguousArray<IndexChunk>) -> EarlierPoints? {
        earlier.flatMap { EarlierPoints($0.rows, rest: $0.rest, in: chunks) }
    }

    /// What some of the leaves hold; `leaves` is a part of all of them.
    ///
    /// - Parameters:
    ///   - earlier: what is known of some of the terms.
    ///   - room: where what is to be sorted goes, from the place `start` on.
    private func part(
        _ leaves: ArraySlice<IndexLeaf>, _ earlier: EarlierPoints?, _ room: SortRoom?,
        from start: Int,
        _ near: NearRows? = nil
    ) -> Part {
        var search = ChunkSearch(earlier?.rest ?? definition.search, tags: index.numbers)
        var choice = ChunkSearch(definition.choice, tags: index.numbers)
        let chooses = !definition.choice.isEverything
        var countedSearch = definition.countedApart.map {
            ChunkSearch($0, tags: index.numbers)
        }
        let countsTags = counts == nil
        let isRanked = definition.isRanked
        let order = room == nil ? nil : definition.sort
        let tagPlaces = order?.places(of: index.numbers) ?? []
        var unsorted = room.map { SortableRows(in: definition.order, room: $0, from: start) }
        var near = near
        var part = Part(tally: Tally(tags: Array(repeating: 0, count: index.numbers.count)))
        part.leaves.reserveCapacity(leaves.count)
        for (number, leaf) in zip(leaves.indices, leaves) {
            // Often enough to end soon, and seldom enough to cost nothing.
            if number & 63 == 0, Task.isCancelled { return part }
            let chunk = leaf.chunk
            let rows = narrowed ? leaf.bits : ChunkBits(first: chunk.count)
            // What is found, whatever is chosen, and what of it is.
            let all: ChunkBits
            let shown: ChunkBits
            if isRanked {
                let chosen = chooses ? choice.found(in: chunk, among: rows) : rows
                func append(_ found: ChunkBits, _ points: UnsafeBufferPointer<Int32>) {
                    part.ranked.append(found.intersection(chosen), ofChunk: number, points)
                }
                all =
                    earlier?.withPoints(ofChunk: number, count: chunk.count) { found, points in
                        search.scored(
                            in: chunk, among: rows.intersection(found), from: points, append)
                    } ?? search.scored(in: chunk, among: rows, append)
                shown = all.intersection(chosen)
            } else {
                all = search.found(in: chunk, among: rows)
                shown = chooses ? choice.found(in: chunk, among: all) : all
            }
            if countsTags {
                let counted = countedSearch?.found(
                    in: chunk, among: ChunkBits(first: chunk.count))
                part.tally.count(counted ?? all, in: chunk)
            }
            if let order {
                let known = unsorted?.count ?? 0
                unsorted?.append(shown, of: chunk, number: number, in: order, tagPlaces)
                unsorted?.withRows { near?.look(at: $0[known...]) }
            }
            part.leaves.append(leaf.showing(shown))
            if number & 15 == 15 { giveWay() }
        }
        (part.unsorted, part.near) = (unsorted, near)
        return part
    }

    /// What is shown, in the order of an earlier sort.
    private func shown(_ parts: [Part], of sorted: SortedPlaces) -> [OrderedRows.Row] {
        let shown = parts.flatMap { $0.leaves.map(\.bits) }
        var rows: [OrderedRows.Row] = []
        for number in sorted.numbers {
            let place = RowPlace(number: number)
            if shown[place.chunk][place.row] { rows.append(OrderedRows.Row(place: place)) }
        }
        return rows
    }

    /// The order of a sort, to be kept for the next where it is that of all rows.
    private func all(
        _ numbers: [UInt32], _ chunks: ContiguousArray<IndexChunk>, _ order: ItemOrder
    ) -> SortedPlaces? {
        numbers.count == chunks.reduce(0) { $0 + $1.count }
            ? SortedPlaces(order: order, chunks: chunks, numbers: numbers) : nil
    }

    private func result(
        _ parts: [Part], _ ordered: OrderedRows?, _ sorted: SortedPlaces?
    ) -> Result {
        Result(
            definition: definition, index: ItemIndex(index, leaves: parts.flatMap(\.leaves)),
            ordered: ordered, sorted: sorted,
            counts: tagCounts(parts), source: source)
    }

    private func tagCounts(_ parts: [Part]) -> TagCounts {
        counts ?? TagCounts(parts.map(\.tally), index.numbers)
    }
}

extension RowsSearch.Tally {
    fileprivate mutating func count(_ rows: ChunkBits, in chunk: IndexChunk) {
        total += rows.count
        untagged += rows.subtracting(chunk.columns.tags.tagged).count
        chunk.columns.tags.forEach(among: rows) { number, rows in tags[Int(number)] += rows.count }
    }
}
