extension ItemSearch {
    /// The tags and the priority that all matches of a search share.
    package struct Requirements: Hashable, Sendable {
        package var tags: Set<Tag.ID> = []
        package var priority: Priority?
    }

    /// The tags and the priority that all matches share. An item with them is likely to match. A
    /// conjunction requires those of all its terms, and an OR those that all its terms share. A NOT
    /// requires none, nor does a range of priorities. O(terms).
    package var requirements: Requirements { root.requirements }
}

extension ItemSearch.Node {
    fileprivate var requirements: ItemSearch.Requirements {
        var requirements = ItemSearch.Requirements()
        switch self {
        case .tag(let id): requirements.tags = [id]
        case .priority(let range?) where range.lowerBound == range.upperBound:
            requirements.priority = range.lowerBound
        case .and(let nodes):
            let all = nodes.map(\.requirements)
            requirements.tags = all.reduce(into: []) { $0.formUnion($1.tags) }
            // If a conjunction requires two priorities, no item matches.
            let priorities = Set(all.compactMap(\.priority))
            if priorities.count == 1 { requirements.priority = priorities.first }
        case .or(let nodes):
            let all = nodes.map(\.requirements)
            guard let first = all.first else { break }
            requirements.tags = all.reduce(first.tags) { $0.intersection($1.tags) }
            if all.allSatisfy({ $0.priority == first.priority }) {
                requirements.priority = first.priority
            }
        default: break
        }
        return requirements
    }
}
