import FoundationEssentials
import Swidux

/// A property of an entity, declared once, in `Item.fields`, `Tag.fields` or `SavedView.fields`.
///
/// SQL statements, JSON members, log records, imports, merging and salvage are derived from these
/// lists. A test finds properties that are in none of them. The id of an entity is not a field,
/// because it never changes.
///
/// A field has one of a few types (``Value``). A new type is a new case of ``Value``. Its forms in
/// columns, JSON and merges belong next to those of the other cases.
package struct Field<Entity: Sendable>: Sendable {
    /// The key of the JSON member, which is the property's name: `doneAt`.
    package let name: String
    /// The column, which is the name in snake case: `done_at`.
    package let column: String
    package let value: Value
    package let rule: MergeRule

    /// The type of a field, and access to it. Closures are used because key paths take twice as
    /// long when lists are loaded.
    package enum Value: Sendable {
        /// Text as typed by the user, byte for byte.
        case text(Accessor<String>)
        /// A value with exactly one spelling, such as a rank or a color, or nil if the property is
        /// optional. An unknown spelling is handled as ``Unreadable`` says.
        case word(Spelling)
        case time(Accessor<Timestamp>)
        case optionalTime(Accessor<Timestamp?>)
        /// A Boolean: 1 or 0 in a column.
        case flag(Accessor<Bool>)
        case pairs(Accessor<[Item.Extra]>)
        /// References to tags: separate rows in a database, names in a file.
        case tags(Accessor<Set<Tag.ID>>)
        /// An optional reference to a tag: its id in a column, its name in a file.
        case tag(Accessor<Tag.ID?>)
    }

    /// Functions that read and set a property.
    package struct Accessor<Property: Sendable>: Sendable {
        package let get: @Sendable (Entity) -> Property
        package let set: @Sendable (inout Entity, Property) -> Void
    }

    /// Functions that convert a property to text, and set it from text. An absent value is nil,
    /// null in JSON, and NULL in a column.
    package struct Spelling: Sendable {
        package let get: @Sendable (Entity) -> String?
        /// A function that sets the property to the value that a text spells. It returns false if
        /// the text spells none.
        package let set: @Sendable (inout Entity, String?) -> Bool
        package let unreadable: Unreadable

        /// A function that sets the property from a stored text, and handles one that spells no
        /// value as ``unreadable`` says. It returns false if the text is refused.
        package var read: @Sendable (inout Entity, String?) -> Bool {
            let set = set
            switch unreadable {
            case .refused: return set
            case .ignored:
                return { entity, text in
                    _ = set(&entity, text)
                    return true
                }
            case .kept(let keep):
                return { entity, text in
                    if let text, !set(&entity, text) { keep(&entity, text) }
                    return true
                }
            }
        }
    }

    /// The handling of a text that spells no value.
    package enum Unreadable: Sendable {
        /// Refused as an error, because the entity is meaningless without the value.
        case refused
        /// Replaced by the default, because a later version may know more values.
        case ignored
        /// Replaced by no value, while the text is kept elsewhere in the entity.
        case kept(@Sendable (inout Entity, String) -> Void)
    }

    /// The rule for a field that two processes have changed differently. If only one process has
    /// changed it, that change is taken, except under `minimum` and `maximum`, which compare only
    /// the two values.
    package enum MergeRule: Sendable {
        /// The edit by this process wins, and the conflict is reported.
        case mine
        /// The edit by this process wins. If both processes have created the entity, different
        /// positions are not a conflict.
        case minePosition
        /// The edit by this process wins; the text that yields is moved to the note.
        case keepingText
        case minimum
        case maximum
        /// Additions and removals of both are applied.
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

    /// Returns a field whose values have exactly one spelling each.
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

    /// Returns a field of an item for an optional value with one spelling. A text that spells no
    /// value is kept among the extras, under the field's name, so this field must come after the
    /// extras in the list.
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

    /// The spelling functions, if the field is a word.
    package var spelling: Spelling? {
        if case .word(let spelling) = value { spelling } else { nil }
    }

    /// The functions that spell the value as part of a line of text: a word as it is spelled, and a
    /// text unless it is empty. Nil for other types.
    package var lineSpelling: Spelling? {
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

    /// True if the field is a column of the entity's own row.
    package var isColumn: Bool {
        if case .tags = value { false } else { true }
    }

    /// Returns true if `entity` and `other` have the same value. Texts are compared byte by byte,
    /// which is stricter than Swift's `==`.
    package func isSame(in entity: Entity, as other: Entity) -> Bool {
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

    /// Returns true if the field is an empty text or set, or has no value.
    package func isEmpty(in entity: Entity) -> Bool {
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

    /// Copies the field from `other`.
    package func copy(from other: Entity, to entity: inout Entity) {
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
    /// Returns the field for the rank.
    static func rank() -> Field {
        .word(
            "rank", .minePosition, unreadable: .refused, get: { $0.rank.text },
            set: { entity, text in
                guard let rank = Rank(text: text) else { return false }
                entity.rank = rank
                return true
            })
    }
}

extension Rank {
    /// The default rank, which the first entity of an empty list receives.
    package static let middle = Rank.between(nil, nil)
}
