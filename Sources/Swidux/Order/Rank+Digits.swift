/// The arithmetic of ranks on ASCII digits, after David Greenspan, "Implementing Fractional
/// Indexing" (2020).
///
/// An index is an integer part and a fraction. The first letter of the integer gives its length,
/// including the letter: `a` to `z` for two to 27 digits counting up, `Z` to `A` for two to 27
/// counting down. Bytewise order is numeric order.
extension Rank {
    private static let zero = UInt8(ascii: "0")
    private static let last = UInt8(ascii: "z")
    private static let base = 62
    /// The smallest integer. It is not a valid index by itself, because no index would fit below
    /// it.
    private static let smallest = [UInt8(ascii: "A")] + [UInt8](repeating: zero, count: 26)

    /// Returns the value of an ASCII digit, or 0 if the byte is not a digit.
    static func value(of digit: UInt8) -> Int {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit - UInt8(ascii: "A")) + 10
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a")) + 36
        default: 0
        }
    }

    /// Returns the ASCII digit for a number from 0 to 61.
    static func digit(_ value: Int) -> UInt8 {
        switch value {
        case ..<10: UInt8(ascii: "0") + UInt8(value)
        case ..<36: UInt8(ascii: "A") + UInt8(value - 10)
        default: UInt8(ascii: "a") + UInt8(value - 36)
        }
    }

    static func isValid(_ digits: [UInt8]) -> Bool {
        guard let first = digits.first, let length = integerLength(first), digits.count >= length,
            digits.allSatisfy({ $0 == zero || value(of: $0) > 0 })
        else { return false }
        return digits.count == length ? digits != smallest : digits.last != zero
    }

    /// Returns an index between `lower` and `upper`, which must be valid and ascending. Nil means
    /// an open end.
    static func digits(between lower: [UInt8]?, and upper: [UInt8]?) -> [UInt8] {
        guard let lower else {
            guard let upper else { return [UInt8(ascii: "a"), zero] }
            let (integer, fraction) = split(upper)
            if Array(integer) == smallest { return smallest + middle([], fraction) }
            if !fraction.isEmpty { return Array(integer) }
            guard let less = stepped(Array(integer), up: false), less != smallest else {
                return smallest + middle([], nil)
            }
            return less
        }
        let (integer, fraction) = split(lower)
        guard let upper else {
            return stepped(Array(integer), up: true) ?? Array(integer) + middle(fraction, nil)
        }
        let (upperInteger, upperFraction) = split(upper)
        if integer == upperInteger { return Array(integer) + middle(fraction, upperFraction) }
        if let next = stepped(Array(integer), up: true), next.lexicographicallyPrecedes(upper) {
            return next
        }
        return Array(integer) + middle(fraction, nil)
    }

    private static func integerLength(_ first: UInt8) -> Int? {
        switch first {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(first - UInt8(ascii: "a")) + 2
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(UInt8(ascii: "Z") - first) + 2
        default: nil
        }
    }

    private static func split(_ digits: [UInt8]) -> (
        integer: ArraySlice<UInt8>, fraction: ArraySlice<UInt8>
    ) {
        let length = min(integerLength(digits[0]) ?? digits.count, digits.count)
        return (digits[..<length], digits[length...])
    }

    /// Returns a fraction above `lower` and below `upper`. If `upper` is nil, the limit is 1.
    private static func middle(_ lower: ArraySlice<UInt8>, _ upper: ArraySlice<UInt8>?) -> [UInt8] {
        var result: [UInt8] = []
        var lower = lower
        var upper = upper
        while true {
            if let ceiling = upper, let first = ceiling.first, (lower.first ?? zero) == first {
                result.append(first)
                lower = lower.dropFirst()
                upper = ceiling.dropFirst()
                continue
            }
            let low = lower.first.map(value(of:)) ?? 0
            let high = upper.flatMap(\.first).map(value(of:)) ?? base
            if high - low > 1 { return result + [digit((low + high + 1) / 2)] }
            if let ceiling = upper, ceiling.count > 1 { return result + [digit(high)] }
            result.append(digit(low))
            lower = lower.dropFirst()
            upper = nil
        }
    }

    /// Returns the integer after `integer`, or the one before it. Nil after the greatest integer.
    /// No caller asks for an integer before the smallest.
    private static func stepped(_ integer: [UInt8], up isUp: Bool) -> [UInt8]? {
        var digits = integer
        let (end, start) = isUp ? (last, zero) : (zero, last)
        for index in digits.indices.dropFirst().reversed() {
            if digits[index] != end {
                digits[index] = digit(value(of: digits[index]) + (isUp ? 1 : -1))
                return digits
            }
            digits[index] = start
        }
        let first = digits[0]
        switch (first, isUp) {
        case (UInt8(ascii: "Z"), true): return [UInt8(ascii: "a"), zero]
        case (UInt8(ascii: "a"), false): return [UInt8(ascii: "Z"), last]
        case (UInt8(ascii: "z"), true): return nil
        default: break
        }
        // Integers get longer away from `a0`.
        if (first >= UInt8(ascii: "a")) == isUp {
            digits.append(start)
        } else {
            digits.removeLast()
        }
        digits[0] = isUp ? first + 1 : first - 1
        return digits
    }
}
