import FoundationEssentials
import SheafList
import SheafStorage

/// The latest commits that this process has made or seen, to detect a server that has lost some of
/// them and to restore their contents.
///
/// A promoted standby that lagged continues from an older state of the list, and assigns the same
/// commit numbers again. But each commit also has a random id. If a number has another id on the
/// server, or none, the server's history differs from there on. A bounded history is enough,
/// because replication lags by seconds, rarely by minutes.
struct PostgresHistory {
    private struct Entry {
        var number: Int64
        var id: UUID
        var changes: StorageChanges
        var isOwn: Bool
        var at: ContinuousClock.Instant
    }

    private var entries: [Entry] = []
    private static let longest = Duration.seconds(600)
    private static let maxEntries = 2_000
    private static let maxRows = 20_000
    private var rows = 0

    /// The changes that a server has lost.
    struct Lost {
        var changes = StorageChanges()
        /// The entities that are not sent again if another client has written them since. They are
        /// values of other clients, which those clients may have restored and edited themselves,
        /// and deletions, which any edit overrides.
        var yielding: Set<UUID> = []
    }

    /// Adds a commit with its changes. Drops the oldest commits beyond the limits.
    mutating func add(
        _ number: Int64, _ id: UUID, _ changes: StorageChanges, isOwn: Bool
    ) {
        entries.append(
            Entry(number: number, id: id, changes: changes, isOwn: isOwn, at: .now))
        rows += changes.count
        // The newest commit is kept regardless of its size, because its id is needed.
        while entries.count > 1,
            entries.count > Self.maxEntries || rows > Self.maxRows
                || entries[0].at < .now - Self.longest
        {
            rows -= entries.removeFirst().changes.count
        }
    }

    /// The numbers of the commits whose ids are known.
    var numbers: [Int64] { entries.map(\.number) }

    /// Returns the number of the last commit that the server also has, or `nil`. `commits` contains
    /// the server's ids by number.
    func lastShared(with commits: [Int64: UUID]) -> Int64? {
        entries.last { commits[$0.number] == $0.id }?.number
    }

    /// Returns true if the server has all of these commits.
    func isWhole(in commits: [Int64: UUID]) -> Bool {
        entries.allSatisfy { commits[$0.number] == $0.id }
    }

    /// Removes the commits after `number`, and returns the last value of each of their entities.
    mutating func removeLost(after number: Int64) -> Lost {
        var lost = Lost()
        for entry in entries where entry.number > number {
            lost.changes.appendCommitted(entry.changes)
            if entry.isOwn {
                lost.yielding.subtract(entry.changes.ids)
                lost.yielding.formUnion(entry.changes.items.deletions)
            } else {
                lost.yielding.formUnion(entry.changes.ids)
            }
        }
        entries.removeAll { $0.number > number }
        rows = entries.reduce(0) { $0 + $1.changes.count }
        return lost
    }
}
