import FoundationEssentials

/// The meaning of a ``Query`` in one list on one day, with its tags and times resolved.
///
/// Equal searches find the same items in equal lists. If a tag is renamed, or at midnight, the same
/// query can become a different search.
package struct ItemSearch: Hashable, Sendable {
    indirect enum Node: Hashable, Sendable {
        case everything
        case text(TextSearch)
        case tag(Tag.ID)
        case state(ItemState)
        case time(TimeField, TimeSpan)
        /// On one of the days; `nil` asks for items without a day.
        case day(DayField, ClosedRange<CalendarDay>?)
        case priority(ClosedRange<Priority>?)
        /// Text in the field with this name.
        case field(String, TextSearch)
        case not(Node)
        case and([Node])
        case or([Node])

        static let nothing = or([])
    }

    let root: Node

    /// The search that finds every item.
    package static let everything = ItemSearch(root: .everything)

    private init(root: Node) {
        self.root = root
    }

    /// Resolves a query.
    ///
    /// - Parameters:
    ///   - isFuzzy: True if bare words also match names and tags that contain their letters in
    ///     order.
    ///   - tags: All tags of the list.
    ///   - now: The time from which ages count.
    /// - Throws: ``QueryError`` for a tag that the list does not have, for a name that fits several
    ///   tags, and for a word that consists only of accents.
    package init(
        _ query: Query, isFuzzy: Bool = false, tags: [Tag], now: Timestamp, calendar: LocalCalendar
    ) throws(QueryError) {
        let resolver = Resolver(isFuzzy: isFuzzy, tags: tags, now: now, calendar: calendar)
        root = try resolver.node(query)
    }

    /// Creates a search for all words of `text`, each by its letters in order. The text has no
    /// operators.
    package init(words text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).map {
            Node.text(TextSearch(String($0), isFuzzy: true))
        }
        root = words.isEmpty ? .everything : .and(words)
    }

    /// True if the search finds every item.
    package var isEverything: Bool { root == .everything }

    /// True if the search requires a text, and therefore ranks its matches.
    package var looksForText: Bool { !root.positiveTexts.isEmpty }

    /// True if a word of the search also matches names and tags that contain its letters in order.
    package var isFuzzy: Bool { root.positiveTexts.contains(where: \.isFuzzy) }

    /// The tags that the search asks for.
    package var askedTags: Set<Tag.ID> {
        root.leaves.reduce(into: []) { tags, leaf in
            switch leaf.node {
            case .text(let text): tags.formUnion(text.tags)
            case .tag(let id): tags.insert(id)
            default: break
            }
        }
    }

    /// The names of the text fields that the search asks for.
    package var askedFields: Set<String> {
        root.leaves.reduce(into: []) { names, leaf in
            if case .field(let name, _) = leaf.node { names.insert(name) }
        }
    }

    /// True if the search asks whether items have any tag.
    package var asksForUntagged: Bool { root.leaves.contains { $0.node == .state(.untagged) } }

    /// Returns true if a term, negated or not, is the tag `id`, or if a negated text finds its
    /// name. A tag whose name a required text finds does not count.
    package func names(_ id: Tag.ID) -> Bool {
        root.leaves.contains { leaf in
            switch leaf.node {
            case .tag(let tag): tag == id
            case .text(let text): leaf.isNegated && text.tags.contains(id)
            default: false
            }
        }
    }

    /// Returns true if `other` is one of the terms that this search joins by AND.
    package func asks(for other: ItemSearch) -> Bool { root.terms.contains(other.root) }

    /// Returns the search for items that both this search and `other` find.
    package func and(_ other: ItemSearch) -> ItemSearch {
        if isEverything { return other }
        if other.isEverything { return self }
        return ItemSearch(root: .all([root, other.root]))
    }

    /// Returns a search for one state.
    package static func state(_ state: ItemState) -> ItemSearch {
        ItemSearch(root: .state(state))
    }

    /// Returns a search for a state that depends on the day.
    package static func dated(_ state: DatedState, today: CalendarDay) -> ItemSearch {
        let day: Node? =
            switch state {
            case .overdue: today.adding(days: -1).map { .day(.due, .first...$0) }
            case .scheduled: today.adding(days: 1).map { .day(.scheduled, $0 ... .last) }
            }
        return ItemSearch(root: .and([.state(.open), day ?? .nothing]))
    }

    /// The search for all items that this search does not find.
    package var negated: ItemSearch { ItemSearch(root: .not(root)) }

    /// Returns a search for one tag.
    package static func tag(_ id: Tag.ID) -> ItemSearch {
        ItemSearch(root: .tag(id))
    }
}

extension ItemSearch.Node {
    /// Returns the conjunction of `nodes`. Texts come last, because the other nodes are cheaper and
    /// may leave no row to search.
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

    /// The terms of a conjunction, or the node itself.
    var terms: [ItemSearch.Node] {
        if case .and(let nodes) = self { nodes.flatMap(\.terms) } else { [self] }
    }

    /// The nodes without children, each with a Boolean value that is true if it is below a NOT.
    var leaves: [(node: ItemSearch.Node, isNegated: Bool)] {
        switch self {
        case .not(let node): node.leaves.map { ($0.node, true) }
        case .and(let nodes), .or(let nodes): nodes.flatMap(\.leaves)
        default: [(self, false)]
        }
    }

    /// The texts of the search, without the negated ones.
    var positiveTexts: [TextSearch] {
        leaves.compactMap { if case (.text(let text), false) = $0 { text } else { nil } }
    }

    /// The tags of the search, without the negated ones and those that a text finds.
    var positiveTags: [Tag.ID] {
        leaves.compactMap { if case (.tag(let id), false) = $0 { id } else { nil } }
    }
}

/// The list and the time for which the terms of a query are resolved.
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
        do throws(TypedError) {
            return try node(term.kind)
        } catch {
            throw QueryError(error.reason, at: term.place)
        }
    }

    private func node(_ kind: Query.Term.Kind) throws(TypedError) -> ItemSearch.Node {
        switch kind {
        case .text(let text, let isWord):
            .text(try search(text, isFuzzy: isFuzzy && isWord, tags: tags))
        case .tag(let name): .tag(try tag(name))
        case .tagsBelow(let name): try tags(below: name)
        case .state(let state): .state(state)
        case .time(let field, let days):
            try forward(days).times(now: now, in: calendar).map { .time(field, $0) } ?? .nothing
        case .day(let field, let days?):
            try forward(days).days(today: today).map { .day(field, $0) } ?? .nothing
        case .day(let field, nil): .day(field, nil)
        case .priority(let letters): .priority(letters)
        case .field(let name, let text): .field(name, try search(text))
        case .dated(let state): ItemSearch.dated(state, today: today).root
        }
    }

    /// Returns `days`, or throws an error if they are a range that ends before it begins. The
    /// parser accepts such a range, so that renaming a tag still updates the query.
    private func forward(_ days: DaySpan) throws(TypedError) -> DaySpan {
        guard !days.isBackwards(today: today) else {
            throw TypedError("the range ends before it begins; put the earlier date first")
        }
        return days
    }

    private func search(
        _ text: String, isFuzzy: Bool = false, tags: [Tag] = []
    ) throws(TypedError) -> TextSearch {
        let search = TextSearch(text, isFuzzy: isFuzzy, tags: tags)
        guard !search.bytes.isEmpty else { throw TypedError("only accents here; add a letter") }
        return search
    }

    private var today: CalendarDay { calendar.day(now) }

    private func tags(below name: String) throws(TypedError) -> ItemSearch.Node {
        let found = tags.meant(below: name)
        guard let first = found.first else {
            throw TypedError("no tag is named \(name) or begins with \(name)/")
        }
        return found.count == 1 ? .tag(first.id) : .or(found.map { .tag($0.id) })
    }

    /// Returns the only tag that the name can mean.
    private func tag(_ name: String) throws(TypedError) -> Tag.ID {
        let fitting = tags.meant(by: name)
        guard let tag = fitting.first else { throw TypedError("no tag is named \(name)") }
        guard fitting.count == 1 else {
            let names = fitting.prefix(3).map(\.name).joined(separator: " or ")
            throw TypedError("\(name) could be \(names)")
        }
        return tag.id
    }
}
