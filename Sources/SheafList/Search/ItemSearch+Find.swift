import CPlatform

/// The rows of a chunk that a search finds.
struct Found {
    var rows: ChunkBits
    /// The ``MatchClass`` of each found row. It is ``MatchClass/none`` if only terms without text
    /// found the row. `nil` stands for ``MatchClass/none`` in all rows. The values of other rows
    /// are undefined.
    var classes: [UInt8]?

    fileprivate static let noClasses = [UInt8](
        repeating: MatchClass.none, count: ChunkBits.capacity)
}

extension ItemSearch {
    /// Returns the rows that the search finds. O(bytes of the texts).
    func find(in rows: some SearchedRows) -> Found {
        // Columns are built on first access, and this search does not need them.
        if isEverything { return Found(rows: ChunkBits(first: rows.count)) }
        var found = find(root, rows)
        markWholeNames(&found, rows.columns)
        return found
    }

    /// Returns true if the search finds an item.
    package func finds(_ item: Item) -> Bool {
        isEverything || !found(in: [item]).isEmpty
    }

    /// Returns the items among `items` that the search finds. O(bytes of the texts).
    package func found(in items: [Item]) -> [Item] {
        guard !isEverything else { return items }
        var found: [Item] = []
        for chunk in ItemSequence(items.map { SharedEntity($0) }).chunks {
            find(in: chunk).rows.forEach { found.append(chunk.elements[$0].value) }
        }
        return found
    }

    private func find(_ node: Node, _ rows: some SearchedRows) -> Found {
        let columns = rows.columns
        let all = ChunkBits(first: columns.count)
        switch node {
        case .everything: return Found(rows: all)
        case .text(let text): return text.find(in: columns)
        case .tag(let id): return Found(rows: columns.tags[id] ?? ChunkBits())
        case .state(.done): return Found(rows: columns.done)
        case .state(.open): return Found(rows: all.subtracting(columns.done))
        case .state(.untagged): return Found(rows: all.subtracting(columns.tagged))
        case .state(.noted): return Found(rows: columns.noted)
        case .state(.repeating): return Found(rows: columns.repeating)
        case .time(let field, let span):
            return filter(columns) { row in
                rows.time(field, ofRow: row).map(span.contains) ?? false
            }
        case .day(let field, nil): return Found(rows: all.subtracting(columns[field].rows))
        case .day(let field, let days?):
            return Found(rows: columns[field].rows(where: days.contains))
        case .priority(nil): return Found(rows: all.subtracting(columns.priority.rows))
        case .priority(let letters?):
            return Found(rows: columns.priority.rows(where: letters.contains))
        case .field(let name, let text):
            return filter(columns) { row in
                rows.text(ofField: name, ofRow: row).map(text.isFound) ?? false
            }
        case .not(let node): return Found(rows: all.subtracting(find(node, rows).rows))
        case .and(let nodes):
            var found = Found(rows: all)
            for node in nodes where !found.rows.isEmpty { found.intersect(find(node, rows)) }
            return found
        case .or(let nodes):
            var found = Found(rows: ChunkBits())
            for node in nodes { found.unite(find(node, rows)) }
            return found
        }
    }

    private func filter(_ columns: ItemColumns, _ predicate: (Int) -> Bool) -> Found {
        var found = ChunkBits()
        for row in 0..<columns.count where predicate(row) { found[row] = true }
        return Found(rows: found)
    }

    /// Gives ``MatchClass/wholeName`` to each found row whose name is exactly the words of the
    /// query.
    private func markWholeNames(_ found: inout Found, _ columns: ItemColumns) {
        guard var classes = found.classes else { return }
        var phrase: [UInt8] = []
        var words = 0
        for term in root.terms where !term.positiveTexts.isEmpty {
            guard case .text(let text) = term, !text.isFuzzy else { return }
            if words > 0 { phrase.append(0x20) }
            phrase += text.bytes
            words += 1
        }
        guard words > 1 else { return }
        found.rows.forEach { row in
            if columns.withName(row, { $0.elementsEqual(phrase) }) {
                classes[row] = MatchClass.wholeName
            }
        }
        found.classes = classes
    }
}

extension Found {
    /// Keeps the rows that `other` also contains. Each keeps the worse of its two classes.
    fileprivate mutating func intersect(_ other: Found) {
        rows = rows.intersection(other.rows)
        guard let others = other.classes else { return }
        classes = classes.map { zip($0, others).map { min($0, $1) } } ?? others
    }

    /// Adds the rows of `other`. A row of both keeps the better of its two classes.
    fileprivate mutating func unite(_ other: Found) {
        defer { rows = rows.union(other.rows) }
        guard classes != nil || other.classes != nil else { return }
        var best = classes ?? Self.noClasses
        let others = other.classes ?? Self.noClasses
        other.rows.forEach { row in
            let isBetter = others[row] != MatchClass.none && best[row] < others[row]
            if !rows[row] || best[row] == MatchClass.none || isBetter { best[row] = others[row] }
        }
        classes = best
    }
}

extension TextSearch {
    /// Returns the rows whose name, note or tag contains the text.
    fileprivate func find(in columns: ItemColumns) -> Found {
        var rows = ChunkBits()
        var classes = [UInt8](repeating: MatchClass.elsewhere, count: ChunkBits.capacity)
        findInTexts(columns) { row, matchClass in
            rows[row] = true
            classes[row] = max(classes[row], matchClass)
        }
        if isFuzzy { findLetters(columns, &rows) }
        if !tags.isEmpty {
            for (id, tagged) in columns.tags where tags.contains(id) {
                rows = rows.union(tagged)
            }
        }
        columns.longNotes.forEach { row, note in
            if !rows[row], FoldedText.bytes(of: note).firstRange(of: bytes) != nil {
                rows[row] = true
            }
        }
        return Found(rows: rows, classes: classes)
    }

    /// Searches the folded names and notes, which are contiguous. Calls `take` for each match,
    /// possibly several times for a row, with the class of the match.
    private func findInTexts(_ columns: ItemColumns, _ take: (Int, UInt8) -> Void) {
        columns.text.withUnsafeBufferPointer { text in
            guard let start = text.baseAddress else { return }
            var (place, row) = (0, 0)
            while place + bytes.count <= text.count,
                let match = cplatform_memmem(start + place, text.count - place, bytes, bytes.count)
            {
                let offset = UnsafeRawPointer(match) - UnsafeRawPointer(start)
                row = columns.row(at: offset, from: row)
                let (nameStart, nameEnd) = (columns.starts[row], columns.nameEnds[row])
                let end = columns.starts[row + 1]
                let isInName = offset < nameEnd
                place = offset + 1
                // A text with a zero byte could also match across two adjacent texts.
                guard offset != nameEnd, offset + bytes.count <= (isInName ? nameEnd : end - 1)
                else { continue }
                guard isInName else {
                    take(row, MatchClass.elsewhere)
                    place = end
                    continue
                }
                let matchClass = MatchClass.of(
                    offset - nameStart..<offset - nameStart + bytes.count,
                    in: UnsafeBufferPointer(rebasing: text[nameStart..<nameEnd]))
                take(row, matchClass)
                // No later match in this name can rank higher.
                if matchClass >= MatchClass.wholeWord { place = end }
            }
        }
    }

    private func findLetters(_ columns: ItemColumns, _ rows: inout ChunkBits) {
        for row in 0..<columns.count where !rows[row] {
            if columns.withName(row, { FuzzyMatch.isFound(bytes, in: $0) }) { rows[row] = true }
        }
    }
}

extension ItemColumns {
    /// Returns the row, at or after `first`, whose texts contain the byte at `offset`. O(log rows).
    fileprivate func row(at offset: Int, from first: Int) -> Int {
        if offset < starts[first + 1] { return first }
        return starts[(first + 2)...].partitioningIndex { $0 > offset } - 1
    }
}
