import SheafList
import Swidux

/// The keys that tie changes of one command: an item and its next occurrence; a tag and the items
/// and views that have it; a tag's name and the queries and names that contain it.
private enum Key: Hashable, Sendable {
    case tag(Tag.ID)
    case tagNames
    case next(Item.ID)
    /// The rank changes of other items that make room for a next occurrence.
    case room
}

extension Tag {
    static func ties(before: Tag?, after: Tag?) -> UndoTies {
        guard let before, let after else {
            return UndoTies(provides: [before, after].compactMap(\.self).map { Key.tag($0.id) })
        }
        return before.name == after.name ? UndoTies() : UndoTies(provides: [Key.tagNames])
    }
}

extension SavedView {
    static func ties(before: SavedView?, after: SavedView?) -> UndoTies {
        var needs: [Key] = []
        if before?.tag != after?.tag {
            needs = [before?.tag, after?.tag].compactMap(\.self).map { .tag($0) }
        }
        if before?.query != after?.query { needs.append(.tagNames) }
        return UndoTies(needs: needs)
    }
}

extension Item {
    static func ties(before: Item?, after: Item?) -> UndoTies {
        let tags = (before?.tags ?? []).symmetricDifference(after?.tags ?? [])
        var needs = tags.map { Key.tag($0) }
        guard let before, let after else {
            guard let next = before ?? after, next.id.isNext else { return UndoTies(needs: needs) }
            return UndoTies(
                provides: [Key.next(next.id)] + (after == nil ? [] : [.room]), needs: needs)
        }
        if before.isDone != after.isDone, after.repeat != nil { needs.append(.next(after.nextID)) }
        if before.rank != after.rank { needs.append(.room) }
        if before.name != after.name { needs.append(.tagNames) }
        return UndoTies(needs: needs)
    }
}
