import SheafTestSupport
import Testing

@testable import SheafList

/// Points and places against the whole matrix of fzf's algorithm, cell by cell.
@Suite struct FuzzyMatchTests {
    @Test("points are those of the whole matrix", arguments: 0..<UInt64(Torture.count(8, of: 20)))
    func equalsMatrix(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let text = units(0..<[4, 20, 70, 200].randomElement(using: &random)!, &random)
            let word = units(1..<6, &random)
            let expected = Matrix(word, text)
            let score = FuzzyMatch.score(of: word, in: text)
            let places = FuzzyMatch.places(of: word, in: text)
            #expect(score == expected?.score, "\(word) in \(text)")
            #expect(places?.count == expected.map { _ in word.count })
            #expect(places?.last == expected?.end)
        }
    }

    @Test(
        "a word that begins a word is worth most",
        arguments: ["gar", "a gar", "g a r gar", "x gar"])
    func atItsBest(text: String) {
        #expect(FuzzyMatch.score(of: Array("gar".utf8), in: Array(text.utf8)) == 36 + 2 * 26)
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
                let gap = before + (isInGap ? -1 : -3)
                var found: Int32 = 0
                if letter == text[column], column > firstAbove {
                    first = first ?? column
                    var bonus = bonuses[column]
                    if row == 0 {
                        runs[column] = 1
                        found = 16 + bonus * 2
                    } else {
                        runs[column] = runsAbove[column - 1] + 1
                        if runs[column] > 1 {
                            let start = bonuses[column - Int(runs[column]) + 1]
                            if bonus >= LetterKind.boundary, bonus > start {
                                runs[column] = 1
                            } else {
                                bonus = max(bonus, 4, start)
                            }
                        }
                        found = above[column - 1] + 16 + bonus
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
