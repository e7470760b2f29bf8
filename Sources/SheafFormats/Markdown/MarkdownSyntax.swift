import SheafList

/// The parts of Markdown (CommonMark 0.31) that lists are made of.
enum MarkdownSyntax {
    /// A line of a list: `- [x] text`, where the box may be missing.
    struct Bullet {
        var isDone: Bool
        var text: String
        var hasBox = false
    }

    /// The columns of white space in front of `line`, with tabs to every fourth, and what follows.
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

    /// `line` without the first `columns` columns of white space, as far as it has them.
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

    /// `text` without white space around it.
    static func trimmed(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
        let end = (bytes.lastIndex { !isBlank($0) } ?? -1) + 1
        return String(decoding: bytes[..<end].drop(while: isBlank), as: UTF8.self)
    }

    // MARK: Blocks

    /// The bullet that `content` begins with: `-`, `*`, `+`, `1.` or `1)`.
    static func bullet(_ content: String) -> Bullet? {
        var rest = Array(content.utf8)[...]
        let digits = rest.prefix(while: \.isASCIIDigit)
        guard digits.count < 10 else { return nil }
        let marks = digits.isEmpty ? "-*+" : ".)"
        rest = rest.dropFirst(digits.count)
        guard let mark = rest.first, marks.utf8.contains(mark) else { return nil }
        rest = rest.dropFirst()
        guard rest.first.map({ $0 == 0x20 || $0 == 0x09 }) ?? true else { return nil }
        var text = trimmed(String(decoding: rest, as: UTF8.self))
        guard let box = box(text) else { return Bullet(isDone: false, text: text) }
        text = trimmed(String(decoding: text.utf8.dropFirst(3), as: UTF8.self))
        return Bullet(isDone: box, text: text, hasBox: true)
    }

    /// Whether `line` is a bullet with a box.
    static func hasBox(_ line: String) -> Bool {
        bullet(indentation(of: line).content)?.hasBox ?? false
    }

    /// Whether the box in front of `text` is ticked, or nil if there is none.
    private static func box(_ text: String) -> Bool? {
        let bytes = Array(text.utf8.prefix(4))
        guard bytes.count == 3 || bytes.last == 0x20 || bytes.last == 0x09 else { return nil }
        switch String(decoding: bytes.prefix(3), as: UTF8.self) {
        case "[ ]": return false
        case "[x]", "[X]": return true
        default: return nil
        }
    }

    /// The text of `content` as a heading, or nil if it is no heading.
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
        return isClosing ? trimmed(String(decoding: head, as: UTF8.self)) : text
    }

    /// Whether `content` underlines the heading above it.
    static func isUnderline(_ content: String) -> Bool {
        let text = trimmed(content).utf8
        return !text.isEmpty && text.allSatisfy { $0 == UInt8(ascii: "=") }
            || text.count > 1 && text.allSatisfy { $0 == UInt8(ascii: "-") }
    }

    /// Whether `content` is a rule across the page: `---`, `* * *`, `___`.
    static func isRule(_ content: String) -> Bool {
        let marks = content.utf8.filter { $0 != 0x20 && $0 != 0x09 }
        return marks.count > 2 && Set(marks).count == 1 && "-*_".utf8.contains(marks[0])
    }

    /// A fence around code.
    struct Fence {
        private let mark: UInt8
        private let length: Int

        /// The fence that `content` opens, or nil.
        init?(_ content: String) {
            guard let mark = content.utf8.first, "`~".utf8.contains(mark) else { return nil }
            self.mark = mark
            length = content.utf8.prefix { $0 == mark }.count
            let isInline =
                mark == UInt8(ascii: "`") && content.utf8.dropFirst(length).contains(mark)
            guard length > 2, !isInline else { return nil }
        }

        /// Whether `content` ends it.
        func isClosed(by content: String) -> Bool {
            let text = trimmed(content).utf8
            return text.count >= length && text.allSatisfy { $0 == mark }
        }
    }

    // MARK: Tags

    /// The name of the tag that `word` is: `#name`, percent-encoded. A number such as `#12` is
    /// none, nor are several `#`.
    static func tag(_ word: some Sequence<UInt8>) -> String? {
        let word = Array(word)
        let name = word.dropFirst()
        guard word.first == UInt8(ascii: "#"), let first = name.first,
            first != UInt8(ascii: "#"), !name.allSatisfy(\.isASCIIDigit)
        else { return nil }
        return PercentText.decode(String(decoding: name, as: UTF8.self))
    }

    /// The word for the tag of that name.
    static func word(forTag name: String) -> String {
        let isNoWord =
            name.utf8.first == UInt8(ascii: "#") || name.utf8.allSatisfy(\.isASCIIDigit)
        return "#" + PercentText.encode(name, encodesFirst: isNoWord)
    }
}
