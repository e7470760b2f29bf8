import Swidux

/// An order of items. Those that are equal in it stand in manual order, and those that have nothing
/// to be sorted by stand last in both directions.
public struct ItemOrder: Hashable, Sendable {
    public internal(set) var sort = ItemSort.manual
    var isReversed = false
    /// The places of the tags, where they are what items are sorted by.
    package var tagPlaces: [Tag.ID: Int] = [:]
    /// The milliseconds from midnight UTC to the beginning of the user's today, if items are sorted
    /// by a time. A day without a time stands there among moments: exactly, or an hour off in the
    /// other half of the year.
    var dayShift: Int64 = 0

    package static let manual = ItemOrder(sort: .manual)

    package init(
        sort: ItemSort, isReversed: Bool = false, tagPlaces: [Tag.ID: Int] = [:],
        dayShift: Int64 = 0
    ) {
        self.sort = sort
        self.isReversed = isReversed
        self.tagPlaces = tagPlaces
        self.dayShift = dayShift
    }

    /// Where an item stands but for its place in the manual order.
    enum Key: Sendable {
        case number(Int64)
        /// A folded name.
        case name(ContiguousArray<UInt8>)
    }

    func key(of item: Item) -> Key {
        switch sort {
        case .name: .name(ContiguousArray(FoldedText.bytes(of: item.name)))
        default: .number(number(of: item))
        }
    }

    /// What an item is sorted by, ascending, unless that is its name.
    func number(of item: Item) -> Int64 {
        switch sort {
        case .manual, .match, .name: 0
        case .created: number(of: item.createdAt)
        case .changed: number(of: item.updatedAt)
        case .done: item.doneAt.map(number) ?? .max
        case .tag: item.tags.lazy.compactMap { tagPlaces[$0] }.min().map(ascending) ?? .max
        case .due: item.due.map { ascending($0.sortNumber) } ?? .max
        case .priority: item.priority.map { ascending(Int($0.rawValue)) } ?? .max
        }
    }

    private func ascending(_ number: Int) -> Int64 { Int64(isReversed ? ~number : number) }

    private func number(of time: Timestamp) -> Int64 {
        let number = time.isDay ? time.milliseconds &+ dayShift : time.milliseconds
        return isReversed ? number : ~number
    }

    /// Whether the item of `key` stands before the row of a chunk; nil if it is that very item.
    func isBefore(_ key: Key, _ item: Item, _ chunk: IndexChunk, _ row: Int) -> Bool? {
        let other = chunk.columns.items[row].value
        switch key {
        case .number(let number):
            let theirs = self.number(of: other)
            if number != theirs { return number < theirs }
        case .name(let folded):
            let isBefore = chunk.columns.names.withUnsafeBufferPointer { names in
                folded.withUnsafeBufferPointer { folded in
                    isNameBefore(
                        folded, item.texts,
                        UnsafeBufferPointer(rebasing: names[chunk.columns.nameRange(row)]),
                        other.texts)
                }
            }
            if let isBefore { return isBefore }
        }
        return precedesManually(item, other)
    }

    /// What an item is sorted by first, unless that is its name.
    func prefix(of item: Item) -> UInt64 { prefix(number(of: item)) }

    /// The same of an item whose first tag has this place.
    func prefix(ofTagAt place: Int) -> UInt64 { prefix(ascending(place)) }

    /// The same of an item that has nothing to be sorted by.
    var lastPrefix: UInt64 { prefix(.max) }

    private func prefix(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ 1 << 63 }

    /// Whether the name of an item stands before that of another one; nil if they are equal. The
    /// names themselves are looked at only where they are equal when folded.
    func isNameBefore(
        _ folded: UnsafeBufferPointer<UInt8>, _ texts: @autoclosure () -> ItemTexts,
        _ otherFolded: UnsafeBufferPointer<UInt8>, _ others: @autoclosure () -> ItemTexts
    ) -> Bool? {
        let order = NameOrder.compare(folded, otherFolded)
        if order != 0 { return (order < 0) != isReversed }
        let bytes = NameOrder.compareBytes(texts(), others())
        return bytes == 0 ? nil : (bytes < 0) != isReversed
    }

    /// Whether an item stands before another in the manual order; nil if it is that very item.
    func precedesManually(_ item: Item, _ other: Item) -> Bool? {
        if item.id == other.id && item.rank == other.rank { return nil }
        let isBefore = item.position < other.position
        return sort == .manual && isReversed ? !isBefore : isBefore
    }
}
