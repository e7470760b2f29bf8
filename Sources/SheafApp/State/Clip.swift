import SheafList
import Swidux

/// What `p` puts below the current row: what `m` or `y` took, whichever came last.
enum Clip: Sendable {
    case moved(Set<Item.ID>)
    /// Items as they were, in that list.
    case copied(Set<Item.ID>, from: EntityStore<Item>)

    var command: BulkCommand {
        switch self {
        case .moved: .put
        case .copied: .copy
        }
    }
}

/// The lines of a pasted text, which become items.
public struct PastedLines: Hashable, Sendable {
    /// The lines as they stand.
    let names: [String]
    /// The items that they are read as, or nil if each line is a name.
    let items: [PastedItem]?

    var count: Int { items?.count ?? names.count }
}

/// What became of a text on its way to the system's clipboard.
public enum ClipboardAnswer: Hashable, Sendable {
    case sent, unsupported, tooLong
}

extension ItemChanges {
    /// New items come in their order after the item `anchor`, or first if that is nil. O(m).
    ///
    /// - Parameter tags: the new tags that they have.
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
