/// What items are found by, as `/`, saved views and the command line take it: terms, and how they
/// are joined.
///
/// ```
/// milk                  a part of a name, a tag or a note, in any case
/// "exact words"         these characters, white space included
/// #tag +tag @tag        the tag
/// #tag/                 the tag and those below it, such as tag/part
/// is:done is:open is:untagged is:noted is:repeating is:overdue is:scheduled
/// created: changed: done:   days, ages, ranges: today, 2w, >3d, <2026-06, 2026-05..2026-06-15
/// due: scheduled:           the same, but lengths count forward, and fri, tomorrow; none
/// priority:                 A, A..C, none
/// -x NOT x              all but the matches of x
/// x y, x AND y, x OR y, ( )
/// ```
///
/// A query says nothing of any list: ``ItemSearch`` is what it means there.
public indirect enum Query: Hashable, Sendable {
    /// Every item: the empty query.
    case everything
    case term(Term)
    case not(Query)
    /// Two or more, all of which must hold.
    case and([Query])
    /// Two or more, any of which must hold.
    case or([Query])

    /// One thing to look for, and where in the query it stands.
    public struct Term: Hashable, Sendable {
        public var kind: Kind
        /// Where it stands in the query's text, in bytes of UTF-8.
        public var place: Range<Int>

        public enum Kind: Hashable, Sendable {
            case text(TextTerm)
            /// A tag, as it was typed, with its sigil.
            case tag(String)
            /// A tag and those below it: the name without the slash at its end.
            case tagsBelow(String)
            case state(ItemState)
            case time(TimeField, DaySpan)
            /// On one of the days; nil asks for no day at all.
            case day(DayField, DaySpan?)
            /// Of a letter up to another; nil asks for none at all.
            case priority(ClosedRange<Priority>?)
            /// A part of the text field of this name.
            case field(String, TextTerm)
            case dated(DatedState)
        }
    }

    /// The query that `text` is.
    ///
    /// - Throws: ``QueryError`` if it is none.
    public init(_ text: String) throws(QueryError) {
        try self.init(text, fields: FieldWord.all)
    }

    init(_ text: String, fields: [FieldWord]) throws(QueryError) {
        var parser = try QueryParser(text, fields: fields)
        self = try parser.query()
    }

    /// The words that are text although they begin nearly like a field, such as `prio:A`.
    public var misspellings: [QueryError] { terms.compactMap(\.misspelling) }

    /// All terms, in the order in which they stand.
    public var terms: [Term] {
        switch self {
        case .everything: []
        case .term(let term): [term]
        case .not(let query): query.terms
        case .and(let queries), .or(let queries): queries.flatMap(\.terms)
        }
    }
}

extension Query.Term {
    fileprivate var misspelling: QueryError? {
        // Text in quotation marks is shorter than its place.
        guard case .text(let text) = kind, text.text.utf8.count == place.count,
            let (typed, meant) = FieldWord.misspelledKey(of: text.text)
        else { return nil }
        return QueryError(
            "no field \(typed); did you mean \(meant):? Quotes search for the text", at: place)
    }
}

/// Text to look for: a part of a name, a tag or a note.
public struct TextTerm: Hashable, Sendable {
    /// Never empty.
    public var text: String
    /// True for a required bare word. If a typed query has no match, the screen shows the names
    /// that have the letters of such words in order.
    public var isWord: Bool

    public init(_ text: String, isWord: Bool = false) {
        self.text = text
        self.isWord = isWord
    }
}

/// What `is:` asks for.
public enum ItemState: String, CaseIterable, Hashable, Sendable {
    case done, open, untagged, noted, repeating
}

/// What `is:` asks for that another day decides.
public enum DatedState: String, CaseIterable, Hashable, Sendable {
    /// Not done, and due before today.
    case overdue
    /// Not done, and scheduled for a day after today: it can wait until then.
    case scheduled
}

/// A day of an item, as it is called in a query.
public enum DayField: String, CaseIterable, Hashable, Sendable {
    case due, scheduled
}

/// A time of an item, as it is called in a query.
public enum TimeField: String, CaseIterable, Hashable, Sendable {
    case created, changed, done
}

/// Why a text is no query, or one that this list cannot answer.
public struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with it, in bytes of the query's UTF-8.
    public var place: Range<Int>
    /// What is wrong and what would be right, in a few words, as part of a sentence.
    public var reason: String

    public init(_ reason: String, at place: Range<Int>) {
        self.place = place
        self.reason = reason
    }

    public var description: String { reason }
}
