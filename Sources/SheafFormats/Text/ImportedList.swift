import FoundationEssentials
import SheafList
import Swidux

/// The list in a file, before an import merges it into an existing list.
package struct ImportedList: Hashable, Sendable {
    /// The tags that the source lists separately, in their order. Items may name others.
    package var tags: [ImportedTag]
    /// The saved views, in their order.
    package var views: [ImportedEntity<SavedView>] = []
    /// The items in list order.
    package var items: [ImportedItem]
    /// The id of a JSON store; imports ignore it.
    package var id: UUID?
    /// The version of a JSON store, or `nil` for any other file.
    package var version: Int?
    /// True if the text is a todo.txt file, in which `@name` may also refer to the tag `name`.
    package var isTodoTxt = false
    /// Members of a JSON store that this version does not know, with their JSON texts. The store
    /// keeps them.
    package var others: [Item.Extra] = []

    package init(tags: [ImportedTag] = [], items: [ImportedItem] = []) {
        self.tags = tags
        self.items = items
    }
}

/// A tag in a file.
package struct ImportedTag: Hashable, Sendable {
    package var id: Tag.ID?
    package var name: String
    package var color: TagColor?
    /// The rank in the list that was exported. Imports use only the order of the lines.
    package var rank: Rank?

    package init(
        id: Tag.ID? = nil, name: String, color: TagColor? = nil, rank: Rank? = nil
    ) {
        self.id = id
        self.name = name
        self.color = color
        self.rank = rank
    }
}

/// A kind of entity, other than tags, that a file lists before the items.
package protocol ImportedKind: SmallEntity {
    static var imported: WritableKeyPath<ImportedList, [ImportedEntity<Self>]> { get }
}

extension SavedView: ImportedKind {
    package static var imported: WritableKeyPath<ImportedList, [ImportedEntity<SavedView>]> {
        \.views
    }
}

extension ImportedList {
    /// The kinds, other than tags, that a file lists before the items.
    package static let kinds: [any ImportedKind.Type] = [SavedView.self]

    /// The entities of one kind.
    package subscript<Entity: ImportedKind>(_ kind: Entity.Type) -> [ImportedEntity<Entity>] {
        get { self[keyPath: Entity.imported] }
        _modify { yield &self[keyPath: Entity.imported] }
    }
}

/// An entity of an ``ImportedKind`` in a file, for example a saved view.
package struct ImportedEntity<Entity: SmallEntity>: Hashable, Sendable {
    package var id: UUID?
    /// The fields. Absent fields have their defaults. The id, tags and rank of the draft are not
    /// used.
    var draft = Entity(id: ImportedItem.noID)
    package var name: String { draft.name }
    /// The names of referenced tags, by the names of the fields that refer to them.
    package var tags: [String: String] = [:]
    /// The rank in the list that was exported. Imports use only the order of the lines.
    package var rank: Rank?
}

/// An item in a file. `nil` means that the file does not have the value: a new item gets the
/// default, and an existing item keeps its own value.
package struct ImportedItem: Hashable, Sendable {
    /// The completion state of an item in a file.
    package enum Done: Hashable, Sendable {
        case no
        /// Done, at a time that may be unknown.
        case yes(at: Timestamp?)
    }

    package var id: Item.ID?
    /// The fields. Absent fields have their defaults. The id and tags of the draft are not used.
    var draft = Item(id: Self.noID)
    /// The fields that the file sets.
    var setFields = FieldSet()
    /// The names of the item's tags.
    package var tags: [String]?
    package var done: Done?

    package init(
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

/// The fields that readers set one by one.
extension ImportedItem {
    package var name: String {
        get { draft.name }
        set { setField("name", \.name, newValue) }
    }
    package var note: String? {
        get { fieldValue("note", \.note) }
        set { setField("note", \.note, newValue) }
    }
    package var createdAt: Timestamp? {
        get { fieldValue("createdAt", \.createdAt) }
        set { setField("createdAt", \.createdAt, newValue) }
    }
    package var updatedAt: Timestamp? {
        get { fieldValue("updatedAt", \.updatedAt) }
        set { setField("updatedAt", \.updatedAt, newValue) }
    }
    package var extras: [Item.Extra]? {
        get { fieldValue("extras", \.extras) }
        set { setField("extras", \.extras, newValue) }
    }
    /// The rank in the list that was exported. Imports use only the order of the lines.
    package var rank: Rank? {
        get { fieldValue("rank", \.rank) }
        set { setField("rank", \.rank, newValue) }
    }

    /// Copies fields of `item`, and marks them as set.
    package mutating func copy(_ fields: [String], from item: Item) {
        for field in Item.fields where fields.contains(field.name) {
            field.copy(from: item, to: &draft)
            setFields.insert(field.name)
        }
    }

    private func fieldValue<Value>(_ name: String, _ property: KeyPath<Item, Value>) -> Value? {
        setFields.contains(name) ? draft[keyPath: property] : nil
    }

    private mutating func setField<Value>(
        _ name: String, _ property: WritableKeyPath<Item, Value>, _ value: Value?
    ) {
        guard let value else { return setFields.remove(name) }
        draft[keyPath: property] = value
        setFields.insert(name)
    }

    /// A set of fields of items, by their names.
    struct FieldSet: Hashable, Sendable {
        private var bits: UInt64 = 0

        func contains(_ name: String) -> Bool { bits & Self.bit(name) != 0 }
        mutating func insert(_ name: String) { bits |= Self.bit(name) }
        mutating func remove(_ name: String) { bits &= ~Self.bit(name) }

        private static func bit(_ name: String) -> UInt64 {
            Item.fields.firstIndex { $0.name == name }.map { 1 << UInt64($0) } ?? 0
        }
    }
}
