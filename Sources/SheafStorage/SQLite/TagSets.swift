import SheafList

/// The tags that exist, and the sets of them that items have, each kept once: many items have the
/// same, and a set of its own for every item costs more than its text.
final class TagSets {
    private var singles: [Tag.ID: Set<Tag.ID>]
    private var several: [[Tag.ID]: Set<Tag.ID>] = [:]

    init(_ ids: [Tag.ID]) {
        singles = Dictionary(ids.map { ($0, [$0]) }, uniquingKeysWith: { first, _ in first })
    }

    func contains(_ id: Tag.ID) -> Bool { singles[id] != nil }

    /// The set of `ids`, all of which exist.
    func set(of ids: [Tag.ID]) -> Set<Tag.ID> {
        switch ids.count {
        case 0: return []
        case 1: return singles[ids[0]] ?? [ids[0]]
        default:
            if let set = several[ids] { return set }
            let set = Set(ids)
            several[ids] = set
            return set
        }
    }
}
