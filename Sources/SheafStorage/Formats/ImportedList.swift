import SheafCore
import Swidux

/// What a file says about a list, before it meets the list that it is imported into.
public struct ImportedList: Hashable, Sendable {
    /// The tags that the source lists for themselves, in their order. Items may name others.
    public var tags: [ImportedTag]
    /// The items in list order.
    public var items: [ImportedItem]
    /// Members of a JSON store that no version up to this one knows, with their JSON texts: the store keeps them.
    public var others: [Item.Extra] = []

    public init(tags: [ImportedTag] = [], items: [ImportedItem] = []) {
        self.tags = tags
        self.items = items
    }
}

/// A tag as a file gives it.
public struct ImportedTag: Hashable, Sendable {
    public var id: Tag.ID?
    public var name: String
    public var color: TagColor?
    /// The place in the list that it was written from; imports go by the order of the lines alone.
    public var rank: Rank?

    public init(
        id: Tag.ID? = nil, name: String, color: TagColor? = nil, rank: Rank? = nil
    ) {
        self.id = id
        self.name = name
        self.color = color
        self.rank = rank
    }
}

/// An item as a file gives it. What is nil was not said: a new item gets the usual, one that exists
/// keeps its own.
public struct ImportedItem: Hashable, Sendable {
    /// Whether an item is done, as far as a file tells.
    public enum Done: Hashable, Sendable {
        case no
        /// Done, at a time that may not be known.
        case yes(at: Timestamp?)
    }

    public var id: Item.ID?
    public var name: String
    public var note: String?
    /// The names of the item's tags.
    public var tags: [String]?
    public var done: Done?
    public var createdAt: Timestamp?
    public var updatedAt: Timestamp?
    public var extras: [Item.Extra]?
    /// The place in the list that it was written from; imports go by the order of the lines alone.
    public var rank: Rank?

    public init(
        id: Item.ID? = nil, name: String, note: String? = nil, tags: [String]? = nil,
        done: Done? = nil, createdAt: Timestamp? = nil, updatedAt: Timestamp? = nil,
        extras: [Item.Extra]? = nil, rank: Rank? = nil
    ) {
        self.id = id
        self.name = name
        self.note = note
        self.tags = tags
        self.done = done
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.extras = extras
        self.rank = rank
    }
}
