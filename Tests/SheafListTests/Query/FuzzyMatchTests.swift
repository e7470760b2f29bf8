import SheafTestSupport
import Testing

@testable import SheafList

/// Points and places against the whole matrix of fzf's algorithm, cell by cell.
@Suite struct FuzzyMatchTests {
    @Test("points are those of the whole matrix", arguments: 0..<UInt64(Torture.count(8, of: 20)))
    func equalsMatrix(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var fuzzy = FuzzyMatch()
        for _ in 0..<300 {
            let text = units(0..<[4, 20, 70, 200].randomElement(using: &random)!, &random)
            let word = units(1..<6, &random)
            let expected = Matrix(word, text)
            let (score, places) = text.withUnsafeBufferPointer { text in
                word.withUnsafeBufferPointer { word in
                    (fuzzy.score(of: word, in: text), fuzzy.places(of: word, in: text))
                }
            }
            #expect(score == expected?.score, "\(word) in \(text)")
            #expect(places?.count == expected.map { _ in word.count })
            #expect(places?.last == expected?.end)
            let scalars = (word: word.map(UInt32.init), text: text.map(UInt32.init))
            let scalarScore = scalars.text.withUnsafeBufferPointer { text in
                scalars.word.withUnsafeBufferPointer { fuzzy.score(of: $0, in: text) }
            }
            #expect(scalarScore == score)
        }
    }

    @Test(
        "points are those of the whole matrix at the ends of vectors and blocks",
        arguments: [0, 1, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 127, 128, 129, 215])
    func equalsMatrix(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        var fuzzy = FuzzyMatch()
        for letters in [1, 2, 15, 16, 63, 64, 65, 150, 300] {
            for _ in 0..<20 {
                let text = units(count..<count + 1, &random)
                var word = units(letters..<letters + 1, &random)
                // Most words of many letters are nowhere.
                if letters > 2, letters < count { word = Array(text.suffix(letters)) }
                let expected = Matrix(word, text)
                let (score, places) = text.withUnsafeBufferPointer { text in
                    word.withUnsafeBufferPointer { word in
                        (fuzzy.score(of: word, in: text), fuzzy.places(of: word, in: text))
                    }
                }
                #expect(score == expected?.score, "\(word) in \(text)")
                #expect(places?.last == expected?.end)
                #expect((score ?? 0) <= FuzzyMatch.mostPoints(letters))
            }
        }
    }

    @Test(
        "a word that begins a word is worth most",
        arguments: ["gar", "a gar", "g a r gar", "x gar"])
    func atItsBest(text: String) {
        var fuzzy = FuzzyMatch()
        let score = Array(text.utf8).withUnsafeBufferPointer { text in
            Array("gar".utf8).withUnsafeBufferPointer { fuzzy.score(of: $0, in: text) }
        }
        #expect(score == 36 + 2 * 26)
    }

    private func units(_ counts: Range<Int>, _ random: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: counts, using: &random)).map { _ in
            Array("aab c/1-".utf8).randomElement(using: &random)!
        }
    }
}

/// All cells for a word and a text, as fzf fills them.
private struct Matrix {
    let score: Int
    /// Where the best way ends first.
    let end: Int

    init?(_ word: [UInt8], _ text: [UInt8]) {
        let bonuses = text.indices.map { column in
            LetterKind(text[column])
                .bonus(after: column > 0 ? LetterKind(text[column - 1]) : .space)
        }
        var above = [Int32](repeating: 0, count: text.count)
        var runsAbove = above
        var firstAbove = -1
        for (row, letter) in word.enumerated() {
            var points = [Int32](repeating: 0, count: text.count)
            var runs = points
            var isInGap = false
            var first: Int?
            for column in text.indices {
                let before = column > 0 ? points[column - 1] : 0
                let gap = before + (isInGap ? FuzzyMatch.gapExtension : FuzzyMatch.gapStart)
                var found: Int32 = 0
                if letter == text[column], column > firstAbove {
                    first = first ?? column
                    var bonus = bonuses[column]
                    if row == 0 {
                        runs[column] = 1
                        found = FuzzyMatch.matched + bonus * FuzzyMatch.firstLetterFactor
                    } else {
                        runs[column] = runsAbove[column - 1] + 1
                        if runs[column] > 1 {
                            let start = bonuses[column - Int(runs[column]) + 1]
                            if bonus >= LetterKind.boundary, bonus > start {
                                runs[column] = 1
                            } else {
                                bonus = max(bonus, FuzzyMatch.consecutive, start)
                            }
                        }
                        found = above[column - 1] + FuzzyMatch.matched + bonus
                    }
                    if found < gap { runs[column] = 0 }
                }
                isInGap = found < gap
                points[column] = max(found, gap, 0)
            }
            guard let first else { return nil }
            (above, runsAbove, firstAbove) = (points, runs, first)
        }
        guard let best = above.max(), let end = above.firstIndex(of: best) else { return nil }
        (score, self.end) = (Int(best), end)
    }
}
