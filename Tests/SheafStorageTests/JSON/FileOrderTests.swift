import Foundation
import SheafTestSupport
import Swidux
import Testing

@testable import SheafStorage

@Suite("Order of a file")
struct FileOrderTests {
    private func ranks(_ texts: [String?]) -> [String] {
        let entries = texts.enumerated().map { index, text in
            (rank: text.flatMap(Rank.init(text:)), id: Fixtures.itemID(index))
        }
        return Rank.ascending(entries).map(\.text)
    }

    @Test("ranks that ascend are kept, equal ones of ascending ids too")
    func kept() {
        #expect(ranks(["a0", "a1", "a1", "a5"]) == ["a0", "a1", "a1", "a5"])
        #expect(ranks([]) == [])
    }

    @Test("the fewest entries get a new rank")
    func fewest() {
        let middle = ranks(["a1", "a2", "a0", "a3"])
        #expect([0, 1, 3].map { middle[$0] } == ["a1", "a2", "a3"])
        #expect(ranks(["a5", "a0", "a1", "a2"]).suffix(3) == ["a0", "a1", "a2"])
        let new = ranks(["a0", nil, "a1"])
        #expect([0, 2].map { new[$0] } == ["a0", "a1"])
    }

    @Test("whatever stands in the file, ranks ascend by its order", arguments: 0..<200)
    func ascending(_ seed: Int) {
        var generator = SplitMix64(seed: UInt64(seed))
        let entries = (0..<Int.random(in: 0..<30, using: &generator)).map { _ in
            let rank = Fixtures.rank(.random(in: 0..<20, using: &generator))
            return (
                rank: Int.random(in: 0..<5, using: &generator) == 0 ? nil : rank,
                id: Fixtures.itemID(.random(in: 0..<1_000_000, using: &generator))
            )
        }
        let ranks = Rank.ascending(entries)
        let keys = zip(ranks, entries).map { (rank: $0, id: $1.id) }
        #expect(ranks.count == entries.count)
        #expect(zip(keys, keys.dropFirst()).allSatisfy { ($0.rank, $0.id) < ($1.rank, $1.id) })
    }
}
