/// Finds the letters of a word in a text, in order but not necessarily side by side, and says how
/// well: the best of all ways to find them counts.
///
/// The algorithm and its points are those of fzf (junegunn/fzf, `src/algo/algo.go`, FuzzyMatchV2,
/// after Smith and Waterman, "Identification of Common Molecular Subsequences"): points for every
/// letter found, more of them at the beginning of a word or beside another letter found, twice as
/// many for the first letter, and fewer for every gap. Of its matrix only the cells are filled in
/// which a letter of the word stands, which are few: those between follow from them.
///
/// A value keeps its memory for the next text. O(word × text); beyond ``mostCells`` only the
/// shortest part is looked at that ends where the letters first are all there, and a part that is
/// itself beyond that has no points.
struct FuzzyMatch: Sendable {
    static let matched: Int32 = 16
    static let gapStart: Int32 = -3
    static let gapExtension: Int32 = -1
    static let consecutive: Int32 = 4
    static let firstLetterFactor: Int32 = 2
    static let mostCells = 1 << 16

    /// A letter of the word in the text.
    struct Find {
        var column: Int32 = 0
        /// The most points that can be had up to here.
        var points: Int32 = 0
        /// The points one letter further on, where there is a gap.
        var pointsAfter: Int32 = 0
        /// How many letters in a row end here; 0 where passing it gives more points.
        var run: Int32 = 0

        /// The points at a later column, where there is a gap since this one.
        func points(at column: Int32) -> Int32 {
            pointsAfter + (column - self.column - 1) * gapExtension
        }
    }

    /// The part of a text that is looked at.
    struct Part<Unit: FixedWidthInteger & UnsignedInteger> {
        let units: UnsafeBufferPointer<Unit>
        /// Where it begins in the text, and what stands before it.
        let start: Int
        let before: LetterKind

        init(_ text: UnsafeBufferPointer<Unit>, _ range: Range<Int>) {
            units = UnsafeBufferPointer(rebasing: text[range])
            start = range.lowerBound
            before = start > 0 ? LetterKind(text[start - 1]) : .space
        }

        /// What a letter is worth for where it stands.
        func bonus(at column: Int) -> Int32 {
            LetterKind(units[column])
                .bonus(after: column > 0 ? LetterKind(units[column - 1]) : before)
        }
    }

    /// Where each letter of the word stands, the places at which those before it cannot be there
    /// yet aside: a bit for each letter of the text, in ``width`` numbers.
    private var columns: [UInt64] = []
    private var width = 0
    /// The finds of one letter of the word after the other, and where those of each begin.
    private(set) var finds: [Find] = []
    private(set) var starts: [Int] = []

    /// The points for `word` in `text`, or nil if its letters are not all there in order.
    ///
    /// Both are folded alike, as bytes if the word is ASCII (which no part of another letter's
    /// UTF-8 is), and otherwise as Unicode scalars.
    mutating func score<Unit: FixedWidthInteger & UnsignedInteger>(
        of word: UnsafeBufferPointer<Unit>, in text: UnsafeBufferPointer<Unit>
    ) -> Int? {
        guard !word.isEmpty else { return 0 }
        guard let part = part(of: text, with: word) else { return nil }
        guard part.units.count * word.count <= Self.mostCells else { return 0 }
        if word.count == 1 { return Self.score(of: word[0], in: part) }
        guard findColumns(of: word, in: part) else { return nil }
        if isAtItsBest(word, part) {
            let each = Self.matched + LetterKind.most
            return Int(each) * word.count
                + Int(LetterKind.most * (Self.firstLetterFactor - 1))
        }
        fill(word, part)
        return finds[starts[word.count - 1]..<starts[word.count]].lazy.map { Int($0.points) }.max()
    }

    /// The points for a word of one letter, which all of a long list may have, or nil if it is not
    /// there: those for the best place of the letter.
    private static func score<Unit: FixedWidthInteger & UnsignedInteger>(
        of letter: Unit, in part: Part<Unit>
    ) -> Int? {
        var best: Int32 = -1
        for start in stride(from: 0, to: part.units.count, by: 64) {
            var places = part.units.places(of: letter, from: start, notBefore: 0)
            while places != 0, best < LetterKind.most {
                best = max(best, part.bonus(at: start + places.trailingZeroBitCount))
                places &= places &- 1
            }
            if best == LetterKind.most { break }
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

    /// Finds where the letters stand; false if they are not all there in order.
    mutating func findColumns<Unit: FixedWidthInteger & UnsignedInteger>(
        of word: UnsafeBufferPointer<Unit>, in part: Part<Unit>
    ) -> Bool {
        width = (part.units.count + 63) >> 6
        let cells = width * word.count
        if columns.count < cells { columns = Array(repeating: 0, count: cells) }
        return columns.withUnsafeMutableBufferPointer { columns in
            // Where the letters before this one are all there first.
            var next = 0
            for row in 0..<word.count {
                var first = -1
                for block in 0..<width {
                    let bits = part.units.places(
                        of: word[row], from: block << 6, notBefore: next)
                    columns[row * width + block] = bits
                    if first < 0, bits != 0 { first = block << 6 + bits.trailingZeroBitCount }
                }
                guard first >= 0 else { return false }
                next = first + 1
            }
            return true
        }
    }

    /// Whether the word stands side by side where a letter is worth most: better it cannot be.
    private func isAtItsBest<Unit: FixedWidthInteger & UnsignedInteger>(
        _ word: UnsafeBufferPointer<Unit>, _ part: Part<Unit>
    ) -> Bool {
        guard width == 1 else { return false }
        var together = columns[0]
        for row in 1..<max(word.count, 1) { together &= columns[row] >> UInt64(row) }
        while together != 0 {
            if part.bonus(at: together.trailingZeroBitCount) == LetterKind.most { return true }
            together &= together &- 1
        }
        return false
    }

    /// Fills ``finds`` from the columns.
    mutating func fill<Unit: FixedWidthInteger & UnsignedInteger>(
        _ word: UnsafeBufferPointer<Unit>, _ part: Part<Unit>
    ) {
        let most = part.units.count * word.count
        if finds.count < most { finds = Array(repeating: Find(), count: most) }
        if starts.count <= word.count { starts = Array(repeating: 0, count: word.count + 1) }
        var count = 0
        finds.withUnsafeMutableBufferPointer { finds in
            for row in 0..<word.count {
                let start = count
                var above = row > 0 ? starts[row - 1] : 0
                for block in 0..<width {
                    var bits = columns[row * width + block]
                    while bits != 0 {
                        let place = block << 6 + bits.trailingZeroBitCount
                        let column = Int32(truncatingIfNeeded: place)
                        bits &= bits &- 1
                        var found = Find(column: column)
                        if row == 0 {
                            found.points =
                                Self.matched + part.bonus(at: place) * Self.firstLetterFactor
                            found.run = 1
                        } else {
                            while above + 1 < start, finds[above + 1].column < column { above += 1 }
                            (found.points, found.run) = Self.points(
                                at: place, in: part, after: finds[above])
                        }
                        let gap = count > start ? finds[count - 1].points(at: column) : 0
                        if found.points < gap {
                            found.points = gap
                            found.run = 0
                            found.pointsAfter = gap + Self.gapExtension
                        } else {
                            found.pointsAfter = found.points + Self.gapStart
                        }
                        finds[count] = found
                        count += 1
                    }
                }
                starts[row] = start
                starts[row + 1] = count
            }
        }
    }

    /// The points with a letter found at `column` where the one before it was found last at
    /// `above`, and how many in a row that makes.
    private static func points<Unit: FixedWidthInteger & UnsignedInteger>(
        at column: Int, in part: Part<Unit>, after above: Find
    ) -> (points: Int32, run: Int32) {
        let own = part.bonus(at: column)
        let gapEnd = Int32(truncatingIfNeeded: column) - 1
        guard above.column == gapEnd else {
            return (max(above.points(at: gapEnd), 0) + matched + own, 1)
        }
        var run = above.run + 1
        var bonus = own
        if run > 1 {
            let first = part.bonus(at: column - Int(run) + 1)
            // Where a word begins, a new row of letters begins.
            if own >= LetterKind.boundary, own > first {
                run = 1
            } else {
                bonus = max(own, consecutive, first)
            }
        }
        return (above.points + matched + bonus, run)
    }

    /// The part of the text that is looked at: all of it, unless that takes too long; then from
    /// where the first letter is first to where the last one is last.
    func part<Unit: FixedWidthInteger & UnsignedInteger>(
        of text: UnsafeBufferPointer<Unit>, with word: UnsafeBufferPointer<Unit>
    ) -> Part<Unit>? {
        if text.count * word.count <= Self.mostCells { return Part(text, 0..<text.count) }
        var row = 0
        var start = 0
        var end = 0
        for (index, unit) in text.enumerated() where unit == word[row] {
            if row == 0 { start = index }
            row += 1
            end = index
            if row == word.count { break }
        }
        guard row == word.count, let last = word.last else { return nil }
        let far = text[end...].lastIndex(of: last) ?? end
        if (far + 1 - start) * word.count <= Self.mostCells { return Part(text, start..<far + 1) }
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
        return Part(text, start..<end + 1)
    }
}
