import SheafTestSupport
import Testing

@testable import SheafList

/// Many texts at once have the points that each has alone.
@Suite struct FuzzyLanesTests {
    private static let letters = Array("aaabbc".utf8)
    /// Letters, what stands between them, and everything that a byte can be.
    private static let bytes = [letters, Array("abcabc /,-19A\t".utf8), Array(0...255)]

    @Test(
        "points are those of one text after the other", .enabled(if: FuzzyLanes.isSupported),
        arguments: 0..<UInt64(Torture.count(10, of: 40)))
    func equalsOneByOne(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let longest = [0, 1, 15, 16, 17, 40, 254, 255].randomElement(using: &random)!
        let texts = (0..<Int.random(in: 1...256, using: &random)).map { _ in
            bytes(Int.random(in: 0...longest, using: &random), &random)
        }
        for letters in 2...9 {
            let word = (0..<letters).map { _ in Self.letters.randomElement(using: &random)! }
            let rows = texts.indices.filter { _ in Int.random(in: 0..<9, using: &random) > 0 }
            check(word, rows, texts)
        }
    }

    @Test(
        "any number of texts is looked through", .enabled(if: FuzzyLanes.isSupported),
        arguments: [0, 1, 31, 32, 33, 64, 255, 256])
    func counts(count: Int) {
        let texts = (0..<256).map { Array("g \($0) gar".utf8) }
        check(Array("gar".utf8), Array(0..<count), texts)
        check(Array("gar".utf8), Array(256 - count..<256), texts)
    }

    @Test("the most points fit into a byte")
    func most() {
        let word = Array("abcdefghi".utf8)
        #expect(FuzzyMatch.mostPoints(word.count) <= UInt8.max)
        if FuzzyLanes.isSupported {
            #expect(points(for: word, [0], [word]) == [FuzzyMatch.mostPoints(word.count)])
        }
        #expect(FuzzyLanes.takes(word))
        #expect(!FuzzyLanes.takes(word + word.prefix(1)))
    }

    @Test("other words are left to others", arguments: ["", "a", "a-b", "a1", "Ab", "ä"])
    func others(word: String) {
        #expect(!FuzzyLanes.takes(Array(word.utf8)))
    }

    private func bytes(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        let bytes = Self.bytes.randomElement(using: &random)!
        return (0..<count).map { _ in bytes.randomElement(using: &random)! }
    }

    private func check(_ word: [UInt8], _ rows: [Int], _ texts: [[UInt8]]) {
        var fuzzy = FuzzyMatch()
        let expected = rows.map { row in
            word.withUnsafeBufferPointer { word in
                texts[row].withUnsafeBufferPointer { fuzzy.score(of: word, in: $0) } ?? 0
            }
        }
        #expect(points(for: word, rows, texts) == expected)
    }

    private func points(for word: [UInt8], _ rows: [Int], _ texts: [[UInt8]]) -> [Int] {
        var ends: [UInt32] = []
        for text in texts { ends.append((ends.last ?? 0) + UInt32(text.count)) }
        var bits = ChunkBits()
        for row in rows { bits[row] = true }
        var lanes = FuzzyLanes()
        // Room of its own, so that a sanitizer sees what is read beyond it.
        return Array(texts.joined()).withUnsafeBufferPointer { bytes in
            ends.withUnsafeBufferPointer { ends in
                word.withUnsafeBufferPointer { word in
                    let names = ChunkNames(bytes: bytes, ends: ends)
                    return lanes.withPoints(for: word, in: bits, of: names) { points in
                        rows.map { Int(points[$0]) }
                    }
                }
            }
        }
    }
}
