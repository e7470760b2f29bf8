/// A parsed query of `/`, a saved view or the command line: terms and the operators that join them.
///
/// ```
/// milk                  a part of a name, a tag or a note, in any case
/// "exact words"         these characters, white space included
/// #tag +tag @tag        the tag
/// #tag/                 the tag and those below it, such as tag/part
/// is:done is:open is:untagged is:noted is:repeating is:overdue is:scheduled
/// created: changed: done:   days, ages, ranges: today, 2w, >3d, <2026-06, 2026-05..2026-06-15
/// due: scheduled:           days as above, but lengths count forward; also fri, tomorrow, none
/// priority:                 A, A..C, none
/// -x NOT x              all but the matches of x
/// x y, x AND y, x OR y, ( )
/// ```
///
/// A query does not depend on a list. ``ItemSearch`` is its meaning in one list.
package indirect enum Query: Hashable, Sendable {
    /// Every item: the empty query.
    case everything
    case term(Term)
    case not(Query)
    /// A conjunction of two or more queries.
    case and([Query])
    /// A disjunction of two or more queries.
    case or([Query])

    /// A search term and its place in the query.
    package struct Term: Hashable, Sendable {
        package var kind: Kind
        /// The place of the term in the query's text, in bytes of UTF-8.
        package var place: Range<Int>

        package enum Kind: Hashable, Sendable {
            /// A part of a name, a tag or a note, which is never empty. `isWord` is true for a
            /// required bare word. If a typed query has no match, the screen shows the names that
            /// contain the letters of such words in order.
            case text(String, isWord: Bool)
            /// A tag as it was typed, with its sigil.
            case tag(String)
            /// A tag and those below it. The name lacks the slash at its end.
            case tagsBelow(String)
            case state(ItemState)
            case time(TimeField, DaySpan)
            /// On one of the days; `nil` asks for items without a day.
            case day(DayField, DaySpan?)
            /// In a range of letters; `nil` asks for items without a priority.
            case priority(ClosedRange<Priority>?)
            /// A part of the text field with this name.
            case field(String, String)
            case dated(DatedState)
        }
    }

    /// Parses `text`.
    ///
    /// - Throws: ``QueryError`` if `text` is not a query.
    package init(
        _ text: String, fields: [FieldWord] = FieldWord.all
    ) throws(QueryError) {
        var parser = try QueryParser(text, fields: fields)
        self = try parser.query()
    }

    /// An error for each word that is text but begins almost like a field, such as `prio:A`.
    package var misspellings: [QueryError] {
        terms.compactMap { term in
            // Quoted text is shorter than its place, and so never counts as misspelled.
            guard case .text(let text, _) = term.kind, text.utf8.count == term.place.count,
                let (typed, meant) = FieldWord.misspelledKey(of: text)
            else { return nil }
            return QueryError(
                "no field \(typed); did you mean \(meant):? Quotes search for the text",
                at: term.place)
        }
    }

    /// All terms, in their order in the text.
    package var terms: [Term] {
        switch self {
        case .everything: []
        case .term(let term): [term]
        case .not(let query): query.terms
        case .and(let queries), .or(let queries): queries.flatMap(\.terms)
        }
    }
}

/// A state that `is:` asks for.
package enum ItemState: String, CaseIterable, Hashable, Sendable {
    case done, open, untagged, noted, repeating
}

/// A state that `is:` asks for and that depends on the day.
package enum DatedState: String, CaseIterable, Hashable, Sendable {
    /// Not done, and due before today.
    case overdue
    /// Not done, and scheduled for a day after today: it can wait until then.
    case scheduled
}

/// A day field of an item, under its name in a query.
package enum DayField: String, CaseIterable, Hashable, Sendable {
    case due, scheduled
}

/// A time field of an item, under its name in a query.
package enum TimeField: String, CaseIterable, Hashable, Sendable {
    case created, changed, done
}

/// An error in the syntax of a query, or a query that this list cannot answer.
package struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place of the error, in bytes of the query's UTF-8.
    package var place: Range<Int>
    /// The error and its remedy, in a few words, as part of a sentence.
    package var reason: String

    package init(_ reason: String, at place: Range<Int>) {
        self.place = place
        self.reason = reason
    }

    package var description: String { reason }
}
