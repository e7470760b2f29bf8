import FoundationEssentials

/// What a ``Query`` means in one list on one day: which tags it names, which times its days are.
///
/// Equal searches find the same items in equal lists. A tag that is renamed, and midnight, make
/// another one of the same query.
public struct ItemSearch: Hashable, Sendable {
    indirect enum Node: Hashable, Sendable {
        case everything
        case text(TextSearch)
        case tag(Tag.ID)
        case state(ItemState)
        case time(TimeField, TimeSpan)
        /// On one of the days; nil asks for no day at all.
        case day(DayField, Bounds<CalendarDay>?)
        case priority(ClosedRange<Priority>?)
        /// Text in the field of this name.
        case field(String, TextSearch)
        case not(Node)
        case and([Node])
        case or([Node])

        static let nothing = or([])
    }

    let root: Node

    /// Finds every item.
    public static let everything = ItemSearch(root: .everything)

    private init(root: Node) {
        self.root = root
    }

    /// The meaning of a query.
    ///
    /// - Parameters:
    ///   - isFuzzy: true if bare words match names and tags that have their letters in order.
    ///   - tags: all tags of the list.
    ///   - now: the time that ages are counted from.
    /// - Throws: ``QueryError`` for a tag that the list does not have, or several tags may be, and
    ///   for a word of nothing but accents.
    public init(
        _ query: Query, isFuzzy: Bool = false, tags: [Tag], now: Timestamp, calendar: LocalCalendar
    ) throws(QueryError) {
        let resolver = Resolver(isFuzzy: isFuzzy, tags: tags, now: now, calendar: calendar)
        root = try resolver.node(query)
    }

    /// Finds all words of `text` by their letters in order; nothing in it is an operator.
    package init(words text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).map {
            Node.text(TextSearch(String($0), isFuzzy: true))
        }
        root = words.isEmpty ? .everything : .and(words)
    }

    /// Whether it finds every item, whatever that is like.
    public var isEverything: Bool { root == .everything }

    /// True if the search requires a text, and so ranks its matches.
    public var looksForText: Bool { !root.positiveTexts.isEmpty }

    /// Whether a name or a tag is found that has the letters of a word in order.
    public var isFuzzy: Bool { root.positiveTexts.contains(where: \.isFuzzy) }

    /// The tags that items are asked for.
    public var askedTags: Set<Tag.ID> {
        root.leaves.reduce(into: []) { tags, leaf in
            switch leaf.node {
            case .text(let text): tags.formUnion(text.tags)
            case .tag(let id): tags.insert(id)
            default: break
            }
        }
    }

    /// The names of the text fields that items are asked for.
    public var askedFields: Set<String> {
        root.leaves.reduce(into: []) { names, leaf in
            if case .field(let name, _) = leaf.node { names.insert(name) }
        }
    }

    /// Whether items are asked for whether they have any tag.
    public var asksForUntagged: Bool { root.leaves.contains { $0.node == .state(.untagged) } }

    /// True if a term, which may be negated, is the tag `id`, or if a negated text finds its name.
    /// A text that must be there is no term for the tags that it finds.
    public func names(_ id: Tag.ID) -> Bool {
        root.leaves.contains { leaf in
            switch leaf.node {
            case .tag(let tag): tag == id
            case .text(let text): leaf.isNegated && text.tags.contains(id)
            default: false
            }
        }
    }

    /// Whether `other` is one of the things that it asks for together.
    public func asks(for other: ItemSearch) -> Bool { root.terms.contains(other.root) }

    /// What this finds and `other` too.
    public func and(_ other: ItemSearch) -> ItemSearch {
        if isEverything { return other }
        if other.isEverything { return self }
        return ItemSearch(root: .all([root, other.root]))
    }

    /// A search for one state.
    public static func state(_ state: ItemState) -> ItemSearch {
        ItemSearch(root: .state(state))
    }

    /// A search for what a day decides.
    public static func dated(_ state: DatedState, today: CalendarDay) -> ItemSearch {
        ItemSearch(root: .and([.state(.open), node(state, today: today)]))
    }

    /// What the day has to be like of an item in that state.
    fileprivate static func node(_ state: DatedState, today: CalendarDay) -> Node {
        switch state {
        case .overdue:
            today.adding(days: -1).map { .day(.due, Bounds(first: .first, last: $0)) } ?? .nothing
        case .scheduled:
            today.adding(days: 1).map { .day(.scheduled, Bounds(first: $0, last: .last)) }
                ?? .nothing
        }
    }

    /// What this does not find.
    public var negated: ItemSearch { ItemSearch(root: .not(root)) }

    /// A search for one tag.
    public static func tag(_ id: Tag.ID) -> ItemSearch {
        ItemSearch(root: .tag(id))
    }
}

extension ItemSearch.Node {
    /// The conjunction of `nodes`. Texts come last, because the other nodes are cheaper and may
    /// leave no row to look at.
    fileprivate static func all(_ nodes: [ItemSearch.Node]) -> ItemSearch.Node {
        .and(nodes.filter { !$0.isText } + nodes.filter(\.isText))
    }

    private var isText: Bool {
        leaves.contains { leaf in
            switch leaf.node {
            case .text, .field: true
            default: false
            }
        }
    }

    /// What is asked together.
    var terms: [ItemSearch.Node] {
        if case .and(let nodes) = self { nodes.flatMap(\.terms) } else { [self] }
    }

    /// The nodes that are not made of others, each with whether a NOT holds it.
    var leaves: [(node: ItemSearch.Node, isNegated: Bool)] {
        switch self {
        case .not(let node): node.leaves.map { ($0.node, true) }
        case .and(let nodes), .or(let nodes): nodes.flatMap(\.leaves)
        default: [(self, false)]
        }
    }

    /// The texts that an item is found by, those that must not be there aside.
    var positiveTexts: [TextSearch] {
        leaves.compactMap { if case (.text(let text), false) = $0 { text } else { nil } }
    }

    /// The tags that an item is asked for, each by itself.
    var positiveTags: [Tag.ID] {
        leaves.compactMap { if case (.tag(let id), false) = $0 { id } else { nil } }
    }
}

/// Gives a query its meaning in a list.
private struct Resolver {
    let isFuzzy: Bool
    let tags: [Tag]
    let now: Timestamp
    let calendar: LocalCalendar

    func node(_ query: Query) throws(QueryError) -> ItemSearch.Node {
        switch query {
        case .everything: return .everything
        case .term(let term): return try node(term)
        case .not(let query): return .not(try node(query))
        case .and(let queries): return .all(try queries.map(node))
        case .or(let queries): return .or(try queries.map(node))
        }
    }

    private func node(_ term: Query.Term) throws(QueryError) -> ItemSearch.Node {
        switch term.kind {
        case .text(let text): .text(try search(text, at: term.place, tags: tags))
        case .tag(let name): .tag(try tag(name, at: term.place))
        case .tagsBelow(let name): try tags(below: name, at: term.place)
        case .state(let state): .state(state)
        case .time(let field, let days):
            try forward(days, at: term.place).times(now: now, in: calendar)
                .map { .time(field, $0) } ?? .nothing
        case .day(let field, let days?):
            try forward(days, at: term.place).days(today: today).map { .day(field, $0) }
                ?? .nothing
        case .day(let field, nil): .day(field, nil)
        case .priority(let letters): .priority(letters)
        case .field(let name, let text):
            .field(name, try search(text, at: term.place, tags: []))
        case .dated(let state): .and([.state(.open), ItemSearch.node(state, today: today)])
        }
    }

    /// `days` unless they are a range that holds none. Such a query can be read all the same, so
    /// that the tags in it are still followed when they get other names.
    private func forward(
        _ days: DaySpan, at place: Range<Int>
    ) throws(QueryError) -> DaySpan {
        guard !days.isBackwards(today: today) else {
            throw QueryError(
                "the range ends before it begins; put the earlier date first", at: place)
        }
        return days
    }

    private func search(
        _ text: TextTerm, at place: Range<Int>, tags: [Tag]
    ) throws(QueryError) -> TextSearch {
        let search = TextSearch(text.text, isFuzzy: isFuzzy && text.isWord, tags: tags)
        guard !search.bytes.isEmpty else {
            throw QueryError("only accents here; add a letter", at: place)
        }
        return search
    }

    private var today: CalendarDay { calendar.day(now) }

    private func tags(
        below name: String, at place: Range<Int>
    ) throws(QueryError) -> ItemSearch.Node {
        let found = tags.meant(below: name)
        guard let first = found.first else {
            throw QueryError("no tag is named \(name), or \(name)/ and more", at: place)
        }
        return found.count == 1 ? .tag(first.id) : .or(found.map { .tag($0.id) })
    }

    /// The one tag that the name may mean.
    private func tag(_ name: String, at place: Range<Int>) throws(QueryError) -> Tag.ID {
        let fitting = tags.meant(by: name)
        guard let tag = fitting.first else {
            throw QueryError("no tag is named \(name)", at: place)
        }
        guard fitting.count == 1 else {
            let names = fitting.prefix(3).map(\.name).joined(separator: " or ")
            throw QueryError("\(name) could be \(names)", at: place)
        }
        return tag.id
    }
}
