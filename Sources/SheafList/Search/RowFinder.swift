/// A finder that searches single chunks for the rows of a definition.
struct RowFinder: Sendable {
    let definition: RowsDefinition
    private let search: ItemSearch
    /// True if the finder searches for fuzzy matches, which ``SortedRows`` ranks.
    let isFuzzy: Bool

    /// - Parameter isFuzzy: True to use ``RowsDefinition/fuzzy`` instead of the search.
    init(_ definition: RowsDefinition, isFuzzy: Bool = false) {
        self.definition = definition
        self.isFuzzy = isFuzzy
        search = isFuzzy ? definition.fuzzy ?? definition.search : definition.search
    }

    /// The number of layers of ``ListRows``.
    var layerCount: Int { isRanked ? MatchClass.count : 1 }

    private var isRanked: Bool { definition.isRanked && !isFuzzy }

    /// The order of the rows, or `nil` for the manual order and for that of layers.
    var order: RowOrder? {
        if isFuzzy, definition.order.sort == .match {
            return RowOrder(definition.order, ranking: search)
        }
        return definition.sort.map { RowOrder($0) }
    }

    /// Returns true if a complete search found no row and there may be fuzzy matches.
    func needsFuzzy(_ leaves: [ListRows.Leaf]) -> Bool {
        !isFuzzy && definition.fuzzy != nil && leaves.allSatisfy(\.isEmpty)
    }

    /// Returns a chunk with the rows that the search finds in it. O(texts).
    func leaf(for chunk: ItemChunk) -> ListRows.Leaf {
        let found = search.find(in: chunk)
        let shown =
            definition.choice.isEverything
            ? found.rows : found.rows.intersection(definition.choice.find(in: chunk).rows)
        var layers = [UInt8](repeating: ListRows.hidden, count: chunk.count)
        if isRanked {
            let best = MatchClass.wholeName
            shown.forEach { row in
                let matchClass = found.classes?[row] ?? MatchClass.none
                let known = matchClass == MatchClass.none ? MatchClass.elsewhere : matchClass
                layers[row] = definition.order.isReversed ? known : best - known
            }
        } else {
            shown.forEach { layers[$0] = 0 }
        }
        let counted = definition.countedSearch ?? (isFuzzy ? definition.search : nil)
        return ListRows.Leaf(
            chunk: chunk, layers: layers, counted: counted?.find(in: chunk).rows ?? found.rows)
    }

    /// Returns true if fuzzy matches are shown and a chunk has exact ones. O(texts).
    func hasExactMatch(_ chunk: ItemChunk) -> Bool {
        isFuzzy && !definition.search.and(definition.choice).find(in: chunk).rows.isEmpty
    }
}
