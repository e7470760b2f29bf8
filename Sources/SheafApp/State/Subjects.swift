import SheafList
import Swidux

/// The items that a command acts on.
extension AppState {
    /// Returns the marked items, including those of an open range. If none are marked, returns the
    /// current item and, with a count, those below it. Shows a toast if there are no such items.
    /// O(1) for marked items.
    mutating func subjects() -> Set<Item.ID> {
        markRangeAtOnce()
        ui.marks.finishFilling()
        if ui.marks.count > 0 { return ui.marks.ids }
        guard let item = chosenItem() else { return [] }
        guard let count = ui.count, count > 1 else { return [item.id] }
        return Set(rows.ids(in: ui.selectedRow..<ui.selectedRow + count))
    }
}

extension AppState {
    /// Returns all marked items if the item is one of them, else only the item.
    func group(with id: Item.ID) -> Set<Item.ID> {
        ui.marks.ids.contains(id) ? ui.marks.ids : [id]
    }
}

extension Set<Item.ID> {
    /// The clause for a message that all of the items were deleted.
    var deletion: String {
        "another process deleted the \(count == 1 ? "item" : "items")"
    }
}

extension EntityStore<Item> {
    /// Returns the number of `ids` that exist. O(`ids`).
    func count(of ids: Set<Item.ID>) -> Int { ids.count(where: contains) }

    /// Returns the existing items among `ids`, in manual order. O(`ids` × log `ids`), or O(items)
    /// for many ids.
    func inOrder(_ ids: Set<Item.ID>) -> [Item] {
        guard ids.count < count / 8 else { return filter { ids.contains($0.id) } }
        return ids.compactMap { self[$0] }.sorted { $0.position < $1.position }
    }
}

/// The changes of several items in one step.
package enum ItemChanges: Hashable, Sendable {
    case edited([Item.ID], ItemEdit)
    case deleted([Item.ID])
    /// Items get new positions. The first `moved` ones are moved; the others make room.
    case placed([ItemPosition], moved: Int)
    /// New items. The first part also has the changes that make room, and the new tags.
    case inserted([Item], room: [ItemPosition], tags: [Tag])
    /// The items of a tag that is deleted. The last part deletes the tag.
    case untagged([Item.ID], Tag, isLast: Bool)
    /// The items of a tag that is renamed. The first part renames the tag.
    case renamed([Item.ID], from: Tag, to: Tag, isFirst: Bool)

    var count: Int {
        switch self {
        case .edited(let ids, _), .deleted(let ids), .untagged(let ids, _, _),
            .renamed(let ids, _, _, _):
            ids.count
        case .placed(let positions, _): positions.count
        case .inserted(let items, _, _): items.count
        }
    }

    /// True if there is nothing to change. A tag without items can still be renamed.
    var isEmpty: Bool { if case .renamed = self { false } else { count == 0 } }

    /// The number of items that the command is about, without those that make room.
    var requestedCount: Int { if case .placed(_, let moved) = self { moved } else { count } }

    /// Returns the changes to the items in `range`.
    func part(_ range: Range<Int>) -> ItemChanges {
        switch self {
        case .edited(let ids, let edit): .edited(Array(ids[range]), edit)
        case .deleted(let ids): .deleted(Array(ids[range]))
        case .placed(let positions, let moved):
            .placed(
                Array(positions[range]), moved: max(0, min(moved - range.lowerBound, range.count)))
        case .inserted(let items, let room, let tags):
            .inserted(
                Array(items[range]), room: range.lowerBound == 0 ? room : [],
                tags: range.lowerBound == 0 ? tags : [])
        case .untagged(let ids, let tag, let isLast):
            .untagged(Array(ids[range]), tag, isLast: isLast && range.upperBound == ids.count)
        case .renamed(let ids, let tag, let renamed, let isFirst):
            .renamed(
                Array(ids[range]), from: tag, to: renamed,
                isFirst: isFirst && range.lowerBound == 0)
        }
    }
}

extension ItemChanges: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { count.items }
    package var debugDescription: String { description }
}

extension ItemChanges {
    /// Returns the changes that place `moved`, in order, on one side of the item `target`, or at
    /// the beginning if `target` is nil. Returns nil if the items are already there. O(`moved` ×
    /// log n).
    static func placing(
        _ moved: [Item], _ side: Side, _ target: Item.ID?, in items: EntityStore<Item>
    ) -> ItemChanges? {
        items.positions(placing: moved.map(\.id), side, target)
            .map { .placed($0, moved: moved.count) }
    }
}

extension EntityStore<Item> {
    /// Gives items new positions. O(`positions` × log n).
    mutating func setPositions(_ positions: some Sequence<ItemPosition>) {
        for position in positions { modify(position.id) { $0.rank = position.rank } }
    }
}

extension AppState {
    /// Applies `changes`, except to entities that were deleted since `changes` was created.
    /// O(`changes` × log n).
    mutating func apply(_ changes: ItemChanges, at now: Timestamp) {
        switch changes {
        case .edited(let ids, .done(let time)):
            for id in ids { setDone(id, since: time, at: now) }
        case .edited(_, .add(let tag)) where !tags.contains(tag.id): break
        case .edited(let ids, let edit):
            for id in ids { items.edit(id, at: now) { edit.apply(to: &$0) } }
        case .deleted(let ids):
            for id in ids { items[id] = nil }
        case .placed(let positions, _): items.setPositions(positions)
        case .inserted(let new, let room, let newTags):
            items.setPositions(room)
            for tag in newTags { tags.append(tag) }
            for item in new {
                var item = item
                item.tags = item.tags.filter(tags.contains)
                items[item.id] = item
            }
        case .untagged(let ids, let tag, let isLast):
            for id in ids { items.edit(id, at: now) { $0.remove(tag) } }
            untaggedItems[tag.id, default: []].formUnion(ids)
            if isLast {
                removeFromViews([tag.id])
                tags[tag.id] = nil
            }
        case .renamed(let ids, let tag, let renamed, let isFirst):
            if isFirst { rename(tag, to: renamed) }
            guard tags[tag.id]?.name == renamed.name else { break }
            for id in ids { items.edit(id, at: now) { $0.replace(tag, with: renamed) } }
        }
    }
}
