import FoundationEssentials
import SheafList

/// Writes entities as JSON objects: their id and fields, with the keys in alphabetical order. A
/// list's file, exports and log records share this form.
package struct EntityJSON<Entity: Sendable & Identifiable>: Sendable where Entity.ID == UUID {
    /// Returns the JSON texts that represent the tags of an entity.
    package typealias TagTexts = (Set<Tag.ID>) -> [[UInt8]]

    private struct Member: Sendable {
        let key: String
        /// The key as JSON text, with the separator before the value.
        let head: [UInt8]
        /// The predicate for entities that are written with the member, or `nil` for all.
        let isWritten: (@Sendable (Entity) -> Bool)?
        let append: @Sendable (Entity, TagTexts, inout [UInt8]) -> Void

        init(
            _ key: String, isWritten: (@Sendable (Entity) -> Bool)? = nil,
            append: @escaping @Sendable (Entity, TagTexts, inout [UInt8]) -> Void
        ) {
            self.key = key
            head = Array("\"\(key)\": ".utf8)
            self.isWritten = isWritten
            self.append = append
        }
    }

    private let members: [Member]

    /// The keys of the members, in order.
    package var keys: [String] { members.map(\.key) }

    /// - Parameters:
    ///   - fields: The fields to write.
    ///   - derived: Members that are not fields: a key, and a function that returns the JSON text
    ///     of the value.
    ///   - hasID: True if the id is a member.
    ///   - condition: Returns a predicate that selects the entities to write with a field, or `nil`
    ///     for all.
    package init(
        _ fields: [Field<Entity>], derived: [(String, @Sendable (Entity) -> String)] = [],
        hasID: Bool = true,
        condition: (Field<Entity>) -> (@Sendable (Entity) -> Bool)? = { _ in nil }
    ) {
        let own = fields.map { field in
            Member(field.name, isWritten: condition(field), append: Self.writer(of: field))
        }
        let others = derived.map { key, text in
            Member(key) { entity, _, bytes in bytes += text(entity).utf8 }
        }
        let id = Member("id") { entity, _, bytes in Self.append(entity.id, to: &bytes) }
        members = (own + others + (hasID ? [id] : [])).sorted { $0.key < $1.key }
    }

    /// Appends the JSON object for `entity`.
    package func append(
        _ entity: Entity, to bytes: inout [UInt8], tags: TagTexts = { _ in [] }
    ) {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for member in members where member.isWritten?(entity) ?? true {
            if !isFirst { bytes += ", ".utf8 }
            isFirst = false
            bytes += member.head
            member.append(entity, tags, &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends `id` in lower case and in quotes.
    package static func append(_ id: UUID, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        id.withText { bytes += UnsafeRawBufferPointer($0) }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func writer(
        of field: Field<Entity>
    ) -> @Sendable (Entity, TagTexts, inout [UInt8]) -> Void {
        switch field.value {
        case .text(let accessor):
            { JSONText.append(accessor.get($0), to: &$2) }
        case .word(let spelling):
            { entity, _, bytes in
                if let text = spelling.get(entity) {
                    JSONText.append(text, to: &bytes)
                } else {
                    bytes += "null".utf8
                }
            }
        case .time(let accessor):
            { append(accessor.get($0), to: &$2) }
        case .optionalTime(let accessor):
            { entity, _, bytes in
                if let time = accessor.get(entity) {
                    append(time, to: &bytes)
                } else {
                    bytes += "null".utf8
                }
            }
        case .pairs(let accessor):
            { $2 += accessor.get($0).json.utf8 }
        case .flag(let accessor):
            { $2 += (accessor.get($0) ? "true" : "false").utf8 }
        case .tag(let accessor):
            { entity, texts, bytes in
                bytes += accessor.get(entity).flatMap { texts([$0]).first } ?? Array("null".utf8)
            }
        case .tags(let accessor):
            { entity, texts, bytes in
                bytes.append(UInt8(ascii: "["))
                for (index, text) in texts(accessor.get(entity)).enumerated() {
                    if index > 0 { bytes += ", ".utf8 }
                    bytes += text
                }
                bytes.append(UInt8(ascii: "]"))
            }
        }
    }

    private static func append(_ time: Timestamp, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        time.appendISO8601(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }
}

extension JSONFields {
    /// Sets `field` of `entity` from its member.
    ///
    /// - Parameter tags: Returns the tag that a value denotes. If `nil`, references to tags are not
    ///   read.
    /// - Returns: True if the object has a readable value for the field other than null.
    /// - Throws: ``FormatError`` if the value is not valid for the field.
    package func read<Entity>(
        _ field: Field<Entity>, into entity: inout Entity,
        tags: ((JSONValue) throws(FormatError) -> Tag.ID)? = nil
    ) throws(FormatError) -> Bool {
        let key = field.name
        guard hasValue(key) else { return false }
        switch field.value {
        case .text(let accessor):
            if let text = try text(key) { accessor.set(&entity, text) }
        case .word(let spelling):
            if case .string(let text) = value(key), spelling.set(&entity, text) { return true }
            switch spelling.unreadable {
            case .refused: throw error("invalid", key: key)
            case .ignored:
                // No version of the field has values other than text.
                _ = try text(key)
            case .kept(let keep): keep(&entity, value(key)?.asText ?? "")
            }
            return false
        case .time(let accessor):
            if let time = try time(key) { accessor.set(&entity, time) }
        case .optionalTime(let accessor):
            accessor.set(&entity, try time(key))
        case .pairs(let accessor):
            if let pairs = try pairs(key) { accessor.set(&entity, pairs) }
        case .tags(let accessor):
            guard let tags else { return false }
            accessor.set(&entity, Set(try list(key, tags)))
        case .tag(let accessor):
            guard let tags else { return false }
            accessor.set(&entity, try value(key).map(tags))
        case .flag(let accessor):
            if let flag = try flag(key) { accessor.set(&entity, flag) }
        }
        return true
    }
}
