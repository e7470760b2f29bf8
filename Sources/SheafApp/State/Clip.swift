import SheafList
import Swidux

/// The items that `p` puts below the current row: those that the user last cut with `m` or copied
/// with `y`.
enum Clip: Sendable {
    case moved(Set<Item.ID>)
    /// The copied items, and a snapshot of the list that has their values at that time.
    case copied(Set<Item.ID>, from: EntityStore<Item>)

    var command: BulkCommand {
        switch self {
        case .moved: .put
        case .copied: .copy
        }
    }
}

/// The lines of a pasted text, which become items.
package struct PastedLines: Hashable, Sendable {
    /// The lines, unchanged.
    let names: [String]
    /// The items that the lines describe, or nil if each line is a name.
    let items: [PastedItem]?

    var count: Int { items?.count ?? names.count }

    /// The names of the items' tags, in their order, with repetitions.
    var tagNames: [String] { (items ?? []).flatMap(\.tags).compactMap { Tag.name(from: $0) } }

    /// Returns those of `tags` to which ``tagNames`` refer, by folded name. See ``TextTags``.
    func tags(among tags: some Sequence<Tag>) -> [String: Tag] {
        var text = TextTags(KnownTags(tags), names: tagNames)
        var found: [String: Tag] = [:]
        for name in tagNames where found[Tag.fold(name)] == nil {
            found[Tag.fold(name)] = text.tag(for: name)
        }
        return found
    }
}

/// The result of copying a text to the system's clipboard.
package enum ClipboardAnswer: Hashable, Sendable {
    case sent, unsupported, tooLong
}

extension ItemChanges {
    /// Returns the changes that insert `new`, in order, after the item `anchor`, or at the top if
    /// `anchor` is nil. O(new items).
    ///
    /// - Parameter tags: the tags of these items that do not exist yet. The changes insert them,
    ///   too.
    static func inserting(
        _ new: [Item], tags: [Tag] = [], after anchor: Item.ID?, in items: EntityStore<Item>
    ) -> ItemChanges {
        let place = anchor.flatMap(items.position).map { $0 + 1 } ?? 0
        let room = items.room(for: new.map(\.id), at: place)
        let placed = zip(new, room).map { item, position in
            var item = item
            item.rank = position.rank
            return item
        }
        return .inserted(placed, room: Array(room.dropFirst(new.count)), tags: tags)
    }
}
