import FoundationEssentials
import SheafCore
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
        func id(_ id: UUID, _ bytes: inout [UInt8]) { text(id, to: &bytes) }
        list("tags", changes.tags.upserts, append)
        list("deletedTags", changes.tags.deletions, id)
        list("tagBases", Array(changes.tags.bases.values), append)
        list("items", changes.items.upserts, append)
        list("deletedItems", changes.items.deletions, id)
        list("itemBases", Array(changes.items.bases.values), append)
        return bytes
    }

    private static func append(_ item: Item, to bytes: inout [UInt8]) {
        bytes += "{\"id\":".utf8
        text(item.id, to: &bytes)
        member("name", item.name, to: &bytes)
        member("rank", item.rank.text, to: &bytes)
        if !item.note.isEmpty { member("note", item.note, to: &bytes) }
        if !item.tags.isEmpty {
            bytes += ",\"tags\":[".utf8
            for (index, tag) in item.tags.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                text(tag, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        }
        if let doneAt = item.doneAt { member("doneAt", doneAt, to: &bytes) }
        member("createdAt", item.createdAt, to: &bytes)
        member("updatedAt", item.updatedAt, to: &bytes)
        if !item.extras.isEmpty { bytes += ",\"extras\":\(ExtrasText.text(item.extras))".utf8 }
        bytes.append(UInt8(ascii: "}"))
    }

    private static func append(_ tag: Tag, to bytes: inout [UInt8]) {
        bytes += "{\"id\":".utf8
        text(tag.id, to: &bytes)
        member("name", tag.name, to: &bytes)
        member("rank", tag.rank.text, to: &bytes)
        member("color", tag.color.rawValue, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }

    private static func member(_ key: StaticString, _ value: String, to bytes: inout [UInt8]) {
        bytes += ",\"\(key)\":".utf8
        JSONText.append(value, to: &bytes)
    }

    private static func member(_ key: StaticString, _ time: Timestamp, to bytes: inout [UInt8]) {
        bytes += ",\"\(key)\":\(time.milliseconds)".utf8
    }

    private static func text(_ id: UUID, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        UUIDText.withText(of: id) { bytes += $0.lazy.map(UInt8.init(bitPattern:)) }
        bytes.append(UInt8(ascii: "\""))
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
        return Tag(
            id: try fields.requiredID("id"), name: try fields.requiredText("name"),
            color: TagColor(rawValue: try fields.text("color") ?? "") ?? .white,
            rank: try fields.requiredRank())
    }

    private static func item(_ value: JSONValue) throws(FormatError) -> Item {
        let fields = try fields(of: value)
        return Item(
            id: try fields.requiredID("id"), name: try fields.requiredText("name"),
            note: try fields.text("note") ?? "", tags: Set(try fields.list("tags", id)),
            doneAt: try fields.milliseconds("doneAt"), rank: try fields.requiredRank(),
            createdAt: try fields.milliseconds("createdAt") ?? Timestamp(milliseconds: 0),
            updatedAt: try fields.milliseconds("updatedAt"),
            extras: try fields.pairs("extras") ?? [])
    }

    private static func fields(of value: JSONValue) throws(FormatError) -> JSONFields {
        guard case .object(let members) = value else {
            throw FormatError(line: nil, path: nil, reason: "not an object")
        }
        return try JSONFields(members, path: "")
    }
}
