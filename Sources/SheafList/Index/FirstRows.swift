import Swidux

/// Rows that are known before all others are found or put into an order: enough for a screen, so
/// that nobody looks at the rows of before until a million names are looked through or sorted. They
/// are those around the selection in a sort, or the best matches.
package struct FirstRows: Sendable {
    /// So many rows above and below the selection are enough for any screen.
    static let enough = 512

    package let definition: RowsDefinition
    /// How many rows there are and how many items each tag has, unless that is still counted.
    package let total: Int?
    package let counts: TagCounts?
    /// The items among which they were found: of others nothing is known.
    package let revision: Revision
    private let start: Int
    private let ids: [Item.ID]

    /// - Parameter start: the row of the first.
    package init(
        _ definition: RowsDefinition, _ ids: [Item.ID], from start: Int = 0, total: Int? = nil,
        counts: TagCounts? = nil, revision: Revision
    ) {
        self.definition = definition
        self.total = total
        self.counts = counts
        self.revision = revision
        self.start = start
        self.ids = ids
    }

    /// The number of rows that can be looked through: all of them, if that is known.
    package var count: Int { total ?? known.upperBound }

    /// The rows that are known.
    private var known: Range<Int> { start..<start + ids.count }

    /// The id at a row, or nil if it is not known. O(1).
    package func id(at row: Int) -> Item.ID? { known.contains(row) ? ids[row - start] : nil }

    /// The row of an item, or nil if it is not known. O(rows that are known).
    package func row(of id: Item.ID) -> Int? { ids.firstIndex(of: id).map { start + $0 } }

    /// Whether all rows of `range` that there are, are known.
    package func covers(_ range: Range<Int>) -> Bool {
        let range = range.clamped(to: 0..<(total ?? .max))
        return range.isEmpty || range.clamped(to: known) == range
    }
}

/// Looks for the rows that will stand around one of them, while they are gathered to be sorted:
/// those between two of a sample, and how many stand before them.
struct NearRows: Sendable {
    typealias Row = SortableRows.Row

    /// A sample has so many rows.
    private static let sampled = 1_024
    /// More rows are no help: so many are equal in what they are sorted by.
    private static let most = 16_384

    /// The row that the others are around.
    private let center: UInt32
    private let first: Row?
    private let last: Row?
    private var before = 0
    private var found: [Row] = []

    /// - Parameters:
    ///   - center: the row that the others are to be around.
    ///   - sample: every `step`th row or so of the list.
    init(around center: Row, sample: [Row], step: Int, by sort: ItemSort) {
        self.center = center.number
        // Names that are equal in their first keys may stand in any order.
        let isName = sort == .name
        let place = sample.partitionIndex { $0 < center }
        let distance = max(2 * FirstRows.enough / step, 4)
        first =
            place < distance
            ? nil : sample[place - distance].numbered(isName ? .min : nil)
        last =
            place + distance >= sample.count
            ? nil : sample[place + distance].numbered(isName ? .max : nil)
    }

    /// How many rows apart those of a sample are.
    static func step(for count: Int) -> Int { max(count / sampled, 1) }

    /// Looks at more rows.
    mutating func look(at rows: Slice<UnsafeMutableBufferPointer<Row>>) {
        for row in rows {
            if let first, row < first {
                before += 1
            } else if last.map({ !($0 < row) }) ?? true, found.count <= Self.most {
                found.append(row)
            }
        }
    }

    /// What the parts of a list have found, in order: the rows, and how many stand before them. Nil
    /// if the row in the middle is not among them, or they are too many.
    static func rows(
        _ parts: [NearRows], in order: ItemOrder, by sort: RowsSort
    ) -> (numbers: ArraySlice<UInt32>, start: Int)? {
        let count = parts.reduce(0) { $0 + $1.found.count }
        guard let center = parts.first?.center, count <= most else { return nil }
        let room = SortRoom(for: count)
        var rows = SortableRows(in: order, room: room)
        for row in parts.lazy.flatMap(\.found) { rows.append(row) }
        let sorted = sort.sorted([rows])
        guard let place = sorted.firstIndex(of: center) else { return nil }
        let near = sorted[
            max(place - FirstRows.enough, 0)..<min(place + FirstRows.enough, sorted.count)]
        return (near, parts.reduce(near.startIndex) { $0 + $1.before })
    }
}

extension SortableRows.Row {
    /// The row by another number, if there is one.
    fileprivate func numbered(_ number: UInt32?) -> Self {
        Self(key: key, number: number ?? self.number)
    }
}
