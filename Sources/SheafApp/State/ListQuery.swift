import SheafList
import Swidux

/// What the query means in the list, and what is wrong with it: derived from its text, the tags and
/// the day, and kept as long as those are the same.
public struct ListQuery: Sendable {
    /// What is looked for: the last query that could be understood.
    public private(set) var search = ItemSearch.everything
    /// The search by the letters of its words in order, or nil if it has no word.
    public private(set) var fuzzy: ItemSearch?
    /// What is wrong with what was typed since, or nil.
    public private(set) var error: QueryError?
    /// A word that is text although it begins nearly like a field, or nil.
    public private(set) var misspelling: QueryError?

    /// Advice about a word with a sign of fzf, which is text here, or nil.
    public private(set) var adviceOnSigns: String?

    /// The places of the tags, for a sort by them.
    private(set) var tagPlaces: [Tag.ID: Int] = [:]
    private var placed: Revision?
    /// ``ItemOrder/dayShift``, for a sort by a time.
    private(set) var dayShift: Int64 = 0

    /// Whether it is several alternatives, which need brackets beside anything else.
    public private(set) var isAlternatives = false

    /// Whether it says itself which scheduled items it wants.
    private(set) var asksForScheduled = false

    /// The text of ``search``, which is what the rows are of while another one has a fault.
    public private(set) var understood = ""

    private var text = ""
    /// Where the caret stood in the line that `text` is being typed into, in bytes, after the last
    /// key that changed it; nil once it is kept.
    private var caret: Int?
    private var tags: Revision?
    private var today: CalendarDay?

    /// Tells the days of times, for headings.
    private(set) var calendar = LocalCalendar.system

    /// Takes over where days begin, which changes with the clocks.
    mutating func place(_ calendar: LocalCalendar, today: CalendarDay) {
        self.calendar = calendar
        dayShift = calendar.shift(of: today)
    }

    /// Takes over where the tags stand. O(tags) if that may have changed, and O(1) if not.
    mutating func place(_ tags: EntityStore<Tag>) {
        guard tags.revision != placed else { return }
        placed = tags.revision
        tagPlaces = ItemOrder(.tag, tags: tags.values).tagPlaces
    }

    /// Takes over what `text` means now. O(text + tags) if that may have changed, and O(1) if not.
    ///
    /// - Parameter line: the line that `text` is being typed into, or nil once it is kept. A sign
    ///   at its end, or where something was typed last, is to go on and changes nothing yet.
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
                caret.map { typed.withoutSigns(endingAt: [$0, text.utf8.count]) ?? .everything }
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
    /// Advice about the first word with a sign of fzf, or nil. Saved views of early versions have
    /// such words. They are not rewritten: a list does not say which version saved a view.
    fileprivate var adviceOnSigns: String? {
        for case .text(let text) in terms.map(\.kind) where text.isWord && text.text.count > 1 {
            let (word, rest) = (text.text, text.text.dropFirst())
            switch word.first {
            case "!": return "“\(word)” is searched as it stands; -\(rest) leaves “\(rest)” out."
            case "'": return "“\(word)” is searched as it stands; \(rest) needs no sign."
            case "^": return "“\(word)” is searched as it stands; no sign means the beginning."
            default: break
            }
            if word.last == "$" {
                return "“\(word)” is searched as it stands; no sign means the end."
            }
        }
        return nil
    }

    /// Whether what it finds depends on the day on which it is asked.
    fileprivate var asksForTimes: Bool {
        terms.contains {
            switch $0.kind {
            case .time, .day, .dated: true
            case .text, .tag, .tagsBelow, .state, .priority, .field: false
            }
        }
    }

    /// The same without the signs that end at one of these bytes and that nothing follows, or nil
    /// if nothing is left.
    fileprivate func withoutSigns(endingAt ends: [Int]) -> Query? {
        switch self {
        case .everything: return self
        case .term(let term):
            return term.isSign && ends.contains(term.place.upperBound) ? nil : self
        case .not(let query): return query.withoutSigns(endingAt: ends).map(Query.not)
        case .and(let queries):
            let left = queries.compactMap { $0.withoutSigns(endingAt: ends) }
            return left.count > 1 ? .and(left) : left.first
        case .or(let queries):
            let left = queries.compactMap { $0.withoutSigns(endingAt: ends) }
            return left.count > 1 ? .or(left) : left.first
        }
    }

    /// True if a term is about scheduled days. Without one, the screen and `sheaf agenda` hide
    /// items that are scheduled for a later day.
    public var asksForScheduled: Bool {
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
    /// Whether it is nothing but the sign that another term begins with.
    fileprivate var isSign: Bool {
        guard case .text(let text) = kind else { return false }
        return place.count == 1 && ["#", "+", "@", "-"].contains(text.text)
    }
}

extension ItemSearch {
    /// The same without what is scheduled for a day after `today`.
    func hidingScheduled(today: CalendarDay) -> ItemSearch {
        and(.dated(.scheduled, today: today).negated)
    }
}

extension AppState {
    /// Takes over what the query means now. O(query + tags) if that may have changed.
    mutating func settleQuery(_ environment: AppEnvironment) {
        var line: LineEditor?
        // One that was kept before, and is back, is whole.
        if case .filter(let draft) = ui.mode, draft.recalled == nil,
            ui.shown.filter != draft.previous
        {
            line = draft.line
        }
        query.settle(ui.shown.filter, typedInto: line, tags: tags, today: today, environment)
    }

    /// In a list of more tags, what Tab would do is not said with every frame: for so many it takes
    /// a millisecond or so.
    private static var mostTagsCompleted: Int { 1_000 }

    /// What is wrong with the query that is typed into `line`, and what Tab makes of the term
    /// before the caret where that is at fault; nil if nothing is wrong. O(line + tags).
    public func fault(in line: LineEditor) -> String? {
        guard let error = query.error ?? query.misspelling else { return nil }
        let reason = error.reason.sentenceCased
        guard error.place.upperBound == line.beforeCaret.utf8.count,
            tags.count <= Self.mostTagsCompleted
        else { return reason }
        let completion = QueryCompletion(of: String(line.beforeCaret), tags: tags.values)
        return completion.candidates.isEmpty
            ? reason : "\(reason); Tab: \(completion.listed)"
    }

    /// In longer texts nothing is marked: it would cost milliseconds for each with every frame,
    /// and no terminal shows so much of one.
    private static var mostMarkedBytes: Int { 2_000 }

    /// The search that the rows are found by: the query, or its words by their letters.
    public var shownSearch: ItemSearch {
        rows.isFuzzy ? query.fuzzy ?? query.search : query.search
    }

    /// Which letters of a name the query found; empty if none. O(name × words).
    public func foundLetters(in name: String) -> [Bool] {
        guard query.search.looksForText, name.utf8.count <= Self.mostMarkedBytes else { return [] }
        return shownSearch.foundLetters(in: name)
    }

    /// The same for how a tag is shown.
    public func foundLetters(inLabelOf tag: Tag) -> [Bool] {
        guard !query.search.isEverything, tag.name.utf8.count <= Self.mostMarkedBytes
        else { return [] }
        return shownSearch.foundLetters(inLabelOf: tag)
    }

    /// Whether the query found `tag` by a text, and not only because it asks for the tag.
    public func findsText(inLabelOf tag: Tag) -> Bool {
        query.search.looksForText && shownSearch.findsText(inLabelOf: tag)
    }

    /// Whether the query found a text in the note of `item`; false where the note, or a name in
    /// which it may have been found, is longer than is worth looking through with every frame.
    /// O(note × words).
    public func findsText(inNoteOf item: Item) -> Bool {
        guard query.search.looksForText else { return false }
        let isShort = item.withUTF8 { name, note in
            guard name.count <= Self.mostMarkedBytes, !note.isEmpty else { return false }
            // What is not ASCII is folded first, for each word.
            return note.count <= Self.mostMarkedBytes
                || note.count <= Self.mostMarkedBytes * 10 && note.allSatisfy { $0 < 0x80 }
        }
        guard isShort else { return false }
        return query.search.findsText(inNote: item.note)
    }
}
