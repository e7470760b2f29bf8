import FoundationEssentials
import Swidux

/// One property of an entity, declared once, in `Item.fields`, `Tag.fields` or `SavedView.fields`.
///
/// Statements, JSON members, log records, imports, merging and salvage follow from these lists; a
/// property that is in none of them is found by a test. An entity's id is no field: it never
/// changes.
///
/// A field has one of a few types (``Value``). A new type is a case here, and what it looks like in
/// a column, in JSON and in a merge stands where the others do.
public struct Field<Entity: Sendable>: Sendable {
    /// The key of its JSON member, as the property is called: `doneAt`.
    public let name: String
    /// Its column: the name in snake case, `done_at`.
    public let column: String
    public let value: Value
    public let rule: MergeRule

    /// The type of a field, and the way to it: closures, because key paths cost twice the time
    /// where lists are loaded.
    public enum Value: Sendable {
        /// Text as it was typed, byte for byte.
        case text(Accessor<String>)
        /// A value with one spelling, such as a rank or a colour, or none where the property may be
        /// absent. A text that spells none is refused.
        case word(Spelling)
        case time(Accessor<Timestamp>)
        case optionalTime(Accessor<Timestamp?>)
        /// Yes or no: 1 or 0 in a column.
        case flag(Accessor<Bool>)
        case pairs(Accessor<[Item.Extra]>)
        /// References to tags: rows of their own in a database, names in a file.
        case tags(Accessor<Set<Tag.ID>>)
        /// A reference to a tag, or none: its id in a column, its name in a file.
        case tag(Accessor<Tag.ID?>)
    }

    /// How a property is read and set.
    public struct Accessor<Property: Sendable>: Sendable {
        public let get: @Sendable (Entity) -> Property
        public let set: @Sendable (inout Entity, Property) -> Void
    }

    /// How a property is spelled and set. What is absent is nil, null in JSON, NULL in a column.
    public struct Spelling: Sendable {
        public let get: @Sendable (Entity) -> String?
        /// Sets the property to what a text spells, and says whether it spells anything.
        public let set: @Sendable (inout Entity, String?) -> Bool
        public let unreadable: Unreadable
    }

    /// What becomes of a text that spells no value of a word.
    public enum Unreadable: Sendable {
        /// It is an error: without the value nobody knows the entity.
        case refused
        /// The default is taken, because a later version may know more values.
        case ignored
        /// The field says nothing, and the text is kept elsewhere in the entity.
        case kept(@Sendable (inout Entity, String) -> Void)
    }

    /// What becomes of a field that two processes changed differently. One that only one of them
    /// changed is taken from there, whatever the rule.
    public enum MergeRule: Sendable {
        /// The edit here wins, and the conflict is told.
        case mine
        /// The same, but where there was nothing before, two places are no conflict.
        case minePlace
        /// The edit here wins; the text that yields goes to the note.
        case keepingText
        case least
        case greatest
        /// What one of them added or removed is added or removed.
        case union
    }

    private init(_ name: String, _ value: Value, _ rule: MergeRule) {
        self.name = name
        column = name.reduce(into: "") { column, character in
            column += character.isUppercase ? "_\(character.lowercased())" : String(character)
        }
        self.value = value
        self.rule = rule
    }

    // MARK: Declaring

    static func text(
        _ name: String, _ rule: MergeRule, get: @escaping @Sendable (Entity) -> String,
        set: @escaping @Sendable (inout Entity, String) -> Void
    ) -> Field {
        Field(name, .text(Accessor(get: get, set: set)), rule)
    }

    /// A field of a type with one spelling.
    static func word(
        _ name: String, _ rule: MergeRule, unreadable: Unreadable = .ignored,
        get: @escaping @Sendable (Entity) -> String,
        set: @escaping @Sendable (inout Entity, String) -> Bool
    ) -> Field {
        let spelling = Spelling(
            get: get, set: { entity, text in text.map { set(&entity, $0) } ?? false },
            unreadable: unreadable)
        return Field(name, .word(spelling), rule)
    }

    /// A field of an item that has a type with one spelling, which may be absent. What spells no
    /// value is kept among the extras, under its name: so it stands behind them in the list.
    static func optionalWord<Property: LosslessStringConvertible & SendableMetatype>(
        _ name: String, _ rule: MergeRule, get: @escaping @Sendable (Entity) -> Property?,
        set: @escaping @Sendable (inout Entity, Property?) -> Void
    ) -> Field where Entity == Item {
        let spelling = Spelling(
            get: { get($0)?.description },
            set: { entity, text in
                let property = text.flatMap(Property.init)
                guard property != nil || text == nil else { return false }
                set(&entity, property)
                return true
            },
            unreadable: .kept { item, text in
                item.extras.append(Item.Extra(key: name, value: text))
            })
        return Field(name, .word(spelling), rule)
    }

    static func time(
        _ name: String, _ rule: MergeRule, get: @escaping @Sendable (Entity) -> Timestamp,
        set: @escaping @Sendable (inout Entity, Timestamp) -> Void
    ) -> Field {
        Field(name, .time(Accessor(get: get, set: set)), rule)
    }

    static func optionalTime(
        _ name: String, _ rule: MergeRule, get: @escaping @Sendable (Entity) -> Timestamp?,
        set: @escaping @Sendable (inout Entity, Timestamp?) -> Void
    ) -> Field {
        Field(name, .optionalTime(Accessor(get: get, set: set)), rule)
    }

    static func pairs(
        _ name: String, _ rule: MergeRule, get: @escaping @Sendable (Entity) -> [Item.Extra],
        set: @escaping @Sendable (inout Entity, [Item.Extra]) -> Void
    ) -> Field {
        Field(name, .pairs(Accessor(get: get, set: set)), rule)
    }

    static func tags(
        _ name: String, get: @escaping @Sendable (Entity) -> Set<Tag.ID>,
        set: @escaping @Sendable (inout Entity, Set<Tag.ID>) -> Void
    ) -> Field {
        Field(name, .tags(Accessor(get: get, set: set)), .union)
    }

    static func tag(
        _ name: String, _ rule: MergeRule, get: @escaping @Sendable (Entity) -> Tag.ID?,
        set: @escaping @Sendable (inout Entity, Tag.ID?) -> Void
    ) -> Field {
        Field(name, .tag(Accessor(get: get, set: set)), rule)
    }

    static func flag(
        _ name: String, _ rule: MergeRule, get: @escaping @Sendable (Entity) -> Bool,
        set: @escaping @Sendable (inout Entity, Bool) -> Void
    ) -> Field {
        Field(name, .flag(Accessor(get: get, set: set)), rule)
    }

    // MARK: Using

    /// How its value is spelled, if it is a word.
    public var spelling: Spelling? {
        if case .word(let spelling) = value { spelling } else { nil }
    }

    /// The value as a word of a line of text: a word as it is spelled, and a text unless it is
    /// empty. Nil for other types.
    public var lineSpelling: Spelling? {
        guard case .text(let accessor) = value else { return spelling }
        return Spelling(
            get: { entity in
                let text = accessor.get(entity)
                return text.isEmpty ? nil : text
            },
            set: { entity, text in
                guard text?.isEmpty != true else { return false }
                accessor.set(&entity, text ?? "")
                return true
            },
            unreadable: .ignored)
    }

    /// Whether it is a column of the entity's own row.
    public var isColumn: Bool {
        if case .tags = value { false } else { true }
    }

    /// Whether `entity` and `other` have the same value, of a text every byte, which is more than
    /// Swift's `==`.
    public func isSame(in entity: Entity, as other: Entity) -> Bool {
        switch value {
        case .text(let accessor):
            accessor.get(entity).utf8.elementsEqual(accessor.get(other).utf8)
        case .word(let spelling): spelling.get(entity) == spelling.get(other)
        case .time(let accessor): accessor.get(entity) == accessor.get(other)
        case .optionalTime(let accessor): accessor.get(entity) == accessor.get(other)
        case .pairs(let accessor): accessor.get(entity) == accessor.get(other)
        case .tags(let accessor): accessor.get(entity) == accessor.get(other)
        case .tag(let accessor): accessor.get(entity) == accessor.get(other)
        case .flag(let accessor): accessor.get(entity) == accessor.get(other)
        }
    }

    /// True if it says nothing: an empty text or set, or no value.
    public func isEmpty(in entity: Entity) -> Bool {
        switch value {
        case .text(let accessor): accessor.get(entity).isEmpty
        case .word(let spelling): spelling.get(entity) == nil
        case .optionalTime(let accessor): accessor.get(entity) == nil
        case .pairs(let accessor): accessor.get(entity).isEmpty
        case .tags(let accessor): accessor.get(entity).isEmpty
        case .tag(let accessor): accessor.get(entity) == nil
        case .time, .flag: false
        }
    }

    /// Takes the field over from `other`.
    public func copy(from other: Entity, to entity: inout Entity) {
        switch value {
        case .text(let accessor): accessor.copy(from: other, to: &entity)
        case .word(let spelling): _ = spelling.set(&entity, spelling.get(other))
        case .time(let accessor): accessor.copy(from: other, to: &entity)
        case .optionalTime(let accessor): accessor.copy(from: other, to: &entity)
        case .pairs(let accessor): accessor.copy(from: other, to: &entity)
        case .tags(let accessor): accessor.copy(from: other, to: &entity)
        case .tag(let accessor): accessor.copy(from: other, to: &entity)
        case .flag(let accessor): accessor.copy(from: other, to: &entity)
        }
    }
}

extension Field.Accessor {
    fileprivate func copy(from other: Entity, to entity: inout Entity) {
        set(&entity, get(other))
    }
}

extension Field where Entity: Ranked {
    /// The place in the list.
    static func rank() -> Field {
        .word(
            "rank", .minePlace, unreadable: .refused, get: { $0.rank.text },
            set: { entity, text in
                guard let rank = Rank(text: text) else { return false }
                entity.rank = rank
                return true
            })
    }
}

extension Rank {
    /// The default of a place: that of the first entry of a list.
    package static let middle = Rank.between(nil, nil)
}
