import Swidux

/// An order of items. Those that are equal in it stand in manual order, and those that have nothing
/// to be sorted by stand last in both directions.
public struct ItemOrder: Hashable, Sendable {
    var sort = ItemSort.manual
    var isReversed = false
    /// The places of the tags, where they are what items are sorted by.
    var tagPlaces: [Tag.ID: Int] = [:]

    static let manual = ItemOrder()

    /// Where an item stands but for its place in the manual order.
    enum Key: Sendable {
        case number(Int64)
        /// A folded name, and the name itself.
        case name(ContiguousArray<UInt8>, String)
    }

    func key(of item: Item) -> Key {
        switch sort {
        case .name: .name(ContiguousArray(FoldedText.bytes(of: item.name)), item.name)
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
        case .tag:
            item.tags.lazy.compactMap { tagPlaces[$0] }.min().map {
                Int64(isReversed ? ~$0 : $0)
            } ?? .max
        case .due: item.due.map { ascending($0.sortNumber) } ?? .max
        case .priority: item.priority.map { ascending(Int($0.rawValue)) } ?? .max
        }
    }

    private func ascending(_ number: Int) -> Int64 { Int64(isReversed ? ~number : number) }

    private func number(of time: Timestamp) -> Int64 {
        isReversed ? time.milliseconds : ~time.milliseconds
    }

    /// Whether the item of `key` stands before the row of a chunk; nil if it is that very item.
    func isBefore(_ key: Key, _ item: Item, _ chunk: IndexChunk, _ row: Int) -> Bool? {
        let other = chunk.items[row].value
        switch key {
        case .number(let number):
            let theirs = self.number(of: other)
            if number != theirs { return number < theirs }
        case .name(let folded, let name):
            let isBefore = chunk.names.withUnsafeBufferPointer { names in
                folded.withUnsafeBufferPointer { folded in
                    self.isBefore(
                        folded, name, UnsafeBufferPointer(rebasing: names[chunk.nameRange(row)]),
                        other.name)
                }
            }
            if let isBefore { return isBefore }
        }
        return precedesManually(item, other)
    }

    /// What an item is sorted by first, unless that is its name.
    func prefix(of item: Item) -> UInt64 { UInt64(bitPattern: number(of: item)) ^ 1 << 63 }

    /// Whether the name of a row stands before that of another one.
    func isNameBefore(_ left: IndexChunk, _ row: Int, _ right: IndexChunk, _ other: Int) -> Bool {
        left.names.withUnsafeBufferPointer { names in
            right.names.withUnsafeBufferPointer { otherNames in
                isBefore(
                    UnsafeBufferPointer(rebasing: names[left.nameRange(row)]),
                    left.items[row].value.name,
                    UnsafeBufferPointer(rebasing: otherNames[right.nameRange(other)]),
                    right.items[other].value.name) ?? false
            }
        }
    }

    /// Whether a name stands before another; nil if they are equal. The names themselves are asked
    /// for only where they are equal when folded.
    func isBefore(
        _ folded: UnsafeBufferPointer<UInt8>, _ name: @autoclosure () -> String,
        _ otherFolded: UnsafeBufferPointer<UInt8>, _ other: @autoclosure () -> String
    ) -> Bool? {
        let order = NameOrder.compare(folded, otherFolded)
        if order != 0 { return (order < 0) != isReversed }
        let bytes = NameOrder.compareBytes(name(), other())
        return bytes == 0 ? nil : (bytes < 0) != isReversed
    }

    /// Whether an item stands before another in the manual order; nil if it is that very item.
    func precedesManually(_ item: Item, _ other: Item) -> Bool? {
        if item.id == other.id && item.rank == other.rank { return nil }
        let isBefore = (item.rank, item.id) < (other.rank, other.id)
        return sort == .manual && isReversed ? !isBefore : isBefore
    }
}
