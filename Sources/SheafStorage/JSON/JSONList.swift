import FoundationEssentials
import Glibc
import SheafCore
import SheafFormats
import Swidux

/// A whole list as the JSON store holds it.
///
/// A copy is free, so a commit works on one and leaves the other as it was.
struct JSONList {
    /// How many items a whole file for each change is good for.
    static let comfortableCount = 10_000

    private(set) var tags = EntityStore<Tag>()
    private(set) var items = EntityStore<Item>()
    private var others: [Item.Extra] = []

    init() {}

    /// A list of these.
    init(tags: [Tag], items: [Item]) {
        self.tags.hydrate(tags)
        self.items.hydrate(items)
        self.tags.endHydration()
        self.items.endHydration()
    }

    /// The list that `data` spells.
    ///
    /// A hand may have edited it. The order of the lines is the order of the list; ranks that
    /// contradict it are replaced. What lacks an id gets one that is made of its name, so that
    /// reading the file again gives the same.
    ///
    /// - Parameter modified: the time of what the text gives no time for.
    /// - Throws: `StorageError` of `.corrupt`, `.foreign` or `.newer`.
    init(_ data: Data, at location: String, modified: Timestamp) throws {
        let imported: ImportedList
        do {
            imported = try JSONListReader.readStore(data)
        } catch {
            if let line = Self.conflictLine(in: data) {
                throw StorageError(
                    .corrupt, at: location,
                    reason: "the list has an unresolved merge conflict (line \(line))",
                    advice: "Resolve it in an editor; nothing was changed.")
            }
            throw Self.refusal(error, at: location)
        }
        let complete = NamedIDs.fill(imported)
        let plan = Importer(now: modified).plan(
            complete, tags: [], lastRank: nil, existing: [])
        tags.hydrate(Self.ranked(plan.changes.tags.upserts, as: complete.tags.map(\.rank)))
        items.hydrate(Self.ranked(plan.changes.items.upserts, as: complete.items.map(\.rank)))
        others = imported.others
        tags.endHydration()
        items.endHydration()
    }

    private static func ranked<Entity: Ranked>(
        _ entities: [Entity], as ranks: [Rank?]
    ) -> [Entity] where Entity.ID == UUID {
        guard entities.count == ranks.count else { return entities }
        let order = FileOrder.ranks(zip(ranks, entities).map { (rank: $0, id: $1.id) })
        return zip(entities, order).map { entity, rank in
            var entity = entity
            entity.rank = rank
            return entity
        }
    }

    /// The line on which a version control system began to mark a conflict, counted from 1, if one did.
    private static func conflictLine(in data: Data) -> Int? {
        let marker = Data("<<<<<<< ".utf8)
        return data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .firstIndex { $0.starts(with: marker) }
            .map { $0 + 1 }
    }

    private static func refusal(_ error: FormatError, at location: String) -> StorageError {
        switch error.kind {
        case .foreign:
            StorageError(
                .foreign, at: location, reason: "this is not a list (\(error))",
                advice: "To read another program's file, import it.")
        case .newer:
            StorageError(
                .newer, at: location, reason: "a newer version of the program wrote this list",
                advice: "Update the program to open it.")
        case .malformed:
            StorageError(
                .corrupt, at: location, reason: "the list is damaged (\(error))",
                advice: "Correct that line, or restore a backup.")
        }
    }

    // MARK: Reading

    /// Whether nothing was changed between this copy and `other`. O(1).
    func isSame(as other: JSONList) -> Bool {
        tags.revision == other.tags.revision && items.revision == other.items.revision
    }

    /// Whether all of `changes` is here as it was asked for. O(changes).
    func has(_ changes: StorageChanges) -> Bool {
        changes.tags.upserts.allSatisfy { tags[$0.id] == $0 }
            && changes.items.upserts.allSatisfy { items[$0.id] == $0 }
            && changes.tags.deletions.allSatisfy { !tags.contains($0) }
            && changes.items.deletions.allSatisfy { !items.contains($0) }
    }

    /// Up to `limit` items after `cursor`, or the first. O(log² n + `limit`).
    func items(after cursor: ItemCursor?, limit: Int) -> [Item] {
        guard let cursor else { return items.page(at: 0, count: limit) }
        var (start, end) = (0, items.count)
        while start < end {
            let middle = (start + end) / 2
            if let item = items.entity(at: middle), (item.rank, item.id) <= (cursor.rank, cursor.id)
            {
                start = middle + 1
            } else {
                end = middle
            }
        }
        return items.page(at: start, count: limit)
    }

    /// The bytes of the file. The same list gives the same bytes. O(n).
    func text() throws -> [UInt8] {
        var bytes: [UInt8] = []
        var writer = ListWriter(.jsonStore, tags: tags.values, hasRanks: true, others: others) {
            bytes += $0
        }
        try writer.write(items)
        try writer.finish()
        return bytes
    }

    // MARK: Writing

    /// Makes `changes`, but for tags whose name another tag has: those are in the result. What another process changed
    /// since is merged.
    mutating func apply(_ changes: StorageChanges, _ merge: CommitMerge) -> CommitResult {
        var conflicts: [UUID] = []
        let tagChanges = changes.tags.merged(by: merge.tags, &conflicts) { tags[$0] }
        let itemChanges = changes.items.merged(by: merge.items, &conflicts) { items[$0] }
        let admission = TagAdmission(
            tagChanges,
            foldedNames: Dictionary(uniqueKeysWithValues: tags.map { ($0.id, $0.foldedName) }))
        for tag in admission.admitted { tags[tag.id] = tag }
        for item in itemChanges.upserts {
            var item = admission.admitting(item)
            item.tags = item.tags.filter { tags.contains($0) }
            items[item.id] = item
        }
        for id in itemChanges.deletions { items[id] = nil }
        let gone = tagChanges.deletions.filter { tags.contains($0) }
        for id in gone { tags[id] = nil }
        if !gone.isEmpty {
            for item in items where !item.tags.isDisjoint(with: gone) {
                items.modify(item.id) { $0.tags.subtract(gone) }
            }
        }
        tags.resetChanges()
        items.resetChanges()
        return CommitResult(refused: admission.refusals, conflicts: conflicts)
    }

    /// What has to change in `older` to make it this list. O(n).
    func changes(since older: JSONList) -> StorageChanges {
        var changes = StorageChanges()
        changes.tags = Self.changes(from: older.tags, to: tags)
        changes.items = Self.changes(from: older.items, to: items)
        return changes
    }

    private static func changes<Entity: Ranked & Equatable>(
        from older: EntityStore<Entity>, to newer: EntityStore<Entity>
    ) -> EntityChanges<Entity> {
        var changed = older
        changed.restore(from: newer)
        var changes = EntityChanges<Entity>()
        for delta in changed.deltas(since: older.revision) ?? [] {
            if let entity = delta.after {
                changes.upserts.append(entity)
            } else {
                changes.deletions.append(delta.id)
            }
        }
        return changes
    }
}
