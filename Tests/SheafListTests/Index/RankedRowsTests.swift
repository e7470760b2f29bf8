import SheafTestSupport
import Testing

@testable import SheafList

@Suite struct RankedRowsTests {
    /// What parts have found, as a search adds it, and the points of each row by its place.
    private func parts(
        _ count: Int, points: ClosedRange<Int32>, _ generator: inout SeededGenerator
    ) -> (parts: [RankedRows], found: [(place: RowPlace, points: Int32)]) {
        var parts: [RankedRows] = []
        var found: [(place: RowPlace, points: Int32)] = []
        for part in 0..<count {
            var ranked = RankedRows()
            for chunk in 0..<Int.random(in: 0...3, using: &generator) {
                var rows = ChunkBits()
                var values = Array(repeating: Int32(0), count: ChunkBits.capacity)
                for row in 0..<ChunkBits.capacity where Bool.random(using: &generator) {
                    rows[row] = true
                    values[row] = .random(in: points, using: &generator)
                    let place = RowPlace(chunk: part * 3 + chunk, row: row)
                    found.append((place, values[row]))
                }
                values.withUnsafeBufferPointer {
                    ranked.append(rows, ofChunk: part * 3 + chunk, $0)
                }
            }
            parts.append(ranked)
        }
        return (parts, found)
    }

    @Test(
        "shares are about as long, and are together what a stable sort by points makes",
        arguments: [0...0, 0...1, 7...7, 0...300, 0...70_000] as [ClosedRange<Int32>])
    func shares(points: ClosedRange<Int32>) {
        var generator = SeededGenerator(seed: UInt64(points.upperBound) + 1)
        for count in 0...9 {
            let (parts, found) = parts(count, points: points, &generator)
            let expected = found.enumerated().sorted {
                ($1.element.points, $0.offset) < ($0.element.points, $1.offset)
            }.map(\.element.place.number)
            #expect(RankedRows.bestFirst(parts).map(\.place.number) == expected)
            for width in 1...5 {
                let shares = RankedRows.divide(parts, between: width)
                    .map { RankedRows.bestFirst(parts, $0) }
                #expect(shares.flatMap { $0 }.map(\.place.number) == expected)
                guard shares.count == width else { continue }
                // A share ends with what one part has found with so many points.
                let most = expected.count / width + 3 * ChunkBits.capacity
                #expect(shares.allSatisfy { $0.count <= most })
            }
        }
    }
}
