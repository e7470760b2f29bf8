import FoundationEssentials
import SheafList
import Swidux

/// The members of one JSON object, read by key and by expected type.
package struct JSONFields {
    private let members: [JSONValue.Member]
    private let path: String
    /// True to leave out a member that cannot be read, instead of losing the others with it.
    private let skipsErrors: Bool
    /// The errors of the members that were left out.
    package private(set) var skipped: [FormatError] = []
    /// The reports of an item's members with an invalid value for a field. They are kept as extras.
    package private(set) var unread: [FormatError] = []
    /// The reports of members that a tag or a view cannot have.
    package private(set) var leftOut: [FormatError] = []
    /// The keys of an item's members that name no field.
    package private(set) var unknownKeys: [String] = []

    /// - Throws: ``FormatError`` if a key appears twice. If errors are skipped, the first member
    ///   counts.
    package init(
        _ members: [JSONValue.Member], path: String, skipsErrors: Bool = false
    ) throws(FormatError) {
        self.members = members
        self.path = path
        self.skipsErrors = skipsErrors
        var seen: Set<String> = []
        for member in members where !seen.insert(member.key).inserted {
            let error = error("appears twice", key: member.key)
            guard skipsErrors else { throw error }
            skipped.append(error.quoting(member.value))
        }
    }

    /// Creates an error about the value of `key`. The caller adds the line.
    package func error(_ reason: String, key: String) -> FormatError {
        FormatError(line: nil, path: FormatError.path(path, key: key), reason: reason)
    }

    /// Returns the item of these members. Unknown members, and invalid days, recurrences and
    /// priorities, are kept among the item's extras.
    package mutating func item() throws(FormatError) -> ImportedItem {
        var item = ImportedItem(name: try requiredText("name"))
        item.id = try optional("id") { fields throws(FormatError) in try fields.id("id") }
        item.tags = try optional("tags") { fields throws(FormatError) in try fields.tagNames() }
        item.done = try done()
        // Two members determine whether the item is done.
        for field in Item.fields where field.name != "doneAt" {
            let isSet = try optionalField(field, into: &item.draft)
            if isSet || isCleared(field, in: item.draft) { item.setFields.insert(field.name) }
            if !isSet, case .word(let spelling) = field.value, case .kept = spelling.unreadable,
                let value = value(field.name)
            {
                unread.append(
                    error("\(value.json) is not a valid value; kept as text", key: field.name))
            }
        }
        // A later version may write null for a field that this version does not know.
        let unknown = members.filter { !Self.known.contains($0.key) && $0.value != .null }
        item.draft.extras += unknown.map(Self.extra)
        unknownKeys = unknown.map(\.key)
        if !item.draft.extras.isEmpty { item.setFields.insert("extras") }
        return item
    }

    /// Returns the entity of these members, for example a view. Unknown members are in ``leftOut``.
    package mutating func entity<Entity: SmallEntity>()
        throws(FormatError) -> ImportedEntity<Entity>
    {
        var entity = ImportedEntity<Entity>()
        _ = try requiredText("name")
        entity.id = try optional("id") { fields throws(FormatError) in try fields.id("id") }
        for field in Entity.fields {
            if case .tag = field.value {
                let name = field.name
                entity.tags[name] = try optional(name) { fields throws(FormatError) in
                    try fields.text(name)
                }
                continue
            }
            let isSet = try optionalField(field, into: &entity.draft)
            if isSet, field.name == "rank" { entity.rank = entity.draft.rank }
            if !isSet, case .word(let spelling) = field.value, case .ignored = spelling.unreadable,
                let value = value(field.name)
            {
                leftOut.append(error("\(value.json) is not a valid value", key: field.name))
            }
        }
        reportUnknown(except: Entity.self)
        return entity
    }

    /// Returns the tag of these members. An unknown color and unknown members are in ``leftOut``.
    package mutating func tag() throws(FormatError) -> ImportedTag {
        let name = try requiredText("name")
        guard !Tag.fold(name).isEmpty else { throw error("is empty", key: "name") }
        var tag = ImportedTag(name: name)
        tag.id = try optional("id") { fields throws(FormatError) in try fields.id("id") }
        tag.rank = try optional("rank") { fields throws(FormatError) in
            try fields.text("rank").map { text throws(FormatError) in
                guard let rank = Rank(text: text) else {
                    throw fields.error("invalid", key: "rank")
                }
                return rank
            }
        }
        let color = try optional("color") { fields throws(FormatError) in
            try fields.text("color")
        }
        tag.color = color.flatMap(TagColor.init(rawValue:))
        if let color, tag.color == nil {
            leftOut.append(error("\(JSONText.quoted(color)) is not a color", key: "color"))
        }
        reportUnknown(except: Tag.self)
        return tag
    }

    private mutating func reportUnknown(except kind: (some ListEntity).Type) {
        let known = kind.fields.map(\.name)
        for member in members
        where member.key != "id" && !known.contains(member.key) && member.value != .null {
            leftOut.append(error("a \(kind.noun) cannot have this member", key: member.key))
        }
    }

    /// Calls `read` for the member `key`. If `read` fails and errors are skipped, records the error
    /// together with the value.
    ///
    /// - Returns: The result of `read`, or `nil` after an error.
    private mutating func optional<T>(
        _ key: String, _ read: (JSONFields) throws(FormatError) -> T?
    ) throws(FormatError) -> T? {
        do throws(FormatError) {
            return try read(self)
        } catch {
            guard skipsErrors else { throw error }
            skipped.append(value(key).map(error.quoting) ?? error)
            return nil
        }
    }

    private mutating func optionalField<Entity>(
        _ field: Field<Entity>, into entity: inout Entity
    ) throws(FormatError) -> Bool {
        try optional(field.name) { fields throws(FormatError) in
            try fields.read(field, into: &entity)
        } ?? false
    }

    // MARK: Types

    /// Returns the value of `key`, or `nil` if it is absent or null.
    package func value(_ key: String) -> JSONValue? {
        let value = members.first { $0.key == key }?.value
        return value == .null ? nil : value
    }

    /// Returns true if there is a member `key`, even if it is null.
    package func hasMember(_ key: String) -> Bool { members.contains { $0.key == key } }

    /// Returns true if there is a value for `key` other than null.
    package func hasValue(_ key: String) -> Bool { value(key) != nil }

    /// Returns true if the member of `field` is null and `entity` has no value of it.
    private func isCleared<Entity>(_ field: Field<Entity>, in entity: Entity) -> Bool {
        hasMember(field.name) && !hasValue(field.name) && field.isEmpty(in: entity)
    }

    package func text(_ key: String) throws(FormatError) -> String? {
        guard let value = value(key) else { return nil }
        guard case .string(let text) = value else { throw error("not a string", key: key) }
        return text
    }

    package func requiredText(_ key: String) throws(FormatError) -> String {
        guard let text = try text(key) else { throw error("is missing", key: key) }
        return text
    }

    package func flag(_ key: String) throws(FormatError) -> Bool? {
        switch value(key) {
        case nil: return nil
        case .bool(let flag): return flag
        default: throw error("neither true nor false", key: key)
        }
    }

    package func id(_ key: String) throws(FormatError) -> UUID? {
        guard let text = try text(key) else { return nil }
        // `UUID(uuidString:)` also accepts signs and spaces in place of digits.
        let id = Array(text.lowercased().utf8).withUnsafeBufferPointer { UUID($0) }
        guard let id else { throw error("not a UUID", key: key) }
        return id
    }

    package func requiredID(_ key: String) throws(FormatError) -> UUID {
        guard let id = try id(key) else { throw error("is missing", key: key) }
        return id
    }

    /// Returns the elements of an array, or none if there is no array.
    package func list<T>(
        _ key: String, _ element: (JSONValue) throws(FormatError) -> T
    ) throws(FormatError) -> [T] {
        guard let value = value(key) else { return [] }
        guard case .array(let elements) = value else { throw error("not an array", key: key) }
        var list: [T] = []
        for value in elements { list.append(try element(value)) }
        return list
    }

    package func time(_ key: String) throws(FormatError) -> Timestamp? {
        guard let text = try text(key) else { return nil }
        guard let time = Timestamp(iso8601: text) else {
            throw error("not a time such as 2024-05-31T08:30:00.000Z", key: key)
        }
        return time
    }

    private mutating func done() throws(FormatError) -> ImportedItem.Done? {
        let time = try optional("doneAt") { fields throws(FormatError) in
            try fields.time("doneAt")
        }
        let isDone = try optional("done") { fields throws(FormatError) in
            try fields.flag("done")
        }
        guard let isDone else {
            // A `doneAt` of null marks the item as not done. Without a `doneAt`, the text does not
            // determine the state.
            return hasValue("doneAt") ? .yes(at: time) : hasMember("doneAt") ? .no : nil
        }
        return isDone ? .yes(at: time) : .no
    }

    /// The member with which another program may mark the item as done, or `nil`. If it became an
    /// extra, all items would be imported as open.
    package var foreignDoneKey: String? {
        members.first { member in
            switch member.value {
            case .bool: Self.doneFlags.contains(member.key)
            case .string(let text):
                switch member.key.lowercased() {
                case "completedat", "completed_at": true
                case "status", "state": Self.doneWords.contains(text.lowercased())
                default: false
                }
            default: false
            }
        }?.key
    }

    private static let doneFlags: Set = [
        "isDone", "is_done", "completed", "complete", "isCompleted", "is_completed", "finished",
        "checked", "isChecked", "closed",
    ]
    private static let doneWords: Set = ["done", "completed", "complete", "closed", "finished"]

    private func tagNames() throws(FormatError) -> [String]? {
        guard let value = value("tags") else { return hasMember("tags") ? [] : nil }
        guard case .array(let elements) = value else {
            throw error("not an array of names", key: "tags")
        }
        var names: [String] = []
        for (index, element) in elements.enumerated() {
            let key = FormatError.path("tags", index: index)
            guard case .string(let name) = element else { throw error("not a string", key: key) }
            guard !Tag.fold(name).isEmpty else { throw error("is empty", key: key) }
            names.append(name)
        }
        return names
    }

    // MARK: Extras

    private static let known = Set(["id", "done"] + Item.fields.map(\.name))

    /// Reads an array of pairs, or an object.
    package func pairs(_ key: String) throws(FormatError) -> [Item.Extra]? {
        switch value(key) {
        case nil: return nil
        case .object(let members): return members.map(Self.extra)
        case .array(let elements):
            var pairs: [Item.Extra] = []
            for (index, element) in elements.enumerated() {
                guard case .array(let pair) = element, pair.count == 2,
                    case .string(let name) = pair[0]
                else {
                    throw error(
                        "not a pair of key and value", key: FormatError.path(key, index: index))
                }
                pairs.append(Item.Extra(key: name, value: pair[1].asText))
            }
            return pairs
        default: throw error("not an array of pairs", key: key)
        }
    }

    private static func extra(_ member: JSONValue.Member) -> Item.Extra {
        Item.Extra(key: member.key, value: member.value.asText)
    }
}

extension FormatError {
    /// Returns the path of a value in an array: `items[3]`.
    static func path(_ path: String, index: Int) -> String { "\(path)[\(index)]" }

    /// Returns the path of a value in an object: `items[3].doneAt`. A key that is not a plain word
    /// is quoted and escaped, so that it cannot harm a terminal.
    static func path(_ path: String, key: String) -> String {
        let isPlain = key.utf8.allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit || [0x5B, 0x5D, 0x5F].contains($0)
        }
        let shown = isPlain && !key.isEmpty ? key : JSONText.quoted(key)
        return path.isEmpty ? shown : "\(path).\(shown)"
    }

    /// Returns the error with the value that is left out.
    fileprivate func quoting(_ value: JSONValue) -> FormatError {
        FormatError(line: line, path: path, reason: "\(reason): \(value.json)")
    }
}
