/// What a search sorts: rows of chunks, known by their places.
extension RowsSort {
    /// The sort of rows of `chunks` by their places.
    init(_ order: ItemOrder, of chunks: ContiguousArray<IndexChunk>) {
        let held = HeldChunks(chunks)
        self.init(
            order,
            names: Names(
                key: {
                    let place = RowPlace(number: $0)
                    let (start, level) = ($1, $2)
                    return held.withChunk(place) {
                        $0.withName(place.row) {
                            order.key(
                                ofFolded: UnsafeBufferPointer(rebasing: $0.dropFirst(start)),
                                level: level)
                        }
                    }
                },
                spelling: {
                    let place = RowPlace(number: $0)
                    return held.withChunk(place) { $0.columns.spellings[place.row] }
                },
                compareBytes: {
                    let (left, right) = (RowPlace(number: $0), RowPlace(number: $1))
                    return held.withChunk(left) { chunk in
                        held.withChunk(right) { other in
                            NameOrder.compareBytes(
                                chunk.columns.items[left.row].value.texts,
                                other.columns.items[right.row].value.texts)
                        }
                    }
                },
                isBefore: {
                    let (left, right) = (RowPlace(number: $0), RowPlace(number: $1))
                    let (chunk, other) = (chunks[left.chunk], chunks[right.chunk])
                    return chunk.withName(left.row) { name in
                        other.withName(right.row) {
                            order.isNameBefore(
                                name, chunk.columns.items[left.row].value.texts, $0,
                                other.columns.items[right.row].value.texts) ?? false
                        }
                    }
                }))
    }
}

/// Chunks that are looked at without their owners being counted: a sort looks at names millions of
/// times, and threads that count the owners of one chunk wait for each other.
///
/// Unchecked because `Unmanaged` is not `Sendable`; chunks are, and ``chunks`` keeps them.
private struct HeldChunks: @unchecked Sendable {
    private let chunks: ContiguousArray<IndexChunk>
    private let references: ContiguousArray<Unmanaged<IndexChunk>>

    init(_ chunks: ContiguousArray<IndexChunk>) {
        self.chunks = chunks
        references = ContiguousArray(chunks.lazy.map(Unmanaged.passUnretained))
    }

    @inline(__always) func withChunk<Result>(
        _ place: RowPlace, _ body: (IndexChunk) -> Result
    ) -> Result {
        references[place.chunk]._withUnsafeGuaranteedRef(body)
    }
}

extension SortableRows {
    /// Appends rows of a chunk, known by their places.
    ///
    /// - Parameter tagPlaces: the place of each tag by its number.
    mutating func append(
        _ rows: ChunkBits, of chunk: IndexChunk, number: Int, in order: ItemOrder,
        _ tagPlaces: [Int]
    ) {
        func place(_ row: Int) -> UInt32 { RowPlace(chunk: number, row: row).number }
        switch order.sort {
        case .name:
            chunk.columns.names.withUnsafeBufferPointer { names in
                rows.forEach { row in
                    append(
                        place(row),
                        folded: UnsafeBufferPointer(rebasing: names[chunk.columns.nameRange(row)]))
                }
            }
        // Another manual order is the reversed one.
        case .manual: rows.forEach { append(place($0), key: ~UInt64(place($0))) }
        case .tag:
            withUnsafeTemporaryAllocation(of: Int.self, capacity: ChunkBits.capacity) { places in
                places.initialize(repeating: .max)
                chunk.columns.tags.forEach(among: rows) { number, rows in
                    let tag = tagPlaces[Int(number)]
                    rows.forEach { places[$0] = min(places[$0], tag) }
                }
                rows.forEach { row in
                    let tag = places[row]
                    append(
                        place(row),
                        key: tag == .max ? order.lastPrefix : order.prefix(ofTagAt: tag))
                }
            }
        case .match, .created, .changed, .done, .due, .priority:
            withUnsafeTemporaryAllocation(of: UInt64.self, capacity: ChunkBits.capacity) { keys in
                keys.initialize(repeating: order.lastPrefix)
                chunk.columns.items.forEach(rows.intersection(order.valued(of: chunk))) {
                    keys[$0] = order.prefix(of: $1)
                }
                rows.forEach { append(place($0), key: keys[$0]) }
            }
        }
    }
}

extension ItemOrder {
    /// Which rows of a chunk may have something to be sorted by: no other item is looked at.
    fileprivate func valued(of chunk: IndexChunk) -> ChunkBits {
        switch sort {
        case .done: chunk.columns.done
        case .due: chunk.columns.due.rows
        case .priority: chunk.columns.priority.rows
        default: ChunkBits(first: chunk.count)
        }
    }

    /// The place of each tag by its number, the greatest number for one that has none.
    func places(of tags: TagNumbers) -> [Int] {
        guard sort == .tag else { return [] }
        var places = Array(repeating: Int.max, count: tags.count)
        for (tag, number) in tags.all { places[Int(number)] = tagPlaces[tag] ?? .max }
        return places
    }
}
