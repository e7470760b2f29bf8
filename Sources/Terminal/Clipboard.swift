import FoundationEssentials

/// Text on its way to the system's clipboard, which the terminal puts there (OSC 52): so it works
/// from another machine too.
public enum Clipboard {
    /// The result of copying a text.
    public enum Outcome: Hashable, Sendable {
        /// It was sent. Terminals do not report whether they accepted it; users can forbid it.
        case sent
        /// The terminal does not say that it takes any.
        case unsupported
        /// The text is longer than ``mostBytes``: terminals would cut it, or drop it silently.
        case tooLong
    }

    /// The longest text in UTF-8. xterm, and others after it, take a sequence of 100,000 bytes: 8
    /// of them around 99,992 of base64.
    public static let mostBytes = 74_994

    /// Returns the bytes to send for `text`, or nil if it is too long. They contain no byte of the
    /// text itself.
    static func sequence(for text: String) -> [UInt8]? {
        guard text.utf8.count <= mostBytes else { return nil }
        return Array("\u{1b}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}".utf8)
    }
}
