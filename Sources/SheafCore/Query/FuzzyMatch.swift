/// Finds the letters of a word in a text, in order but not necessarily side by side, and says how
/// well: the best of all ways to find them counts.
///
/// The algorithm and its points are those of fzf (junegunn/fzf, `src/algo/algo.go`, FuzzyMatchV2,
/// after Smith and Waterman, "Identification of Common Molecular Subsequences"): points for every
/// letter found, more of them at the beginning of a word or beside another letter found, twice as
/// many for the first letter, and fewer for every gap.
///
/// A value keeps its memory for the next text. O(word × text), and O(text) where the letters are
/// not there; beyond ``mostCells`` only the shortest part is looked at that ends where the letters
/// first are all there, and a part that is itself beyond that has no points.
struct FuzzyMatch: Sendable {
    static let matched: Int32 = 16
    static let gapStart: Int32 = -3
    static let gapExtension: Int32 = -1
    static let consecutive: Int32 = 4
    static let firstLetterFactor: Int32 = 2
    static let mostCells = 1 << 16

    /// What the letters of the text are worth for where they stand.
    private var bonuses: [Int32] = []
    /// A row for each letter of the word: the most points that can be had up to a letter of the
    /// text, and how many letters in a row end there.
    private var points: [Int32] = []
    private var runs: [Int32] = []

    /// The points for `word` in `text`, or nil if its letters are not all there in order.
    ///
    /// Both are folded alike, as bytes if the word is ASCII (which no part of another letter's
    /// UTF-8 is), and otherwise as Unicode scalars.
    mutating func score<Unit: FixedWidthInteger & UnsignedInteger>(
        of word: UnsafeBufferPointer<Unit>, in text: UnsafeBufferPointer<Unit>
    ) -> Int? {
        if word.count == 1, text.count <= Self.mostCells {
            return Self.score(of: word[0], in: text)
        }
        guard let range = range(of: word, in: text) else { return nil }
        guard fill(word, text, range) else { return 0 }
        let row = (word.count - 1) * range.count
        return Int(points[row..<row + range.count].max() ?? 0)
    }

    /// The same for one letter: what it is worth where it is worth most.
    private static func score<Unit: FixedWidthInteger & UnsignedInteger>(
        of letter: Unit, in text: UnsafeBufferPointer<Unit>
    ) -> Int? {
        var best: Int32 = -1
        let kind = LetterKind(letter)
        for (index, unit) in text.enumerated() where unit == letter {
            let previous = index > 0 ? LetterKind(text[index - 1]) : .space
            best = max(best, kind.bonus(after: previous))
            if best >= LetterKind.most { break }
        }
        return best < 0 ? nil : Int(matched + best * firstLetterFactor)
    }

    /// Whether the letters of `word` are in `text` in order. O(text).
    static func contains<Unit: FixedWidthInteger & UnsignedInteger>(
        _ word: UnsafeBufferPointer<Unit>, in text: UnsafeBufferPointer<Unit>
    ) -> Bool {
        guard !word.isEmpty else { return true }
        var row = 0
        for unit in text where unit == word[row] {
            row += 1
            if row == word.count { return true }
        }
        return false
    }

    /// Where the letters of `word` stand in `text`, ascending, in the way that ``score`` counts, or
    /// nil if they are not there.
    mutating func places<Unit: FixedWidthInteger & UnsignedInteger>(
        of word: UnsafeBufferPointer<Unit>, in text: UnsafeBufferPointer<Unit>
    ) -> [Int]? {
        guard !word.isEmpty else { return [] }
        guard let range = range(of: word, in: text) else { return nil }
        guard fill(word, text, range) else { return lastPlaces(of: word, in: text, range) }
        let width = range.count
        var row = word.count - 1
        // The first of the best ends, as fzf has it.
        var column = 0
        for candidate in 0..<width
        where points[row * width + candidate] > points[row * width + column] {
            column = candidate
        }
        var places: [Int] = []
        var prefersLetter = true
        while true {
            let here = points[row * width + column]
            let before = column > 0 ? points[row * width + column - 1] : 0
            let above = row > 0 && column > 0 ? points[(row - 1) * width + column - 1] : 0
            let isLetter = word[row] == text[range.lowerBound + column]
            if isLetter, here > above || row == 0, here > before || here == before && prefersLetter
            {
                places.append(range.lowerBound + column)
                if row == 0 { break }
                row -= 1
            }
            guard column > 0 else { return nil }
            prefersLetter =
                runs[row * width + column] > 1
                || column + 1 < width && row + 1 < word.count
                    && runs[(row + 1) * width + column + 1] > 0
            column -= 1
        }
        return places.reversed()
    }

    /// The places of the letters nearest to the end of the range, at which the last one stands.
    private func lastPlaces<Unit: FixedWidthInteger & UnsignedInteger>(
        of word: UnsafeBufferPointer<Unit>, in text: UnsafeBufferPointer<Unit>,
        _ range: Range<Int>
    ) -> [Int] {
        var places: [Int] = []
        var row = word.count - 1
        for index in range.reversed() where row >= 0 && text[index] == word[row] {
            places.append(index)
            row -= 1
        }
        return places.reversed()
    }

    /// Fills the rows for the part of the text that is looked at, unless that takes too long.
    private mutating func fill<Unit: FixedWidthInteger & UnsignedInteger>(
        _ word: UnsafeBufferPointer<Unit>, _ text: UnsafeBufferPointer<Unit>, _ range: Range<Int>
    ) -> Bool {
        let width = range.count
        let cells = width * word.count
        guard cells <= Self.mostCells else { return false }
        if points.count < cells {
            points = Array(repeating: 0, count: cells)
            runs = points
        }
        if bonuses.count < width { bonuses = Array(repeating: 0, count: width) }
        var previous = range.lowerBound > 0 ? LetterKind(text[range.lowerBound - 1]) : .space
        for column in 0..<width {
            let kind = LetterKind(text[range.lowerBound + column])
            bonuses[column] = kind.bonus(after: previous)
            previous = kind
        }
        points.withUnsafeMutableBufferPointer { points in
            runs.withUnsafeMutableBufferPointer { runs in
                bonuses.withUnsafeBufferPointer { bonuses in
                    // Where the letters before this one are first all there. That they are does
                    // not show in their points, which a long gap takes away.
                    var firstAbove = -1
                    for row in 0..<word.count {
                        let start = row * width
                        var first = width
                        var isInGap = false
                        var before: Int32 = 0
                        for column in 0..<width {
                            let gap = before + (isInGap ? Self.gapExtension : Self.gapStart)
                            var found: Int32 = 0
                            var run: Int32 = 0
                            let above =
                                row > 0 && column > 0 ? points[start - width + column - 1] : 0
                            if word[row] == text[range.lowerBound + column], column > firstAbove {
                                first = min(first, column)
                                (found, run) = Self.points(
                                    at: column, of: bonuses, isFirst: row == 0, above: above,
                                    runAbove: row > 0 ? runs[start - width + column - 1] : 0)
                                if found < gap { run = 0 }
                            }
                            isInGap = found < gap
                            before = max(found, gap, 0)
                            points[start + column] = before
                            runs[start + column] = run
                        }
                        firstAbove = first
                    }
                }
            }
        }
        return true
    }

    /// The points with a letter found at `column`, and how many in a row that makes.
    private static func points(
        at column: Int, of bonuses: UnsafeBufferPointer<Int32>, isFirst: Bool, above: Int32,
        runAbove: Int32
    ) -> (points: Int32, run: Int32) {
        let own = bonuses[column]
        if isFirst { return (matched + own * firstLetterFactor, 1) }
        var run = runAbove + 1
        var bonus = own
        if run > 1 {
            let first = bonuses[column - Int(run) + 1]
            // Where a word begins, a new row of letters begins.
            if own >= LetterKind.boundary, own > first {
                run = 1
            } else {
                bonus = max(own, consecutive, first)
            }
        }
        return (above + matched + bonus, run)
    }

    /// The part of the text that is looked at: from where the first letter is first to where the
    /// last one is last.
    private func range<Unit: FixedWidthInteger & UnsignedInteger>(
        of word: UnsafeBufferPointer<Unit>, in text: UnsafeBufferPointer<Unit>
    ) -> Range<Int>? {
        guard let last = word.last else { return 0..<0 }
        var row = 0
        var start = 0
        var end = 0
        for (index, unit) in text.enumerated() where unit == word[row] {
            if row == 0 { start = index }
            row += 1
            end = index
            if row == word.count { break }
        }
        guard row == word.count else { return nil }
        let far = text[end...].lastIndex(of: last) ?? end
        if (far + 1 - start) * word.count <= Self.mostCells { return start..<far + 1 }
        // The shortest that ends here, from its end back to its beginning.
        row = word.count - 1
        start = end
        while true {
            if text[start] == word[row] {
                if row == 0 { break }
                row -= 1
            }
            start -= 1
        }
        return start..<end + 1
    }
}

/// What a letter is for its neighbours: where a word begins, a letter is worth more.
enum LetterKind {
    case space, delimiter, sign, letter, digit

    static let boundary: Int32 = 8
    /// The most that a letter gets for where it stands.
    static let most: Int32 = 10

    init<Unit: FixedWidthInteger & UnsignedInteger>(_ unit: Unit) {
        self =
            switch unit {
            case 0x61...0x7A, 0x41...0x5A: .letter
            case 0x30...0x39: .digit
            case 0x20, 0x09...0x0D: .space
            case 0x2F, 0x2C, 0x3A, 0x3B, 0x7C: .delimiter
            case 0..<0x80: .sign
            default: .letter
            }
    }

    /// The points for a letter of this kind after one of another.
    func bonus(after previous: LetterKind) -> Int32 {
        switch (previous, self) {
        case (.space, .letter), (.space, .digit), (_, .space): 10
        case (.delimiter, .letter), (.delimiter, .digit): 9
        case (.sign, .letter), (.sign, .digit), (_, .sign), (_, .delimiter): Self.boundary
        case (.letter, .digit): 7
        default: 0
        }
    }
}
