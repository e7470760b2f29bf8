/// Rows in manual order that a part of a search has found, each with how well, and how many there
/// are of each number of points: what a counting sort needs to know first.
struct RankedRows: Sendable {
    typealias Row = OrderedRows.Row

    /// More points are not counted: they come of words longer than a line.
    private static let mostPoints = 1 << 16

    private var rows: [Row] = []
    private var counts: [Int] = []
    private var isCounted = true

    /// Adds rows of a chunk, with the points that `points` has of each.
    mutating func append(
        _ found: ChunkBits, ofChunk number: Int, _ points: UnsafeBufferPointer<Int32>
    ) {
        var most: Int32 = 0
        found.forEach { row in
            rows.append(Row(place: RowPlace(chunk: number, row: row), points: points[row]))
            most = max(most, points[row])
        }
        guard most < Self.mostPoints else {
            isCounted = false
            return
        }
        if most >= counts.count {
            counts += repeatElement(0, count: Int(most) + 1 - counts.count)
        }
        counts.withUnsafeMutableBufferPointer { counts in
            found.forEach { counts[Int(points[$0])] &+= 1 }
        }
    }

    /// How many rows of all parts there are of each number of points, or nil if that is not known.
    private static func counts(of parts: [RankedRows]) -> [Int]? {
        guard parts.allSatisfy(\.isCounted) else { return nil }
        var counts = Array(repeating: 0, count: parts.reduce(0) { max($0, $1.counts.count) })
        for part in parts {
            for (points, count) in part.counts.enumerated() { counts[points] += count }
        }
        return counts
    }

    /// Divides the points that rows have into ranges with about as many rows each, the most points
    /// first; nil is all of them.
    static func divide(_ parts: [RankedRows], between width: Int) -> [Range<Int>?] {
        guard let counts = counts(of: parts) else { return [nil] }
        let total = counts.reduce(0, +)
        var ranges: [Range<Int>?] = []
        var (end, rows) = (counts.count, 0)
        for points in counts.indices.reversed() {
            rows += counts[points]
            guard points == 0 || rows * width >= total * (ranges.count + 1) else { continue }
            ranges.append(points..<end)
            end = points
        }
        return ranges
    }

    /// The rows of parts that follow each other, those with the most points first and others as
    /// they are: a counting sort. O(n), and O(n log n) where points were not counted.
    ///
    /// - Parameter range: the rows with other points are left out.
    static func bestFirst(_ parts: [RankedRows], with range: Range<Int>? = nil) -> [Row] {
        guard let counts = counts(of: parts) else {
            return parts.lazy.flatMap(\.rows).enumerated().sorted {
                ($1.element.points, $0.offset) < ($0.element.points, $1.offset)
            }.map(\.element)
        }
        let range = range ?? 0..<counts.count
        // Where the next row with so many points goes.
        var places = Array(repeating: 0, count: range.count)
        var total = 0
        for points in range.reversed() {
            places[points - range.lowerBound] = total
            total += counts[points]
        }
        return Array(unsafeUninitializedCapacity: total) { sorted, count in
            places.withUnsafeMutableBufferPointer { places in
                for part in parts {
                    for row in part.rows {
                        let points = Int(row.points) &- range.lowerBound
                        guard points >= 0, points < places.count else { continue }
                        sorted.initializeElement(at: places[points], to: row)
                        places[points] &+= 1
                    }
                }
            }
            count = total
        }
    }
}
