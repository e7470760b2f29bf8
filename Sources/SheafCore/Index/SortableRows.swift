/// Rows with what they are sorted by, side by side: to compare numbers that lie together is many
/// times faster than to compare names that lie anywhere.
///
/// They are sorted by keys of 8 bytes. A row has its first one, and where the other ones of its
/// name stand in a row of their own.
struct SortableRows: Sendable {
    struct Row: Sendable {
        var key: UInt64
        /// What the row is known by.
        let number: UInt32
        /// Where its other keys begin, and in two bits how its name is spelled.
        private var rest: UInt32

        fileprivate init(_ key: UInt64, number: UInt32, start: Int, _ spelling: NameSpelling) {
            self.key = key
            self.number = number
            rest = UInt32(start << 2) | UInt32(spelling.rawValue)
        }

        var start: Int { Int(rest >> 2) }
        var spelling: NameSpelling { NameSpelling(rawValue: UInt8(rest & 3)) ?? .other }

        /// The same where its other keys begin `distance` further on.
        func moved(by distance: Int) -> Row {
            Row(key, number: number, start: start + distance, spelling)
        }
    }

    /// So many keys of a name are kept: names can be endless.
    static let depth = 8
    private static let keySize = MemoryLayout<UInt64>.size

    let order: ItemOrder
    private(set) var rows: [Row] = []
    /// The keys of names but for the first ones.
    private(set) var keys: [UInt64] = []

    init(in order: ItemOrder) { self.order = order }

    /// Makes room for rows that have so many bytes of names.
    mutating func reserve(_ count: Int, nameBytes: Int) {
        rows.reserveCapacity(count)
        if order.sort == .name { keys.reserveCapacity(nameBytes / Self.keySize) }
    }

    /// Appends a row that is sorted by a number, ascending.
    mutating func append(_ number: UInt32, key: UInt64) {
        rows.append(Row(key, number: number, start: 0, .folded))
    }

    /// Appends a row that is sorted by its name.
    mutating func append(
        _ number: UInt32, folded: UnsafeBufferPointer<UInt8>, _ spelling: NameSpelling
    ) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.depth * Self.keySize) {
            let count = NameOrder.writeKey(of: folded, to: $0)
            // A zero after the last byte, too.
            let levels = min(count / Self.keySize + 1, Self.depth)
            for index in count..<max(count, levels * Self.keySize) { $0[index] = 0 }
            let bytes = UnsafeRawBufferPointer($0)
            func key(_ level: Int) -> UInt64 {
                let key = UInt64(
                    bigEndian: bytes.loadUnaligned(
                        fromByteOffset: level * Self.keySize, as: UInt64.self))
                return order.isReversed ? ~key : key
            }
            rows.append(Row(key(0), number: number, start: keys.count, spelling))
            for level in 1..<levels { keys.append(key(level)) }
        }
    }
}
