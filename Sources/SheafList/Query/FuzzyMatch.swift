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
        /// Whether one letter or several in a row end here, 1 or 2; 0 where passing it gives more
        /// points.
        var run: Int16 = 0
        /// What the first of them got for where it stands.
        var first: Int16 = 0

        /// The points at a later column, where there is a gap since this one.
        func points(at column: Int32) -> Int32 {
            pointsAfter &+ (column &- self.column &- 1) &* gapExtension
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
        @inline(__always) func bonus(of letter: Bonus, at column: Int) -> Int32 {
            if column == 0 { return letter.kind.bonus(after: before) }
            let previous = units[column &- 1]
            // Most letters come after one that is folded.
            if previous &- 0x61 < 26 { return letter.afterLetter }
            return previous == 0x20
                ? letter.afterSpace : letter.kind.bonus(after: LetterKind(previous))
        }
    }

    /// What a letter of the word is worth after others.
    struct Bonus {
        let kind: LetterKind
        let afterLetter: Int32
        let afterSpace: Int32

        init<Unit: FixedWidthInteger & UnsignedInteger>(of letter: Unit) {
            kind = LetterKind(letter)
            afterLetter = kind.bonus(after: .letter)
            afterSpace = kind.bonus(after: .space)
        }
    }

    /// How the letters of a word stand in a text.
    enum Found {
        /// Not all in order.
        case no
        case yes
        /// Side by side where a letter is worth most: better it cannot be.
        case best
    }

    /// Where each letter of the word stands, the places at which those before it cannot be there
    /// yet aside: a bit for each letter of the text. Of each 64 letters, ``width`` in all, the
    /// numbers of all letters of the word stand side by side.
    private var columns: [UInt64] = []
    private var width = 0
    /// The finds of one letter of the word after the other, and where those of each begin.
    private(set) var finds: [Find] = []
    private(set) var starts: [Int] = []

    /// The most points that a word of so many letters can have: side by side where each is worth
    /// most.
    static func mostPoints(_ count: Int) -> Int {
        guard count > 0 else { return 0 }
        return Int(matched + LetterKind.most) * count
            + Int(LetterKind.most * (firstLetterFactor - 1))
    }

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
        switch findColumns(of: word, in: part) {
        case .no: return nil
        case .best: return Self.mostPoints(word.count)
        case .yes: return Int(fill(word, part))
        }
    }

    /// The points for a word of one letter, which all of a long list may have, or nil if it is not
    /// there: those for the best place of the letter.
    private static func score<Unit: FixedWidthInteger & UnsignedInteger>(
        of letter: Unit, in part: Part<Unit>
    ) -> Int? {
        let worth = Bonus(of: letter)
        var best: Int32 = -1
        for start in stride(from: 0, to: part.units.count, by: 64) {
            let block = part.units.block(from: start)
            let places = block.places(of: letter)
            // After a letter all are worth the same.
            var others = places & block.placesAfterOthers()
            if others != places { best = max(best, worth.afterLetter) }
            while others != 0 {
                best = max(best, part.bonus(of: worth, at: start &+ others.trailingZeroBitCount))
                others &= others &- 1
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

    /// Finds where the letters stand: all of ``columns``, unless the word is found at its best.
    private mutating func findColumns<Unit: FixedWidthInteger & UnsignedInteger>(
        of word: UnsafeBufferPointer<Unit>, in part: Part<Unit>
    ) -> Found {
        guard word.count <= part.units.count else { return .no }
        let width = makeColumns(for: word.count, part.units.count)
        return columns.withUnsafeMutableBufferPointer { columns in
            if width == 1 { return Self.find(word, in: part, columns) }
            for block in 0..<width {
                Self.findColumns(of: word, in: part, block, columns)
                // Of those before, letters may go on here.
                guard block > 0 else { continue }
                let together = Self.together(columns, word.count, width, block &- 1)
                if Self.isBest(together, of: word, in: part, from: (block &- 1) &<< 6) {
                    return .best
                }
            }
            let together = Self.together(columns, word.count, width, width &- 1)
            if Self.isBest(together, of: word, in: part, from: (width &- 1) &<< 6) { return .best }
            return Self.leaveOut(columns, word.count, width) ? .yes : .no
        }
    }

    /// Finds where all letters stand, wherever it is; false if they are not all there in order.
    mutating func findAllColumns<Unit: FixedWidthInteger & UnsignedInteger>(
        of word: UnsafeBufferPointer<Unit>, in part: Part<Unit>
    ) -> Bool {
        let width = makeColumns(for: word.count, part.units.count)
        return columns.withUnsafeMutableBufferPointer { columns in
            for block in 0..<width { Self.findColumns(of: word, in: part, block, columns) }
            return Self.leaveOut(columns, word.count, width)
        }
    }

    /// Makes room for the columns of a word in a text of so many letters, and returns the width.
    private mutating func makeColumns(for letters: Int, _ count: Int) -> Int {
        width = (count + 63) >> 6
        let cells = width * letters
        if columns.count < cells { columns = Array(repeating: 0, count: cells) }
        return width
    }

    @inline(__always) private static func findColumns<Unit: FixedWidthInteger & UnsignedInteger>(
        of word: UnsafeBufferPointer<Unit>, in part: Part<Unit>, _ block: Int,
        _ columns: UnsafeMutableBufferPointer<UInt64>
    ) {
        guard let columns = columns.baseAddress else { return }
        part.units.findPlaces(of: word, inBlock: block, columns + block &* word.count)
    }

    /// Leaves the places out at which the letters before cannot all have been there; false if no
    /// place of a letter is left.
    @inline(__always) private static func leaveOut(
        _ columns: UnsafeMutableBufferPointer<UInt64>, _ count: Int, _ width: Int
    ) -> Bool {
        // Where the letters before this one are all there first.
        var next = 0
        for row in 0..<count {
            var first = -1
            for block in 0..<width {
                let place = block &* count &+ row
                // A shift by all bits or more leaves none.
                let bits = columns[place] & (.max << UInt64(max(next &- block &<< 6, 0)))
                columns[place] = bits
                if first < 0, bits != 0 { first = block &<< 6 &+ bits.trailingZeroBitCount }
            }
            if first < 0 { return false }
            next = first &+ 1
        }
        return true
    }

    /// The same for a text of up to 64 letters, as most names are.
    @inline(__always) private static func find<Unit: FixedWidthInteger & UnsignedInteger>(
        _ word: UnsafeBufferPointer<Unit>, in part: Part<Unit>,
        _ columns: UnsafeMutableBufferPointer<UInt64>
    ) -> Found {
        findColumns(of: word, in: part, 0, columns)
        var bits = columns[0]
        guard bits != 0 else { return .no }
        var together = bits
        for row in 1..<word.count {
            bits = columns[row] & (~1 &<< UInt64(bits.trailingZeroBitCount))
            if bits == 0 { return .no }
            columns[row] = bits
            together &= bits &>> UInt64(row)
        }
        return isBest(together, of: word, in: part, from: 0) ? .best : .yes
    }

    /// Whether a letter is worth most at one of the places of a block.
    @inline(__always) private static func isBest<Unit: FixedWidthInteger & UnsignedInteger>(
        _ places: UInt64, of word: UnsafeBufferPointer<Unit>, in part: Part<Unit>, from start: Int
    ) -> Bool {
        guard places != 0 else { return false }
        let worth = Bonus(of: word[0])
        var rest = places
        while rest != 0 {
            let place = start &+ rest.trailingZeroBitCount
            if part.bonus(of: worth, at: place) == LetterKind.most { return true }
            rest &= rest &- 1
        }
        return false
    }

    /// The places of a block at which all letters begin to stand side by side.
    @inline(__always) private static func together(
        _ columns: UnsafeMutableBufferPointer<UInt64>, _ count: Int, _ width: Int, _ block: Int
    ) -> UInt64 {
        guard count <= 64 else { return 0 }
        var together = columns[block &* count]
        for row in 1..<count where together != 0 {
            let place = block &* count &+ row
            var bits = columns[place] &>> UInt64(row)
            if block &+ 1 < width { bits |= columns[place &+ count] &<< UInt64(64 &- row) }
            together &= bits
        }
        return together
    }

    /// Fills ``finds`` from the columns, and returns the most points.
    @discardableResult
    mutating func fill<Unit: FixedWidthInteger & UnsignedInteger>(
        _ word: UnsafeBufferPointer<Unit>, _ part: Part<Unit>
    ) -> Int32 {
        let most = part.units.count * word.count
        if finds.count < most { finds = Array(repeating: Find(), count: most) }
        if starts.count <= word.count { starts = Array(repeating: 0, count: word.count + 1) }
        let width = width
        return finds.withUnsafeMutableBufferPointer { finds in
            starts.withUnsafeMutableBufferPointer { starts in
                columns.withUnsafeBufferPointer { columns in
                    starts[0] = 0
                    var best: Int32 = 0
                    for row in 0..<word.count {
                        let above = row > 0 ? finds[starts[row &- 1]..<starts[row]] : finds[0..<0]
                        (starts[row &+ 1], best) = Self.fill(
                            finds, from: starts[row], after: UnsafeBufferPointer(rebasing: above),
                            (0..<width).lazy.map { columns[$0 &* word.count &+ row] },
                            Bonus(of: word[row]), part)
                    }
                    return best
                }
            }
        }
    }

    /// Fills in the finds of a letter, which stands in `columns`, after those of the letter before
    /// it, and returns where they end and their most points.
    @inline(__always) private static func fill<Unit: FixedWidthInteger & UnsignedInteger>(
        _ finds: UnsafeMutableBufferPointer<Find>, from start: Int,
        after others: UnsafeBufferPointer<Find>, _ columns: some Sequence<UInt64>,
        _ worth: Bonus, _ part: Part<Unit>
    ) -> (end: Int, best: Int32) {
        var (count, above) = (start, 0)
        var best: Int32 = 0
        var last = Find()
        for (block, bits) in columns.enumerated() {
            var bits = bits
            while bits != 0 {
                let place = block &<< 6 &+ bits.trailingZeroBitCount
                bits &= bits &- 1
                let bonus = part.bonus(of: worth, at: place)
                var found: Find
                if others.isEmpty {
                    found = Find(
                        points: matched &+ bonus &* firstLetterFactor, run: 1,
                        first: Int16(truncatingIfNeeded: bonus))
                } else {
                    while above &+ 1 < others.count, others[above &+ 1].column < place {
                        above &+= 1
                    }
                    found = Self.find(at: Int32(truncatingIfNeeded: place), bonus, others[above])
                }
                found.column = Int32(truncatingIfNeeded: place)
                let gap = count > start ? last.points(at: found.column) : 0
                if found.points < gap {
                    (found.points, found.pointsAfter) = (gap, gap &+ gapExtension)
                    found.run = 0
                } else {
                    found.pointsAfter = found.points &+ gapStart
                }
                best = max(best, found.points)
                finds[count] = found
                last = found
                count &+= 1
            }
        }
        return (count, best)
    }

    /// A letter found at `column`, worth `own` for where it stands, where the one before it was
    /// found last at `above`.
    @inline(__always) private static func find(
        at column: Int32, _ own: Int32, _ above: Find
    ) -> Find {
        let first = Int16(truncatingIfNeeded: own)
        guard above.column == column &- 1 else {
            let points = max(above.points(at: column &- 1), 0) &+ matched &+ own
            return Find(points: points, run: 1, first: first)
        }
        let points = above.points &+ matched
        // Where a word begins, a new row of letters begins.
        if above.run == 0 || own >= LetterKind.boundary && first > above.first {
            return Find(points: points &+ own, run: 1, first: first)
        }
        return Find(
            points: points &+ max(own, consecutive, Int32(above.first)), run: 2,
            first: above.first)
    }
}
