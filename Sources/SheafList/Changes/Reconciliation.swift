import FoundationEssentials
import Swidux

/// The stored rows that changes meet. A backend answers from its tables, and decides nothing.
public protocol StoredRows {
    /// Why rows cannot be read.
    associatedtype Failure: Error

    /// All entities of one kind.
    func stored<Entity: SmallEntity>(_ kind: Entity.Type) throws(Failure) -> [Entity]
    /// The folded names of the tags that can be read, by which names are compared.
    func foldedTagNames() throws(Failure) -> [Tag.ID: String]
    /// The item `id`, or nil.
    func storedItem(_ id: Item.ID) throws(Failure) -> Item?
}

/// How changes and the rows that they meet are brought together. Every backend commits the rows of
/// this one function, and so do the logs of interrupted sessions.
///
/// 1. **No other process has written:** each change stands, and no row of an item is read.
/// 2. **Both sides edited an entity:** merged field by field (`StorageMerge`). Where both changed
///    one field, the edit here stands, and a text that it replaces goes to the note.
/// 3. **One side edited it, the other deleted it:** the edit stands, on either side. A tag that is
///    therefore not deleted also stays on the items and views from which its deletion took it, and
///    an item whose next occurrence is therefore not deleted stays done. Losing a tag because it is
///    deleted is no edit: such an item stays deleted.
/// 4. **A new tag has the name of another tag:** it is refused, and the other takes its place on
///    the items and views of the same changes. Names may pass from tag to tag within the changes,
///    also in a cycle; of two equal names the earlier tag has it.
/// 5. **A stored tag is renamed to the name of another tag:** it keeps its name, and so do the
///    queries that were changed to ask for the new one.
/// 6. **A view has the name of another view:** a number is added.
/// 7. **An item or a view refers to a tag that is gone:** it is stored without it.
/// 8. **A tag is deleted that others have put on items:** it goes, also from these. The backend
///    takes it off every row that carries it, and says which (``Reconciled/took(_:off:)``).
///
/// A row that a rule of the tables refuses for another reason is left out alone; the backend says
/// which (``Reconciled/refuse(_:because:)``).
extension StorageChanges {
    /// The rows to write so that these changes and those of other processes are kept.
    ///
    /// O(changes), and O(tags + views) if there are changes of those.
    ///
    /// - Parameters:
    ///   - rows: the rows as they are stored, read within the transaction that writes the result.
    ///   - isCurrent: true if no other process has written since the changes began.
    ///   - merge: how two edits of one item are merged.
    ///   - isLast: false if the result will be reconciled again as it is committed. A stored tag
    ///     may then take a name that another one has, since the commit tells which it refuses.
    /// - Throws: the errors of `rows`.
    public func reconciled<Rows: StoredRows>(
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
            result.keepDeleted(in: items)
        }
        try result.nameTags(among: rows, isLast: isLast)
        if isMerged {
            func merge(_ kind: (some SmallEntity).Type) throws(Rows.Failure) {
                try result.merge(kind, with: rows)
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
    /// Rules 4 and 5.
    fileprivate mutating func nameTags<Rows: StoredRows>(
        among stored: Rows, isLast: Bool
    ) throws(Rows.Failure) {
        guard rows.tags.contains(where: { $0.change.after != nil }) else { return }
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
        for (id, change) in rows.items {
            guard let item = change.after else { continue }
            let admitted = item.replacingTags(substitutes)
            guard admitted.tags != item.tags else { continue }
            rows.items[id]?.after = admitted
            differing.insert(id)
        }
    }

    /// Rules 2 and 3, of a kind that is read as a whole.
    fileprivate mutating func merge<Entity: SmallEntity, Rows: StoredRows>(
        _ kind: Entity.Type, with stored: Rows
    ) throws(Rows.Failure) {
        guard !rows[kind].isEmpty else { return }
        let byID = Dictionary(try stored.stored(kind).map { ($0.id, $0) }) { $1 }
        rows[kind] = rows[kind].merged(by: Entity.merge, &self) { byID[$0] }
    }

    /// Rules 2 and 3, of tags. A tag that is not deleted, because another process has edited it,
    /// also stays on its items and views.
    fileprivate mutating func mergeTags<Rows: StoredRows>(
        with stored: Rows
    ) throws(Rows.Failure) {
        let deletions = rows.tags.deletions
        try merge(Tag.self, with: stored)
        keepTags(Set(deletions).subtracting(rows.tags.deletions))
    }

    /// Rule 7, of a kind that is read as a whole.
    fileprivate mutating func checkTag<Entity: SmallEntity, Rows: StoredRows>(
        of kind: Entity.Type, in stored: Rows
    ) throws(Rows.Failure) {
        guard !rows[kind].isEmpty else { return }
        let known = try tagIDs(in: stored)
        for (id, change) in rows[kind] {
            guard let entity = change.after else { continue }
            let admitted = entity.replacingTag(substitutes).withoutTag { !known.contains($0) }
            guard admitted != entity else { continue }
            rows[kind][id]?.after = admitted
            differing.insert(id)
        }
    }

    /// Rule 7, of items. While no other process has written, the former tags of an item exist.
    fileprivate mutating func checkTagsOfItems<Rows: StoredRows>(
        in stored: Rows, isMerged: Bool
    ) throws(Rows.Failure) {
        var known: Set<Tag.ID>?
        for (id, change) in rows.items {
            guard let item = change.after, !item.tags.isEmpty else { continue }
            if !isMerged, let base = change.before, item.tags.isSubset(of: base.tags) { continue }
            if known == nil { known = try tagIDs(in: stored) }
            let missing = item.tags.subtracting(known ?? [])
            guard !missing.isEmpty else { continue }
            rows.items[id]?.after?.tags.subtract(missing)
            lost(missing, of: id)
        }
    }

    /// The tags that there are before those go that are deleted.
    private func tagIDs<Rows: StoredRows>(
        in stored: Rows
    ) throws(Rows.Failure) -> Set<Tag.ID> {
        Set(try stored.foldedTagNames().keys).union(rows.tags.upserts.map(\.id))
    }
}
