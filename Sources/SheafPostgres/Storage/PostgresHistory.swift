import FoundationEssentials
import SheafList
import SheafStorage

/// The last commits that this process has made or seen, to notice a server that has lost some of
/// them, and to send it what they held.
///
/// A standby that lags and is promoted goes on with an older list, under numbers that are given
/// again. Each commit has a random id: where the id of a number is another one, or none, the
/// histories part. Bounded: replication lags by seconds, seldom by minutes.
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
    private static let mostEntries = 2_000
    private static let mostRows = 20_000
    private var rows = 0

    /// What a server has lost.
    struct Lost {
        var changes = StorageChanges()
        /// What is not sent again if somebody has written it since: others' values, which they may
        /// have sent, and gone on from, themselves; and deletions, which any edit beats.
        var yielding: Set<UUID> = []
    }

    /// Adds a commit with what it held.
    mutating func add(
        _ number: Int64, _ id: UUID, _ changes: StorageChanges, isOwn: Bool
    ) {
        entries.append(
            Entry(number: number, id: id, changes: changes, isOwn: isOwn, at: .now))
        rows += changes.count
        // The newest stays whatever its size: its id is known by it.
        while entries.count > 1,
            entries.count > Self.mostEntries || rows > Self.mostRows
                || entries[0].at < .now - Self.longest
        {
            rows -= entries.removeFirst().changes.count
        }
    }

    /// The commits whose ids are known.
    var numbers: [Int64] { entries.map(\.number) }

    /// The last of them that the server has too, where `commits` are its own by number, or nil.
    func lastShared(with commits: [Int64: UUID]) -> Int64? {
        entries.last { commits[$0.number] == $0.id }?.number
    }

    /// Whether the server has all of them.
    func isWhole(in commits: [Int64: UUID]) -> Bool {
        entries.allSatisfy { commits[$0.number] == $0.id }
    }

    /// Takes out what the commits after `number` held: for each entity its last value.
    mutating func takeLost(after number: Int64) -> Lost {
        var lost = Lost()
        for entry in entries where entry.number > number {
            lost.changes.take(entry.changes)
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
