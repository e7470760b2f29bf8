import Glibc
import Swidux

/// A search for the rows of a definition, in one chunk or in a whole list. It runs on any thread,
/// on a copy of the items. ``ItemRows/adopt(_:from:)`` adopts its result.
package struct RowsSearch: Sendable {
    package let definition: RowsDefinition
    private let search: ItemSearch
    /// True if it searches for fuzzy matches, which ``SortedRows`` ranks.
    let isFuzzy: Bool

    package init(_ definition: RowsDefinition) { self.init(definition, isFuzzy: false) }

    private init(_ definition: RowsDefinition, isFuzzy: Bool) {
        self.definition = definition
        self.isFuzzy = isFuzzy
        search = isFuzzy ? definition.fuzzy ?? definition.search : definition.search
    }

    /// The number of layers of ``ListRows``.
    var layerCount: Int { isRanked ? MatchClass.count : 1 }

    /// The layers of a chunk without rows.
    private var noLayers: [ChunkBits] { Array(repeating: ChunkBits(), count: layerCount) }

    private var isRanked: Bool { definition.isRanked && !isFuzzy }

    /// The order of the rows, or `nil` for the manual order and for that of layers.
    var order: RowOrder? {
        if isFuzzy, definition.order.sort == .match {
            return RowOrder(definition.order, ranking: search)
        }
        return definition.sort.map { RowOrder($0) }
    }

    // MARK: Chunks

    /// Returns a chunk with the rows that the search finds in it. O(texts).
    func leaf(for chunk: ItemChunk) -> ListRows.Leaf {
        let found = search.find(in: chunk)
        let shown =
            definition.choice.isEverything
            ? found.rows : found.rows.intersection(definition.choice.find(in: chunk).rows)
        var layers = noLayers
        if isRanked {
            shown.forEach { row in
                let best = found.classes?[row] ?? MatchClass.none
                let known = Int(best == MatchClass.none ? MatchClass.elsewhere : best)
                layers[definition.order.isReversed ? known : MatchClass.count - 1 - known][row] =
                    true
            }
        } else {
            layers[0] = shown
        }
        let counted = definition.countedSearch ?? (isFuzzy ? definition.search : nil)
        return ListRows.Leaf(
            chunk: chunk, layers: layers, counted: counted?.find(in: chunk).rows ?? found.rows)
    }

    /// Returns a chunk that has not been searched yet, without rows.
    func unseenLeaf(for chunk: ItemChunk) -> ListRows.Leaf {
        ListRows.Leaf(chunk: chunk, layers: noLayers, counted: ChunkBits())
    }

    /// Returns true if fuzzy matches are shown and a chunk has exact ones. O(texts).
    func hasExactMatch(_ chunk: ItemChunk) -> Bool {
        isFuzzy && !definition.search.and(definition.choice).find(in: chunk).rows.isEmpty
    }

    // MARK: Lists

    /// The number of tasks that search or sort a list: one for each processor, up to 8.
    package static let width = max(min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 8), 1)

    /// Finds the rows on the calling thread. O(texts), and O(n log n) if the order is not the
    /// manual one.
    func run(in items: ItemSequence) -> ItemRows {
        let leaves = items.chunks.map(leaf(for:))
        if let fuzzy = fuzzy(after: leaves) { return fuzzy.run(in: items) }
        return ItemRows(items, leaves, self, sorted: order.map { [$0.sorted(leaves[...])] })
    }

    /// Finds the rows in `width` parallel tasks. Returns `nil` if the task was cancelled.
    package func run(in items: ItemSequence, width: Int) async -> ItemRows? {
        // Small parts end at about the same time, even if another process uses a core for a while.
        let leaves = await concurrentMap(Array(items.chunks).parts(16 * width)) { part in
            Task.isCancelled ? [] : part.map(leaf(for:))
        }.flatMap(\.self)
        guard !Task.isCancelled else { return nil }
        if let fuzzy = fuzzy(after: leaves) { return await fuzzy.run(in: items, width: width) }
        var sorted: [RowOrder.Part]?
        if let order {
            sorted = await concurrentMap(leaves.parts(width)) {
                Task.isCancelled ? RowOrder.Part() : order.sorted($0)
            }
        }
        return Task.isCancelled ? nil : ItemRows(items, leaves, self, sorted: sorted)
    }

    /// Returns the search for fuzzy matches if this one found no row and there may be such matches.
    private func fuzzy(after leaves: [ListRows.Leaf]) -> RowsSearch? {
        guard !isFuzzy, definition.fuzzy != nil, leaves.allSatisfy(\.isEmpty) else { return nil }
        return RowsSearch(definition, isFuzzy: true)
    }
}

extension Array {
    /// Returns the elements in up to `count` parts of about equal size.
    fileprivate func parts(_ count: Int) -> [ArraySlice<Element>] {
        let size = Swift.max((self.count - 1) / count + 1, 1)
        return stride(from: 0, to: self.count, by: size).map {
            self[$0..<Swift.min($0 + size, self.count)]
        }
    }
}

/// Runs `body` for each of `parts` in parallel tasks, and returns the results in the order of the
/// parts.
private func concurrentMap<Part: Sendable, Value: Sendable>(
    _ parts: [Part], _ body: @escaping @Sendable (Part) -> Value
) async -> [Value] {
    await withTaskGroup(of: (Int, Value).self) { group in
        for (number, part) in parts.enumerated() { group.addTask { (number, body(part)) } }
        var values: [(Int, Value)] = []
        for await value in group { values.append(value) }
        return values.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

extension ItemOrder {
    /// Sorts `items`, which are in manual order. O(n log n), on all processors.
    ///
    /// - Parameter search: The search that found the items, for the order of best matches. If it
    ///   contains no text, that order is the manual one.
    package func sorted(_ items: [Item], foundBy search: ItemSearch = .everything) async -> [Item] {
        let search = RowsSearch(
            RowsDefinition(search: sort == .match ? search : .everything, order: self))
        let items = ItemSequence(items.map { SharedEntity($0) })
        let rows = await search.run(in: items, width: RowsSearch.width)
        return (rows ?? search.run(in: items)).items.map(\.value)
    }
}
