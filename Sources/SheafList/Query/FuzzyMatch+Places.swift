/// Which letters of a text a match is made of.
extension FuzzyMatch {
    /// Where the letters of `word` stand in `text`, ascending, in the way that ``score`` counts, or
    /// nil if they are not there.
    mutating func places<Unit: FixedWidthInteger & UnsignedInteger>(
        of word: UnsafeBufferPointer<Unit>, in text: UnsafeBufferPointer<Unit>
    ) -> [Int]? {
        guard !word.isEmpty else { return [] }
        guard let part = part(of: text, with: word) else { return nil }
        guard part.units.count * word.count <= Self.mostCells else {
            return lastPlaces(of: word, in: part)
        }
        guard findAllColumns(of: word, in: part) else { return nil }
        fill(word, part)
        var row = word.count - 1
        // The first of the best ends, as fzf has it.
        var best = finds[starts[row]]
        for find in finds[starts[row]..<starts[row + 1]] where find.points > best.points {
            best = find
        }
        var column = Int(best.column)
        var places: [Int] = []
        var prefersLetter = true
        while true {
            let here = cell(row, column).points
            let before = cell(row, column - 1).points
            let above = row > 0 ? cell(row - 1, column - 1).points : 0
            let isLetter = word[row] == part.units[column]
            if isLetter, here > above || row == 0, here > before || here == before && prefersLetter
            {
                places.append(part.start + column)
                if row == 0 { break }
                row -= 1
            }
            guard column > 0 else { return nil }
            prefersLetter =
                cell(row, column).run > 1
                || row + 1 < word.count && cell(row + 1, column + 1).run > 0
            column -= 1
        }
        return places.reversed()
    }

    /// The most points that can be had up to a column, and how many letters in a row end there.
    private func cell(_ row: Int, _ column: Int) -> (points: Int32, run: Int16) {
        let column = Int32(column)
        var (low, high) = (starts[row], starts[row + 1])
        while low < high {
            let middle = (low + high) / 2
            if finds[middle].column <= column { low = middle + 1 } else { high = middle }
        }
        guard low > starts[row] else { return (0, 0) }
        let find = finds[low - 1]
        if find.column == column { return (find.points, find.run) }
        return (max(find.points(at: column), 0), 0)
    }

    /// The places of the letters nearest to the end, at which the last one stands.
    private func lastPlaces<Unit: FixedWidthInteger & UnsignedInteger>(
        of word: UnsafeBufferPointer<Unit>, in part: Part<Unit>
    ) -> [Int] {
        var places: [Int] = []
        var row = word.count - 1
        for index in part.units.indices.reversed() where row >= 0 && part.units[index] == word[row]
        {
            places.append(part.start + index)
            row -= 1
        }
        return places.reversed()
    }
}
