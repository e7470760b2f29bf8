import Foundation
import SheafCore

/// The fixed world that tests live in: one clock that stands still, ids that count.
public enum Fixture {
    /// 2026-01-15T12:00:00Z.
    public static let now = Timestamp(milliseconds: 1_768_478_400_000)

    /// The id that ends in `number`.
    public static func id(_ number: Int) -> UUID {
        let digits = String(number)
        let tail = String(repeating: "0", count: 12 - digits.count) + digits
        return UUID(uuidString: "00000000-0000-4000-8000-\(tail)") ?? UUID()
    }

    /// Items named as given, in that order, with ids from 1, each a day older than the one before.
    public static func items(_ names: [String]) -> [Item] {
        let ranks = Rank.spread(names.count, between: nil, and: nil)
        return names.enumerated().map { index, name in
            Item(
                id: id(index + 1), name: name, rank: ranks[index],
                createdAt: now.advanced(days: -index))
        }
    }

    /// Tags named as given, in that order, with ids from 101 and the colours in turn.
    public static func tags(_ names: [String]) -> [Tag] {
        let ranks = Rank.spread(names.count, between: nil, and: nil)
        let colors = TagColor.allCases
        return names.enumerated().map { index, name in
            Tag(
                id: id(101 + index), name: name, color: colors[index % colors.count],
                rank: ranks[index])
        }
    }

    /// A short reading list: five items, the tags `book`, `swift` and `classic`.
    public static func readingList() -> (tags: [Tag], items: [Item]) {
        let tags = tags(["book", "swift", "classic"])
        var items = items([
            "The Art of Computer Programming, vol. 4B",
            "Swift Concurrency by Example",
            "Structured Programming",
            "日本語の本",
            "Thinking in Systems",
        ])
        items[0].tags = [tags[0].id]
        items[1].tags = [tags[0].id, tags[1].id]
        items[2].tags = [tags[0].id, tags[2].id]
        items[2].doneAt = now
        items[3].note = "Bring it back to the library."
        return (tags, items)
    }
}

/// Entities in which no field has its default: what forgets a field loses something of them. A test
/// compares them with the lists of fields by reflection.
extension Fixture {
    public static let fullTag = Tag(
        id: id(900), name: "full", color: .magenta, rank: Rank.between(Rank.between(nil, nil), nil))

    public static let fullItem = Item(
        id: id(901), name: "a name", note: "a note\nof two lines", tags: [fullTag.id],
        doneAt: now.advanced(days: -1), rank: Rank.between(Rank.between(nil, nil), nil),
        createdAt: now.advanced(days: -3), updatedAt: now.advanced(days: -2),
        extras: [Item.Extra(key: "key", value: "value"), Item.Extra(key: "key", value: "2")])
}

extension Timestamp {
    public func advanced(days: Int) -> Timestamp {
        Timestamp(milliseconds: milliseconds + Int64(days) * 86_400_000)
    }
}
