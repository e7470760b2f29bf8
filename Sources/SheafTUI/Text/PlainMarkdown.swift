import Terminal

/// A converter that shows Markdown for reading: it replaces the marks of headings, emphasis and
/// lists with styles.
///
/// It handles lines and inline marks only. A note is the user's text, so characters that are not
/// clearly a mark stay unchanged.
struct PlainMarkdown {
    /// One line of the text: its styled pieces, and the indentation of its continuation lines.
    struct Line {
        var pieces: [StyledText]
        var hanging = 0
    }

    /// A Boolean value that indicates whether the current line is between two code fences, where
    /// marks have no meaning.
    private var isCode = false

    /// Returns the styled form of `line`, or `nil` if the line is only a mark.
    mutating func line(_ line: Substring) -> Line? {
        let indent = line.prefix { $0 == " " }.count
        let text = line.dropFirst(indent)
        if text.hasPrefix("```") || text.hasPrefix("~~~") {
            isCode.toggle()
            return nil
        }
        if isCode { return Line(pieces: [StyledText(text: String(line))], hanging: indent) }
        if let title = Self.heading(text) {
            return Line(
                pieces: Self.inline(title).map { StyledText(text: $0.text, style: Theme.strong) })
        }
        if Self.isRule(text) {
            return Line(pieces: [StyledText(text: "───", style: Theme.dim)])
        }
        if text.first == ">" {
            let rest = text.dropFirst().drop { $0 == " " }
            return Line(
                pieces: [StyledText(text: "│ ", style: Theme.dim)] + Self.inline(rest), hanging: 2)
        }
        if let (mark, rest) = Self.bullet(text) {
            let lead = String(repeating: " ", count: indent) + mark
            return Line(
                pieces: [StyledText(text: lead)] + Self.inline(rest),
                hanging: DisplayText.width(of: lead))
        }
        return Line(
            pieces: [StyledText(text: String(repeating: " ", count: indent))] + Self.inline(text),
            hanging: indent)
    }

    // MARK: Lines

    private static func heading(_ text: Substring) -> Substring? {
        let rest = text.drop { $0 == "#" }
        guard 1...6 ~= text.count - rest.count, rest.first == " " else { return nil }
        return rest.drop { $0 == " " }
    }

    private static func isRule(_ text: Substring) -> Bool {
        guard let mark = text.first, "-*_".contains(mark) else { return false }
        return text.filter { $0 == mark }.count >= 3 && text.allSatisfy { $0 == mark || $0 == " " }
    }

    /// Returns the displayed mark of a list entry, and the text after it.
    private static func bullet(_ text: Substring) -> (mark: String, rest: Substring)? {
        guard let mark = text.first, "-*+".contains(mark), text.dropFirst().first == " " else {
            let number = text.prefix { $0.isASCII && $0.isNumber }
            let rest = text.dropFirst(number.count)
            guard 1...9 ~= number.count, let end = rest.first, ".)".contains(end),
                rest.dropFirst().first == " "
            else { return nil }
            return ("\(number)\(end) ", rest.dropFirst(2))
        }
        let rest = text.dropFirst(2)
        for (box, sign) in [("[ ] ", "○ "), ("[x] ", "✓ "), ("[X] ", "✓ ")]
        where rest.hasPrefix(box) {
            return (sign, rest.dropFirst(box.count))
        }
        return ("• ", rest)
    }

    // MARK: Within a line

    /// Returns the styled pieces of a line, without the marks of emphasis, code and links. O(text),
    /// because no search for a missing mark is repeated.
    static func inline(_ text: Substring) -> [StyledText] {
        guard text.utf8.contains(where: { marks.contains($0) }) else {
            return [StyledText(text: String(text))]
        }
        let letters = Array(text)
        var pieces: [StyledText] = []
        var plain = ""
        var missing: Set<String> = []
        var place = 0
        func add(_ text: String, _ style: Style) {
            if !plain.isEmpty { pieces.append(StyledText(text: plain)) }
            plain = ""
            pieces.append(StyledText(text: text, style: style))
        }
        while place < letters.count {
            let letter = letters[place]
            if letter == "\\", place + 1 < letters.count, letters[place + 1].isPunctuationMark {
                plain.append(letters[place + 1])
                place += 2
            } else if letter == "[", !missing.contains("]("),
                let link = link(at: place, in: letters, &missing)
            {
                plain += link.text
                add(" (\(link.target))", Theme.dim)
                place = link.end
            } else if let mark = mark(at: place, in: letters), !missing.contains(mark.text) {
                if let end = end(of: mark, from: place + mark.text.count, in: letters) {
                    add(String(letters[(place + mark.text.count)..<end]), mark.style)
                    place = end + mark.text.count
                } else {
                    missing.insert(mark.text)
                }
            } else {
                plain.append(letter)
                place += 1
            }
        }
        if !plain.isEmpty { pieces.append(StyledText(text: plain)) }
        return pieces
    }

    /// Returns the characters to hide when a name is shown: all of a link except its text, if its
    /// target looks like an address. Empty for names that are too long to search in each frame.
    /// O(name). Most names contain no `[`, and require only a search for that byte.
    static func hiddenRanges(in name: String) -> [Range<Int>] {
        guard name.utf8.count <= maxNameBytes, name.utf8.contains(UInt8(ascii: "[")) else {
            return []
        }
        let letters = Array(name)
        var ranges: [Range<Int>] = []
        var missing: Set<String> = []
        var place = 0
        while place < letters.count, missing.isEmpty {
            guard letters[place] == "[", let link = link(at: place, in: letters, &missing),
                !link.text.isEmpty, link.target.contains(where: { ":/.".contains($0) }),
                !link.target.contains(where: \.isWhitespace)
            else {
                place += 1
                continue
            }
            ranges.append(place..<place + 1)
            ranges.append(place + 1 + link.text.count..<link.end)
            place = link.end
        }
        return ranges
    }

    private static let maxNameBytes = 4_000

    /// The bytes with which a mark can begin.
    private static let marks = Set("\\[*_`".utf8)

    /// Returns the opening mark at `place`, in the style of the text after it, or `nil`. An
    /// underscore within a word is not a mark.
    private static func mark(at place: Int, in letters: [Character]) -> StyledText? {
        let letter = letters[place]
        guard "*_`".contains(letter) else { return nil }
        if letter == "`" { return StyledText(text: "`", style: Theme.accent) }
        let isDouble = place + 1 < letters.count && letters[place + 1] == letter
        let length = isDouble ? 2 : 1
        guard place + length < letters.count, !letters[place + length].isWhitespace else {
            return nil
        }
        if letter == "_", place > 0, letters[place - 1].isLetter || letters[place - 1].isNumber {
            return nil
        }
        return StyledText(
            text: String(repeating: letter, count: length),
            style: isDouble ? Theme.strong : Style(attributes: .italic))
    }

    /// Returns the position of the closing `mark` for text that begins at `start`, or `nil`.
    private static func end(of mark: StyledText, from start: Int, in letters: [Character]) -> Int? {
        let signs = Array(mark.text)
        var place = start + 1
        while place + signs.count <= letters.count {
            let isThere = letters[place..<(place + signs.count)].elementsEqual(signs)
            let after = place + signs.count < letters.count ? letters[place + signs.count] : " "
            if isThere, mark.text == "`" || !letters[place - 1].isWhitespace,
                signs[0] != "_" || !(after.isLetter || after.isNumber)
            {
                return place
            }
            place += 1
        }
        return nil
    }

    /// Returns the link `[text](target)` at `place`, or `nil`.
    private static func link(
        at place: Int, in letters: [Character], _ missing: inout Set<String>
    ) -> (text: String, target: String, end: Int)? {
        // Links are not nested. If another `[` follows first, the caller examines that one in its
        // turn.
        guard
            let close = letters[(place + 1)...].firstIndex(where: { $0 == "]" || $0 == "[" })
        else {
            missing.insert("](")
            return nil
        }
        guard letters[close] == "]", close + 1 < letters.count, letters[close + 1] == "(" else {
            return nil
        }
        guard let end = letters[close...].firstIndex(of: ")") else {
            missing.insert("](")
            return nil
        }
        return (
            String(letters[(place + 1)..<close]), String(letters[(close + 2)..<end]), end + 1
        )
    }
}

extension Character {
    /// True if a backslash before the character prevents it from being a mark.
    fileprivate var isPunctuationMark: Bool { "\\`*_{}[]()#+-.!>~|\"'<".contains(self) }
}
