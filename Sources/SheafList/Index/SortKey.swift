/// A number of 28 bytes: of a name as many as most names have. Each further key costs the way to
/// the name, which lies anywhere.
struct SortKey: Comparable, BitwiseCopyable, Sendable {
    private(set) var first: UInt64
    private(set) var second: UInt64 = 0
    private(set) var third: UInt64 = 0
    private(set) var rest: UInt32 = 0

    /// So many bytes it has, of a name as long as that.
    static let size = 28

    init(_ number: UInt64) { first = number }

    /// The first of `bytes`, with zeros after them if they are fewer.
    init(_ bytes: UnsafeRawBufferPointer) {
        var words = (UInt64(0), UInt64(0), UInt64(0), UInt32(0))
        withUnsafeMutableBytes(of: &words) {
            $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.size)))
        }
        first = UInt64(bigEndian: words.0)
        second = UInt64(bigEndian: words.1)
        third = UInt64(bigEndian: words.2)
        rest = UInt32(bigEndian: words.3)
    }

    @inline(__always) static func == (lhs: SortKey, rhs: SortKey) -> Bool {
        lhs.difference(from: rhs).isZero
    }

    static func < (lhs: SortKey, rhs: SortKey) -> Bool {
        if lhs.first != rhs.first { return lhs.first < rhs.first }
        if lhs.second != rhs.second { return lhs.second < rhs.second }
        if lhs.third != rhs.third { return lhs.third < rhs.third }
        return lhs.rest < rhs.rest
    }

    /// The key by which the order is the other way round.
    static prefix func ~ (key: SortKey) -> SortKey {
        var key = key
        (key.first, key.second, key.third, key.rest) = (
            ~key.first, ~key.second, ~key.third, ~key.rest
        )
        return key
    }

    // MARK: Bytes

    /// Which bits differ from those of another key.
    @inline(__always) func difference(from other: SortKey) -> SortKey {
        var key = self
        key.first ^= other.first
        key.second ^= other.second
        key.third ^= other.third
        key.rest ^= other.rest
        return key
    }

    /// Adds the bits of another key.
    @inline(__always) mutating func formUnion(_ other: SortKey) {
        first |= other.first
        second |= other.second
        third |= other.third
        rest |= other.rest
    }

    @inline(__always) var isZero: Bool { first | second | third | UInt64(rest) == 0 }

    // MARK: Names

    /// Whether it is the last key of a name, which ends in it.
    var isEnd: Bool { rest & 0xFF == 0 }

    /// Whether a part of a number is in it.
    private var hasNumber: Bool {
        first.hasDigit || second.hasDigit || third.hasDigit || (UInt64(rest) << 32).hasDigit
    }

    /// Whether each of its bytes, or of the first `count` of them, is one of the name: none is of a
    /// number, or stands for a byte that would end the key.
    func isPlain(count: Int = size) -> Bool {
        !hasNumber && !first.hasControl(below: count) && !second.hasControl(below: count - 8)
            && !third.hasControl(below: count - 16)
            && !(UInt64(rest) << 32).hasControl(below: min(count - 24, 4))
    }
}

extension UInt64 {
    fileprivate var hasDigit: Bool { (self ^ 0x3030_3030_3030_3030).hasByte(below: 10) }

    /// Whether one of its first `count` bytes is less than 3.
    fileprivate func hasControl(below count: Int) -> Bool {
        guard count < 8 else { return hasByte(below: 3) }
        guard count > 0 else { return false }
        return (self | 0x2020_2020_2020_2020 >> UInt64(8 * count)).hasByte(below: 3)
    }

    /// Whether one of its bytes is less than `limit`, which is at most 128.
    fileprivate func hasByte(below limit: UInt64) -> Bool {
        (self &- 0x0101_0101_0101_0101 &* limit) & ~self & 0x8080_8080_8080_8080 != 0
    }
}
