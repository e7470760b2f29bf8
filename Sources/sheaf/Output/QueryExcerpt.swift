import Terminal

/// A query as a line shows it, harmless to a terminal, with a mark for the line below.
struct QueryExcerpt {
    private(set) var text = ""
    /// Spaces, and a `^` under each column of the place.
    private(set) var mark = ""

    /// So many columns are shown on either side of the place, and of the place itself.
    private static let context = 36

    /// - Parameter place: in bytes of the UTF-8 of `query`.
    init(_ query: String, marking place: Range<Int>) {
        let utf8 = query.utf8
        let start = utf8.index(
            utf8.startIndex, offsetBy: place.lowerBound, limitedBy: utf8.endIndex)
        let end = utf8.index(utf8.startIndex, offsetBy: place.upperBound, limitedBy: utf8.endIndex)
        let (first, last) = (start ?? utf8.endIndex, end ?? utf8.endIndex)
        let before = Self.end(of: DisplayText.sanitized(String(query[..<first])))
        let fault = DisplayText.truncated(String(query[first..<last]), to: Self.context)
        text = before + fault + DisplayText.truncated(String(query[last...]), to: Self.context)
        mark = String(repeating: " ", count: DisplayText.width(of: before))
        mark += String(repeating: "^", count: max(DisplayText.width(of: fault), 1))
    }

    /// The last columns of a text that is harmless.
    private static func end(of text: String) -> String {
        guard DisplayText.width(of: text) > context else { return text }
        return "…" + text.suffix(DisplayText.count(of: text.reversed(), within: context - 1))
    }
}
