import SheafList
import Swidux

/// The meaning of the query in this list, and its error if it has one. Derived from the query text,
/// the tags and the day, and recomputed only when one of them changes.
package struct ListQuery: Sendable {
    /// The search of the last query without an error.
    package private(set) var search = ItemSearch.everything
    /// A search that matches the letters of the query's words in order, or nil if the query has no
    /// word.
    package private(set) var fuzzy: ItemSearch?
    /// The error in the current text, or nil.
    package private(set) var error: QueryError?
    /// A word that was parsed as text but resembles a field, or nil.
    package private(set) var misspelling: QueryError?

    /// Advice about a word with fzf syntax, which is parsed as text, or nil.
    package private(set) var adviceOnSigns: String?

    /// The places of the tags, for a sort by tag.
    private(set) var tagPlaces: [Tag.ID: Int] = [:]
    private var placed: Revision?
    /// ``ItemOrder/dayShift``, for a sort by time.
    private(set) var dayShift: Int64 = 0

    /// True if the query is a list of alternatives, which needs brackets when combined with other
    /// terms.
    package private(set) var isAlternatives = false

    /// True if the query itself contains a condition on scheduled days.
    private(set) var asksForScheduled = false

    /// The text of ``search``. If the current text has an error, the rows still match this text.
    package private(set) var understood = ""

    private var text = ""
    /// The byte offset of the caret in the line when `text` last changed, or nil once the line is
    /// accepted.
    private var caret: Int?
    private var tags: Revision?
    private var today: CalendarDay?

    /// The calendar that converts times to days, for headings.
    private(set) var calendar = LocalCalendar.system

    /// Updates the time zone offset, which changes with daylight saving time.
    mutating func updateTimeZone(_ calendar: LocalCalendar, today: CalendarDay) {
        self.calendar = calendar
        dayShift = calendar.shift(of: today)
    }

    /// Updates the places of the tags. O(tags) if they may have changed, else O(1).
    mutating func updateTagPlaces(_ tags: EntityStore<Tag>) {
        guard tags.revision != placed else { return }
        placed = tags.revision
        tagPlaces = ItemOrder(.tag, tags: tags.values).tagPlaces
    }

    /// Updates the meaning of `text`. O(text + tags) if it may have changed, else O(1).
    ///
    /// - Parameter line: the line in which the user types `text`, or nil once it is accepted. An
    ///   operator at the end of the line, or just before the caret, is incomplete and does not
    ///   change the search yet.
    mutating func settle(
        _ text: String, typedInto line: LineEditor? = nil, tags: EntityStore<Tag>,
        today day: CalendarDay, _ environment: AppEnvironment
    ) {
        let today = today.map { _ in day }
        let caret = line.flatMap { text == self.text ? self.caret : $0.beforeCaret.utf8.count }
        guard
            text != self.text || !text.isEmpty && (tags.revision, caret) != (self.tags, self.caret)
                || today != self.today
        else { return }
        (self.text, self.caret, self.tags, self.today) = (text, caret, tags.revision, today)
        do throws(QueryError) {
            let typed = try Query(text)
            let query =
                caret.map {
                    typed.withoutIncompleteOperators(endingAt: [$0, text.utf8.count]) ?? .everything
                }
                ?? typed
            let (tags, now) = (tags.values, environment.now())
            search = try ItemSearch(query, tags: tags, now: now, calendar: environment.calendar)
            let fuzzy = try ItemSearch(
                query, isFuzzy: true, tags: tags, now: now, calendar: environment.calendar)
            self.fuzzy = fuzzy.isFuzzy ? fuzzy : nil
            (understood, error, misspelling) = (text, nil, typed.misspellings.first)
            adviceOnSigns = typed.adviceOnSigns
            self.today = query.asksForTimes ? day : nil
            asksForScheduled = query.asksForScheduled
            isAlternatives = if case .or = typed { true } else { false }
        } catch {
            (self.error, misspelling) = (error, nil)
        }
    }
}

extension Query {
    /// Advice about the first word with fzf syntax, or nil. Saved views of early versions contain
    /// such words. They are not rewritten, because a list does not record which version saved a
    /// view.
    fileprivate var adviceOnSigns: String? {
        for case .text(let word, isWord: true) in terms.map(\.kind) where word.count > 1 {
            let rest = word.dropFirst()
            switch word.first {
            case "!": return "“\(word)” is searched literally; -\(rest) excludes “\(rest)”."
            case "'": return "“\(word)” is searched literally; \(rest) needs no sign."
            case "^": return "“\(word)” is searched literally; no sign means the beginning."
            default: break
            }
            if word.last == "$" {
                return "“\(word)” is searched literally; no sign means the end."
            }
        }
        return nil
    }

    /// True if the result depends on the current day or time.
    fileprivate var asksForTimes: Bool {
        terms.contains {
            switch $0.kind {
            case .time, .day, .dated: true
            case .text, .tag, .tagsBelow, .state, .priority, .field: false
            }
        }
    }

    /// Returns the query without operators that end at one of the given byte offsets and have no
    /// operand, or nil if no term remains.
    fileprivate func withoutIncompleteOperators(endingAt ends: [Int]) -> Query? {
        switch self {
        case .everything: return self
        case .term(let term):
            return term.isBareOperator && ends.contains(term.place.upperBound) ? nil : self
        case .not(let query): return query.withoutIncompleteOperators(endingAt: ends).map(Query.not)
        case .and(let queries):
            let left = queries.compactMap { $0.withoutIncompleteOperators(endingAt: ends) }
            return left.count > 1 ? .and(left) : left.first
        case .or(let queries):
            let left = queries.compactMap { $0.withoutIncompleteOperators(endingAt: ends) }
            return left.count > 1 ? .or(left) : left.first
        }
    }

    /// True if a term is about scheduled days. Without one, the screen and `sheaf agenda` hide
    /// items that are scheduled for a later day.
    package var asksForScheduled: Bool {
        terms.contains {
            switch $0.kind {
            case .day(let field, _): field == .scheduled
            case .dated(let state): state == .scheduled
            case .time, .text, .tag, .tagsBelow, .state, .priority, .field: false
            }
        }
    }
}

extension Query.Term {
    /// True if the term is a single character with which another kind of term starts, such as `#`.
    fileprivate var isBareOperator: Bool {
        guard case .text(let text, _) = kind else { return false }
        return place.count == 1 && ["#", "+", "@", "-"].contains(text)
    }
}

extension ItemSearch {
    /// Returns the search without items that are scheduled for a day after `today`.
    func hidingScheduled(today: CalendarDay) -> ItemSearch {
        and(.dated(.scheduled, today: today).negated)
    }
}

extension AppState {
    /// Updates the meaning of the query. O(query + tags) if it may have changed.
    mutating func settleQuery(_ environment: AppEnvironment) {
        var line: LineEditor?
        // A query that was accepted before and is recalled now is complete.
        if case .filter(let draft) = ui.mode, draft.recalled == nil,
            ui.viewSettings.filter != draft.previous
        {
            line = draft.line
        }
        query.settle(ui.viewSettings.filter, typedInto: line, tags: tags, today: today, environment)
    }

    /// The maximum number of tags for which every frame shows the completion of Tab. At this
    /// number, finding it takes about a millisecond.
    private static var maxTagsCompleted: Int { 1_000 }

    /// Returns the message about the error in the query, or nil if there is none. If the error ends
    /// at the caret of `line`, the message includes the completions that Tab offers. O(line +
    /// tags).
    package func fault(in line: LineEditor) -> String? {
        guard let error = query.error ?? query.misspelling else { return nil }
        let reason = error.reason.sentenceCased
        guard error.place.upperBound == line.beforeCaret.utf8.count,
            tags.count <= Self.maxTagsCompleted
        else { return reason }
        let completion = QueryCompletion(of: String(line.beforeCaret), tags: tags.values)
        return completion.candidates.isEmpty
            ? reason : "\(reason); Tab: \(completion.listed)"
    }

    /// The maximum length of a text in which found letters are highlighted. Longer texts would cost
    /// milliseconds per frame, and no terminal shows that much of one.
    private static var maxMarkedBytes: Int { 2_000 }

    /// The search that produced the rows: ``ListQuery/search`` or ``ListQuery/fuzzy``.
    package var shownSearch: ItemSearch {
        rows.isFuzzy ? query.fuzzy ?? query.search : query.search
    }

    /// Returns a flag for each letter of a name, true if the query found it. Empty if the query
    /// found none, or if the name is too long to search in every frame. O(name × words).
    package func foundLetters(in name: String) -> [Bool] {
        guard query.search.looksForText, name.utf8.count <= Self.maxMarkedBytes else { return [] }
        return shownSearch.foundLetters(in: name)
    }

    /// Returns the flags of ``foundLetters(in:)`` for the label of a tag.
    package func foundLetters(inLabelOf tag: Tag) -> [Bool] {
        guard !query.search.isEverything, tag.name.utf8.count <= Self.maxMarkedBytes
        else { return [] }
        return shownSearch.foundLetters(inLabelOf: tag)
    }

    /// Returns true if the query found text in the label of `tag`, as opposed to asking for the
    /// tag.
    package func findsText(inLabelOf tag: Tag) -> Bool {
        query.search.looksForText && shownSearch.findsText(inLabelOf: tag)
    }

    /// Returns true if the query found text in the note of `item`. Returns false if the name or the
    /// note is too long to search in every frame. O(note × words).
    package func findsText(inNoteOf item: Item) -> Bool {
        guard query.search.looksForText else { return false }
        let isShort = item.withUTF8 { name, note in
            guard name.count <= Self.maxMarkedBytes, !note.isEmpty else { return false }
            // ASCII is searched faster. Other text is folded again for each word.
            return note.count <= Self.maxMarkedBytes
                || note.count <= Self.maxMarkedBytes * 10 && note.allSatisfy { $0 < 0x80 }
        }
        guard isShort else { return false }
        return query.search.findsText(inNote: item.note)
    }
}
