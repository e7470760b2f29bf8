import FoundationEssentials

/// Asks one item after the other whether a search finds it, and how well. It keeps its memory for
/// the next item, and so is as fast as looking at each can be; what looks at none it need not is
/// the index.
public struct ItemMatcher: Sendable {
    public let search: ItemSearch
    private var text = TextMatcher()

    public init(_ search: ItemSearch) {
        self.search = search
    }

    /// Whether `item` is found. O(name + note).
    public mutating func includes(_ item: Item) -> Bool { score(of: item) != nil }

    /// How well `item` is found, from 0 on, or nil if it is not. Terms that must all hold add up;
    /// of several places, and of terms any of which may hold, the best counts.
    public mutating func score(of item: Item) -> Int? { score(search.root, item) }

    private mutating func score(_ node: ItemSearch.Node, _ item: Item) -> Int? {
        switch node {
        case .everything: return 0
        case .text(let text): return score(text, item)
        case .tag(let id): return item.tags.contains(id) ? 0 : nil
        case .state(let state): return item.isIn(state) ? 0 : nil
        case .time(let field, let span):
            return item.time(field).map(span.contains) ?? false ? 0 : nil
        case .not(let node): return score(node, item) == nil ? 0 : nil
        case .and(let nodes):
            var sum = 0
            for node in nodes {
                guard let score = score(node, item) else { return nil }
                sum += score
            }
            return sum
        case .or(let nodes):
            var best: Int?
            for node in nodes {
                if let score = score(node, item), best.map({ $0 < score }) ?? true { best = score }
            }
            return best
        }
    }

    private mutating func score(_ text: TextSearch, _ item: Item) -> Int? {
        var best = self.text.score(text, in: item.name)
        if !text.tags.isEmpty {
            for id in item.tags {
                if let score = text.tags[id], best.map({ $0 < score }) ?? true { best = score }
            }
        }
        if best == nil, self.text.isFound(text, in: item.note) { best = 0 }
        return best
    }
}

extension Item {
    /// Whether `is:` finds it.
    func isIn(_ state: ItemState) -> Bool {
        switch state {
        case .done: isDone
        case .open: !isDone
        case .untagged: tags.isEmpty
        case .noted: !note.isEmpty
        }
    }

    /// The time that a query calls so, or nil if the item has none.
    func time(_ field: TimeField) -> Timestamp? {
        switch field {
        case .created: createdAt
        case .changed: updatedAt
        case .done: doneAt
        }
    }
}
