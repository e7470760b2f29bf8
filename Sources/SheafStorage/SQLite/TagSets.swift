import SheafList

/// The existing tags, and the sets of them that items have. Equal sets are stored once, because
/// many items have equal sets, and a separate set for every item takes more memory than its text.
final class TagSets {
    private var singles: [Tag.ID: Set<Tag.ID>]
    private var several: [[Tag.ID]: Set<Tag.ID>] = [:]

    init(_ ids: [Tag.ID]) {
        singles = Dictionary(ids.map { ($0, [$0]) }, uniquingKeysWith: { first, _ in first })
    }

    func contains(_ id: Tag.ID) -> Bool { singles[id] != nil }

    /// Returns the set of `ids`. All of these tags must exist.
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
