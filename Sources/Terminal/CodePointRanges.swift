/// A set of code points, stored as ranges.
struct CodePointRanges: Sendable {
    private let ranges: [(first: UInt32, last: UInt32)]

    /// - Parameter ranges: in ascending order, with gaps between them.
    init(_ ranges: [(first: UInt32, last: UInt32)]) { self.ranges = ranges }

    /// Returns true if `value` is in one of the ranges. O(log n) in the number of ranges, which is
    /// below 200.
    func contains(_ value: UInt32) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if value > ranges[middle].last {
                low = middle + 1
            } else if value < ranges[middle].first {
                high = middle
            } else {
                return true
            }
        }
        return false
    }
}
