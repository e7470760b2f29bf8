import Swidux

/// A chunk of an index, with those of its rows that are shown.
struct IndexLeaf: ListChunk {
    let chunk: IndexChunk
    /// The rank of its first item, which lies anywhere: a place is looked for among some twenty
    /// leaves.
    let firstRank: Rank?
    let bits: ChunkBits
    let shown: Int

    init(_ chunk: IndexChunk, _ bits: ChunkBits) {
        self.chunk = chunk
        firstRank = chunk.firstRank
        self.bits = bits
        shown = bits.count
    }
}

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
                if rest > 0 { rest -= 1 } else { ids.append(leaf.chunk.items[row].value.id) }
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
        guard let place = leaves.lastPlace(where: { !$0.follows(item) }) else { return nil }
        let chunk = leaves[place].chunk
        let found = findRow(among: chunk.count) { chunk.follows(item, $0) }
        return (place, found.row, found.isPresent)
    }

    // MARK: Editing

    /// Takes an item out. O(log n).
    mutating func remove(_ item: Item) {
        guard let (place, row, isPresent) = position(of: item), isPresent else { return }
        let leaf = leaves[place]
        guard leaf.chunk.count > 1 else { return leaves.replace(place, with: []) }
        var builder = LeafBuilder()
        builder.append(leaf, 0..<row)
        builder.append(leaf, row + 1..<leaf.chunk.count)
        leaves.replace(place, with: [builder.leaf()])
    }

    /// Puts `new` in the place of `old`, which is the same item as it was. O(log n).
    mutating func replace(_ old: Item, with new: SharedEntity<Item>, isShown: Bool) {
        if let (place, row, isPresent) = position(of: old), isPresent {
            let leaf = leaves[place]
            if leaf.chunk.follows(new.value, row) == nil {
                var builder = LeafBuilder()
                builder.append(leaf, 0..<row)
                builder.append(new, isShown: isShown, &numbers)
                builder.append(leaf, row + 1..<leaf.chunk.count)
                leaves.replace(place, with: [builder.leaf()])
                return
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
                let chunk = leaves[found.place].chunk
                guard chunk.follows(new.item.value, found.row) == nil else {
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
        var builder = LeafBuilder()
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
        while let first = rest.first {
            guard let place = position(of: first.item.value)?.place else {
                leaves = ChunkList(merged(nil, rest))
                return
            }
            let next = leaves.place(after: place).map { leaves[$0].chunk }
            let group = rest.prefix { item, _ in
                guard let next else { return true }
                return next.follows(item.value, 0) ?? false
            }
            leaves.replace(place, with: merged(leaves[place], group))
            rest = rest.dropFirst(group.count)
        }
    }

    /// Shows or hides an item. O(log n).
    mutating func show(_ item: Item, _ isShown: Bool) {
        guard let (place, row, isPresent) = position(of: item), isPresent else { return }
        let leaf = leaves[place]
        var bits = leaf.bits
        bits[row] = isShown
        leaves.replace(place, with: [IndexLeaf(leaf.chunk, bits)])
    }

    private mutating func merged(
        _ leaf: IndexLeaf?, _ items: ArraySlice<(item: SharedEntity<Item>, isShown: Bool)>
    ) -> [IndexLeaf] {
        let total = (leaf?.chunk.count ?? 0) + items.count
        let parts = total <= ChunkBits.capacity ? 1 : (total - 1) / ChunkBuilder.fill + 1
        let size = (total - 1) / parts + 1
        var builder = LeafBuilder()
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

/// Makes leaves of items, and of rows of other leaves.
private struct LeafBuilder: ~Copyable {
    private var chunk = ChunkBuilder()
    private var bits = ChunkBits()

    init() {}

    var count: Int { chunk.count }

    mutating func append(
        _ item: SharedEntity<Item>, isShown: Bool, _ numbers: inout TagNumbers
    ) {
        bits[count] = isShown
        chunk.append(item, &numbers)
    }

    mutating func append(_ leaf: IndexLeaf, _ rows: Range<Int>) {
        for row in rows where leaf.bits[row] { bits[count + row - rows.lowerBound] = true }
        chunk.append(leaf.chunk, rows)
    }

    mutating func leaf() -> IndexLeaf {
        defer { bits = ChunkBits() }
        return IndexLeaf(chunk.chunk(), bits)
    }
}

extension IndexLeaf {
    /// Whether all its rows come after an item in manual order.
    fileprivate func follows(_ item: Item) -> Bool {
        guard let firstRank, firstRank != item.rank else { return chunk.follows(item, 0) ?? false }
        return item.rank < firstRank
    }
}

extension IndexChunk {
    /// Whether a row comes after an item in manual order; nil if it is that very item.
    fileprivate func follows(_ item: Item, _ row: Int) -> Bool? {
        ItemOrder.manual.precedesManually(item, items[row].value)
    }
}

extension ChunkBuilder {
    /// A leaf that shows all its rows.
    fileprivate mutating func leaf() -> IndexLeaf {
        let rows = ChunkBits(first: count)
        return IndexLeaf(chunk(), rows)
    }
}
