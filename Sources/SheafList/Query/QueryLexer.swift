/// A word of a query.
enum QueryWord {
    case term(Query.Term.Kind)
    case and, or, not, open, close
}

/// A lexer that divides a query into words, scalar by scalar. Thus a sign before a combining mark
/// keeps its meaning, although the two are one character.
///
/// Words end at white space. A bracket opens a group only at the beginning of a word. While a group
/// is open, a closing bracket without a partner in its word ends the word and the group, and the
/// next word begins after it: `(x)(y)` is `(x) (y)`, but `f(x)` and `:)` are text. A word that
/// begins no term, such as `-`, `#` or `http://…`, is text. A closing bracket directly after the
/// last group is an error.
struct QueryLexer {
    private let text: String.UnicodeScalarView
    private let bytes: String.UTF8View
    private let fields: [FieldWord]
    private var index: String.Index
    private var openBrackets = 0
    /// The words, with their places in bytes of UTF-8.
    private var found: [(word: QueryWord, place: Range<Int>)] = []

    init(_ text: String, fields: [FieldWord]) {
        self.fields = fields
        self.text = text.unicodeScalars
        bytes = text.utf8
        index = text.startIndex
    }

    mutating func words() throws(QueryError) -> [(word: QueryWord, place: Range<Int>)] {
        while true {
            skipSpace()
            guard index < text.endIndex else { return found }
            if peek == "(" {
                take(.open)
                openBrackets += 1
            } else if peek == ")", openBrackets > 0 {
                take(.close)
                openBrackets -= 1
            } else if peek == ")", let last = found.last, case .close = last.word,
                place(from: index).lowerBound == last.place.upperBound
            {
                let start = index
                text.formIndex(after: &index)
                throw fault("unmatched bracket; put it in quotes to search for it", from: start)
            } else {
                try readWord()
            }
        }
    }

    // MARK: Reading

    private var peek: Unicode.Scalar? { index < text.endIndex ? text[index] : nil }

    private mutating func skipSpace() {
        while let peek, peek.properties.isWhitespace { text.formIndex(after: &index) }
    }

    private func place(from start: String.Index) -> Range<Int> {
        let offset = bytes.distance(from: bytes.startIndex, to: start)
        return offset..<offset + bytes.distance(from: start, to: index)
    }

    private func fault(_ reason: String, from start: String.Index) -> QueryError {
        QueryError(reason, at: place(from: start))
    }

    private mutating func take(_ word: QueryWord) {
        let start = index
        text.formIndex(after: &index)
        found.append((word, place(from: start)))
    }

    private mutating func readWord() throws(QueryError) {
        let start = index
        if readOperator() { return }
        // A sign without a term after it is text.
        if peek == "-", let next = following, !next.properties.isWhitespace,
            !(next == ")" && openBrackets > 0)
        {
            take(.not)
            if peek == "(" { return }
        }
        let isNegated = index > start
        let termStart = index
        var kind = try readTerm()
        // The letters of a word occur in order in almost every name, so a negated fuzzy word would
        // exclude nearly every item.
        if isNegated, case .text(let text, _) = kind { kind = .text(text, isWord: false) }
        found.append((.term(kind), place(from: termStart)))
    }

    private var following: Unicode.Scalar? {
        let next = text.index(after: index)
        return next < text.endIndex ? text[next] : nil
    }

    private mutating func readOperator() -> Bool {
        let start = index
        let rest = text[index...]
        for (name, word) in [("AND", QueryWord.and), ("OR", .or), ("NOT", .not)]
        where rest.starts(with: name.unicodeScalars) {
            let end = text.index(index, offsetBy: name.unicodeScalars.count)
            guard
                end == text.endIndex || text[end].properties.isWhitespace || text[end] == "("
                    || text[end] == ")" && openBrackets > 0
            else {
                continue
            }
            index = end
            found.append((word, place(from: start)))
            return true
        }
        return false
    }

    private mutating func readTerm() throws(QueryError) -> Query.Term.Kind {
        let start = index
        switch peek {
        case "\"":
            return .text(try readQuoted(), isWord: false)
        case "#", "+", "@":
            let sigil = text[index]
            text.formIndex(after: &index)
            if peek == "\"" {
                let name = "\(sigil)\(try readQuoted())"
                guard peek == "/" else { return .tag(name) }
                text.formIndex(after: &index)
                return .tagsBelow(name)
            }
            let name = readPlain()
            guard !name.isEmpty else { return .text(String(sigil), isWord: true) }
            return name.count > 1 && name.hasSuffix("/")
                ? .tagsBelow("\(sigil)\(name.dropLast())") : .tag("\(sigil)\(name)")
        default:
            let word = try readQuotedValue() ?? readPlain()
            if let kind = try keyword(word, from: start) { return kind }
            return .text(word, isWord: true)
        }
    }

    /// Reads the key and the value of a word such as `due:"next fri"` or `due:today.."next fri"`,
    /// without the quotation marks. Returns `nil` if the next word is not of this form.
    private mutating func readQuotedValue() throws(QueryError) -> String? {
        let key = text[index...].prefix { $0 != ":" && !$0.properties.isWhitespace }
        let name = String(key).lowercased()
        guard let field = fields.first(where: { $0.key == name }), field.value != .priority,
            text[key.endIndex...].prefix(while: { !$0.properties.isWhitespace }).contains("\"")
        else { return nil }
        index = text.index(after: key.endIndex)
        var value = ""
        while let next = peek {
            let part = next == "\"" ? try readQuoted() : readPlain(toQuotation: true)
            if part.isEmpty { break }
            value += part
        }
        return "\(name):\(value)"
    }

    /// Reads the characters up to white space or to the bracket that closes a group opened before
    /// this word; with `toQuotation`, also up to a quotation mark.
    private mutating func readPlain(toQuotation: Bool = false) -> String {
        var brackets = 0
        let word = text[index...].prefix { scalar in
            if scalar == "(" { brackets += 1 }
            if scalar == ")" { brackets -= 1 }
            return !scalar.properties.isWhitespace && !(toQuotation && scalar == "\"")
                && !(openBrackets > 0 && brackets < 0)
        }
        index = word.endIndex
        return String(word)
    }

    /// Reads the text between quotation marks. Two quotation marks in a row stand for one in the
    /// text.
    private mutating func readQuoted() throws(QueryError) -> String {
        let start = index
        var quoted = String.UnicodeScalarView()
        text.formIndex(after: &index)
        while let scalar = peek {
            text.formIndex(after: &index)
            if scalar != "\"" {
                quoted.append(scalar)
            } else if peek == "\"" {
                quoted.append(scalar)
                text.formIndex(after: &index)
            } else if quoted.isEmpty {
                throw fault("expected text between the quotation marks", from: start)
            } else {
                return String(quoted)
            }
        }
        throw fault("unclosed quotation mark", from: start)
    }

    /// Returns the term that the keyword of `word` denotes, or `nil` if it has no keyword. The word
    /// ends at the current position.
    private func keyword(
        _ word: String, from start: String.Index
    ) throws(QueryError) -> Query.Term.Kind? {
        guard let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let text = word[word.utf8.index(after: colon)...]
        let value = text.lowercased()
        let key = word[..<colon].lowercased()
        if key == "is" {
            if let state = ItemState(rawValue: value) { return .state(state) }
            if let state = DatedState(rawValue: value) { return .dated(state) }
            throw fault(
                "expected done, open, untagged, noted, repeating, overdue or scheduled",
                from: start)
        }
        switch fields.first(where: { $0.key == key })?.value {
        case nil: return nil
        case .text(let field):
            guard !value.isEmpty else { throw fault("expected text after the colon", from: start) }
            return .field(field, String(text))
        case .priority:
            if value.trimmed == "none" { return .priority(nil) }
            if let letters = Self.letters(value) { return .priority(letters) }
            throw fault("expected a letter, letters such as A..C, or none", from: start)
        case .day(let field):
            if value.trimmed == "none" { return .day(field, nil) }
            if let days = DaySpan(value, looksBack: false) { return .day(field, days) }
            throw noDays(value, "today, fri, 2w, <3d, 2026-06, today..2w, or none", from: start)
        case .time(let field):
            if let days = DaySpan(value) { return .time(field, days) }
            throw noDays(value, "today, 2w, >3d, 2026-06 or 2026-05..2026-06-15", from: start)
        }
    }

    /// Returns the error for a text that names no days. The text may have the form of a day that
    /// the calendar does not have.
    private func noDays(_ text: String, _ examples: String, from start: String.Index) -> QueryError
    {
        fault(
            DaySpan.hasNoSuchDay(text)
                ? "there is no such date" : "expected dates such as \(examples)", from: start)
    }

    /// Parses `A`, `A..C`, `C..` or `..C`, in upper or lower case.
    private static func letters(_ text: String) -> ClosedRange<Priority>? {
        let text = text.uppercased()
        guard let dots = text.firstRange(of: "..") else { return Priority(text).map { $0...$0 } }
        let ends = (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
        guard ends != ("", ""), let first = ends.0.isEmpty ? .a : Priority(ends.0),
            let last = ends.1.isEmpty ? .z : Priority(ends.1), first <= last
        else { return nil }
        return first...last
    }
}
