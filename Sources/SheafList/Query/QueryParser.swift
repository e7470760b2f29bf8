/// A recursive-descent parser of queries. OR binds loosest, then AND (also implied between adjacent
/// terms), then NOT.
struct QueryParser {
    /// The maximum length of a text in bytes of UTF-8, and the maximum number of terms. These
    /// limits keep searches fast, even if the user pastes a long text.
    static let longestText = 4_096
    static let maxTerms = 64
    private static let deepestNesting = 32

    private var words: ArraySlice<(word: QueryWord, place: Range<Int>)>
    private let end: Int
    private var depth = 0

    init(_ text: String, fields: [FieldWord]) throws(QueryError) {
        end = text.utf8.count
        guard end <= Self.longestText else {
            throw QueryError(
                "the query is longer than \(Self.longestText) bytes",
                at: Self.characterStart(of: text, at: Self.longestText)..<end)
        }
        var lexer = QueryLexer(text, fields: fields)
        let words = try lexer.words()
        let terms = words.filter { if case .term = $0.word { true } else { false } }
        if terms.count > Self.maxTerms {
            throw QueryError(
                "the query has more than \(Self.maxTerms) terms", at: terms[Self.maxTerms].place)
        }
        self.words = words[...]
    }

    /// Returns the start, in bytes, of the character that contains the byte at `offset`.
    private static func characterStart(of text: String, at offset: Int) -> Int {
        let inside = text.utf8.index(text.startIndex, offsetBy: offset)
        let start = text.index(before: text.index(after: inside))
        return text.utf8.distance(from: text.startIndex, to: start)
    }

    mutating func query() throws(QueryError) -> Query {
        guard !words.isEmpty else { return .everything }
        return try alternatives()
    }

    private mutating func alternatives() throws(QueryError) -> Query {
        var queries = [try conjunction()]
        while case .or = words.first?.word {
            words.removeFirst()
            queries.append(try conjunction())
        }
        return queries.count == 1 ? queries[0] : .or(queries)
    }

    private mutating func conjunction() throws(QueryError) -> Query {
        var queries = [try negation()]
        while let word = words.first?.word {
            switch word {
            case .and: words.removeFirst()
            case .term, .not, .open: break
            case .or, .close: return joined(queries)
            }
            queries.append(try negation())
        }
        return joined(queries)
    }

    private func joined(_ queries: [Query]) -> Query {
        queries.count == 1 ? queries[0] : .and(queries)
    }

    private mutating func negation() throws(QueryError) -> Query {
        guard let (word, place) = words.popFirst() else {
            throw QueryError("expected a search term", at: end..<end)
        }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepestNesting else {
            throw QueryError("too many nested brackets or NOTs", at: place)
        }
        switch word {
        case .term(let kind): return .term(Query.Term(kind: kind, place: place))
        case .not: return .not(try negation())
        case .open:
            let query = try alternatives()
            guard case .close = words.popFirst()?.word else {
                throw QueryError("unclosed bracket", at: place)
            }
            return query
        case .and, .or, .close:
            throw QueryError("expected a search term before this", at: place)
        }
    }
}
