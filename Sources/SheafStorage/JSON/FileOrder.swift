import FoundationEssentials
import Swidux

/// Ranks for entries whose order is that of the lines they stand on.
///
/// A file that the program wrote keeps its ranks. In one that was edited by hand, a line that was
/// moved has a rank that no longer fits: the fewest entries get a new one, so that what the others
/// are called by another process stays true.
enum FileOrder {
    /// Ascending ranks, as many of the given ones as fit: a longest increasing subsequence of them
    /// is kept. O(n log n).
    static func ranks(_ entries: [(rank: Rank?, id: UUID)]) -> [Rank] {
        let ranked = entries.enumerated().compactMap { index, entry in
            entry.rank.map { (index: index, rank: $0, id: entry.id) }
        }
        var ranks: [Rank] = []
        ranks.reserveCapacity(entries.count)
        for kept in longestAscent(of: ranked, by: { ($0.rank, $0.id) < ($1.rank, $1.id) }) {
            let (index, upper, _) = ranked[kept]
            ranks += Rank.spread(index - ranks.count, between: ranks.last, and: upper)
            ranks.append(upper)
        }
        ranks += Rank.spread(entries.count - ranks.count, between: ranks.last, and: nil)
        // Between two equal ranks nothing fits.
        let ascends = zip(zip(ranks, entries), zip(ranks, entries).dropFirst()).allSatisfy {
            ($0.0, $0.1.id) < ($1.0, $1.1.id)
        }
        return ascends ? ranks : Rank.spread(entries.count, between: nil, and: nil)
    }
}
