/// A point in time, as whole milliseconds since 1970-01-01T00:00:00Z (leap seconds not counted).
///
/// A number rather than a `Date`, because it is stored, compared and fetched by the hundred
/// thousand.
public struct Timestamp: Hashable, Comparable, Sendable {
    public var milliseconds: Int64

    /// 1970: the default where a time is not known.
    public static let zero = Timestamp(milliseconds: 0)

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The milliseconds from `earlier` to here, or the nearest that 64 bits hold: a time that
    /// others wrote may be any number.
    public func milliseconds(since earlier: Timestamp) -> Int64 {
        let (difference, isTooLarge) = milliseconds.subtractingReportingOverflow(
            earlier.milliseconds)
        guard isTooLarge else { return difference }
        return earlier.milliseconds < 0 ? .max : .min
    }

    /// A millisecond later, or the same at the end of time.
    public var next: Timestamp {
        Timestamp(milliseconds: milliseconds == .max ? .max : milliseconds + 1)
    }

    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
        lhs.milliseconds < rhs.milliseconds
    }
}
