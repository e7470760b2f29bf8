import FoundationEssentials
import Swidux

extension [StorageConflict] {
    /// What happened to each tag and view that is stored without the name that it was to have, a
    /// sentence without its stop: `Cannot rename tag “green”: a tag “blue” already exists`.
    ///
    /// - Parameters:
    ///   - tagName: the name of a stored tag.
    ///   - viewName: the name of a stored view.
    func sentencesOfNames(
        tagName: (Tag.ID) -> String?, viewName: (SavedView.ID) -> String?
    ) -> [String] {
        compactMap { conflict in
            guard case .lostName(let owner) = conflict.outcome,
                let id = conflict.id.value(as: UUID.self), let owner = owner.value(as: UUID.self)
            else { return nil }
            if let name = tagName(id), let other = tagName(owner) {
                return "Cannot rename tag “\(name)”: a tag “\(other)” already exists"
            }
            guard let name = viewName(id), let other = viewName(owner) else { return nil }
            return "A view “\(other)” already exists; this one is now “\(name)”"
        }
    }
}

extension StorageConflict {
    /// Whether it is that of a name which another entity has.
    public var isOfName: Bool {
        if case .lostName = outcome { true } else { false }
    }

    /// Whether it is told by a sentence of its own, of tags or names, and not among the entities
    /// that were changed elsewhere too.
    public var hasOwnSentence: Bool {
        switch outcome {
        case .lostReference, .tookReference, .lostName: true
        case .kept, .merged, .notDeleted: false
        }
    }
}

extension CommitResult where Changes == StorageChanges {
    /// The sentences without their stops about tags and names that the commit of `changes`, which
    /// this is the result of, did not store as it was asked to. What was refused is not among them.
    public func sentences(on changes: StorageChanges) -> [String] {
        let views = Dictionary((stored?.views.upserts ?? []).map { ($0.id, $0.name) }) { $1 }
        return DetachedTags(conflicts).sentences(
            tagName: { changes.tags.bases[$0]?.name },
            itemName: { id in stored?.items.upserts.first { $0.id == id }?.name })
            + conflicts.sentencesOfNames(tagName: { _ in nil }, viewName: { views[$0] })
    }
}
