import FoundationEssentials

/// The lines of a text, with their numbers.
///
/// Lines end with LF or CR LF; the end of the last one is optional. A byte order mark at the start
/// is skipped.
struct TextLines: Sequence, IteratorProtocol {
    struct Line {
        /// The line number, counted from 1.
        var number: Int
        /// The line without its terminator, or `nil` if it is not valid UTF-8.
        var text: String?
        /// True if the line ends with CR LF.
        var endsWithCR = false

        /// True if the line contains only white space.
        var isBlank: Bool { text?.allSatisfy(\.isWhitespace) ?? false }
    }

    private let bytes: [UInt8]
    private var start: Int
    private var number = 0

    init(_ data: Data) {
        bytes = [UInt8](data)
        start = bytes.starts(with: [UInt8].byteOrderMark) ? [UInt8].byteOrderMark.count : 0
    }

    mutating func next() -> Line? {
        guard start < bytes.count else { return nil }
        let newline = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
        let endsWithCR = newline > start && bytes[newline - 1] == 0x0D
        let end = endsWithCR ? newline - 1 : newline
        number += 1
        defer { start = newline + 1 }
        return Line(
            number: number, text: String(validating: bytes[start..<end], as: UTF8.self),
            endsWithCR: endsWithCR)
    }
}

extension [UInt8] {
    /// The byte order mark that some editors write at the start of a text.
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
