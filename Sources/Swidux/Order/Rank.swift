/// A place in a user's order: opaque, comparable, and always with room between two unequal ranks.
///
/// The text is base 62 (`0-9A-Za-z`) and compares bytewise, so that a text column sorts as the
/// ranks do. It is a fractional index as David Greenspan describes it in "Implementing Fractional
/// Indexing": an integer part whose first letter says how long it is, then a fraction that never
/// ends in `0`. Appending and prepending count integers, so that texts grow with the logarithm of
/// their number: the millionth append is six digits long. Inserting at one place adds at most one
/// digit for five insertions, however the place is chosen: after n insertions into a gap no rank
/// has more than 2 + n / 5 digits beyond the longer end of the gap. Where a rank would be longer
/// than 64 digits, neighbors make room: `Position.room(for:below:above:)`.
///
/// The first ten digits lie in one integer, by which nearly all ranks are told apart.
public struct Rank: Hashable, Sendable {
    /// The first ten digits, six bits each, the first one on top. A digit is stored as its index
    /// plus one and a missing digit as zero, so that a prefix sorts before longer ranks.
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

    /// True if `lhs` has fewer digits. Counts up to ten digits as equal.
    @inlinable static func isShorter(_ lhs: Rank, _ rhs: Rank) -> Bool {
        lhs.tail.count < rhs.tail.count
    }

    /// The rank that `text` spells, or nil if it is no rank: empty, holding anything but base-62
    /// digits, shorter than its first letter says, or with a fraction that ends in `0`.
    public init?(text: String) {
        let digits = Array(text.utf8)
        guard FractionalIndex.isValid(digits) else { return nil }
        self.init(digits: digits)
    }

    /// - Precondition: `digits` is a valid index.
    private init(digits: [UInt8]) {
        var head: UInt64 = 0
        for index in 0..<Self.headDigits {
            let code = index < digits.count ? FractionalIndex.value(of: digits[index]) + 1 : 0
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
            digits.append(FractionalIndex.digit(code - 1))
        }
        return digits + tail
    }

    /// The digits, as storage keeps them. Created at each call.
    public var text: String { String(decoding: digits, as: UTF8.self) }

    /// A rank above `lower` and below `upper`; nil for either means the open end. An `upper` that
    /// is not above `lower` leaves no room and counts as open.
    public static func between(_ lower: Rank?, _ upper: Rank?) -> Rank {
        var ceiling = upper
        if let lower, let upper, upper <= lower { ceiling = nil }
        return Rank(digits: FractionalIndex.between(lower?.digits, ceiling?.digits))
    }

    /// `count` ascending ranks above `lower` and below `upper`, short and evenly spread.
    /// O(`count`).
    ///
    /// With an open end they count on from the other end; between two ranks they halve the room. As
    /// in ``between(_:_:)``, an `upper` that is not above `lower` counts as open.
    @usableFromInline package static func spread(
        _ count: Int, between lower: Rank?, and upper: Rank?
    ) -> [Rank] {
        guard count > 0 else { return [] }
        var ranks: [Rank] = []
        ranks.reserveCapacity(count)
        if let lower, let upper, lower < upper {
            halve(count, lower, upper, into: &ranks)
        } else if lower == nil, let upper {
            var next = upper
            for _ in 0..<count {
                next = between(nil, next)
                ranks.append(next)
            }
            ranks.reverse()
        } else {
            var last = lower
            for _ in 0..<count {
                let next = between(last, nil)
                ranks.append(next)
                last = next
            }
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

/// Its text, in one value.
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
