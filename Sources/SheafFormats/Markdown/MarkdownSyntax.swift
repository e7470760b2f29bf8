import SheafList

/// The parts of Markdown (CommonMark 0.31) that lists use.
enum MarkdownSyntax {
    /// A line of a list: `- [x] text`, with an optional box.
    struct Bullet {
        /// The character in the box, or `nil` without a box.
        var box: String?
        var text: String

        var hasBox: Bool { box != nil }
        var isDone: Bool { box.map(isClosed) ?? false }
    }

    /// Returns true if `box`, the character in a box, marks the item as done. `D` and `-` mark a
    /// cancelled item.
    static func isClosed(_ box: String) -> Bool { ["x", "X", "-", "D"].contains(box) }

    /// Returns true if `text` can be the character in a box.
    static func isBox(_ text: String) -> Bool {
        guard let character = text.first, text.count == 1 else { return false }
        return text == " " || !character.isWhitespace && text != "[" && text != "]"
    }

    /// Returns the width of the white space before `line`, with a tab stop at every fourth column,
    /// and the text after it.
    static func indentation(of line: String) -> (columns: Int, content: String) {
        var columns = 0
        let content = line.utf8.drop { byte in
            switch byte {
            case 0x20: columns += 1
            case 0x09: columns += 4 - columns % 4
            default: return false
            }
            return true
        }
        return (columns, String(Substring(content)))
    }

    /// Returns `line` without up to `columns` columns of leading white space.
    static func outdented(_ line: String, by columns: Int) -> String {
        var passed = 0
        var rest = Array(line.utf8)[...]
        while passed < columns, let byte = rest.first, byte == 0x20 || byte == 0x09 {
            passed += byte == 0x20 ? 1 : 4 - passed % 4
            rest = rest.dropFirst()
        }
        let tooMany = String(repeating: " ", count: max(0, passed - columns))
        return tooMany + String(decoding: rest, as: UTF8.self)
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    /// Returns `text` without surrounding white space.
    static func trimmed(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let end = (bytes.lastIndex { !isBlank($0) } ?? -1) + 1
        return String(decoding: bytes[..<end].drop(while: isBlank), as: UTF8.self)
    }

    // MARK: Blocks

    /// Parses the bullet at the beginning of `content`: `-`, `*`, `+`, `1.` or `1)`.
    static func bullet(_ content: String) -> Bullet? {
        var rest = Array(content.utf8)[...]
        let digits = rest.prefix(while: \.isASCIIDigit)
        guard digits.count < 10 else { return nil }
        let marks = digits.isEmpty ? "-*+" : ".)"
        rest = rest.dropFirst(digits.count)
        guard let mark = rest.first, marks.utf8.contains(mark) else { return nil }
        rest = rest.dropFirst()
        guard rest.first.map({ $0 == 0x20 || $0 == 0x09 }) ?? true else { return nil }
        let text = trimmed(String(decoding: rest, as: UTF8.self))
        guard let box = box(text) else { return Bullet(text: text) }
        let behind = String(decoding: text.utf8.dropFirst(box.utf8.count + 2), as: UTF8.self)
        return Bullet(box: box, text: trimmed(behind))
    }

    /// Returns true if `line` is a bullet with a box.
    static func hasBox(_ line: String) -> Bool {
        bullet(indentation(of: line).content)?.hasBox ?? false
    }

    /// The maximum number of bytes in which to search for the character in a box.
    private static let longestBox = 40

    /// Returns the character in the box at the beginning of `text`, or `nil` if there is none.
    private static func box(_ text: String) -> String? {
        guard text.utf8.first == UInt8(ascii: "[") else { return nil }
        let bytes = Array(text.utf8.prefix(longestBox))
        guard let end = bytes.firstIndex(of: UInt8(ascii: "]")),
            bytes.count == end + 1 || bytes[end + 1] == 0x20 || bytes[end + 1] == 0x09
        else { return nil }
        let box = String(decoding: bytes[1..<end], as: UTF8.self)
        return isBox(box) ? box : nil
    }

    /// Returns `line` without the `>` of its block quotes, and their number.
    static func unquoted(_ line: String) -> (depth: Int, line: String) {
        let mark = UInt8(ascii: ">")
        guard line.utf8.first(where: { $0 != 0x20 }) == mark else { return (0, line) }
        var depth = 0
        var rest = Array(line.utf8)[...]
        while true {
            let spaces = rest.prefix { $0 == 0x20 }.count
            guard spaces < 4, rest.dropFirst(spaces).first == mark else { break }
            depth += 1
            rest = rest.dropFirst(spaces + 1)
            if rest.first == 0x20 { rest.removeFirst() }
        }
        return (depth, String(decoding: rest, as: UTF8.self))
    }

    /// Returns the text of `content` as a heading, without HTML anchors, or `nil` if it is not a
    /// heading.
    static func heading(_ content: String) -> String? {
        let level = content.utf8.prefix { $0 == UInt8(ascii: "#") }.count
        let rest = Array(content.utf8.dropFirst(level))[...]
        guard (1...6).contains(level), rest.first.map({ $0 == 0x20 || $0 == 0x09 }) ?? true else {
            return nil
        }
        let text = trimmed(String(decoding: rest, as: UTF8.self))
        let end = text.utf8.reversed().prefix { $0 == UInt8(ascii: "#") }.count
        let head = Array(text.utf8.dropLast(end))
        let isClosing = end > 0 && (head.last.map { $0 == 0x20 || $0 == 0x09 } ?? true)
        return withoutAnchors(isClosing ? trimmed(String(decoding: head, as: UTF8.self)) : text)
    }

    /// The maximum number of characters in an anchor.
    private static let longestAnchor = 1_000

    /// Returns `heading` without HTML anchors: `Books` for `<a name="books"></a>Books`.
    static func withoutAnchors(_ heading: String) -> String {
        var rest = heading[...]
        var text = ""
        while let start = rest.firstIndex(of: "<") {
            let tag = rest[start...].prefix(longestAnchor).prefix { $0 != ">" }
            let name = tag.dropFirst().lowercased()
            guard tag.endIndex < rest.endIndex, rest[tag.endIndex] == ">",
                name == "a" || name == "/a" || name.hasPrefix("a ")
            else {
                text += rest[...start]
                rest = rest[rest.index(after: start)...]
                continue
            }
            text += rest[..<start]
            rest = rest[rest.index(after: tag.endIndex)...]
        }
        return trimmed(text + rest)
    }

    /// Returns true if `content` underlines the heading above it.
    static func isUnderline(_ content: String) -> Bool {
        let text = trimmed(content).utf8
        return !text.isEmpty && text.allSatisfy { $0 == UInt8(ascii: "=") }
            || text.count > 1 && text.allSatisfy { $0 == UInt8(ascii: "-") }
    }

    /// Returns true if `content` is a thematic break: `---`, `* * *`, `___`.
    static func isRule(_ content: String) -> Bool {
        let marks = content.utf8.filter { $0 != 0x20 && $0 != 0x09 }
        return marks.count > 2 && Set(marks).count == 1 && "-*_".utf8.contains(marks[0])
    }

    /// A fence around code.
    struct Fence {
        private let mark: UInt8
        private let length: Int

        /// Parses the fence that `content` opens; `nil` if it opens none.
        init?(_ content: String) {
            guard let mark = content.utf8.first, "`~".utf8.contains(mark) else { return nil }
            self.mark = mark
            length = content.utf8.prefix { $0 == mark }.count
            let isInline =
                mark == UInt8(ascii: "`") && content.utf8.dropFirst(length).contains(mark)
            guard length > 2, !isInline else { return nil }
        }

        /// Returns true if `content` closes the fence.
        func isClosed(by content: String) -> Bool {
            let text = trimmed(content).utf8
            return text.count >= length && text.allSatisfy { $0 == mark }
        }
    }

    /// Returns the start of the comment or the block link (`^link`) that ends `text`, or `nil`.
    static func startOfTrailer(_ text: ArraySlice<UInt8>) -> Int? {
        let (opening, closing) = ("<!--".utf8, "-->".utf8)
        func isWordStart(_ place: Int) -> Bool {
            place == text.startIndex || isBlank(text[place - 1])
        }
        if text.suffix(3).elementsEqual(closing) {
            var place = text.endIndex - 7
            while place >= text.startIndex, !text[place...].starts(with: opening) {
                if text[place...].starts(with: closing) { return nil }
                place -= 1
            }
            return place >= text.startIndex && isWordStart(place) ? place : nil
        }
        let hyphen = UInt8(ascii: "-")
        let link = text.reversed().prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == hyphen }
        let start = text.endIndex - link.count - 1
        guard !link.isEmpty, start >= text.startIndex, text[start] == UInt8(ascii: "^"),
            isWordStart(start)
        else { return nil }
        return start
    }

    // MARK: Tags

    /// Returns true if `word` begins as a tag does: `#name`. A number such as `#12` is not a tag,
    /// nor are several `#`.
    static func isTag(_ word: ArraySlice<UInt8>) -> Bool {
        let name = word.dropFirst()
        return word.first == UInt8(ascii: "#") && !name.isEmpty
            && name.first != UInt8(ascii: "#") && !name.allSatisfy(\.isASCIIDigit)
    }

    /// Returns the name of the tag that the percent-encoded `word` spells outside an item's text,
    /// or `nil`. If other characters follow the tag, the word is part of the text.
    static func tag(_ word: ArraySlice<UInt8>) -> String? {
        guard isTag(word) else { return nil }
        let text = String(decoding: word, as: UTF8.self)
        guard text[...].beginningTag.endIndex == text.endIndex else { return nil }
        return PercentText.decode(String(decoding: word.dropFirst(), as: UTF8.self))
    }

    /// Returns the name of the tag that `word` spells within the text, or `nil`. The name begins
    /// with a letter, and it ends as ``Substring/beginningTag`` does.
    static func tag(inText word: ArraySlice<UInt8>) -> String? {
        guard isTag(word) else { return nil }
        let text = String(decoding: word, as: UTF8.self)[...].beginningTag
        let name = String(decoding: text.utf8.dropFirst(), as: UTF8.self)
        guard name.unicodeScalars.first?.properties.isAlphabetic ?? false else { return nil }
        return name
    }

    /// Returns the word for the tag with that name, outside an item's text. Characters that could
    /// end the tag, or belong to code or a link in the text, are encoded.
    static func word(forTag name: String) -> String {
        let isNoWord =
            name.utf8.first == UInt8(ascii: "#") || name.utf8.allSatisfy(\.isASCIIDigit)
        return "#"
            + PercentText.encode(tag: name, without: "`,;#()[]{}<>*=$|\"", encodesFirst: isNoWord)
    }
}
