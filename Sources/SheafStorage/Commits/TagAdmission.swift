import SheafCore

/// Which tags of a commit can be written without two tags having one name, and which cannot.
///
/// Names may pass from tag to tag within the commit, even in a cycle; of two equal ones the earlier
/// tag has it.
struct TagAdmission {
    private(set) var admitted: [Tag]
    /// The tags whose name another tag has.
    private(set) var refused: [Tag] = []
    /// The tags whose names must be freed before the admitted ones can be written.
    private(set) var releasing: [Tag.ID] = []

    /// For each new tag that is refused, the tag that has its name; its items get that one.
    private(set) var substitutes: [Tag.ID: Tag.ID] = [:]

    /// - Parameter foldedNames: the folded names of the tags that are stored.
    init(_ changes: EntityChanges<Tag>, foldedNames: [Tag.ID: String]) {
        let holders = Dictionary(
            foldedNames.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var staying = foldedNames
        for id in changes.deletions { staying[id] = nil }
        admitted = changes.upserts
        while true {
            // A refused tag keeps its old name, which can make another one be refused.
            let changing = Set(admitted.map(\.id))
            var taken = Set(staying.lazy.filter { !changing.contains($0.key) }.map(\.value))
            let split = admitted.reduce(into: (free: [Tag](), refused: [Tag]())) { split, tag in
                if taken.insert(tag.foldedName).inserted {
                    split.free.append(tag)
                } else {
                    split.refused.append(tag)
                }
            }
            admitted = split.free
            refused += split.refused
            if split.refused.isEmpty { break }
        }
        releasing = admitted.compactMap { tag in
            holders[tag.foldedName].flatMap { $0 == tag.id ? nil : $0 }
        }
        guard !refused.isEmpty else { return }
        for tag in admitted { staying[tag.id] = tag.foldedName }
        let owners = Dictionary(
            staying.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        for tag in refused where foldedNames[tag.id] == nil {
            substitutes[tag.id] = owners[tag.foldedName]
        }
    }

    /// `item` with refused tags replaced: each name has one tag.
    func admitting(_ item: Item) -> Item {
        guard !substitutes.isEmpty, item.tags.contains(where: { substitutes[$0] != nil }) else {
            return item
        }
        return item.replacingTags(substitutes)
    }

    /// What the result of the commit says of the refused tags.
    var refusals: [Refusal] {
        refused.map { .init(id: $0.id, reason: "another tag already has that name") }
    }
}
