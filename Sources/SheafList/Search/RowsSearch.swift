import Glibc
import Swidux

/// A search through a whole list. It runs on a copy, on any thread; ``ItemRows/take(_:from:)``
/// takes over its result.
package struct RowsSearch: Sendable {
    package let definition: RowsDefinition
    let items: ItemSequence

    init(_ definition: RowsDefinition, in items: ItemSequence) {
        self.definition = definition
        self.items = items
    }

    /// The rows that a search found.
    package struct Result: Sendable {
        package let definition: RowsDefinition
        /// The finder, for later changes.
        let finder: RowFinder
        let list: ListRows
        /// The rows, where they are sorted.
        let sorted: SortedRows?
        let counts: TagCounts

        /// The number of rows.
        package var count: Int { list.count }

        /// The rows in order. O(n).
        var items: [SharedEntity<Item>] {
            (0..<list.count).compactMap { sorted == nil ? list.item(at: $0) : sorted?.item(at: $0) }
        }
    }

    /// The number of tasks by which a list is searched or sorted: one for each processor, up to 8.
    package static let width = max(min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 8), 1)

    /// The result, found on this thread. O(texts), and O(n log n) in another order.
    func run() -> Result {
        var finder = RowFinder(definition)
        var leaves = items.chunks.map(finder.look)
        if definition.fuzzy != nil, leaves.areEmpty {
            finder = RowFinder(definition, isFuzzy: true)
            leaves = items.chunks.map(finder.look)
        }
        let items = finder.order.map { order in
            RowsSort(order).merged([RowsSort(order).sorted(leaves[...])])
        }
        return result(finder, leaves, sorted: items, TagCounts(leaves[...]))
    }

    /// The result, found by `width` tasks side by side, or nil if the task was cancelled.
    package func run(width: Int) async -> Result? {
        var finder = RowFinder(definition)
        var leaves = await look(finder, width)
        if definition.fuzzy != nil, leaves.areEmpty {
            finder = RowFinder(definition, isFuzzy: true)
            leaves = await look(finder, width)
        }
        guard !Task.isCancelled else { return nil }
        let counts = await sideBySide(leaves.parts(width)) { TagCounts($0) }
            .reduce(into: TagCounts()) { $0.add($1) }
        var items: [SharedEntity<Item>]?
        if let order = finder.order {
            let sort = RowsSort(order)
            items = sort.merged(
                await sideBySide(leaves.parts(width)) {
                    Task.isCancelled ? RowsSort.Part() : sort.sorted($0)
                })
        }
        return Task.isCancelled ? nil : result(finder, leaves, sorted: items, counts)
    }

    private func look(_ finder: RowFinder, _ width: Int) async -> [ListRows.Leaf] {
        // Small parts end at one time, also where another process has a core for a while.
        await sideBySide(Array(items.chunks).parts(16 * width)) { part in
            Task.isCancelled ? [] : part.map(finder.look)
        }.flatMap(\.self)
    }

    private func result(
        _ finder: RowFinder, _ leaves: [ListRows.Leaf], sorted: [SharedEntity<Item>]?,
        _ counts: TagCounts
    ) -> Result {
        Result(
            definition: definition, finder: finder,
            list: ListRows(items, leaves, layers: finder.layerCount),
            sorted: finder.order.flatMap { order in sorted.map { SortedRows($0, in: order) } },
            counts: counts)
    }
}

extension [ListRows.Leaf] {
    fileprivate var areEmpty: Bool {
        allSatisfy(\.isEmpty)
    }
}

extension Array {
    /// Its elements in up to `count` parts of about equal size.
    fileprivate func parts(_ count: Int) -> [ArraySlice<Element>] {
        let size = Swift.max((self.count - 1) / count + 1, 1)
        return stride(from: 0, to: self.count, by: size).map {
            self[$0..<Swift.min($0 + size, self.count)]
        }
    }
}

/// The results of `body` for `parts`, in order, computed by several tasks.
private func sideBySide<Part: Sendable, Value: Sendable>(
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
    /// `items`, which are in manual order, in this one. O(n log n), on all processors.
    ///
    /// - Parameter search: the search that found them, for the order of best matches: if it looks
    ///   for no text, that is the manual order.
    public func sorted(_ items: [Item], foundBy search: ItemSearch = .everything) async -> [Item] {
        let definition = RowsDefinition(
            search: sort == .match ? search : .everything, order: self)
        let search = RowsSearch(definition, in: ItemSequence(items.map { SharedEntity($0) }))
        let result = await search.run(width: RowsSearch.width)
        return (result ?? search.run()).items.map(\.value)
    }
}
