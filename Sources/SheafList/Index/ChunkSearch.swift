import CBytes
import Swidux

/// Asks a chunk of an index what ``ItemMatcher`` asks an item, 256 at once: with the same answers,
/// and looking only at items that the cheaper columns leave.
struct ChunkSearch {
    private let root: Node
    private var matcher = TextMatcher()
    private var fuzzy = FuzzyMatch()
    private var lanes = FuzzyLanes()
    /// The points of the rows for the terms so far.
    private var points = Scores()
    /// The points of the rows that the term found which is looked for.
    private var best = ContiguousArray<Int32>(repeating: 0, count: ChunkBits.capacity)

    /// A node of the search, with what can be known before any chunk is looked at.
    fileprivate indirect enum Node {
        case everything
        case text(Text)
        case tag(UInt32?)
        case state(ItemState)
        case time(TimeField, TimeSpan)
        case day(DayField, ItemSearch.DayAsked)
        case priority(ClosedRange<Priority>?)
        case field(Field<Item>.Spelling?, TextSearch)
        case not(Node)
        case and([Node])
        case or([Node])
    }

    /// An object, and with bytes of its own: what two threads shared they would count by turns.
    fileprivate final class Text {
        let search: TextSearch
        /// The folded bytes of the search.
        let word: ContiguousArray<UInt8>
        /// The letters that a name must have.
        let letters: UInt64
        /// Which of them follow which.
        let pairs: UInt64
        /// The points of each tag by its number, -1 where it is not found; empty if none is.
        let tags: [Int32]
        let asksNote: Bool
        /// Whether it is one letter, in any case, which a mask says all about.
        let isOneLetter: Bool
        /// Whether the columns hold all that a name is judged by.
        let isInColumns: Bool
        /// Whether names can be ranked many at once.
        let usesLanes: Bool

        init(_ search: TextSearch, _ numbers: TagNumbers) {
            self.search = search
            let folded =
                search.heedsCase
                ? FoldedText.bytes(of: String(decoding: search.bytes, as: UTF8.self))
                : search.bytes
            word = ContiguousArray(search.bytes)
            letters = LetterMask.mask(of: folded)
            pairs = LetterMask.pairs(of: folded)
            var tags: [Int32] = []
            for (id, score) in search.tags {
                guard let number = numbers[id] else { continue }
                if tags.isEmpty { tags = Array(repeating: -1, count: numbers.count) }
                tags[Int(number)] = Int32(clamping: score)
            }
            self.tags = tags
            asksNote = search.rule == .letters || search.rule == .part
            isOneLetter =
                search.bytes.count == 1 && !search.heedsCase && LetterMask.isOneLetter(letters)
            isInColumns = !search.heedsCase && (search.scalars.isEmpty || search.rule != .letters)
            usesLanes =
                isInColumns && search.rule == .letters && FuzzyLanes.isSupported
                && FuzzyLanes.takes(search.bytes)
        }
    }

    private struct Scores {
        var values = ContiguousArray<Int32>(repeating: 0, count: ChunkBits.capacity)
    }

    /// The most points that an item can have.
    var mostPoints: Int32 { Int32(clamping: root.mostPoints) }

    init(_ search: ItemSearch, tags: TagNumbers) {
        root = Self.node(search.root, tags)
    }

    private static func node(_ node: ItemSearch.Node, _ tags: TagNumbers) -> Node {
        switch node {
        case .everything: return .everything
        case .text(let text): return .text(Text(text, tags))
        case .tag(let id): return .tag(tags[id])
        case .state(let state): return .state(state)
        case .time(let field, let span): return .time(field, span)
        case .day(let field, let asked): return .day(field, asked)
        case .priority(let letters): return .priority(letters)
        case .field(let name, let text):
            return .field(Item.fields.first { $0.name == name }?.lineSpelling, text)
        case .not(let other): return .not(self.node(other, tags))
        case .and(let nodes):
            // What costs least is asked first.
            return .and(nodes.map { self.node($0, tags) }.sorted { $0.cost < $1.cost })
        case .or(let nodes): return .or(nodes.map { self.node($0, tags) })
        }
    }

    /// Those of `rows` that are found.
    mutating func found(in chunk: IndexChunk, among rows: ChunkBits) -> ChunkBits {
        find(root, chunk, rows, nil)
    }

    /// Those of `rows` that are found, with how well.
    ///
    /// - Parameter earlier: what the rows are worth already, nothing if it is empty.
    mutating func scored(
        in chunk: IndexChunk, among rows: ChunkBits,
        from earlier: UnsafeBufferPointer<Int32> = UnsafeBufferPointer(start: nil, count: 0),
        _ body: (ChunkBits, UnsafeBufferPointer<Int32>) -> Void
    ) -> ChunkBits {
        // Taken out, or all of it would be copied to be written to.
        var scores = Scores(values: [])
        swap(&scores, &points)
        defer { swap(&scores, &points) }
        scores.values.withUnsafeMutableBufferPointer { values in
            rows.forEach { values[$0] = earlier.isEmpty ? 0 : earlier[$0] }
        }
        let found = find(root, chunk, rows, &scores)
        scores.values.withUnsafeBufferPointer { body(found, $0) }
        return found
    }

    private mutating func find(
        _ node: Node, _ chunk: IndexChunk, _ rows: ChunkBits,
        _ scores: UnsafeMutablePointer<Scores>?
    ) -> ChunkBits {
        if rows.isEmpty { return rows }
        switch node {
        case .everything: return rows
        case .tag(let number):
            return number.map { chunk.columns.tags[$0].intersection(rows) } ?? ChunkBits()
        case .state(.done): return rows.intersection(chunk.columns.done)
        case .state(.open): return rows.subtracting(chunk.columns.done)
        case .state(.noted): return rows.intersection(chunk.columns.notes.rows)
        case .state(.untagged): return rows.subtracting(chunk.columns.tags.tagged)
        case .state(.repeating): return rows.intersection(chunk.columns.repeating)
        case .day(let field, .none): return rows.subtracting(chunk.columns[field].rows)
        case .day(let field, .among(let days)):
            return chunk.columns[field].found(among: rows) { days?.contains($1) ?? false }
        case .priority(nil): return rows.subtracting(chunk.columns.priority.rows)
        case .priority(let letters?):
            return chunk.columns.priority.found(among: rows) { letters.contains($1) }
        case .time(let field, let span):
            var found = ChunkBits()
            chunk.columns.items.forEach(rows) { row, item in
                if let time = item.time(field), span.contains(time) { found[row] = true }
            }
            return found
        case .field(let spelling, let text):
            var found = ChunkBits()
            chunk.columns.items.forEach(rows) { row, item in
                var value = spelling?.get(item) ?? ""
                found[row] = value.withUTF8 { matcher.isFound(text, in: $0) }
            }
            return found
        case .not(let node): return rows.subtracting(find(node, chunk, rows, nil))
        case .and(let nodes):
            var left = rows
            for node in nodes { left = find(node, chunk, left, scores) }
            return left
        case .or(let nodes): return findAny(nodes, chunk, rows, scores)
        case .text(let text): return find(text, chunk, rows, scores)
        }
    }

    private mutating func findAny(
        _ nodes: [Node], _ chunk: IndexChunk, _ rows: ChunkBits,
        _ scores: UnsafeMutablePointer<Scores>?
    ) -> ChunkBits {
        var all = ChunkBits()
        guard let scores else {
            for node in nodes {
                all = all.union(find(node, chunk, rows.subtracting(all), nil))
            }
            return all
        }
        let before = scores.pointee
        var best = before
        for node in nodes {
            scores.pointee = before
            let found = find(node, chunk, rows, scores)
            found.forEach { row in
                let isBetter = !all[row] || best.values[row] < scores.pointee.values[row]
                if isBetter { best.values[row] = scores.pointee.values[row] }
            }
            all = all.union(found)
        }
        scores.pointee = best
        return all
    }

    private mutating func find(
        _ text: Text, _ chunk: IndexChunk, _ rows: ChunkBits,
        _ scores: UnsafeMutablePointer<Scores>?
    ) -> ChunkBits {
        var found = findInTags(text, chunk, rows)
        // Where nothing is ranked, what a tag has found need not be looked at again.
        let names = chunk.rows(
            withLetters: text.letters, among: scores == nil ? rows.subtracting(found) : rows)
        found = found.union(findInNames(text, chunk, names, alsoInTags: found, scores != nil))
        if text.asksNote {
            found = found.union(findInNotes(text, chunk, rows.subtracting(found)))
        }
        if let scores {
            best.withUnsafeBufferPointer { best in
                scores.pointee.values.withUnsafeMutableBufferPointer { values in
                    found.forEach { values[$0] += best[$0] }
                }
            }
        }
        return found
    }

    /// The rows with a note that holds the text, which gives no points.
    private mutating func findInNotes(
        _ text: Text, _ chunk: IndexChunk, _ rows: ChunkBits
    ) -> ChunkBits {
        var known = ChunkBits()
        let asked = chunk.columns.notes.found(among: rows) { row, note in
            let mayHave =
                note.letters & text.letters == text.letters
                && note.pairs & text.pairs == text.pairs
            if mayHave, text.isOneLetter, note.letters != .max {
                known[row] = true
                return false
            }
            return mayHave
        }
        let found = chunk.columns.items.filter(asked) { _, _, note in
            matcher.isFound(text.search, in: note)
        }
        .union(known)
        found.forEach { best[$0] = 0 }
        return found
    }

    /// The rows with a tag that is found, and their points in ``best``.
    private mutating func findInTags(
        _ text: Text, _ chunk: IndexChunk, _ rows: ChunkBits
    ) -> ChunkBits {
        var found = ChunkBits()
        guard !text.tags.isEmpty else { return found }
        chunk.columns.tags.forEach(among: rows) { number, rows in
            let points = text.tags[Int(number)]
            guard points >= 0 else { return }
            rows.forEach { best[$0] = found[$0] ? max(best[$0], points) : points }
            found = found.union(rows)
        }
        return found
    }

    /// Those of `rows` whose names hold the text, and their points in ``best``: the more points of
    /// the name and the tag where that was found too.
    private mutating func findInNames(
        _ text: Text, _ chunk: IndexChunk, _ rows: ChunkBits, alsoInTags tagged: ChunkBits,
        _ isRanked: Bool
    ) -> ChunkBits {
        let search = text.search
        return best.withUnsafeMutableBufferPointer { best in
            func add(_ points: Int?, at row: Int) -> Bool {
                guard let points = points.map(Int32.init(clamping:)) else { return false }
                best[row] = tagged[row] ? max(best[row], points) : points
                return true
            }
            guard text.isInColumns else {
                return chunk.columns.items.filter(rows) { row, name, _ in
                    add(matcher.score(search, in: name), at: row)
                }
            }
            return chunk.withNames { names in
                text.word.withUnsafeBufferPointer { word in
                    // Short ones lie so close together that processors fetch them ahead.
                    let fetches = chunk.hasLongNames
                    func prefetch(_ row: Int) { if fetches { Self.prefetch(names[row]) } }
                    let together =
                        isRanked && text.usesLanes ? Self.together(rows, names) : ChunkBits()
                    let alone = rows.subtracting(together).filter(prefetching: prefetch) { row in
                        add(
                            Self.score(word, in: names[row], search.rule, isRanked, &fuzzy),
                            at: row)
                    }
                    guard !together.isEmpty else { return alone }
                    return alone.union(
                        lanes.withPoints(for: word, in: together, of: names) { points in
                            together.filter { row in
                                add(points[row] == 0 ? nil : Int(points[row]), at: row)
                            }
                        })
                }
            }
        }
    }

    /// Those of `rows` whose names are ranked many at once: a few would take longer.
    private static func together(_ rows: ChunkBits, _ names: ChunkNames) -> ChunkBits {
        let short = rows.filter { names[$0].count <= FuzzyLanes.mostBytes }
        let over = short.count % FuzzyLanes.count
        guard over > 0, over < FuzzyLanes.fewest, let end = short.row(at: short.count - over) else {
            return short
        }
        return short.intersection(ChunkBits(first: end))
    }

    @inline(__always) private static func prefetch(_ name: UnsafeBufferPointer<UInt8>) {
        guard let base = name.baseAddress else { return }
        for line in stride(from: 0, to: name.count, by: 64) { cbytes_prefetch(base + line) }
    }

    /// The points for a folded word in a folded name, or nil if it is not there.
    @inline(__always) private static func score(
        _ word: UnsafeBufferPointer<UInt8>, in name: UnsafeBufferPointer<UInt8>,
        _ rule: TextSearch.Rule, _ isRanked: Bool, _ fuzzy: inout FuzzyMatch
    ) -> Int? {
        if word.isEmpty { return 0 }
        guard rule == .letters else {
            return TextPart.place(of: word, in: name, rule).map {
                TextPart.score(word.count, at: $0, in: name)
            }
        }
        if isRanked { return fuzzy.score(of: word, in: name) }
        return FuzzyMatch.contains(word, in: name) ? 0 : nil
    }
}

extension ChunkSearch.Node {
    fileprivate var mostPoints: Int {
        switch self {
        case .text(let text): text.search.mostPoints
        case .and(let nodes): nodes.reduce(0) { $0 + $1.mostPoints }
        case .or(let nodes): nodes.map(\.mostPoints).max() ?? 0
        case .everything, .tag, .state, .time, .day, .priority, .field, .not: 0
        }
    }

    fileprivate var cost: Int {
        switch self {
        case .everything, .state: 0
        case .tag, .day, .priority: 1
        case .not(let node): node.cost
        case .and(let nodes), .or(let nodes): nodes.map(\.cost).max() ?? 0
        case .time, .field: 2
        case .text(let text): text.asksNote ? 4 : 3
        }
    }
}

extension IndexChunk {
    /// Those of `rows` whose names have all letters of a mask.
    fileprivate func rows(withLetters mask: UInt64, among rows: ChunkBits) -> ChunkBits {
        columns.letters.withUnsafeBufferPointer { letters in
            rows.filter(below: letters.count) { letters[$0] & mask == mask }
        }
    }
}
