import FoundationEssentials
import Swidux

/// The stored rows with which changes are reconciled. A backend reads them from its tables, and
/// makes no decisions.
package protocol StoredRows {
    /// The error if rows cannot be read.
    associatedtype Failure: Error

    /// Returns all entities of one kind.
    func stored<Entity: SmallEntity>(_ kind: Entity.Type) throws(Failure) -> [Entity]
    /// Returns the folded names of the readable tags, by which names are compared.
    func foldedTagNames() throws(Failure) -> [Tag.ID: String]
    /// Returns the item `id`, or nil.
    func storedItem(_ id: Item.ID) throws(Failure) -> Item?
}

/// Reconciliation of changes with the stored rows. Every backend commits the rows that this one
/// function returns, and so does the recovery of interrupted sessions.
///
/// 1. **No other process has committed:** each change is written as it is, and no item row is read.
/// 2. **Both sides edited an entity:** the edits are merged field by field (`StorageMerge`). If
///    both changed one field, the edit by this process wins, and a text that it replaces is
///    appended to the note.
/// 3. **One side edited an entity and the other deleted it:** the edit wins, on either side. If a
///    tag is therefore not deleted, it also stays on the items and views from which its deletion
///    removed it. If a next occurrence is therefore not deleted, its item stays done. The loss of a
///    deleted tag is not an edit: an item or view with no other change stays deleted.
/// 4. **A new tag has the name of another tag:** the new tag is refused, and the other one replaces
///    it on the items and views of the same changes. Within the changes, names may pass from tag to
///    tag, also in a cycle; if two new names are equal, the earlier tag gets the name.
/// 5. **A stored tag is renamed to the name of another tag:** it keeps its name, and queries that
///    were changed to use the new name use the old one again.
/// 6. **A view has the name of another view:** a number is added.
/// 7. **An item or a view refers to a tag that does not exist:** it is stored without the tag.
/// 8. **A tag is deleted that other processes have added to items or views:** it is removed from
///    these, too.
///    The backend removes it from every row that has it, and reports those rows
///    (``Reconciled/reportRemoval(of:from:)``).
///
/// If a constraint of the tables refuses a row for another reason, only that row is omitted, and
/// the backend reports it (``Reconciled/refuse(_:because:)``).
extension StorageChanges {
    /// Returns the rows to write, which preserve these changes and those of other processes.
    ///
    /// O(changes), and O(tags + views) if there are changes of those.
    ///
    /// - Parameters:
    ///   - rows: the stored rows, read within the transaction that writes the result.
    ///   - isCurrent: true if no other process has committed since the changes began.
    ///   - merge: the merge of two edits of one item.
    ///   - isLast: false if the commit will reconcile the result again. A stored tag may then take
    ///     the name of another tag, because the commit decides which one it refuses.
    /// - Throws: the errors of `rows`.
    package func reconciled<Rows: StoredRows>(
        with rows: Rows, isCurrent: Bool, merging merge: StorageMerge<Item> = .items,
        isLast: Bool = true
    ) throws(Rows.Failure) -> Reconciled {
        var result = Reconciled(self)
        let isMerged = !isCurrent || haveNext
        if isMerged {
            try result.mergeTags(with: rows)
            let items = result.rows.items
            result.rows.items = try items.merged(by: merge, &result, stored: rows.storedItem)
            result.keepDone(in: items)
            result.keepDeleted(in: items) { item, former, deleted in
                var item = item
                item.tags.formUnion(former.tags.intersection(deleted))
                item.updatedAt = former.updatedAt
                return item
            }
        }
        try result.nameTags(among: rows, isLast: isLast)
        if isMerged {
            func merge(_ kind: (some SmallEntity).Type) throws(Rows.Failure) {
                let changes = result.rows[kind]
                try result.merge(kind, with: rows)
                result.keepDeleted(in: changes) { $0.restoringTag(of: $1, among: $2) }
            }
            for kind in Kinds.small where kind != Tag.self { try merge(kind) }
        }
        if !result.rows.views.isEmpty {
            let views = try rows.stored(SavedView.self)
            result.rows.views = result.rows.views.withFreeNames(among: views, &result)
        }
        func checkTag(_ kind: (some SmallEntity).Type) throws(Rows.Failure) {
            try result.checkTag(of: kind, in: rows)
        }
        for kind in Kinds.small where kind != Tag.self { try checkTag(kind) }
        try result.checkTagsOfItems(in: rows, isMerged: isMerged)
        return result
    }
}

extension Reconciled {
    /// Applies rules 4 and 5.
    fileprivate mutating func nameTags<Rows: StoredRows>(
        among stored: Rows, isLast: Bool
    ) throws(Rows.Failure) {
        guard rows.tags.elements.contains(where: { $0.change.after != nil }) else { return }
        let admission = try TagAdmission(
            rows.tags, foldedNames: try stored.foldedTagNames(), isLast: isLast, &self
        ) { (id) throws(Rows.Failure) in try stored.stored(Tag.self).first { $0.id == id } }
        releasing = admission.releasing
        guard !admission.refused.isEmpty else { return }
        substitutes = admission.substitutes
        refused += admission.refusals
        let admitted = Dictionary(admission.admitted.map { ($0.id, $0) }) { $1 }
        let asked = rows.tags
        rows.tags = asked.only { admitted[$0] != nil || asked[$0]?.after == nil }
        for (id, tag) in admitted { rows.tags[id]?.after = tag }
        if !rows.views.isEmpty {
            let tags = try stored.stored(Tag.self)
            let known = Set(tags.map(\.id))
            let all =
                tags.map { admitted[$0.id] ?? $0 }
                + admission.admitted.filter { !known.contains($0.id) }
            rows.views = admission.admitting(rows.views, all, &self)
        }
        for (id, change) in rows.items.elements {
            guard let item = change.after else { continue }
            let admitted = item.replacingTags(substitutes)
            guard admitted.tags != item.tags else { continue }
            rows.items[id]?.after = admitted
            differing.insert(id)
        }
    }

    /// Applies rules 2 and 3 to a kind that is read as a whole.
    fileprivate mutating func merge<Entity: SmallEntity, Rows: StoredRows>(
        _ kind: Entity.Type, with stored: Rows
    ) throws(Rows.Failure) {
        guard !rows[kind].isEmpty else { return }
        let byID = Dictionary(try stored.stored(kind).map { ($0.id, $0) }) { $1 }
        rows[kind] = rows[kind].merged(by: Entity.merge, &self) { byID[$0] }
    }

    /// Applies rules 2 and 3 to tags. A tag that is not deleted, because another process has edited
    /// it, also stays on its items and views.
    fileprivate mutating func mergeTags<Rows: StoredRows>(
        with stored: Rows
    ) throws(Rows.Failure) {
        let deletions = rows.tags.deletions
        try merge(Tag.self, with: stored)
        keepTags(Set(deletions).subtracting(rows.tags.deletions))
    }

    /// Applies rule 7 to a kind that is read as a whole.
    fileprivate mutating func checkTag<Entity: SmallEntity, Rows: StoredRows>(
        of kind: Entity.Type, in stored: Rows
    ) throws(Rows.Failure) {
        guard !rows[kind].isEmpty else { return }
        let known = try tagIDs(in: stored)
        for (id, change) in rows[kind].elements {
            guard let entity = change.after else { continue }
            let present = entity.replacingTag(substitutes)
            let missing = present.referencedTags.subtracting(known)
            let admitted = present.withoutTag(where: missing.contains)
            guard admitted != entity else { continue }
            rows[kind][id]?.after = admitted
            reportMissing(missing, of: id)
        }
    }

    /// Applies rule 7 to items. If no other process has committed, the former tags of an item
    /// exist, so an item without new tags is not checked.
    fileprivate mutating func checkTagsOfItems<Rows: StoredRows>(
        in stored: Rows, isMerged: Bool
    ) throws(Rows.Failure) {
        var known: Set<Tag.ID>?
        for (id, change) in rows.items.elements {
            guard let item = change.after, !item.tags.isEmpty else { continue }
            if !isMerged, let base = change.before, item.tags.isSubset(of: base.tags) { continue }
            if known == nil { known = try tagIDs(in: stored) }
            let missing = item.tags.subtracting(known ?? [])
            guard !missing.isEmpty else { continue }
            rows.items[id]?.after?.tags.subtract(missing)
            reportMissing(missing, of: id)
        }
    }

    /// Returns the ids of the stored tags and of those that these changes add, including tags that
    /// these changes delete.
    private func tagIDs<Rows: StoredRows>(
        in stored: Rows
    ) throws(Rows.Failure) -> Set<Tag.ID> {
        Set(try stored.foldedTagNames().keys).union(rows.tags.upserts.map(\.id))
    }
}
