import Foundation

@testable import SheafList

/// The items that a search finds by its definition: one at a time, without chunks and columns.
package struct PlainSearch {
    package let search: ItemSearch

    package init(search: ItemSearch) { self.search = search }

    package func finds(_ item: Item) -> Bool { rank(item) != nil }

    /// The class of a match, or nil if it is none.
    package func rank(_ item: Item) -> UInt8? {
        guard let found = rank(search.root, item) else { return nil }
        let terms = search.root.terms.filter { !$0.positiveTexts.isEmpty }
        let words = terms.compactMap { term in
            if case .text(let text) = term, !text.isFuzzy { text.bytes } else { nil }
        }
        if words.count == terms.count, words.count > 1,
            FoldedText.bytes(of: item.name).elementsEqual(words.joined(separator: [0x20]))
        {
            return MatchClass.wholeName
        }
        return found ?? MatchClass.elsewhere
    }

    /// Nil if the node does not find the item; a nil class if it asks for no text.
    private func rank(_ node: ItemSearch.Node, _ item: Item) -> UInt8?? {
        func found(_ isFound: Bool) -> UInt8?? { isFound ? .some(nil) : nil }
        switch node {
        case .everything: return found(true)
        case .text(let text): return rank(text, item).map { .some($0) } ?? nil
        case .tag(let id): return found(item.tags.contains(id))
        case .state(.done): return found(item.isDone)
        case .state(.open): return found(!item.isDone)
        case .state(.untagged): return found(item.tags.isEmpty)
        case .state(.noted): return found(!item.note.isEmpty)
        case .state(.repeating): return found(item.repeat != nil)
        case .time(.created, let span): return found(span.contains(item.createdAt))
        case .time(.changed, let span): return found(span.contains(item.updatedAt))
        case .time(.done, let span): return found(item.doneAt.map(span.contains) ?? false)
        case .day(let field, let days):
            let day = field == .due ? item.due : item.scheduled
            return found(day.map { days?.contains($0) ?? false } ?? (days == nil))
        case .priority(let letters):
            return found(item.priority.map { letters?.contains($0) ?? false } ?? (letters == nil))
        case .field(let name, let text):
            let value = Item.fields.first { $0.name == name }?.lineSpelling?.get(item)
            return found(value.map(text.isFound) ?? false)
        case .not(let node): return found(rank(node, item) == nil)
        case .and(let nodes):
            var worst: UInt8?
            for node in nodes {
                guard let rank = rank(node, item) else { return nil }
                worst = [worst, rank].compactMap(\.self).min()
            }
            return .some(worst)
        case .or(let nodes):
            let ranks = nodes.compactMap { rank($0, item) }
            return ranks.isEmpty ? nil : .some(ranks.compactMap(\.self).max())
        }
    }

    private func rank(_ text: TextSearch, _ item: Item) -> UInt8? {
        let name = FoldedText.bytes(of: item.name)
        let ranges = name.isEmpty ? [] : name.ranges(of: text.bytes)
        var places = ranges
        // `ranges` leaves out those that overlap.
        for start in name.indices where name[start...].starts(with: text.bytes) {
            places.append(start..<start + text.bytes.count)
        }
        let classes = places.map { range in
            name.withUnsafeBufferPointer { MatchClass.of(range, in: $0) }
        }
        if let best = classes.max() { return best }
        let isFuzzy = text.isFuzzy && FuzzyMatch.score(of: text.bytes, in: name) != nil
        let isElsewhere =
            isFuzzy || !text.tags.isDisjoint(with: item.tags)
            || FoldedText.bytes(of: item.note).firstRange(of: text.bytes) != nil
        return isElsewhere ? MatchClass.elsewhere : nil
    }
}
