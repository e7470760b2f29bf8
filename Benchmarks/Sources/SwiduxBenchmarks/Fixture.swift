import CHeap
import Foundation
import Swidux

/// The entries of one size under both designs, and the values from which operations choose.
@MainActor
final class Fixture {
    let size: Int
    let entries: [Entry]
    let state: ListState
    let textbook: TextbookEntityStore
    /// The heap bytes of the store per entity, without the entity's texts.
    let bytesPerEntity: Double
    /// New entries to insert, which are never in the stores.
    let newcomers: [Entry]

    private let picks: [UUID]
    private let names: [String]

    init(size: Int) {
        self.size = size
        var generator = EntryGenerator()
        let ranks = Rank.spread(size, between: nil, and: nil)
        entries = ranks.enumerated().map { number, rank in
            let (id, content) = generator.next(number)
            return Entry(id: id, rank: rank, content: content)
        }
        newcomers = (0..<1000).map { number in
            let (id, content) = generator.next(size + number)
            return Entry(id: id, rank: ranks[0], content: content)
        }
        let before = cheap_allocated()
        var state = ListState(entries: EntityStore(entries))
        bytesPerEntity = Double(cheap_allocated() - before) / Double(size)
        state.open.update(from: state.entries)
        self.state = state
        textbook = TextbookEntityStore(
            entries.enumerated().map {
                TextbookEntry(id: $1.id, sortIndex: $0, content: $1.content)
            })
        var random = SeededGenerator(seed: 99)
        let entries = entries
        picks = (0..<65536).map { _ in entries[Int.random(in: 0..<size, using: &random)].id }
        names = (0..<1021).map { "Renamed, and long enough: \($0)" }
    }

    /// Returns the id of a random entry. Consecutive numbers result in unrelated ids.
    func id(_ number: Int) -> UUID { picks[number & 0xFFFF] }

    func name(_ number: Int) -> String { names[number % names.count] }

    func newcomer(_ number: Int) -> Entry { newcomers[number % newcomers.count] }
}
