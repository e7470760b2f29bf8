import FoundationEssentials
import SheafList
import Swidux

/// What a file says about a list, before it meets the list that it is imported into.
public struct ImportedList: Hashable, Sendable {
    /// The tags that the source lists for themselves, in their order. Items may name others.
    public var tags: [ImportedTag]
    /// The saved views, in their order.
    public var views: [ImportedEntity<SavedView>] = []
    /// The items in list order.
    public var items: [ImportedItem]
    /// The id of a JSON store; imports ignore it.
    public var id: UUID?
    /// The version of a JSON store, or `nil` for any other file.
    package var version: Int?
    /// Members of a JSON store that no version up to this one knows, with their JSON texts: the
    /// store keeps them.
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

/// A kind other than tags whose entities a file lists before the items.
public protocol ImportedKind: SmallEntity {
    static var imported: WritableKeyPath<ImportedList, [ImportedEntity<Self>]> { get }
}

extension SavedView: ImportedKind {
    public static var imported: WritableKeyPath<ImportedList, [ImportedEntity<SavedView>]> {
        \.views
    }
}

extension ImportedList {
    /// The kinds that are listed before the items, beside tags.
    public static let kinds: [any ImportedKind.Type] = [SavedView.self]

    /// The entities of one kind.
    public subscript<Entity: ImportedKind>(_ kind: Entity.Type) -> [ImportedEntity<Entity>] {
        get { self[keyPath: Entity.imported] }
        _modify { yield &self[keyPath: Entity.imported] }
    }
}

/// An entity of such a kind as a file gives it, for example a saved view.
public struct ImportedEntity<Entity: SmallEntity>: Hashable, Sendable {
    public var id: UUID?
    /// The fields, those that were not said with their defaults. Its id, tags and rank mean
    /// nothing.
    var draft = Entity(id: ImportedItem.noID)
    public var name: String { draft.name }
    /// For each field that refers to a tag, and says one, the tag's name.
    public var tags: [String: String] = [:]
    /// The place in the list that it was written from; imports go by the order of the lines alone.
    public var rank: Rank?
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
    /// The fields as far as they were said, the others with their defaults. Its id and tags mean
    /// nothing.
    var draft = Item(id: Self.noID)
    /// Which fields were said.
    var said = Said()
    /// The names of the item's tags.
    public var tags: [String]?
    public var done: Done?

    public init(
        id: Item.ID? = nil, name: String, note: String? = nil, tags: [String]? = nil,
        done: Done? = nil, createdAt: Timestamp? = nil, updatedAt: Timestamp? = nil,
        extras: [Item.Extra]? = nil, rank: Rank? = nil
    ) {
        self.id = id
        self.tags = tags
        self.done = done
        self.name = name
        self.note = note
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.extras = extras
        self.rank = rank
    }

    static let noID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

/// The fields that formats have a word for.
extension ImportedItem {
    public var name: String {
        get { draft.name }
        set { say("name", \.name, newValue) }
    }
    public var note: String? {
        get { said("note", \.note) }
        set { say("note", \.note, newValue) }
    }
    public var createdAt: Timestamp? {
        get { said("createdAt", \.createdAt) }
        set { say("createdAt", \.createdAt, newValue) }
    }
    public var updatedAt: Timestamp? {
        get { said("updatedAt", \.updatedAt) }
        set { say("updatedAt", \.updatedAt, newValue) }
    }
    public var extras: [Item.Extra]? {
        get { said("extras", \.extras) }
        set { say("extras", \.extras, newValue) }
    }
    /// The place in the list that it was written from; imports go by the order of the lines alone.
    public var rank: Rank? {
        get { said("rank", \.rank) }
        set { say("rank", \.rank, newValue) }
    }

    /// Takes over fields of `item`.
    public mutating func take(_ fields: [String], from item: Item) {
        for field in Item.fields where fields.contains(field.name) {
            field.copy(from: item, to: &draft)
            said.insert(field.name)
        }
    }

    private func said<Value>(_ name: String, _ property: KeyPath<Item, Value>) -> Value? {
        said.contains(name) ? draft[keyPath: property] : nil
    }

    private mutating func say<Value>(
        _ name: String, _ property: WritableKeyPath<Item, Value>, _ value: Value?
    ) {
        guard let value else { return said.remove(name) }
        draft[keyPath: property] = value
        said.insert(name)
    }

    /// A set of fields of items, by their names.
    struct Said: Hashable, Sendable {
        private var bits: UInt64 = 0

        func contains(_ name: String) -> Bool { bits & Self.bit(name) != 0 }
        mutating func insert(_ name: String) { bits |= Self.bit(name) }
        mutating func remove(_ name: String) { bits &= ~Self.bit(name) }

        private static func bit(_ name: String) -> UInt64 {
            Item.fields.firstIndex { $0.name == name }.map { 1 << UInt64($0) } ?? 0
        }
    }
}
