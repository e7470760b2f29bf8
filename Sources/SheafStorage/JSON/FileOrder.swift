import FoundationEssentials
import Swidux

/// Ranks for entries whose order is that of the lines they stand on.
///
/// A file that the program wrote keeps its ranks. In one that somebody edited, a line that was moved
/// has a rank that no longer fits: the fewest entries get a new one, so that what the others are
/// called by another process stays true.
enum FileOrder {
    /// Ascending ranks, as many of the given ones as fit: a longest increasing subsequence of them
    /// is kept. O(n log n).
    ///
    /// Source: C. Schensted, "Longest increasing and decreasing subsequences" (1961).
    static func ranks(_ entries: [(rank: Rank?, id: UUID)]) -> [Rank] {
        let kept = longestIncreasing(entries)
        var ranks: [Rank] = []
        ranks.reserveCapacity(entries.count)
        for index in kept {
            let upper = entries[index].rank
            ranks += Rank.spread(index - ranks.count, between: ranks.last, and: upper)
            if let upper { ranks.append(upper) }
        }
        ranks += Rank.spread(entries.count - ranks.count, between: ranks.last, and: nil)
        // Between two equal ranks nothing fits.
        let ascends = zip(zip(ranks, entries), zip(ranks, entries).dropFirst()).allSatisfy {
            ($0.0, $0.1.id) < ($1.0, $1.1.id)
        }
        return ascends ? ranks : Rank.spread(entries.count, between: nil, and: nil)
    }

    /// The indexes of entries that ascend by (rank, id), as many as there can be.
    private static func longestIncreasing(_ entries: [(rank: Rank?, id: UUID)]) -> [Int] {
        /// For each length, the entry with the least key that ends a subsequence of it.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: entries.count)
        for (index, entry) in entries.enumerated() {
            guard let rank = entry.rank else { continue }
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                let other = entries[ends[middle]]
                if let otherRank = other.rank, (otherRank, other.id) < (rank, entry.id) {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            previous[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var indexes: [Int] = []
        var last = ends.last
        while let index = last {
            indexes.append(index)
            last = previous[index]
        }
        return indexes.reversed()
    }
}
