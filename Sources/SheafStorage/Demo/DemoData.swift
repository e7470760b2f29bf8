import FoundationEssentials
import Glibc
import SheafList
import Swidux

/// Plausible sample items: things to read, watch, cook, fix and buy, with tags, notes, ages and a
/// few names that are hard to draw. A third of them have a due day.
///
/// A sequence of changes, one element per commit, so that a million items are never in memory at
/// once. Equal seeds and times give equal data.
///
///     for changes in DemoData(count: 1_000_000, now: now) {
///         _ = try await storage.commit(changes)
///     }
package struct DemoData: Sequence, Sendable {
    /// The maximum number of items in one commit.
    package static let chunkSize = 10_000

    private let count: Int
    private let now: Timestamp
    private let today: CalendarDay
    private let existingTags: [Tag]
    private let lastRank: Rank?
    private let seed: UInt64

    /// Creates a sequence of items.
    ///
    /// - Parameters:
    ///   - count: the number of items.
    ///   - now: the current time. Items were created and updated before it.
    ///   - today: the day to which due and scheduled days are relative, or nil for the local day of
    ///     `now`.
    ///   - tags: the tags of the store. Tags with matching names are reused.
    ///   - lastRank: the rank of the store's last item. The new items follow it.
    ///   - seed: the seed of the random numbers.
    package init(
        count: Int, now: Timestamp, today: CalendarDay? = nil, tags: [Tag] = [],
        lastRank: Rank? = nil, seed: UInt64 = 1
    ) {
        self.count = count
        self.now = now
        self.today = today ?? LocalCalendar.system.day(now)
        self.existingTags = tags
        self.lastRank = lastRank
        self.seed = seed
    }

    package func makeIterator() -> Iterator {
        Iterator(
            count: count, now: now, today: today, tags: existingTags, lastRank: lastRank,
            seed: seed)
    }

    /// The iterator, which makes the changes of one commit at a time.
    package struct Iterator: IteratorProtocol {
        private let count: Int
        private var left: Int
        private let now: Timestamp
        private var lastRank: Rank?
        private var generator: SplitMix64
        private var days: DemoDays
        private var newTags = EntityChanges<Tag>()
        private var tagIDs: [String: Tag.ID] = [:]

        fileprivate init(
            count: Int, now: Timestamp, today: CalendarDay, tags: [Tag], lastRank: Rank?,
            seed: UInt64
        ) {
            self.count = count
            left = count
            self.now = now
            self.lastRank = lastRank
            generator = SplitMix64(seed: seed)
            days = DemoDays(today: today, seed: seed)
            for tag in tags { tagIDs[tag.foldedName] = tag.id }
            let missing = DemoVocabulary.tags.filter { tagIDs[Tag.fold($0.name)] == nil }
            let new = missing.map { tag in
                Tag(id: makeID(0, of: 1), name: tag.name, color: tag.color, rank: .middle)
            }
            for tag in new { tagIDs[tag.foldedName] = tag.id }
            newTags.append(new, after: tags)
        }

        /// Returns the changes of the next commit, or nil after the last item. The first changes
        /// include the tags.
        package mutating func next() -> StorageChanges? {
            guard left > 0 else { return nil }
            var changes = StorageChanges()
            changes.tags = newTags
            newTags = EntityChanges()
            let size = Swift.min(left, DemoData.chunkSize)
            left -= size
            let first = count - left - size
            let ranks = Rank.spread(size, between: lastRank, and: nil)
            let items = ranks.enumerated().map { item(first + $0, rank: $1) }
            changes.items.upsert(items)
            lastRank = items.last?.rank
            return changes
        }

        private mutating func item(_ number: Int, rank: Rank) -> Item {
            let text = DemoVocabulary.entry(using: &generator)
            let day = 86_400_000.0
            // Squared, so that most items are young and some are old, as in a list in use.
            let age = pow(Double.random(in: 0..<1, using: &generator), 2) * 300 * day
            let createdAt = now.milliseconds - Int64(age)
            let isDone = Int.random(in: 0..<10, using: &generator) < 3
            let updatedAt = Int64.random(in: createdAt...now.milliseconds, using: &generator)
            var item = Item(
                id: makeID(number, of: count), name: text.name, note: text.note,
                tags: Set(text.tags.compactMap { tagIDs[$0] }),
                doneAt: isDone ? Timestamp(milliseconds: updatedAt) : nil, rank: rank,
                createdAt: Timestamp(milliseconds: createdAt),
                updatedAt: Timestamp(milliseconds: updatedAt))
            days.set(on: &item)
            return item
        }

        /// Returns a random UUID of version 4. Ascending numbers give ascending UUIDs, so that
        /// their rows are appended to the indexes.
        private mutating func makeID(_ number: Int, of count: Int) -> UUID {
            var bytes: [UInt8] = []
            let range = UInt64.max / UInt64(count)
            let first = range * UInt64(number) + generator.next() % range
            for word in [first, generator.next()] {
                withUnsafeBytes(of: word.bigEndian) { bytes += $0 }
            }
            bytes[6] = bytes[6] & 0x0F | 0x40
            bytes[8] = bytes[8] & 0x3F | 0x80
            return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        }
    }
}
