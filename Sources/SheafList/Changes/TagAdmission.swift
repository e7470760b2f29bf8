import FoundationEssentials
import Swidux

/// The decision on the tags of a commit: which of them storage can write without giving two tags
/// the same name.
///
/// Names may pass from tag to tag within the commit, even in a cycle. If two names are equal, the
/// earlier tag gets the name. A stored tag whose new name is taken keeps its old name.
struct TagAdmission {
    private(set) var admitted: [Tag]
    /// The tags whose requested name another tag has.
    private(set) var refused: [Tag] = []
    /// The tags whose names must be released before the admitted tags can be written.
    private(set) var releasing: [Tag.ID] = []

    /// The tag that replaces each refused new tag on its items, because it has the same name.
    private(set) var substitutes: [Tag.ID: Tag.ID] = [:]

    /// - Parameters:
    ///   - foldedNames: the folded names of the stored tags.
    ///   - isLast: false to let a stored tag take the name of another tag.
    ///   - result: receives the tags that keep their old names.
    ///   - stored: returns the stored value of a tag.
    init<Failure: Error>(
        _ changes: EntityChanges<Tag>, foldedNames: [Tag.ID: String], isLast: Bool,
        _ result: inout Reconciled,
        stored: (Tag.ID) throws(Failure) -> Tag?
    ) throws(Failure) {
        let holders = Dictionary(
            foldedNames.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var staying = foldedNames
        for id in changes.deletions { staying[id] = nil }
        admitted = changes.upserts
        while true {
            // A refused tag keeps its old name, so another tag that requests that name is refused,
            // too.
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
        if !isLast {
            admitted += refused.filter { foldedNames[$0.id] != nil }
            refused.removeAll { foldedNames[$0.id] != nil }
        }
        releasing = admitted.compactMap { tag in
            holders[tag.foldedName].flatMap { $0 == tag.id ? nil : $0 }
        }
        guard !refused.isEmpty else { return }
        for tag in admitted { staying[tag.id] = tag.foldedName }
        let owners = Dictionary(
            staying.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        for tag in refused {
            guard let owner = owners[tag.foldedName] else { continue }
            guard foldedNames[tag.id] != nil, let known = try stored(tag.id) else {
                substitutes[tag.id] = owner
                continue
            }
            var kept = tag
            kept.name = known.name
            admitted.append(kept)
            result.reportLostName(of: tag.id, to: owner)
        }
    }

    /// Returns `views` with corrected queries: where a query uses a refused new name, it gets the
    /// name that the tag keeps.
    ///
    /// - Parameter tags: all tags, as they will be stored.
    func admitting(
        _ views: EntityChanges<SavedView>, _ tags: [Tag], _ result: inout Reconciled
    ) -> EntityChanges<SavedView> {
        let renamed = Dictionary(
            refused.filter { substitutes[$0.id] == nil }.map { ($0.id, $0) }
        ) { $1 }
        guard !renamed.isEmpty else { return views }
        // The process that renamed the tag did not know the other tag of that name, so `asked`
        // omits it.
        let names = Set(renamed.values.map(\.foldedName))
        let asked = tags.compactMap { tag in
            renamed[tag.id] ?? (names.contains(tag.foldedName) ? nil : tag)
        }
        let renaming = TagRenaming(from: tags, to: asked)
        let back = TagRenaming(from: asked, to: tags)
        var admitted = views
        for (id, change) in views.elements {
            let base = change.before
            guard let view = change.after, view.query != base?.query else { continue }
            var kept = back.view(view)
            if let base, renaming.view(base).query == view.query { kept.query = base.query }
            if kept != view { result.differing.insert(id) }
            admitted[id]?.after = kept
        }
        return admitted
    }

    /// The refusals of tags for the result of the commit.
    var refusals: [Refusal] {
        refused.map { .init(id: $0.id, reason: "another tag already has that name") }
    }
}
