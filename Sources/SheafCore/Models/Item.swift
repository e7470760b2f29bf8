import FoundationEssentials
import Swidux

/// One entry of the list.
public struct Item: Identifiable, Hashable, Sendable, Ranked {
    public let id: UUID
    /// The entry's text. Kept byte for byte, control characters included; views sanitize what they draw.
    public var name: String
    /// Free text of any length, or empty.
    public var note: String
    /// The ids of the item's tags. A set: the tags' own order decides how they are shown.
    public var tags: Set<Tag.ID>
    /// When the item was marked done, or nil while it is not.
    public var doneAt: Timestamp?
    public var rank: Rank
    public var createdAt: Timestamp
    public var updatedAt: Timestamp
    /// What an import brought and no field holds; an export gives it back in this order.
    public var extras: [Extra]

    /// One key and value that an import brought. Keys may repeat.
    public struct Extra: Hashable, Sendable {
        public var key: String
        public var value: String

        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    public init(
        id: UUID,
        name: String,
        note: String = "",
        tags: Set<Tag.ID> = [],
        doneAt: Timestamp? = nil,
        rank: Rank,
        createdAt: Timestamp,
        updatedAt: Timestamp? = nil,
        extras: [Extra] = []
    ) {
        self.id = id
        self.name = name
        self.note = note
        self.tags = tags
        self.doneAt = doneAt
        self.rank = rank
        self.createdAt = createdAt
        self.updatedAt = updatedAt ?? createdAt
        self.extras = extras
    }

    public var isDone: Bool { doneAt != nil }
}
