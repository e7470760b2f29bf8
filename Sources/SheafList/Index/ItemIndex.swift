import Swidux

/// All items of a list in manual order, in columns that searching runs through, and those among
/// them that are shown. A copy shares all; an edit makes one chunk anew.
struct ItemIndex: Sendable {
    private(set) var leaves = ChunkList<IndexLeaf>()
    private(set) var numbers = TagNumbers()

    /// The index of `items` in manual order, all of them shown. O(n).
    init(_ items: [SharedEntity<Item>] = []) {
        var builder = ChunkBuilder()
        var leaves: [IndexLeaf] = []
        for item in items {
            builder.append(item, &numbers)
            if builder.count == ChunkBuilder.fill { leaves.append(builder.leaf()) }
        }
        if builder.count > 0 { leaves.append(builder.leaf()) }
        self.leaves = ChunkList(leaves)
    }

    /// The same items with other rows shown: `leaves` are its own.
    init(_ index: ItemIndex, leaves: [IndexLeaf]) {
        self.leaves = ChunkList(leaves)
        numbers = index.numbers
    }

    /// The ids of the rows shown in `range`, which must exist. O(rows of the range + blocks).
    func ids(in range: Range<Int>) -> [Item.ID] {
        guard var (place, rest) = leaves.place(ofRow: range.lowerBound) else { return [] }
        var ids: [Item.ID] = []
        ids.reserveCapacity(range.count)
        while ids.count < range.count {
            let leaf = leaves[place]
            for row in 0..<leaf.chunk.count where leaf.bits[row] {
                if rest > 0 {
                    rest -= 1
                } else {
                    ids.append(leaf.chunk.columns.items[row].value.id)
                }
                if ids.count == range.count { break }
            }
            guard let next = leaves.place(after: place) else { break }
            place = next
        }
        return ids
    }

    // MARK: Finding

    /// Where an item stands, or would: the chunk, the row in it, and whether it is there. Nil if
    /// there is no chunk. `item` must be as it is in the index. O(log n).
    func position(
        of item: Item
    ) -> (place: ChunkList<IndexLeaf>.Place, row: Int, isPresent: Bool)? {
        guard let place = leaves.lastPlace(where: { !IndexLeaf.follows(item, $0) }) else {
            return nil
        }
        let found = leaves.withChunk(place) { $0.pointee.chunk.columns.items.position(of: item) }
        return (place, found.row, found.isPresent)
    }

    // MARK: Editing

    /// Takes an item out. O(log n).
    mutating func remove(_ item: Item) {
        guard let (place, row, isPresent) = position(of: item), isPresent else { return }
        if leaves.withChunk(place, \.pointee.chunk.count) > 1 {
            leaves.change(place) { $0.remove(row) }
        } else {
            leaves.replace(place, with: [])
        }
    }

    /// Puts `new` in the place of `old`, which is the same item as it was. O(log n).
    mutating func replace(_ old: Item, with new: SharedEntity<Item>, isShown: Bool) {
        if let (place, row, isPresent) = position(of: old), isPresent {
            if old.rank == new.value.rank {
                let (tags, before) = (new.value.tags, old.tags)
                let numbers = tags == before ? nil : numbers.numbers(of: tags)
                return leaves.change(place) {
                    $0.replace(row, with: new, isShown: isShown, tags: numbers)
                }
            }
            remove(old)
        }
        insert([(new, isShown)])
    }

    /// What became of an item that was in the index: another value, or nil if it is to go.
    typealias Change = (old: Item, new: (item: SharedEntity<Item>, isShown: Bool)?)

    /// Makes several changes. Those to items that stand side by side are one edit of a chunk,
    /// unless they give the item another place. O(changes × log n).
    mutating func update(_ changes: [Change]) {
        if changes.count == 1 { return update(changes[0]) }
        var group: [(row: Int, change: Change)] = []
        var place: ChunkList<IndexLeaf>.Place?
        for change in changes {
            guard var found = position(of: change.old), found.isPresent else { continue }
            if let last = group.last, place != found.place || found.row <= last.row {
                update(group, at: place)
                group = []
                // A chunk of which all is gone is gone.
                guard let again = position(of: change.old) else { continue }
                found = again
            }
            if let new = change.new {
                guard change.old.rank == new.item.value.rank else {
                    update(group, at: place)
                    group = []
                    replace(change.old, with: new.item, isShown: new.isShown)
                    continue
                }
            }
            place = found.place
            group.append((found.row, change))
        }
        update(group, at: place)
    }

    private mutating func update(_ change: Change) {
        if let new = change.new {
            replace(change.old, with: new.item, isShown: new.isShown)
        } else {
            remove(change.old)
        }
    }

    /// Makes changes to rows of one chunk, from the top.
    private mutating func update(
        _ group: [(row: Int, change: Change)], at place: ChunkList<IndexLeaf>.Place?
    ) {
        guard let place, !group.isEmpty else { return }
        let leaf = leaves[place]
        var builder = ChunkBuilder()
        var next = 0
        for (row, change) in group {
            builder.append(leaf, next..<row)
            if let new = change.new {
                builder.append(new.item, isShown: new.isShown, &numbers)
            }
            next = row + 1
        }
        builder.append(leaf, next..<leaf.chunk.count)
        leaves.replace(place, with: builder.count == 0 ? [] : [builder.leaf()])
    }

    /// Adds items, which stand in manual order. O(items × log n), and less for many that
    /// stand side by side.
    mutating func insert(_ items: [(item: SharedEntity<Item>, isShown: Bool)]) {
        var rest = items[...]
        while let (item, isShown) = rest.first {
            guard let (place, row, _) = position(of: item.value) else {
                leaves = ChunkList(merged(nil, rest))
                return
            }
            let next = rest.count == 1 ? nil : leaves.place(after: place).map { leaves[$0].chunk }
            let group = rest.prefix { item, _ in next?.follows(item.value, 0) ?? true }
            if group.count == 1, leaves[place].chunk.count < ChunkBits.capacity {
                let tags = numbers.numbers(of: item.value.tags)
                leaves.change(place) { $0.insert(item, at: row, isShown: isShown, tags: tags) }
            } else {
                leaves.replace(place, with: merged(leaves[place], group))
            }
            rest = rest.dropFirst(group.count)
        }
    }

    /// Shows or hides an item. O(log n).
    mutating func show(_ item: Item, _ isShown: Bool) {
        guard let (place, row, isPresent) = position(of: item), isPresent else { return }
        leaves.change(place) { $0.bits[row] = isShown }
    }

    private mutating func merged(
        _ leaf: IndexLeaf?, _ items: ArraySlice<(item: SharedEntity<Item>, isShown: Bool)>
    ) -> [IndexLeaf] {
        let total = (leaf?.chunk.count ?? 0) + items.count
        let parts = total <= ChunkBits.capacity ? 1 : (total - 1) / ChunkBuilder.fill + 1
        let size = (total - 1) / parts + 1
        var builder = ChunkBuilder()
        var leaves: [IndexLeaf] = []
        func flush() {
            if builder.count == size { leaves.append(builder.leaf()) }
        }
        var row = 0
        func copy(to end: Int) {
            guard let leaf else { return }
            while row < end {
                let part = min(end - row, size - builder.count)
                builder.append(leaf, row..<row + part)
                row += part
                flush()
            }
        }
        for (item, isShown) in items {
            if let leaf {
                let value = item.value
                var end = row
                // Few rows lie between two items, or none do.
                while end < leaf.chunk.count, !(leaf.chunk.follows(value, end) ?? true) {
                    end += 1
                }
                copy(to: end)
            }
            builder.append(item, isShown: isShown, &numbers)
            flush()
        }
        copy(to: leaf?.chunk.count ?? 0)
        if builder.count > 0 { leaves.append(builder.leaf()) }
        return leaves
    }
}

extension IndexLeaf {
    /// Whether all rows of the leaf at a place in memory come after an item in manual order.
    fileprivate static func follows(_ item: Item, _ leaf: UnsafePointer<IndexLeaf>) -> Bool {
        if let firstRank = leaf.pointee.firstRank, firstRank != item.rank {
            return item.rank < firstRank
        }
        return leaf.pointee.chunk.follows(item, 0) ?? false
    }
}

extension IndexChunk {
    /// Whether a row comes after an item in manual order; nil if it is that very item.
    fileprivate func follows(_ item: Item, _ row: Int) -> Bool? {
        ItemOrder.manual.precedesManually(item, columns.items[row].value)
    }
}
