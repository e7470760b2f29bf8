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

    /// `items` in this order. O(n log n); names are folded once.
    ///
    /// - Parameter search: what they were found by, for the order of best matches: without one that
    ///   ranks them it is the manual order.
    public func sorted(_ items: [Item], foundBy search: ItemSearch = .everything) -> [Item] {
        var matcher = sort == .match && search.looksForText ? ItemMatcher(search) : nil
        var names: [UInt8] = []
        var nameEnds: [Int] = [0]
        if sort == .name {
            for item in items {
                FoldedText.append(item.name, to: &names)
                nameEnds.append(names.count)
            }
        }
        let rows = names.withUnsafeBufferPointer { names in
            func name(_ row: Int) -> UnsafeBufferPointer<UInt8> {
                UnsafeBufferPointer(rebasing: names[nameEnds[row]..<nameEnds[row + 1]])
            }
            var rows = items.indices.map { row in
                let points = matcher?.score(of: items[row]).map { UInt64.max - UInt64($0) }
                let key = sort == .name ? key(ofName: name(row)).first : prefix(of: items[row])
                return (key: points ?? key, row: row)
            }
            rows.sort { left, right in
                if left.key != right.key { return left.key < right.key }
                if sort == .name,
                    let isBefore = isBefore(
                        name(left.row), items[left.row].name, name(right.row),
                        items[right.row].name)
                {
                    return isBefore
                }
                return precedesManually(items[left.row], items[right.row]) ?? false
            }
            return rows
        }
        return rows.map { items[$0.row] }
    }
}
