/// The parts of a text that are code, formulas or links of Markdown, in which no word is a tag.
///
/// | span | |
/// |---|---|
/// | `` `a #b` `` | code: up to the next equal number of backticks |
/// | `[[a #b]]` | a link to a note |
/// | `[a #b](c #d)` `[a #b][c]` | a link, text and target |
/// | `$a #b$` | a formula: no white space just inside the marks, no digit after them |
///
/// A backslash removes the special meaning of the next character (CommonMark 0.31, sections 2.4,
/// 6.1 and 6.3). Brackets within links are not balanced. Readers, writers and typed texts use these
/// spans.
package struct LiteralSpans: Sendable {
    /// The spans in ascending order, as offsets in bytes.
    private var spans: [Range<Int>] = []

    /// Finds the spans of a text in UTF-8. O(text).
    package init(_ text: some Collection<UInt8>) {
        guard text.contains(where: { $0 == Self.backtick || $0 == Self.open || $0 == Self.dollar })
        else { return }
        let bytes = Array(text)
        var missing: Set<[UInt8]> = []
        var place = 0
        while place < bytes.count {
            switch bytes[place] {
            case Self.backslash: place += 2
            case Self.backtick:
                let count = bytes[place...].prefix { $0 == Self.backtick }.count
                let end = Self.endOfCode(count, after: place + count, in: bytes, &missing)
                if let end { spans.append(place..<end) }
                place = end ?? place + count
            case Self.open:
                let end = Self.endOfLink(at: place, in: bytes, &missing)
                if let end { spans.append(place..<end) }
                place = end ?? place + 1
            case Self.dollar:
                let end = Self.endOfFormula(at: place, in: bytes, &missing)
                if let end { spans.append(place..<end) }
                place = end ?? place + 1
            default: place += 1
            }
        }
    }

    /// Returns true if the byte at `offset` is in a span. O(log spans).
    package func contains(_ offset: Int) -> Bool {
        var (low, high) = (0, spans.count)
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].upperBound <= offset { low = middle + 1 } else { high = middle }
        }
        return low < spans.count && spans[low].contains(offset)
    }

    /// The maximum number of backticks around code, as in cmark, so that a search stays linear.
    private static let maxBackticks = 80
    private static let backslash = UInt8(ascii: "\\")
    private static let backtick = UInt8(ascii: "`")
    private static let open = UInt8(ascii: "[")
    private static let close = UInt8(ascii: "]")
    private static let dollar = UInt8(ascii: "$")

    /// Returns the end of the code that begins with `count` backticks before `start`.
    ///
    /// - Parameter missing: The closing marks that the text does not contain, so that no search for
    ///   them is repeated.
    private static func endOfCode(
        _ count: Int, after start: Int, in bytes: [UInt8], _ missing: inout Set<[UInt8]>
    ) -> Int? {
        let mark = [UInt8](repeating: backtick, count: count)
        guard count <= maxBackticks, !missing.contains(mark) else { return nil }
        var place = start
        while let next = bytes[place...].firstIndex(of: backtick) {
            place = next + bytes[next...].prefix { $0 == backtick }.count
            if place - next == count { return place }
        }
        missing.insert(mark)
        return nil
    }

    /// Returns the end of the formula that begins at `place`. The text `$5 or $6` has none.
    private static func endOfFormula(
        at place: Int, in bytes: [UInt8], _ missing: inout Set<[UInt8]>
    ) -> Int? {
        func isSpace(_ place: Int) -> Bool { [0x20, 0x09, 0x0A].contains(bytes[place]) }
        let start = place + 1
        guard !missing.contains([dollar]), start < bytes.count, !isSpace(start) else { return nil }
        guard let last = bytes[start...].firstIndex(of: dollar) else {
            missing.insert([dollar])
            return nil
        }
        let isDigit = last + 1 < bytes.count && (0x30...0x39).contains(bytes[last + 1])
        return last == start || isSpace(last - 1) || isDigit ? nil : last + 1
    }

    /// Returns the end of the link that begins at `place`. Returns nil if another bracket opens
    /// before this one closes, because the inner one may begin a link.
    private static func endOfLink(
        at place: Int, in bytes: [UInt8], _ missing: inout Set<[UInt8]>
    ) -> Int? {
        guard !missing.contains([close]) else { return nil }
        let isDouble = bytes[place...].starts(with: [open, open])
        let start = place + (isDouble ? 2 : 1)
        guard let end = bytes[start...].firstIndex(where: { $0 == open || $0 == close }) else {
            missing.insert([close])
            return nil
        }
        if isDouble { return bytes[end...].starts(with: [close, close]) ? end + 2 : nil }
        if bytes[end...].starts(with: [close, open]) {
            let last = bytes[(end + 2)...].firstIndex { $0 == open || $0 == close }
            return last.flatMap { bytes[$0] == close ? $0 + 1 : nil }
        }
        guard bytes[end...].starts(with: [close, UInt8(ascii: "(")]),
            !missing.contains([UInt8(ascii: ")")])
        else { return nil }
        guard let last = bytes[end...].firstIndex(of: UInt8(ascii: ")")) else {
            missing.insert([UInt8(ascii: ")")])
            return nil
        }
        return last + 1
    }
}
