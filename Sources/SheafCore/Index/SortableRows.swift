/// Rows with what they are sorted by, side by side: to compare numbers that lie together is many
/// times faster than to compare names that lie anywhere.
struct SortableRows: Sendable {
    struct Row: Sendable {
        var key: SortKey
        /// What the row is known by.
        let number: UInt32
        /// Where the next keys of its name begin, and in two bits how it is spelled.
        private var rest: UInt32

        fileprivate init(_ key: SortKey, number: UInt32, rest: Int, _ spelling: NameSpelling) {
            self.key = key
            self.number = number
            self.rest = UInt32(rest << 2) | UInt32(spelling.rawValue)
        }

        var start: Int { Int(rest >> 2) }
        var spelling: NameSpelling { NameSpelling(rawValue: UInt8(rest & 3)) ?? .other }

        /// The same where its next keys begin `distance` further on.
        fileprivate func moved(by distance: Int) -> Row {
            Row(key, number: number, rest: start + distance, spelling)
        }
    }

    /// So many keys of a name are kept: names can be endless.
    static let depth = 4

    let isReversed: Bool
    private(set) var rows: [Row] = []
    /// The keys of names but for the first ones.
    private(set) var keys: [SortKey] = []

    init(isReversed: Bool = false) { self.isReversed = isReversed }

    /// The rows of `parts` whose first number is in `range`, with all keys of the parts.
    init(_ parts: [SortableRows], keys: [SortKey], in range: ClosedRange<UInt64>) {
        isReversed = parts.contains { $0.isReversed }
        self.keys = keys
        var start = 0
        for part in parts {
            for row in part.rows where range.contains(row.key.first) {
                rows.append(row.moved(by: start))
            }
            start += part.keys.count
        }
    }

    /// Appends a row that is sorted by a number, ascending.
    mutating func append(_ number: UInt32, key: UInt64) {
        let key = SortKey(first: key, second: isReversed ? .max : 0)
        rows.append(Row(key, number: number, rest: 0, .folded))
    }

    /// Appends a row that is sorted by its name.
    mutating func append(
        _ number: UInt32, folded: UnsafeBufferPointer<UInt8>, _ spelling: NameSpelling
    ) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.depth * SortKey.size) {
            let count = NameOrder.writeKey(of: folded, to: $0)
            // The zero after the last byte, too.
            let levels = min(count / SortKey.size + 1, Self.depth)
            for index in count..<levels * SortKey.size { $0[index] = 0 }
            let bytes = UnsafeRawBufferPointer($0)
            rows.append(
                Row(
                    key(bytes, level: 0), number: number, rest: keys.count, spelling))
            for level in 1..<levels { keys.append(key(bytes, level: level)) }
        }
    }

    private func key(_ bytes: UnsafeRawBufferPointer, level: Int) -> SortKey {
        let key = SortKey(bytes, at: level * SortKey.size)
        return isReversed ? SortKey(first: ~key.first, second: ~key.second) : key
    }

    /// Whether nothing comes after a key.
    func isLast(_ key: SortKey) -> Bool { key.second & 0xFF == (isReversed ? 0xFF : 0) }
}

/// 16 bytes of what a row is sorted by, as numbers.
struct SortKey: Sendable {
    static let size = 16

    var first: UInt64
    var second: UInt64

    init(first: UInt64, second: UInt64) { (self.first, self.second) = (first, second) }

    init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        first = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        second = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
    }

    static func < (left: SortKey, right: SortKey) -> Bool {
        left.first != right.first ? left.first < right.first : left.second < right.second
    }

    func isEqual(to other: SortKey) -> Bool { first == other.first && second == other.second }
}
