import FoundationEssentials
@_exported import Swidux

/// A kind of entity in a list: tags, saved views, items.
///
/// An entity that is created from an id has the default value of every field, and its fields hold
/// all of its data. Code that is the same for every kind is generic, and visits the kinds in turn:
///
/// ```swift
/// func add<Entity: ListEntity>(_ kind: Entity.Type) { changes[kind].add(later[kind]) }
/// for kind in Kinds.all { add(kind) }
/// ```
package protocol ListEntity: Ranked, Hashable, Sendable where ID == UUID {
    init(id: UUID)

    /// All properties except the id, each once.
    static var fields: [Field<Self>] { get }
    /// The word for one entity, such as `tag`. Tables, JSON members and log records are named after
    /// it.
    static var noun: String { get }
    /// The number of the kind in stored deletions. It never changes; 3 and 4 are taken.
    static var number: Int64 { get }
    /// The merge of two edits of one entity.
    static var merge: StorageMerge<Self> { get }
    /// The property that holds the changes of the kind.
    static var changes: WritableKeyPath<StorageChanges, EntityChanges<Self>> { get }
    /// The property that holds the rows of the kind in a list in memory.
    static var store: WritableKeyPath<WholeList, EntityStore<Self>> { get }

    /// The name that the user gave the entity.
    var name: String { get }
}

extension ListEntity {
    /// The word for several entities, such as `tags`.
    package static var plural: String { "\(noun)s" }

    /// A merge of two edits, field by field. If both changed one field differently, the edit by
    /// this process wins.
    package static var merge: StorageMerge<Self> {
        StorageMerge { base, mine, theirs in
            if mine == theirs { return (mine, false) }
            var entity = mine
            let conflicts = fields.count {
                $0.merge(&entity, base: base, theirs: theirs) != nil
            }
            return (entity, conflicts > 0)
        }
    }
}

/// A kind with few entities per list, which storage reads all at once.
package protocol SmallEntity: ListEntity {
    /// True if no two entities may have the same name (``Tag/fold(_:)``). The tables of such kinds
    /// have a column `folded_name`.
    static var hasUniqueNames: Bool { get }
}

extension SmallEntity {
    package static var hasUniqueNames: Bool { false }

    /// The name in the form in which names are compared: after NFC and case folding.
    package var foldedName: String { Tag.fold(name) }

    /// The fields that refer to a tag.
    private static var references: [Field<Self>.Accessor<Tag.ID?>] {
        fields.compactMap { if case .tag(let accessor) = $0.value { accessor } else { nil } }
    }

    /// The tags to which the entity refers.
    package var referencedTags: Set<Tag.ID> { Set(Self.references.compactMap { $0.get(self) }) }

    /// Returns the entity with its tag replaced by the substitute, if there is one for it.
    package func replacingTag(_ substitutes: [Tag.ID: Tag.ID]) -> Self {
        changingTag { substitutes[$0] ?? $0 }
    }

    /// Returns the entity without its tag, if `isGone` returns true for it.
    package func withoutTag(where isGone: (Tag.ID) -> Bool) -> Self {
        changingTag { isGone($0) ? nil : $0 }
    }

    private func changingTag(_ change: (Tag.ID) -> Tag.ID?) -> Self {
        var entity = self
        for reference in Self.references {
            if let tag = reference.get(self) { reference.set(&entity, change(tag)) }
        }
        return entity
    }

    /// Returns the entity with its lost tag restored from `former`, if `kept` contains that tag.
    func restoringTag(of former: Self, among kept: Set<Tag.ID>) -> Self {
        var entity = self
        for reference in Self.references where reference.get(self) == nil {
            if let tag = reference.get(former), kept.contains(tag) { reference.set(&entity, tag) }
        }
        return entity
    }
}

extension Sequence where Element: SmallEntity {
    /// Returns the first entity with that name after NFC and case folding, except `id`. O(n).
    package func first(named name: String, except id: Element.ID? = nil) -> Element? {
        let folded = Tag.fold(name)
        return first { $0.foldedName == folded && $0.id != id }
    }
}

/// The kinds of entities, in the order in which they are written. They are deleted in the reverse
/// order, so that no row ever refers to a missing row.
package enum Kinds {
    /// The kinds that are read as a whole.
    package static let small: [any SmallEntity.Type] = [Tag.self, SavedView.self]

    package static let all: [any ListEntity.Type] = small + [Item.self]
}

extension Tag: SmallEntity {
    package static var hasUniqueNames: Bool { true }
    package static var noun: String { "tag" }
    package static var number: Int64 { 1 }
    package static var changes: WritableKeyPath<StorageChanges, EntityChanges<Tag>> { \.tags }
    package static var store: WritableKeyPath<WholeList, EntityStore<Tag>> { \.tags }
}

extension SavedView: SmallEntity {
    package static var noun: String { "view" }
    package static var number: Int64 { 2 }
    package static var changes: WritableKeyPath<StorageChanges, EntityChanges<SavedView>> {
        \.views
    }
    package static var store: WritableKeyPath<WholeList, EntityStore<SavedView>> { \.views }
}

extension Item: ListEntity {
    package static var noun: String { "item" }
    package static var number: Int64 { 0 }
    package static var merge: StorageMerge<Item> { .items }
    package static var changes: WritableKeyPath<StorageChanges, EntityChanges<Item>> { \.items }
    package static var store: WritableKeyPath<WholeList, EntityStore<Item>> { \.items }
}
