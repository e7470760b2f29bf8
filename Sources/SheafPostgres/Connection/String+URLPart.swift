/// Percent-encoding of a part of a URL (RFC 3986, section 2.1). Foundation has it, but
/// FoundationEssentials does not.
extension String {
    /// The text as a part of a URL.
    var urlPart: String {
        let kept = Set("-._~/".utf8)
        let bytes = utf8.flatMap { byte -> [UInt8] in
            let isKept =
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || kept.contains(byte)
            if isKept { return [byte] }
            let digits = String(byte, radix: 16, uppercase: true)
            return Array("%\(digits.count == 1 ? "0" : "")\(digits)".utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes a part of a URL; nil if a `%` is not followed by two digits, or the bytes are not
    /// valid UTF-8.
    init?(urlPart: some StringProtocol) {
        var bytes: [UInt8] = []
        var rest = Substring(urlPart).utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = Self.digit(rest.popFirst()), let low = Self.digit(rest.popFirst())
            else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        self.init(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8?) -> UInt8? {
        byte.flatMap { UInt8(String(UnicodeScalar($0)), radix: 16) }
    }
}
