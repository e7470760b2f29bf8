/// A set of code points, as a few ranges.
struct CodePointRanges: Sendable {
    private let ranges: [(first: UInt32, last: UInt32)]

    /// - Parameter ranges: in ascending order, and apart from each other.
    init(_ ranges: [(first: UInt32, last: UInt32)]) { self.ranges = ranges }

    /// Whether `value` is in one of the ranges. O(log n) in their number, less than 200.
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
