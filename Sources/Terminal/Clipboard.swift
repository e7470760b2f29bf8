import FoundationEssentials

/// Support for the system clipboard through the terminal (OSC 52), which also works on a remote
/// machine.
package enum Clipboard {
    /// The result of copying a text.
    package enum Outcome: Hashable, Sendable {
        /// The text was sent. Terminals do not report whether they accepted it, and users can
        /// forbid it.
        case sent
        /// The terminal does not declare support for the clipboard.
        case unsupported
        /// The text is longer than ``maxBytes``. Terminals would cut it, or drop it silently.
        case tooLong
    }

    /// The maximum length of a text in bytes of UTF-8. xterm, and terminals that follow it, accept
    /// a sequence of 100,000 bytes: 99,992 bytes of base64 and 8 bytes around them.
    package static let maxBytes = 74_994

    /// Returns the escape sequence that copies `text`, or `nil` if the text is too long. The
    /// sequence contains the text only as base64.
    static func sequence(for text: String) -> [UInt8]? {
        guard text.utf8.count <= maxBytes else { return nil }
        return Array("\u{1b}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}".utf8)
    }
}
