import Foundation

/// How many items there are, how many without a tag, and how many with each: kept up to date from what changed.
public struct TagCounts: Sendable {
    public private(set) var all = 0
    public private(set) var untagged = 0
    private var byTag: [Tag.ID: Int] = [:]
    private var seen: Revision?

    init() {}

    /// The number of items that carry the tag. O(1).
    public subscript(tag: Tag.ID) -> Int { byTag[tag] ?? 0 }

    /// Takes in what changed in `items` since the last call. O(changes × tags an item).
    mutating func update(from items: EntityStore<Item>) {
        guard seen != items.revision else { return }
        if let deltas = seen.flatMap({ items.deltas(since: $0) }) {
            for delta in deltas {
                if let before = delta.before { count(before, by: -1) }
                if let after = delta.after { count(after, by: 1) }
            }
        } else {
            self = TagCounts()
            for item in items { count(item, by: 1) }
        }
        seen = items.revision
    }

    private mutating func count(_ item: Item, by step: Int) {
        all += step
        if item.tags.isEmpty { untagged += step }
        for tag in item.tags { byTag[tag, default: 0] += step }
    }
}
