import FoundationEssentials
import Swidux

/// Ranks for entries in the order of their lines.
///
/// A file that the program wrote keeps its ranks. In one that was edited by hand, a moved line has
/// a rank that no longer fits. As few entries as possible get a new one, so that the ranks that
/// other processes know stay valid.
enum FileOrder {
    /// Ascending ranks, as many of the given ones as fit: a longest increasing subsequence of them
    /// is kept. O(n log n).
    static func ranks(_ entries: [(rank: Rank?, id: UUID)]) -> [Rank] {
        let ranked = entries.enumerated().compactMap { index, entry in
            entry.rank.map { (index: index, position: Position(rank: $0, id: entry.id)) }
        }
        var ranks: [Rank] = []
        ranks.reserveCapacity(entries.count)
        for kept in longestAscent(of: ranked, by: { $0.position < $1.position }) {
            let (index, upper) = ranked[kept]
            ranks += Rank.spread(index - ranks.count, between: ranks.last, and: upper.rank)
            ranks.append(upper.rank)
        }
        ranks += Rank.spread(entries.count - ranks.count, between: ranks.last, and: nil)
        // There is no rank between two equal ones, and none that is short enough between some.
        let positions = zip(ranks, entries).map { Position(rank: $0, id: $1.id) }
        let fits =
            zip(positions, positions.dropFirst()).allSatisfy(<)
            && zip(ranks, entries).allSatisfy { !$0.isTooLong || $0 == $1.rank }
        return fits ? ranks : Rank.spread(entries.count, between: nil, and: nil)
    }
}
