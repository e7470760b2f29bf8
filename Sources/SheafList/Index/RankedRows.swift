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

    /// Some of the rows in their order, from one place up to another. A place is told by the points
    /// of its rows and by the part that they are of, since most rows may have as many points.
    struct Share: Sendable {
        fileprivate var start: (points: Int, part: Int)
        fileprivate var end: (points: Int, part: Int)

        /// Which points the rows have that are of a part.
        fileprivate func points(in part: Int) -> Range<Int> {
            let least = part < end.part ? end.points : end.points + 1
            return least..<(part < start.part ? start.points : start.points + 1)
        }
    }

    /// Divides rows into shares of about as many each, in their order; nil is all of them.
    static func divide(_ parts: [RankedRows], between width: Int) -> [Share?] {
        guard let counts = counts(of: parts) else { return [nil] }
        let total = counts.reduce(0, +)
        var shares: [Share?] = []
        var (start, rows) = ((points: counts.count - 1, part: 0), 0)
        for points in counts.indices.reversed() {
            for (part, ranked) in parts.enumerated() where points < ranked.counts.count {
                rows += ranked.counts[points]
                guard shares.count + 1 < width, rows * width >= total * (shares.count + 1) else {
                    continue
                }
                let end = (points: points, part: part + 1)
                shares.append(Share(start: start, end: end))
                start = end
            }
        }
        shares.append(Share(start: start, end: (points: -1, part: 0)))
        return shares
    }

    /// The rows of parts that follow each other, those with the most points first and others as
    /// they are: a counting sort. O(n), and O(n log n) where points were not counted.
    ///
    /// - Parameter share: other rows are left out.
    static func bestFirst(_ parts: [RankedRows], _ share: Share? = nil) -> [Row] {
        guard let share = share ?? divide(parts, between: 1)[0] else {
            return parts.lazy.flatMap(\.rows).enumerated().sorted {
                ($1.element.points, $0.offset) < ($0.element.points, $1.offset)
            }.map(\.element)
        }
        let ranges = parts.indices.map(share.points)
        // How many rows there are with so many points, and then where the next of them goes.
        var places = Array(repeating: 0, count: max(share.start.points + 1, 0))
        for (part, range) in zip(parts, ranges) {
            for points in range.clamped(to: part.counts.indices) {
                places[points] += part.counts[points]
            }
        }
        var total = 0
        for points in places.indices.reversed() {
            (places[points], total) = (total, total + places[points])
        }
        return Array(unsafeUninitializedCapacity: total) { sorted, count in
            places.withUnsafeMutableBufferPointer { places in
                for (part, range) in zip(parts, ranges) where !range.isEmpty {
                    for row in part.rows where range.contains(Int(row.points)) {
                        let points = Int(row.points)
                        sorted.initializeElement(at: places[points], to: row)
                        places[points] &+= 1
                    }
                    if part.rows.count > 4096 { giveWay() }
                }
            }
            count = total
        }
    }
}
