import Foundation
import SheafCore
import Swidux

/// Makes the changes that bring an imported list into a list that is there.
///
/// Tags are matched by their folded names, or made, with the colour that was given or the next of
/// the palette. Items are appended in order; one whose id exists is updated where it stands, and
/// keeps what the import does not say.
public struct Importer: Sendable {
    /// The changes of an import, for one commit, and what they amount to.
    public struct Plan: Sendable, Equatable {
        public var changes = StorageChanges()
        public var addedItems = 0
        public var updatedItems = 0

        public init() {}
    }

    private let now: Timestamp
    private let makeID: @Sendable () -> UUID

    /// - Parameters:
    ///   - now: the time of what the import gives no time for.
    ///   - makeID: ids for what the import gives none.
    public init(now: Timestamp, makeID: @escaping @Sendable () -> UUID = { UUID() }) {
        self.now = now
        self.makeID = makeID
    }

    /// The changes that bring `list` into the list that `storage` holds.
    ///
    /// - Throws: what `storage` throws. Nothing is written.
    public func plan(
        _ list: ImportedList, into storage: any ListStorage
    ) async throws -> Plan {
        plan(
            list, tags: try await storage.loadTags(), lastRank: try await storage.lastItemRank(),
            existing: try await storage.loadItems(ids: list.items.compactMap(\.id)))
    }

    /// The changes that bring `list` into a list with `tags`, whose last item has the rank
    /// `lastRank`.
    ///
    /// - Parameter existing: those items of the list whose ids are in `list`.
    public func plan(
        _ list: ImportedList, tags: [Tag], lastRank: Rank?, existing: [Item]
    ) -> Plan {
        var plan = Plan()
        var resolver = TagResolver(tags, makeID: makeID)
        for tag in list.tags { resolver.add(tag) }
        let existing = Dictionary(
            existing.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let added = list.items.count { $0.id.map { existing[$0] == nil } ?? true }
        var ranks = Rank.spread(added, between: lastRank, and: nil).makeIterator()
        plan.changes.items.upserts.reserveCapacity(list.items.count)
        for imported in list.items {
            let tags = imported.tags.map { Set($0.map { resolver.id(named: $0) }) }
            if let old = imported.id.flatMap({ existing[$0] }) {
                plan.changes.items.replace(old, with: update(old, with: imported, tags: tags))
                plan.updatedItems += 1
            } else if let rank = ranks.next() {
                plan.changes.items.upserts.append(item(imported, tags: tags ?? [], rank: rank))
                plan.addedItems += 1
            }
        }
        plan.changes.tags.upserts = resolver.added()
        return plan
    }

    private func item(_ imported: ImportedItem, tags: Set<Tag.ID>, rank: Rank) -> Item {
        let createdAt = imported.createdAt ?? imported.updatedAt ?? now
        let updatedAt = imported.updatedAt ?? createdAt
        return Item(
            id: imported.id ?? makeID(), name: imported.name, note: imported.note ?? "", tags: tags,
            doneAt: doneAt(imported, else: updatedAt), rank: rank, createdAt: createdAt,
            updatedAt: updatedAt, extras: imported.extras ?? [])
    }

    private func update(_ old: Item, with imported: ImportedItem, tags: Set<Tag.ID>?) -> Item {
        var item = old
        item.name = imported.name
        item.note = imported.note ?? old.note
        item.tags = tags ?? old.tags
        item.extras = imported.extras ?? old.extras
        item.createdAt = imported.createdAt ?? old.createdAt
        item.updatedAt = imported.updatedAt ?? now
        if imported.done != nil {
            item.doneAt = doneAt(imported, else: old.doneAt ?? item.updatedAt)
        }
        return item
    }

    private func doneAt(_ imported: ImportedItem, else unknown: Timestamp) -> Timestamp? {
        guard case .yes(let time) = imported.done else { return nil }
        return time ?? unknown
    }
}

/// Finds tags by name, and makes those that are missing.
private struct TagResolver {
    private let makeID: @Sendable () -> UUID
    private let lastRank: Rank?
    private var usedIDs: Set<Tag.ID>
    private var ids: [String: Tag.ID] = [:]
    /// Names come by the hundred thousand and are few, and folding is slow.
    private var idsByExactName: [String: Tag.ID] = [:]
    private var new: [(id: Tag.ID, name: String, color: TagColor)] = []
    private var nextColor: Int

    init(_ tags: [Tag], makeID: @escaping @Sendable () -> UUID) {
        self.makeID = makeID
        lastRank = tags.map(\.rank).max()
        usedIDs = Set(tags.map(\.id))
        nextColor = tags.count
        for tag in tags { ids[tag.foldedName] = tag.id }
    }

    /// Makes `tag` unless there is one of its name. Its id is kept unless another tag has it.
    mutating func add(_ tag: ImportedTag) {
        let folded = Tag.fold(tag.name)
        guard ids[folded] == nil else { return }
        let id = tag.id.flatMap { usedIDs.contains($0) ? nil : $0 } ?? makeID()
        usedIDs.insert(id)
        ids[folded] = id
        new.append((id, tag.name, tag.color ?? color()))
    }

    mutating func id(named name: String) -> Tag.ID {
        if let id = idsByExactName[name] { return id }
        add(ImportedTag(name: name))
        let id = ids[Tag.fold(name), default: makeID()]
        idsByExactName[name] = id
        return id
    }

    /// The tags that were made, in order behind those that were there.
    func added() -> [Tag] {
        zip(new, Rank.spread(new.count, between: lastRank, and: nil)).map { tag, rank in
            Tag(id: tag.id, name: tag.name, color: tag.color, rank: rank)
        }
    }

    private mutating func color() -> TagColor {
        defer { nextColor += 1 }
        return TagColor.allCases[nextColor % TagColor.allCases.count]
    }
}
