/// An assembler that joins the bytes of one code point, which may arrive in several reads.
///
/// Malformed UTF-8 becomes one U+FFFD for each maximal subpart, as The Unicode Standard recommends
/// (section 3.9).
struct UTF8Assembler: Sendable {
    enum Step {
        /// The code point needs more bytes.
        case pending
        case scalar(Unicode.Scalar)
        /// The bytes before this one are malformed. The caller must pass this byte again.
        case brokenBefore
        /// This byte is malformed.
        case broken
    }

    private var value: UInt32 = 0
    private var missing = 0
    /// The range of the next byte. Some first bytes restrict the second one.
    private var allowed: ClosedRange<UInt8> = 0x80...0xbf

    /// Accepts the next byte, which must be 0x80 or above unless a code point is pending.
    mutating func take(_ byte: UInt8) -> Step {
        guard missing > 0 else { return begin(byte) }
        guard allowed.contains(byte) else {
            missing = 0
            return .brokenBefore
        }
        value = value << 6 | UInt32(byte & 0x3f)
        missing -= 1
        allowed = 0x80...0xbf
        guard missing == 0 else { return .pending }
        return Unicode.Scalar(value).map { .scalar($0) } ?? .broken
    }

    private mutating func begin(_ byte: UInt8) -> Step {
        allowed = 0x80...0xbf
        switch byte {
        case 0xc2...0xdf:
            missing = 1
            value = UInt32(byte & 0x1f)
        case 0xe0...0xef:
            missing = 2
            value = UInt32(byte & 0x0f)
            if byte == 0xe0 { allowed = 0xa0...0xbf }
            if byte == 0xed { allowed = 0x80...0x9f }
        case 0xf0...0xf4:
            missing = 3
            value = UInt32(byte & 0x07)
            if byte == 0xf0 { allowed = 0x90...0xbf }
            if byte == 0xf4 { allowed = 0x80...0x8f }
        default: return .broken
        }
        return .pending
    }

    mutating func reset() { missing = 0 }
}
