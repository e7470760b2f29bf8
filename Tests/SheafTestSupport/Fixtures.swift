import Foundation
import SheafList

/// The fixed world that tests live in: one clock that stands still, lists by names for the screen,
/// rows by number for storage and formats, and texts that have broken other programs.
package enum Fixtures {
    /// 2023-11-14T22:13:20.123Z.
    package static let now = Timestamp(milliseconds: 1_700_000_000_123)

    // MARK: Lists by names

    /// The id that ends in `number`.
    package static func id(_ number: Int) -> UUID {
        let digits = String(number)
        let tail = String(repeating: "0", count: 12 - digits.count) + digits
        return UUID(uuidString: "00000000-0000-4000-8000-\(tail)") ?? UUID()
    }

    /// Items named as given, in that order, with ids from 1, each a day older than the one before.
    package static func items(_ names: [String]) -> [Item] {
        let ranks = Rank.spread(names.count, between: nil, and: nil)
        return names.enumerated().map { index, name in
            Item(
                id: id(index + 1), name: name, rank: ranks[index],
                createdAt: now.advanced(days: -index))
        }
    }

    /// Tags named as given, in that order, with ids from 101 and the colours in turn.
    package static func tags(_ names: [String]) -> [Tag] {
        let ranks = Rank.spread(names.count, between: nil, and: nil)
        let colors = TagColor.allCases
        return names.enumerated().map { index, name in
            Tag(
                id: id(101 + index), name: name, color: colors[index % colors.count],
                rank: ranks[index])
        }
    }

    /// A short reading list: five items, the tags `book`, `swift` and `classic`.
    package static func readingList() -> (tags: [Tag], items: [Item]) {
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

    // MARK: Rows by number

    /// The nth id of a kind; those of items, tags and views do not meet.
    package static func itemID(_ number: Int) -> UUID { id(0xA0, number) }
    package static func tagID(_ number: Int) -> UUID { id(0xB0, number) }
    package static func viewID(_ number: Int) -> UUID { id(0xC0, number) }

    private static func id(_ kind: UInt8, _ number: Int) -> UUID {
        var bytes = [UInt8](repeating: 0, count: 16)
        bytes[0] = kind
        bytes[6] = 0x40
        bytes[8] = 0x80
        withUnsafeBytes(of: UInt32(number).bigEndian) { bytes.replaceSubrange(12..<16, with: $0) }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// The nth item.
    package static func item(
        _ number: Int, _ name: String? = nil, rank: Rank? = nil, tags: Set<Tag.ID> = []
    ) -> Item {
        Item(
            id: itemID(number), name: name ?? "item \(number)", tags: tags,
            rank: rank ?? Self.rank(number), createdAt: now)
    }

    /// The nth view.
    package static func view(
        _ number: Int, _ name: String? = nil, query: String = "", choice: TagChoice = .all
    ) -> SavedView {
        SavedView(
            id: viewID(number), name: name ?? "view \(number)", query: query, choice: choice,
            rank: rank(number))
    }

    /// The nth tag.
    package static func tag(_ number: Int, _ name: String, color: TagColor = .blue) -> Tag {
        Tag(id: tagID(number), name: name, color: color, rank: rank(number))
    }

    /// Ranks that ascend with their numbers, from 0 to 3843. Later numbers begin again.
    package static func rank(_ number: Int) -> Rank {
        let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        return Rank(text: "b\(digits[number / 62 % 62])\(digits[number % 62])")!
    }

    /// Items 1 to `count`, in order.
    package static func items(_ count: Int) -> [Item] {
        (1...count).map { item($0) }
    }

    /// Texts that have broken other programs.
    package static let nastyTexts = [
        "", " ", "plain", " spaces around ", "tab\there", "two\nlines", "carriage\r\nreturn",
        "nul\0inside\0",
        "\0", "esc \u{1B}[31mred\u{1B}[0m", "del \u{7F} c1 \u{9B}", "quote ' \" ` \\ %s %n ?1",
        "日本語 テキスト",
        "👩‍👩‍👧‍👦 🇨🇭 ❤️", "café", "cafe\u{301}", "\u{202E}rtl override\u{202C}", "שלום مرحبا", "\u{FEFF}bom",
        "a\u{200D}b",
        "\u{10FFFF}\u{E000}", String(repeating: "long ", count: 10_000), "'; DROP TABLE items; --",
    ]
}

/// Entities without a default value in any field, so that code that forgets a field loses a value.
/// A test compares them with the lists of fields by reflection.
extension Fixtures {
    package static let fullTag = Tag(
        id: id(900), name: "full", color: .magenta, rank: Rank.between(Rank.between(nil, nil), nil))

    package static let fullView = SavedView(
        id: id(902), name: "a view", query: "words #full NOT is:done", tag: fullTag.id,
        showsUntagged: true, hidesDone: true, sort: .created, isReversed: true,
        rank: Rank.between(Rank.between(nil, nil), nil))

    package static let fullItem = Item(
        id: id(901), name: "a name", note: "a note\nof two lines", tags: [fullTag.id],
        doneAt: now.advanced(days: -1), due: CalendarDay("2023-11-20"),
        scheduled: CalendarDay("2023-11-17"), repeat: Repeat("+1m"), priority: .b,
        rank: Rank.between(Rank.between(nil, nil), nil), createdAt: now.advanced(days: -3),
        updatedAt: now.advanced(days: -2),
        extras: [Item.Extra(key: "key", value: "value"), Item.Extra(key: "key", value: "2")])
}

extension SavedView {
    /// A view with any value in each field, were it one that no row of the tags pane stands for.
    package init(
        id: UUID, name: String, query: String, tag: Tag.ID?, showsUntagged: Bool, hidesDone: Bool,
        sort: ItemSort, isReversed: Bool, rank: Rank
    ) {
        self.init(
            id: id, name: name, query: query, hidesDone: hidesDone, sort: sort,
            isReversed: isReversed, rank: rank)
        self.tag = tag
        self.showsUntagged = showsUntagged
    }
}

/// Changes put together in one expression.
extension StorageChanges {
    package init(
        tags: [Tag] = [], views: [SavedView] = [], items: [Item] = [],
        deletingItems: [Item.ID] = [], deletingViews: [SavedView.ID] = [],
        deletingTags: [Tag.ID] = []
    ) {
        self.init()
        self.tags.upsert(tags)
        self.tags.delete(deletingTags)
        self.views.upsert(views)
        self.views.delete(deletingViews)
        self.items.upsert(items)
        self.items.delete(deletingItems)
    }
}

extension ListStorage {
    /// All items, page by page.
    package func allItems(pageSize: Int = 1_000) async throws -> [Item] {
        var items: [Item] = []
        try await readPages(of: pageSize) { page in
            items += page
            return true
        }
        return items
    }
}

extension Timestamp {
    package func advanced(days: Int) -> Timestamp {
        Timestamp(milliseconds: milliseconds + Int64(days) * 86_400_000)
    }
}
