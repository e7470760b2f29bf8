/// The tags and the priority that all matches of a search share. An item with them is likely to
/// match. A conjunction requires those of all its terms, and an OR those that all its terms share.
/// A NOT requires none, nor does a range of priorities.
extension ItemSearch {
    /// The tags that all matches share. O(terms).
    package var requiredTags: Set<Tag.ID> { root.requiredTags }

    /// The priority that all matches share, or `nil` if there is none. O(terms).
    package var requiredPriority: Priority? { root.requiredPriority }
}

extension ItemSearch.Node {
    fileprivate var requiredTags: Set<Tag.ID> {
        switch self {
        case .tag(let id): return [id]
        case .and(let nodes): return nodes.reduce(into: []) { $0.formUnion($1.requiredTags) }
        case .or(let nodes):
            guard let first = nodes.first else { return [] }
            return nodes.reduce(first.requiredTags) { $0.intersection($1.requiredTags) }
        default: return []
        }
    }

    fileprivate var requiredPriority: Priority? {
        let all: Set<Priority?>
        switch self {
        case .priority(let range?) where range.lowerBound == range.upperBound:
            return range.lowerBound
        // If a conjunction requires two priorities, no item matches.
        case .and(let nodes): all = Set(nodes.map(\.requiredPriority)).subtracting([nil])
        case .or(let nodes): all = Set(nodes.map(\.requiredPriority))
        default: return nil
        }
        return all.count == 1 ? all.first ?? nil : nil
    }
}
