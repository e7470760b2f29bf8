extension ItemOrder {
    /// - Parameter tags: all tags of the list, in their order, which sorting by tag follows.
    public init(_ sort: ItemSort, isReversed: Bool = false, tags: [Tag] = []) {
        let places = sort == .tag ? tags.enumerated().map { ($1.id, $0) } : []
        self.init(
            sort: sort, isReversed: isReversed,
            tagPlaces: Dictionary(places, uniquingKeysWith: { first, _ in first }))
    }

    /// Whether it is the order in which storage hands items on.
    public var isManual: Bool { self == .manual }

    /// Whether an item's tags say where it stands.
    public var needsTags: Bool { sort == .tag }

    /// `items`, which are in manual order, in this one. O(n log n), on all processors.
    ///
    /// - Parameter search: what they were found by, for the order of best matches: without one that
    ///   ranks them it is the manual order.
    public func sorted(_ items: [Item], foundBy search: ItemSearch = .everything) async -> [Item] {
        let width = min(SideBySide.width, items.count / 1_000 + 1)
        let size = max((items.count - 1) / width + 1, 1)
        let parts = await sideBySide(
            stride(from: 0, to: items.count, by: size).map { start in
                { sortable(items, start..<min(start + size, items.count), foundBy: search) }
            })
        let sort = RowsSort(
            parts, in: self,
            name: { items[Int($0)].name },
            isNameBefore: { left, right in
                let (name, other) = (items[Int(left)].name, items[Int(right)].name)
                return FoldedText.bytes(of: name).withUnsafeBufferPointer { folded in
                    FoldedText.bytes(of: other).withUnsafeBufferPointer {
                        isBefore(folded, name, $0, other) ?? false
                    }
                }
            })
        return await sort.sorted().map { items[Int($0)] }
    }

    /// The rows of `range` with what they are sorted by.
    private func sortable(
        _ items: [Item], _ range: Range<Int>, foundBy search: ItemSearch
    ) -> SortableRows {
        var matcher = sort == .match && search.looksForText ? ItemMatcher(search) : nil
        var folded: [UInt8] = []
        var rows = SortableRows(in: self)
        for number in range {
            let item = items[number]
            switch sort {
            case .name:
                folded.removeAll(keepingCapacity: true)
                FoldedText.append(item.name, to: &folded)
                folded.withUnsafeBufferPointer {
                    rows.append(
                        UInt32(number), folded: $0, NameSpelling(of: item.name, folded: $0))
                }
            case .manual:
                rows.append(UInt32(number), key: isReversed ? ~UInt64(number) : UInt64(number))
            case .match:
                rows.append(
                    UInt32(number), key: .max - UInt64(matcher?.score(of: item) ?? 0))
            default: rows.append(UInt32(number), key: prefix(of: item))
            }
        }
        return rows
    }
}
