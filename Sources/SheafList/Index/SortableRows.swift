/// Room for the rows of a sort, in which several tasks write side by side, each in a part of its
/// own. What is not written takes no memory.
///
/// Unchecked because tasks have pointers into it; no two have the same part at a time.
final class SortRoom: @unchecked Sendable {
    fileprivate let rows: UnsafeMutableBufferPointer<SortableRows.Row>

    init(for count: Int) { rows = .allocate(capacity: count) }

    deinit { rows.deallocate() }
}

/// Rows with what they are sorted by, side by side: to compare numbers that lie together is many
/// times faster than to compare names that lie anywhere.
struct SortableRows: Sendable {
    struct Row: BitwiseCopyable, Sendable {
        /// Of a name the first of its keys.
        var key: SortKey
        /// What the row is known by, in the four bytes that a key leaves of 32.
        let number: UInt32
    }

    let order: ItemOrder
    private let room: SortRoom
    private let start: Int
    private(set) var count = 0

    /// No rows, which go into `room` from `start` on.
    init(in order: ItemOrder, room: SortRoom, from start: Int = 0) {
        self.order = order
        self.room = room
        self.start = start
    }

    /// Calls `body` with the rows, which nobody else may look at meanwhile.
    func withRows<Result>(
        _ body: (UnsafeMutableBufferPointer<Row>) throws -> Result
    ) rethrows -> Result {
        try withExtendedLifetime(room) {
            try body(UnsafeMutableBufferPointer(rebasing: room.rows[start..<start + count]))
        }
    }

    /// The rows of parts that stand in one room, one after the other, side by side. O(n).
    static func joined(_ parts: consuming [SortableRows]) -> SortableRows? {
        guard var all = parts.first else { return nil }
        for part in parts.dropFirst() {
            let end = all.start + all.count
            if part.count > 0, part.start != end {
                _ = all.room.rows[end..<end + part.count].moveInitialize(
                    fromContentsOf: all.room.rows[part.start..<part.start + part.count])
            }
            all.count += part.count
        }
        return all
    }

    /// The same rows, which stand in `ranges`, each to be sorted by another task.
    func divided(in ranges: [Range<Int>]) -> [SortableRows] {
        ranges.map { range in
            var part = SortableRows(in: order, room: room, from: start + range.lowerBound)
            part.count = range.count
            return part
        }
    }

    /// Appends a row that is sorted by a number, ascending.
    mutating func append(_ number: UInt32, key: UInt64) {
        append(Row(key: SortKey(key), number: number))
    }

    /// Appends a row that is sorted by its name.
    mutating func append(_ number: UInt32, folded: UnsafeBufferPointer<UInt8>) {
        append(Row(key: order.key(ofFolded: folded, level: 0), number: number))
    }

    mutating func append(_ row: Row) {
        room.rows.initializeElement(at: start + count, to: row)
        count += 1
    }
}

extension SortableRows.Row: Comparable {
    static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.key == rhs.key ? lhs.number < rhs.number : lhs.key < rhs.key
    }
}

extension ItemOrder {
    /// What a name is sorted by at a level, ascending.
    func key(ofFolded name: UnsafeBufferPointer<UInt8>, level: Int) -> SortKey {
        let key = NameOrder.key(of: name, level: level)
        return isReversed ? ~key : key
    }
}
