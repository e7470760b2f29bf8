import FoundationEssentials
import SheafCore
import Swidux

/// What a list looks like with batches that its storage cannot take yet: the rows that they touch.
struct RecoveredRows: Sendable {
    /// All tags, and the items that the batches touch, except deleted ones.
    private let list: WholeList
    /// The items that the batches touch.
    let touched: Set<Item.ID>
    /// Tags that are in storage, and that a batch deletes.
    private let goneTags: Set<Tag.ID>
    /// How many items there are more than in storage.
    let surplus: Int
    /// What of the batches storage would refuse.
    let refused: [RefusedRow]

    /// Puts `batches` over what `storage` has now, as a commit would. O(tags + rows touched × log
    /// n).
    ///
    /// - Throws: `StorageError` if storage cannot be read.
    init(_ batches: [StorageChanges], over storage: any ListStorage) async throws {
        let touched = Set(batches.flatMap { $0.items.upserts.map(\.id) + $0.items.deletions })
        let stored = try await storage.loadItems(ids: Array(touched))
        let tags = try await storage.loadTags()
        var list = WholeList(tags: tags, items: stored)
        var left = LeftBehind()
        for batch in batches {
            let result = list.apply(left.next(batch), .leftBehind)
            left.committed(
                batch, result, Refusals(result.refused, of: batch, stored: list.tags.values))
        }
        self.touched = touched
        self.list = list
        goneTags = Set(tags.map(\.id).filter { !list.tags.contains($0) })
        surplus = list.items.count - stored.count
        refused = left.lost
    }

    var tags: [Tag] { list.tags.values }

    /// The rank of the last item that was touched.
    var lastRank: Rank? { list.items.last?.rank }

    /// Whether the items of storage with this id are replaced by those here.
    func covers(_ id: UUID) -> Bool {
        touched.contains(id) || list.tags.contains(id) || goneTags.contains(id)
    }

    /// `items`, all that storage has within `range`, with those that are here instead, in order.
    /// O(items + touched).
    func replacing(_ items: [Item], within range: (Item) -> Bool) -> [Item] {
        let untouched = items.lazy.filter { !touched.contains($0.id) }.map { item in
            var item = item
            item.tags.subtract(goneTags)
            return item
        }
        return (untouched + list.items.filter(range)).sorted {
            ($0.rank, $0.id) < ($1.rank, $1.id)
        }
    }

    /// `ids`, all that storage has within `range`, with those that are here instead, ascending.
    func replacing(_ ids: [Item.ID], in range: ClosedRange<Item.ID>) -> [Item.ID] {
        let mine = list.items.lazy.map(\.id).filter(range.contains)
        return (ids.filter { !touched.contains($0) } + mine).sorted()
    }
}
