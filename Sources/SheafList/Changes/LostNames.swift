import FoundationEssentials
import Swidux

extension [StorageConflict] {
    /// Sentences without a period about the tags and views that were stored under another name than
    /// requested: `Cannot rename tag “green”: a tag “blue” already exists`.
    ///
    /// - Parameters:
    ///   - tagName: the name of a stored tag.
    ///   - viewName: the name of a stored view.
    package func sentencesOfNames(
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
    /// True if another entity already has the requested name.
    public var isOfName: Bool {
        if case .lostName = outcome { true } else { false }
    }

    /// True if a message of its own reports the conflict, rather than the count of entities that
    /// were also changed elsewhere.
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
            tagName: { changes.tags[$0]?.before?.name },
            itemName: { id in stored?.items.upserts.first { $0.id == id }?.name })
            + conflicts.sentencesOfNames(tagName: { _ in nil }, viewName: { views[$0] })
    }
}
