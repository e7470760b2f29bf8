import Foundation
import SheafCore

/// Rows by number, for tests of storage and formats, and texts that have broken other programs. The
/// screen's tests have the list of ``Fixture``.
public enum Fixtures {
    /// 2023-11-14T22:13:20.123Z.
    public static let now = Timestamp(milliseconds: 1_700_000_000_123)

    /// The nth id of a kind; `items` and `tags` do not meet.
    public static func itemID(_ number: Int) -> UUID { id(0xA0, number) }
    public static func tagID(_ number: Int) -> UUID { id(0xB0, number) }

    private static func id(_ kind: UInt8, _ number: Int) -> UUID {
        var bytes = [UInt8](repeating: 0, count: 16)
        bytes[0] = kind
        bytes[6] = 0x40
        bytes[8] = 0x80
        withUnsafeBytes(of: UInt32(number).bigEndian) { bytes.replaceSubrange(12..<16, with: $0) }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// The nth item.
    public static func item(
        _ number: Int, _ name: String? = nil, rank: Rank? = nil, tags: Set<Tag.ID> = []
    ) -> Item {
        Item(
            id: itemID(number), name: name ?? "item \(number)", tags: tags,
            rank: rank ?? Self.rank(number), createdAt: now)
    }

    /// The nth tag.
    public static func tag(_ number: Int, _ name: String, color: TagColor = .blue) -> Tag {
        Tag(id: tagID(number), name: name, color: color, rank: rank(number))
    }

    /// Ranks that ascend with their numbers, from 0 to 3843.
    public static func rank(_ number: Int) -> Rank {
        let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        return Rank(text: "b\(digits[number / 62])\(digits[number % 62])")!
    }

    /// Items 1 to `count`, in order.
    public static func items(_ count: Int) -> [Item] {
        (1...count).map { item($0) }
    }

    /// Texts that have broken other programs.
    public static let nastyTexts = [
        "", " ", "plain", " spaces around ", "tab\there", "two\nlines", "carriage\r\nreturn",
        "nul\0inside\0",
        "\0", "esc \u{1B}[31mred\u{1B}[0m", "del \u{7F} c1 \u{9B}", "quote ' \" ` \\ %s %n ?1",
        "日本語 テキスト",
        "👩‍👩‍👧‍👦 🇨🇭 ❤️", "café", "cafe\u{301}", "\u{202E}rtl override\u{202C}", "שלום مرحبا", "\u{FEFF}bom",
        "a\u{200D}b",
        "\u{10FFFF}\u{E000}", String(repeating: "long ", count: 10_000), "'; DROP TABLE items; --",
    ]
}

/// Changes put together in one expression.
extension StorageChanges {
    public init(
        tags: [Tag] = [], items: [Item] = [], deletingItems: [Item.ID] = [],
        deletingTags: [Tag.ID] = []
    ) {
        self.init()
        self.tags.upserts = tags
        self.tags.deletions = deletingTags
        self.items.upserts = items
        self.items.deletions = deletingItems
    }
}

extension ListStorage {
    /// All items, page by page.
    public func allItems(pageSize: Int = 1_000) async throws -> [Item] {
        var items: [Item] = []
        try await readPages(of: pageSize) { page in
            items += page
            return true
        }
        return items
    }
}
