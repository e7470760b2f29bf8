import FoundationEssentials
import Swidux

/// Ranks for entries in the order of their lines.
///
/// Entries in a file that the program wrote keep their ranks. In a file that was edited by hand, a
/// moved line has a rank that no longer fits. As few entries as possible get a new rank, so that
/// the ranks known to other processes stay valid.
extension Rank {
    /// Returns ascending ranks that keep a longest increasing subsequence of the given ones. O(n
    /// log n).
    static func ascending(_ entries: [(rank: Rank?, id: UUID)]) -> [Rank] {
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
        // The ranks may not fit: no rank lies between two equal ranks, and all ranks between some
        // others are too long.
        let positions = zip(ranks, entries).map { Position(rank: $0, id: $1.id) }
        let fits =
            zip(positions, positions.dropFirst()).allSatisfy(<)
            && zip(ranks, entries).allSatisfy { !$0.isTooLong || $0 == $1.rank }
        return fits ? ranks : Rank.spread(entries.count, between: nil, and: nil)
    }
}
