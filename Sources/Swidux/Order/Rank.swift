/// A place in a user's order: opaque, comparable, and always with room between two unequal ranks.
///
/// The text is base 62 (`0-9A-Za-z`) and compares bytewise, so a text column sorts like the ranks.
/// A rank is a fractional index, as described in "Implementing Fractional Indexing" by David
/// Greenspan: an integer part whose first letter gives its length, then a fraction that never ends
/// in `0`. Appending and prepending only change the integer, so the length grows with the logarithm
/// of the number of ranks: the millionth append is six digits long. Insertions into a gap add at
/// most one digit for every five of them, at any place: after n insertions, no rank has more than 2
/// + n / 5 digits beyond the longer end of the gap. If a rank would be longer than 64 digits,
/// neighbors make room: `Position.room(for:below:above:)`.
///
/// The first ten digits are stored in one integer, which is enough to compare nearly all ranks.
public struct Rank: Hashable, Sendable {
    /// The first ten digits, six bits each, the first digit in the highest bits. A digit is stored
    /// as its index plus one and a missing digit as zero, so that a prefix sorts before longer
    /// ranks.
    @usableFromInline let head: UInt64
    /// The digits after the tenth as ASCII.
    @usableFromInline let tail: [UInt8]

    @usableFromInline static let headDigits = 10

    /// The maximum number of digits of a new rank. More than 300 insertions at one place fit before
    /// neighbors make room, and storage may limit the length of an indexed text.
    @usableFromInline package static let maxDigits = 64

    /// True if the rank has more than ``maxDigits`` digits.
    @inlinable package var isTooLong: Bool { isLonger(than: Self.maxDigits) }

    /// - Precondition: `count` is at least 10.
    @inlinable func isLonger(than count: Int) -> Bool { tail.count > count - Self.headDigits }

    /// Returns true if `lhs` has fewer digits. Ranks of up to ten digits count as equally long.
    @inlinable static func isShorter(_ lhs: Rank, _ rhs: Rank) -> Bool {
        lhs.tail.count < rhs.tail.count
    }

    /// Creates the rank with this text, or nil if the text is not a rank: if it is empty, has a
    /// character that is not a base-62 digit, is shorter than its first letter requires, or has a
    /// fraction that ends in `0`.
    public init?(text: String) {
        let digits = Array(text.utf8)
        guard Self.isValid(digits) else { return nil }
        self.init(digits: digits)
    }

    /// - Precondition: `digits` is a valid index.
    private init(digits: [UInt8]) {
        var head: UInt64 = 0
        for index in 0..<Self.headDigits {
            let code = index < digits.count ? Self.value(of: digits[index]) + 1 : 0
            head = head << 6 | UInt64(code)
        }
        self.head = head
        tail = Array(digits.dropFirst(Self.headDigits))
    }

    /// The digits as ASCII.
    private var digits: [UInt8] {
        var digits: [UInt8] = []
        digits.reserveCapacity(Self.headDigits + tail.count)
        for index in 0..<Self.headDigits {
            let code = Int(head >> UInt64(6 * (Self.headDigits - 1 - index))) & 63
            if code == 0 { return digits }
            digits.append(Self.digit(code - 1))
        }
        return digits + tail
    }

    /// The text that storage keeps. Created at each call.
    public var text: String { String(decoding: digits, as: UTF8.self) }

    /// Returns a rank above `lower` and below `upper`. Nil means an open end. If `upper` is not
    /// above `lower`, there is no room between them, and `upper` is ignored.
    public static func between(_ lower: Rank?, _ upper: Rank?) -> Rank {
        var ceiling = upper
        if let lower, let upper, upper <= lower { ceiling = nil }
        return Rank(digits: digits(between: lower?.digits, and: ceiling?.digits))
    }

    /// Returns `count` ascending ranks above `lower` and below `upper`, short and evenly spread.
    /// O(`count`).
    ///
    /// If one end is open, the ranks count up or down from the other end. Between two ranks, they
    /// halve the room. As in ``between(_:_:)``, an `upper` that is not above `lower` is ignored.
    @usableFromInline package static func spread(
        _ count: Int, between lower: Rank?, and upper: Rank?
    ) -> [Rank] {
        guard count > 0 else { return [] }
        var ranks: [Rank] = []
        ranks.reserveCapacity(count)
        if let lower, let upper, lower < upper {
            halve(count, lower, upper, into: &ranks)
        } else {
            let isDown = lower == nil && upper != nil
            var last = isDown ? upper : lower
            for _ in 0..<count {
                let next = isDown ? between(nil, last) : between(last, nil)
                ranks.append(next)
                last = next
            }
            if isDown { ranks.reverse() }
        }
        return ranks
    }

    private static func halve(_ count: Int, _ lower: Rank, _ upper: Rank, into ranks: inout [Rank])
    {
        guard count > 0 else { return }
        let middle = between(lower, upper)
        let below = count / 2
        halve(below, lower, middle, into: &ranks)
        ranks.append(middle)
        halve(count - below - 1, middle, upper, into: &ranks)
    }
}

extension Rank: Comparable {
    @inlinable public static func < (lhs: Rank, rhs: Rank) -> Bool {
        if lhs.head != rhs.head { return lhs.head < rhs.head }
        return lhs.tail.lexicographicallyPrecedes(rhs.tail)
    }
}

/// A rank is encoded as its text, in a single value.
extension Rank: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let rank = Rank(text: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "this is no rank")
        }
        self = rank
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension Rank: CustomStringConvertible {
    public var description: String { text }
}
