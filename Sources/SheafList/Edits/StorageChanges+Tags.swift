import Swidux

/// The reason why an edit of a tag is refused.
package enum TagEditError: Error, Hashable, Sendable {
    /// Another tag has the name.
    case nameTaken(Tag)
    /// The query of a view would become too long, or have too many parts.
    case unfitQuery(reason: String)

    /// The reason as a sentence without its period.
    package var reason: String {
        switch self {
        case .nameTaken(let tag): "A tag “\(tag.name)” already exists"
        case .unfitQuery(let reason): reason
        }
    }
}

extension StorageChanges {
    /// Adds the changes that rename a tag, also in the queries of views. O(tags + views).
    ///
    /// - Parameters:
    ///   - tag: the tag under its current name.
    ///   - renamed: the tag under its new name.
    ///   - tags: all tags of the list.
    ///   - views: all views of the list.
    package mutating func rename(
        _ tag: Tag, to renamed: Tag, among tags: [Tag], in views: [SavedView]
    ) throws(TagEditError) {
        if let other = tags.first(named: renamed.name, except: tag.id) { throw .nameTaken(other) }
        let latter = tags.map { $0.id == tag.id ? renamed : $0 }
        try rename(TagRenaming(from: tags, to: latter), in: views)
        self.tags.replace(tag, with: renamed)
    }

    /// Adds the changes that merge tags into another one, except the changes of their items: see
    /// ``Item/replace(_:with:)``. O(tags + views).
    ///
    /// - Parameters:
    ///   - tag: the tag that replaces the others. It counts as edited, so that it is restored if
    ///     another process deletes it at the same time.
    ///   - tags: all tags of the list.
    ///   - views: all views of the list.
    package mutating func merge(
        _ merged: [Tag], into tag: Tag, among tags: [Tag], in views: [SavedView]
    ) throws(TagEditError) {
        let substitutes = Dictionary(merged.map { ($0.id, tag.id) }) { $1 }
        let latter = tags.filter { substitutes[$0.id] == nil }
        try rename(TagRenaming(from: tags, to: latter, merged: substitutes), in: views)
        for former in merged { self.tags.delete(former) }
        self.tags.replace(tag, with: tag)
    }

    private mutating func rename(
        _ renaming: TagRenaming, in views: [SavedView]
    ) throws(TagEditError) {
        if let reason = renaming.obstacle(in: views) { throw .unfitQuery(reason: reason) }
        self.views.add(renaming.changes(in: views))
    }
}
