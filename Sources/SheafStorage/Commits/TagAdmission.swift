import SheafCore
import Swidux

/// Which tags of a commit can be written without two tags having one name, and which cannot.
///
/// Names may be handed on within the commit, in circles too; among equals the earlier one has it.
struct TagAdmission {
    private(set) var admitted: [Tag]
    /// Those whose name another tag has.
    private(set) var refused: [Tag] = []
    /// Those that have to give their name away before the admitted ones can be written.
    private(set) var releasing: [Tag.ID] = []

    /// What the items of new tags that are refused carry instead: the tag that has the name.
    private(set) var substitutes: [Tag.ID: Tag.ID] = [:]

    /// - Parameter foldedNames: the folded names of the tags that are stored.
    init(_ changes: EntityChanges<Tag>, foldedNames: [Tag.ID: String]) {
        let holders = Dictionary(
            foldedNames.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var staying = foldedNames
        for id in changes.deletions { staying[id] = nil }
        admitted = changes.upserts
        while true {
            // A tag that is refused keeps its old name, which can put another one out.
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

    /// `item` as it can be written: under one name there is one tag.
    func admitting(_ item: Item) -> Item {
        guard !substitutes.isEmpty, item.tags.contains(where: { substitutes[$0] != nil }) else {
            return item
        }
        return item.replacingTags(substitutes)
    }

    /// What is said of those that are refused.
    var refusals: [CommitResult.Refusal] {
        refused.map {
            .init(id: $0.id, reason: "Another tag already has the name “\($0.name)”.")
        }
    }
}
