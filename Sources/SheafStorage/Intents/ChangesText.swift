import FoundationEssentials
import SheafFormats
import SheafList
import Swidux

/// Changes on their way to storage as one line of JSON, a record of the intent log.
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
        list("tagBases", changes.tags.compactMap(\.change.before), append)
        list("views", changes.views.upserts, append)
        list("deletedViews", changes.views.deletions, id)
        list("viewBases", changes.views.compactMap(\.change.before), append)
        list("items", changes.items.upserts, append)
        list("deletedItems", changes.items.deletions, id)
        list("itemBases", changes.items.compactMap(\.change.before), append)
        return bytes
    }

    private static let itemJSON = EntityJSON(Item.fields)
    private static let viewJSON = EntityJSON(SavedView.fields)
    private static let tagJSON = EntityJSON(Tag.fields)

    private static func append(_ item: Item, to bytes: inout [UInt8]) {
        itemJSON.append(item, to: &bytes, tags: ids)
    }

    private static func append(_ view: SavedView, to bytes: inout [UInt8]) {
        viewJSON.append(view, to: &bytes, tags: ids)
    }

    private static func append(_ tag: Tag, to bytes: inout [UInt8]) {
        tagJSON.append(tag, to: &bytes)
    }

    private static func ids(_ tags: Set<Tag.ID>) -> [[UInt8]] {
        tags.map { tag in
            var text: [UInt8] = []
            EntityJSON<Item>.append(tag, to: &text)
            return text
        }
    }

    // MARK: Reading

    /// The changes that the members of an object spell; members that are none of them are left out.
    ///
    /// - Throws: ``FormatError`` if one is not what it should be: then none can be trusted.
    static func changes(_ members: [JSONValue.Member]) throws(FormatError) -> StorageChanges {
        let fields = try JSONFields(members, path: "")
        var changes = StorageChanges()
        changes.tags = try entities("tags", deleted: "deletedTags", bases: "tagBases", in: fields)
        changes.views = try entities(
            "views", deleted: "deletedViews", bases: "viewBases", in: fields)
        changes.items = try entities(
            "items", deleted: "deletedItems", bases: "itemBases", in: fields)
        return changes
    }

    private static func entities<Entity: ListEntity>(
        _ name: String, deleted: String, bases: String, in fields: JSONFields
    ) throws(FormatError) -> EntityChanges<Entity> {
        var changes = EntityChanges<Entity>(
            upserts: try fields.list(name, entity), deletions: try fields.list(deleted, id))
        for base: Entity in try fields.list(bases, entity) { changes[base.id]?.before = base }
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

    /// Reads all fields. Without a name or a rank it is no record of ours; what else is missing has
    /// its default.
    private static func entity<Entity: ListEntity>(
        _ value: JSONValue
    ) throws(FormatError) -> Entity {
        guard case .object(let members) = value else {
            throw FormatError(line: nil, path: nil, reason: "not an object")
        }
        let fields = try JSONFields(members, path: "")
        var entity = Entity(id: try fields.requiredID("id"))
        for field in Entity.fields {
            let isSaid = try fields.read(field, into: &entity, tags: id)
            guard isSaid || !["name", "rank"].contains(field.name) else {
                throw fields.error("is missing", key: field.name)
            }
        }
        return entity
    }
}
