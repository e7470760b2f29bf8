import FoundationEssentials
import SheafCore
import SheafFormats
import Swidux

/// Changes on their way to storage as one line of JSON: what the intent log and rescue files hold.
///
/// Unlike the store's form it names tags by id, and has deletions and bases.
enum ChangesText {
    // MARK: Writing

    /// The members of the object that `changes` are, without its braces.
    static func members(of changes: StorageChanges) -> [UInt8] {
        var bytes: [UInt8] = []
        func list<T>(_ key: String, _ values: [T], _ body: (T, inout [UInt8]) -> Void) {
            guard !values.isEmpty else { return }
            if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
            bytes += "\"\(key)\":[".utf8
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                body(value, &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        }
        func id(_ id: UUID, _ bytes: inout [UInt8]) { EntityJSON<Item>.append(id, to: &bytes) }
        list("tags", changes.tags.upserts, append)
        list("deletedTags", changes.tags.deletions, id)
        list("tagBases", Array(changes.tags.bases.values), append)
        list("items", changes.items.upserts, append)
        list("deletedItems", changes.items.deletions, id)
        list("itemBases", Array(changes.items.bases.values), append)
        return bytes
    }

    private static let itemJSON = EntityJSON(Item.fields)
    private static let tagJSON = EntityJSON(Tag.fields)

    private static func append(_ item: Item, to bytes: inout [UInt8]) {
        itemJSON.append(
            item, to: &bytes,
            tags: { tags in
                tags.map { tag in
                    var text: [UInt8] = []
                    EntityJSON<Item>.append(tag, to: &text)
                    return text
                }
            })
    }

    private static func append(_ tag: Tag, to bytes: inout [UInt8]) {
        tagJSON.append(tag, to: &bytes)
    }

    // MARK: Reading

    /// The changes that the members of an object spell; members that are none of them are left out.
    ///
    /// - Throws: ``FormatError`` if one is not what it should be: then none can be trusted.
    static func changes(_ members: [JSONValue.Member]) throws(FormatError) -> StorageChanges {
        let fields = try JSONFields(members, path: "")
        var changes = StorageChanges()
        changes.tags.upserts = try fields.list("tags", tag)
        changes.tags.deletions = try fields.list("deletedTags", id)
        for base in try fields.list("tagBases", tag) { changes.tags.bases[base.id] = base }
        changes.items.upserts = try fields.list("items", item)
        changes.items.deletions = try fields.list("deletedItems", id)
        for base in try fields.list("itemBases", item) { changes.items.bases[base.id] = base }
        return changes
    }

    /// The members of the one object that `text` is.
    static func object(_ text: Data) throws(FormatError) -> [JSONValue.Member] {
        var scanner = JSONScanner(text)
        guard case .object(let members) = try scanner.value() else {
            throw scanner.error("not an object", at: 0)
        }
        try scanner.end()
        return members
    }

    private static func id(_ value: JSONValue) throws(FormatError) -> UUID {
        guard case .string(let text) = value, let id = UUID(uuidString: text) else {
            throw FormatError(line: nil, path: nil, reason: "not a UUID")
        }
        return id
    }

    private static func tag(_ value: JSONValue) throws(FormatError) -> Tag {
        let fields = try fields(of: value)
        var tag = Tag(id: try fields.requiredID("id"))
        try read(Tag.fields, from: fields, into: &tag)
        return tag
    }

    private static func item(_ value: JSONValue) throws(FormatError) -> Item {
        let fields = try fields(of: value)
        var item = Item(id: try fields.requiredID("id"))
        try read(Item.fields, from: fields, into: &item)
        _ = item.takeFormerExtras { !fields.hasMember($0) }
        return item
    }

    /// Reads all fields. Without a name or a rank it is no record of ours; what else is missing has
    /// its default.
    private static func read<Entity>(
        _ list: [Field<Entity>], from fields: JSONFields, into entity: inout Entity
    ) throws(FormatError) {
        for field in list {
            let isSaid = try fields.read(field, into: &entity, tags: id)
            guard isSaid || !["name", "rank"].contains(field.name) else {
                throw fields.error("is missing", key: field.name)
            }
        }
    }

    private static func fields(of value: JSONValue) throws(FormatError) -> JSONFields {
        guard case .object(let members) = value else {
            throw FormatError(line: nil, path: nil, reason: "not an object")
        }
        var fields = try JSONFields(members, path: "")
        fields.allowsNumericTimes = true
        return fields
    }
}
