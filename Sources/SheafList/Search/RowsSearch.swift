import Glibc
import Swidux

/// A search through a whole list. It runs on a copy, on any thread. ``ItemRows/adopt(_:from:)``
/// adopts its result.
package struct RowsSearch: Sendable {
    package let definition: RowsDefinition
    private let items: ItemSequence

    init(_ definition: RowsDefinition, in items: ItemSequence) {
        self.definition = definition
        self.items = items
    }

    /// The number of tasks that search or sort a list: one for each processor, up to 8.
    package static let width = max(min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 8), 1)

    /// Finds the rows on the calling thread. O(texts), and O(n log n) if the order is not the
    /// manual one.
    ///
    /// - Parameter isFuzzy: True to search for fuzzy matches at once.
    func run(isFuzzy: Bool = false) -> ItemRows {
        let finder = RowFinder(definition, isFuzzy: isFuzzy)
        let leaves = items.chunks.map(finder.leaf(for:))
        if finder.needsFuzzy(leaves) { return run(isFuzzy: true) }
        return ItemRows(
            items, leaves, finder, sorted: finder.order.map { [$0.sorted(leaves[...])] })
    }

    /// Finds the rows in `width` parallel tasks. Returns `nil` if the task was cancelled.
    package func run(width: Int, isFuzzy: Bool = false) async -> ItemRows? {
        let finder = RowFinder(definition, isFuzzy: isFuzzy)
        // Small parts end at about the same time, even if another process uses a core for a while.
        let leaves = await concurrentMap(Array(items.chunks).parts(16 * width)) { part in
            Task.isCancelled ? [] : part.map(finder.leaf(for:))
        }.flatMap(\.self)
        guard !Task.isCancelled else { return nil }
        if finder.needsFuzzy(leaves) { return await run(width: width, isFuzzy: true) }
        var sorted: [RowOrder.Part]?
        if let order = finder.order {
            sorted = await concurrentMap(leaves.parts(width)) {
                Task.isCancelled ? RowOrder.Part() : order.sorted($0)
            }
        }
        return Task.isCancelled ? nil : ItemRows(items, leaves, finder, sorted: sorted)
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
        let definition = RowsDefinition(
            search: sort == .match ? search : .everything, order: self)
        let search = RowsSearch(definition, in: ItemSequence(items.map { SharedEntity($0) }))
        let rows = await search.run(width: RowsSearch.width)
        return (rows ?? search.run()).items.map(\.value)
    }
}
