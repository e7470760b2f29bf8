import FoundationEssentials
import Swidux

/// The sentences about a commit, each without its period.
extension CommitResult where Changes == StorageChanges {
    /// Returns the refusals of `changes`, each with the name of its entity:
    /// `the tag “x”: another tag already has that name`. A refused tag with a substitute is not
    /// lost, so it is omitted. O(changes), and O(1) if nothing was refused.
    package func lost(of changes: StorageChanges) -> [Refusal] {
        let lost = refused.filter { substitutes[$0.id] == nil }
        guard !lost.isEmpty else { return [] }
        var names: [AnyID: String] = [:]
        func add<Entity: ListEntity>(_ kind: Entity.Type) {
            for entity in changes[kind].upserts {
                names[AnyID(entity.id)] = "the \(Entity.noun) “\(entity.name)”"
            }
        }
        for kind in Kinds.all.reversed() { add(kind) }
        return lost.map { refusal in
            var refusal = refusal
            refusal.reason = "\(names[refusal.id] ?? "a deletion"): \(refusal.reason)"
            return refusal
        }
    }

    /// Returns sentences about tags and names that the commit of `changes` did not store as
    /// requested, and about items that stay done. Refusals are not included.
    package func sentences(on changes: StorageChanges) -> [String] {
        let views = Dictionary((stored?.views.upserts ?? []).map { ($0.id, $0.name) }) { $1 }
        return conflicts.sentencesOfTags(
            tagName: { changes.tags[$0]?.before?.name },
            itemName: { id in stored?.items.upserts.first { $0.id == id }?.name },
            viewName: { views[$0] })
            + conflicts.sentencesOfNames(tagName: { _ in nil }, viewName: { views[$0] })
            + [
                [StorageConflict].sentence(
                    ofDone: conflicts.stayingDone(of: stored?.items.upserts ?? []) {
                        changes.items[$0]?.after
                    })
            ].compactMap(\.self)
    }
}

extension [Refusal] {
    /// The clause to add to a message that changes were saved:
    /// `, but not the tag “x”: another tag already has that name`. Empty if nothing was refused. If
    /// there are many refusals, the clause names three.
    package var clause: String {
        guard !isEmpty else { return "" }
        let more = count > 3 ? [" and \(count - 3) more"] : []
        return ", but not " + prefix(3).map(\.reason).joined(separator: ", nor ") + more.joined()
    }
}

extension StorageConflict {
    /// True if another entity already has the requested name.
    package var isOfName: Bool {
        if case .lostName = outcome { true } else { false }
    }

    /// True if a separate message reports the conflict. Other conflicts are only counted, as
    /// entities that were also changed elsewhere.
    package var hasOwnSentence: Bool {
        switch outcome {
        case .lostReference, .tookReference, .lostName: true
        case .kept, .restored, .merged, .notDeleted: false
        }
    }

    /// Returns the deleted tag that the stored item lost, or nil for a conflict of another kind. If
    /// `isDeletedHere`, considers only tags that this process deleted and another process had added
    /// to the item; otherwise, only tags that another process deleted.
    fileprivate func lostTag(deletedHere isDeletedHere: Bool) -> Tag.ID? {
        switch (outcome, isDeletedHere) {
        case (.tookReference(let tag), true), (.lostReference(let tag), false):
            tag.value(as: Tag.ID.self)
        default: nil
        }
    }
}

extension [StorageConflict] {
    /// Returns the items of `stored` that stay done, because another process changed their next
    /// occurrences. `wanted` returns the item of that id that this process committed.
    package func stayingDone(of stored: [Item], wanted: (Item.ID) -> Item?) -> [Item] {
        let kept = Set(filter { $0.outcome == .notDeleted }.map(\.id))
        guard !kept.isEmpty else { return [] }
        return stored.filter {
            $0.isDone && wanted($0.id)?.isDone == false && kept.contains(AnyID($0.nextID))
        }
    }

    /// Returns `“Rent” stays done: another process changed its next occurrence`, or nil if `items`
    /// is empty.
    package static func sentence(ofDone items: [Item]) -> String? {
        guard let first = items.first else { return nil }
        return items.count == 1
            ? "“\(first.name)” stays done: another process changed its next occurrence"
            : "\(items.count.items) stay done: another process changed their next occurrences"
    }

    /// Returns the number of items, all but `views`, that are stored without a deleted tag.
    package func untaggedItems(except views: some Sequence<SavedView.ID>) -> Int {
        Set(
            filter {
                switch $0.outcome {
                case .tookReference, .lostReference: true
                case .kept, .restored, .merged, .notDeleted, .lostName: false
                }
            }.map(\.id)
        ).subtracting(views.map { AnyID($0) }).count
    }

    /// Returns sentences about items and views that are stored without a tag, at most one about
    /// tags that this process deleted and one about tags that other processes deleted:
    /// `Tag “red” was deleted; another process had added it to “Milk”`.
    ///
    /// - Parameters:
    ///   - tagName: returns the name of a deleted tag, if it is known.
    ///   - itemName: returns the name of a stored item, if it is known.
    ///   - viewName: returns the name of a stored view, or nil for an item.
    package func sentencesOfTags(
        tagName: (Tag.ID) -> String?, itemName: (Item.ID) -> String?,
        viewName: (SavedView.ID) -> String?
    ) -> [String] {
        [true, false].compactMap { isDeletedHere in
            let lost = filter { $0.lostTag(deletedHere: isDeletedHere) != nil }
            let tags = Set(lost.compactMap { $0.lostTag(deletedHere: isDeletedHere) })
            let ids = Set(lost.compactMap { $0.id.value(as: UUID.self) })
            guard let tag = tags.first else { return nil }
            let subject =
                tags.count > 1
                ? "\(tags.count.tags) were" : "\(tagName(tag).map { "Tag “\($0)”" } ?? "A tag") was"
            let carriers = Self.carriers(ids, itemName, viewName)
            guard isDeletedHere else {
                return "\(subject) deleted by another process and removed from \(carriers)"
            }
            let pronoun = tags.count > 1 ? "them" : "it"
            return "\(subject) deleted; another process had added \(pronoun) to \(carriers)"
        }
    }

    /// Returns the quoted name of a single entity, or the numbers of items and views.
    private static func carriers(
        _ ids: Set<UUID>, _ itemName: (Item.ID) -> String?, _ viewName: (SavedView.ID) -> String?
    ) -> String {
        let views = ids.compactMap(viewName)
        if ids.count == 1, let view = views.first { return "the view “\(view)”" }
        if ids.count == 1, let item = ids.compactMap(itemName).first { return "“\(item)”" }
        let items = ids.count - views.count
        return [
            items == 0 ? nil : items.items,
            views.isEmpty ? nil : "\(views.count.grouped) view\(views.count == 1 ? "" : "s")",
        ].compactMap(\.self).joined(separator: " and ")
    }

    /// Returns sentences about the tags and views that were stored under another name than
    /// requested: `Cannot rename tag “green”: a tag “blue” already exists`.
    ///
    /// - Parameters:
    ///   - tagName: returns the name of a stored tag.
    ///   - viewName: returns the name of a stored view.
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
