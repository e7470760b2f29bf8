/// A matcher that finds the letters of a word in a text, in order but not necessarily adjacent, and
/// scores the best of all such matches.
///
/// The algorithm and the scores are those of fzf (junegunn/fzf, `src/algo/algo.go`, FuzzyMatchV2,
/// after Smith and Waterman, "Identification of Common Molecular Subsequences"). Every found letter
/// scores, with a bonus at the beginning of a word or next to another found letter. The bonus of
/// the first letter counts twice. Every gap has a penalty.
package enum FuzzyMatch {
    private static let matched = 16
    private static let gapStart = -3
    private static let gapExtension = -1
    private static let consecutive = 4
    /// The maximum number of cells of a matrix. In longer texts each letter is found at its first
    /// place, and the score is 0.
    private static let maxCells = 1 << 16

    /// A text divided into units that can be compared with letters of the word. The units are bytes
    /// if the word is ASCII, because no other character has ASCII bytes in its UTF-8; otherwise
    /// they are Unicode scalars.
    private struct Units {
        let values: [UInt32]
        /// The byte at which each unit begins.
        let offsets: [Int]?

        init(_ bytes: [UInt8], asBytes: Bool) {
            if asBytes {
                (values, offsets) = (bytes.map(UInt32.init), nil)
                return
            }
            var (values, offsets, offset): ([UInt32], [Int], Int) = ([], [], 0)
            for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
                values.append(scalar.value)
                offsets.append(offset)
                offset += UTF8.width(scalar)
            }
            (self.values, self.offsets) = (values, offsets)
        }
    }

    /// Returns true if `text` contains the letters of `word` in order, both as folded UTF-8.
    /// O(text).
    package static func isFound(_ word: [UInt8], in text: UnsafeBufferPointer<UInt8>) -> Bool {
        var place = 0
        for byte in text where place < word.count && byte == word[place] { place += 1 }
        // The bytes of a letter that is not ASCII may have matched parts of several letters.
        return place == word.count && (word.isASCII || contains(word, in: Array(text)))
    }

    /// Returns the score of `word` in `text`, both as folded UTF-8, or `nil` if the text does not
    /// contain all its letters in order. O(word × text).
    package static func score(of word: [UInt8], in text: [UInt8]) -> Int? {
        guard text.withUnsafeBufferPointer({ isFound(word, in: $0) }) else { return nil }
        let (word, text) = units(word, text)
        guard !word.values.isEmpty, word.values.count * text.values.count <= maxCells else {
            return 0
        }
        return Matrix(word.values, text.values).points.suffix(text.values.count).max()
    }

    /// Returns the byte positions in `text`, ascending, of the letters of `word` in the match that
    /// ``score(of:in:)`` scores, or `nil` if there is no match.
    static func places(of word: [UInt8], in text: [UInt8]) -> [Int]? {
        guard text.withUnsafeBufferPointer({ isFound(word, in: $0) }) else { return nil }
        let (word, text) = units(word, text)
        let places =
            word.values.count * text.values.count <= maxCells
            ? Matrix(word.values, text.values).places
            : firstPlaces(of: word.values, in: text.values)
        return text.offsets.map { offsets in places.map { offsets[$0] } } ?? places
    }

    private static func units(_ word: [UInt8], _ text: [UInt8]) -> (word: Units, text: Units) {
        (Units(word, asBytes: word.isASCII), Units(text, asBytes: word.isASCII))
    }

    private static func contains(_ word: [UInt8], in text: [UInt8]) -> Bool {
        let (word, text) = units(word, text)
        return firstPlaces(of: word.values, in: text.values).count == word.values.count
    }

    fileprivate static func firstPlaces(of word: [UInt32], in text: [UInt32]) -> [Int] {
        var places: [Int] = []
        for (place, unit) in text.enumerated()
        where places.count < word.count && unit == word[places.count] {
            places.append(place)
        }
        return places
    }

    /// The scores of all letters of a word at all places of a text that contains them in order.
    private struct Matrix {
        private let word: [UInt32]
        private let text: [UInt32]
        /// The first place at which each letter can match.
        private let firsts: [Int]
        /// The best score up to each place, with one row per letter.
        private(set) var points: [Int]
        /// The number of adjacent matched letters that end at each place; 0 if a gap scores more.
        private var runs: [Int]

        init(_ word: [UInt32], _ text: [UInt32]) {
            (self.word, self.text) = (word, text)
            firsts = firstPlaces(of: word, in: text)
            points = Array(repeating: 0, count: word.count * text.count)
            runs = points
            var before = LetterKind.space
            let bonuses = text.map { unit in
                let kind = LetterKind(unit)
                defer { before = kind }
                return Int(kind.bonus(after: before))
            }
            for row in word.indices { fill(row, bonuses) }
        }

        private mutating func fill(_ row: Int, _ bonuses: [Int]) {
            let width = text.count
            var isGap = false
            for column in firsts[row]..<width {
                let cell = row * width + column
                let left = column > firsts[row] ? points[cell - 1] : 0
                let passed = left + (isGap ? gapExtension : gapStart)
                var (found, run) = (0, 0)
                if text[column] == word[row] {
                    let bonus = bonuses[column]
                    if row == 0 {
                        (found, run) = (matched + bonus * 2, 1)
                    } else {
                        run = runs[cell - width - 1] + 1
                        found = points[cell - width - 1] + matched
                        let first = bonuses[column - run + 1]
                        if run == 1 || bonus >= Int(LetterKind.boundary) && bonus > first {
                            (found, run) = (found + bonus, 1)
                        } else {
                            found += max(bonus, consecutive, first)
                        }
                    }
                }
                isGap = found < passed
                points[cell] = max(found, passed, 0)
                runs[cell] = isGap ? 0 : run
            }
        }

        /// The places of the letters in the match with the best score, the first of equal matches.
        var places: [Int] {
            guard !word.isEmpty else { return [] }
            let width = text.count
            var row = word.count - 1
            let last = points[(row * width)...]
            var column = (last.firstIndex(of: last.max() ?? 0) ?? last.startIndex) - row * width
            var places: [Int] = []
            var prefersLetter = true
            while true {
                let cell = row * width + column
                let here = points[cell]
                let above = row > 0 && column >= firsts[row] ? points[cell - width - 1] : 0
                let left = column > firsts[row] ? points[cell - 1] : 0
                let isLetter = here > above && (here > left || here == left && prefersLetter)
                prefersLetter =
                    runs[cell] > 1
                    || cell + width + 1 < runs.count && runs[cell + width + 1] > 0
                if isLetter {
                    places.append(column)
                    if row == 0 { break }
                    row -= 1
                }
                guard column > 0 else { break }
                column -= 1
            }
            return places.reversed()
        }
    }
}

extension [UInt8] {
    fileprivate var isASCII: Bool { allSatisfy { $0 < 0x80 } }
}
