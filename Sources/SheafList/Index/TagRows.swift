/// Which rows of a chunk have which tags: a set of rows for each tag that any row has.
struct TagRows: Sendable {
    /// The numbers of the tags, in no order, and beside each the rows that have it.
    private(set) var numbers: ContiguousArray<UInt32> = []
    private(set) var rows: ContiguousArray<ChunkBits> = []
    /// The rows that have any tag.
    private(set) var tagged = ChunkBits()

    /// The rows that have a tag. O(tags of the chunk).
    subscript(number: UInt32) -> ChunkBits {
        numbers.firstIndex(of: number).map { rows[$0] } ?? ChunkBits()
    }

    /// Inserts a row that has no tag. O(tags of the chunk).
    mutating func insertRow(_ row: Int) {
        tagged.insertRow(row)
        for index in rows.indices { rows[index].insertRow(row) }
    }

    /// Takes a row out. O(tags of the chunk).
    mutating func removeRow(_ row: Int) {
        set([], at: row)
        tagged.removeRow(row)
        for index in rows.indices { rows[index].removeRow(row) }
    }

    /// Gives a row these tags and no others. O(tags of the chunk).
    mutating func set(_ tags: [UInt32], at row: Int) {
        tagged[row] = !tags.isEmpty
        // From the end, since the last one takes the place of one that no row has any more.
        for index in rows.indices.reversed() {
            rows[index][row] = tags.contains(numbers[index])
            guard rows[index].isEmpty else { continue }
            rows.swapAt(index, rows.count - 1)
            numbers.swapAt(index, numbers.count - 1)
            rows.removeLast()
            numbers.removeLast()
        }
        for number in tags where !numbers.contains(number) {
            numbers.insertSparingly(number, at: numbers.count)
            rows.insertSparingly(ChunkBits(row..<row + 1), at: rows.count)
        }
    }

    /// Calls `body` with each tag that any of `among` has, and those of them that have it.
    @inline(__always) func forEach(among: ChunkBits, _ body: (UInt32, ChunkBits) -> Void) {
        for (number, rows) in zip(numbers, rows) {
            let rows = rows.intersection(among)
            if !rows.isEmpty { body(number, rows) }
        }
    }
}

/// Makes sets of rows of the tags of items, and of rows of other chunks.
struct TagRowsBuilder: ~Copyable {
    private var numbers: ContiguousArray<UInt32> = []
    private var rows: ContiguousArray<ChunkBits> = []
    private var tagged = ChunkBits()
    /// Where in ``numbers`` each number stands, or -1.
    private var places: ContiguousArray<Int32> = []

    init() {}

    /// Puts a tag on a row. O(1).
    mutating func insert(_ number: UInt32, at row: Int) {
        tagged[row] = true
        rows[place(of: number)][row] = true
    }

    /// Adds rows of another chunk, which become those from `start` on. O(tags of the chunk).
    mutating func append(_ other: TagRows, _ range: Range<Int>, at start: Int) {
        if range.count == 1 { return append(other, range.lowerBound, at: start) }
        let shift = start - range.lowerBound
        other.forEach(among: ChunkBits(range)) { number, found in
            let place = place(of: number)
            rows[place] = rows[place].union(found.shifted(by: shift))
        }
        tagged = tagged.union(
            other.tagged.intersection(ChunkBits(range)).shifted(by: shift))
    }

    /// The same for one row, which sorting asks for a million times.
    private mutating func append(_ other: TagRows, _ row: Int, at start: Int) {
        guard other.tagged[row] else { return }
        for index in other.rows.indices where other.rows[index][row] {
            insert(other.numbers[index], at: start)
        }
    }

    private mutating func place(of number: UInt32) -> Int {
        let number = Int(number)
        if number >= places.count {
            places.append(contentsOf: repeatElement(-1, count: number + 1 - places.count))
        }
        if places[number] >= 0 { return Int(places[number]) }
        places[number] = Int32(numbers.count)
        numbers.append(UInt32(number))
        rows.append(ChunkBits())
        return numbers.count - 1
    }

    /// The sets of what was added since the last ones.
    mutating func tagRows() -> TagRows {
        defer {
            for number in numbers { places[Int(number)] = -1 }
            numbers = []
            rows = []
            tagged = ChunkBits()
        }
        return TagRows(numbers: numbers.fitting, rows: rows.fitting, tagged: tagged)
    }
}
