import FoundationEssentials
import SheafFormats
import SheafList
import Swidux

/// The JSON form of changes on their way to storage: one line, which is a record of the intent log.
///
/// Unlike the store's JSON, it names tags by id and includes deletions and bases.
enum ChangesText {
    // MARK: Writing

    /// Returns the members of the JSON object for `changes`, without its braces.
    static func members(of changes: StorageChanges) -> [UInt8] {
        var bytes: [UInt8] = []
        for append in writers { append(changes, &bytes) }
        return bytes
    }

    /// One function per kind, which appends its members. Created once, because every edit writes a
    /// record.
    private static let writers = Kinds.all.map { writer(of: $0) }

    private static func writer<Entity: ListEntity>(
        of kind: Entity.Type
    ) -> @Sendable (StorageChanges, inout [UInt8]) -> Void {
        let json = EntityJSON(Entity.fields)
        let keys = Keys(kind)
        return { changes, bytes in
            func append(_ entity: Entity, _ bytes: inout [UInt8]) {
                json.append(entity, to: &bytes, tags: ids)
            }
            let changes = changes[kind]
            list(keys.upserts, changes.upserts, &bytes, append)
            list(keys.deletions, changes.deletions, &bytes) {
                EntityJSON<Entity>.append($0, to: &$1)
            }
            list(keys.bases, changes.elements.compactMap(\.change.before), &bytes, append)
        }
    }

    /// The JSON keys of one kind.
    private struct Keys {
        let upserts: String
        let deletions: String
        let bases: String

        init(_ kind: (some ListEntity).Type) {
            upserts = kind.plural
            deletions = "deleted\(kind.plural.sentenceCased)"
            bases = "\(kind.noun)Bases"
        }
    }

    private static func list<T>(
        _ key: String, _ values: [T], _ bytes: inout [UInt8], _ body: (T, inout [UInt8]) -> Void
    ) {
        guard !values.isEmpty else { return }
        if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
        bytes += "\"\(key)\":[".utf8
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            body(value, &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private static func ids(_ tags: Set<Tag.ID>) -> [[UInt8]] {
        tags.map { tag in
            var text: [UInt8] = []
            EntityJSON<Item>.append(tag, to: &text)
            return text
        }
    }

    // MARK: Reading

    /// Returns the changes in the members of an object. Unknown members are ignored.
    ///
    /// - Throws: ``FormatError`` if a member has the wrong form. The caller then cannot trust any
    ///   member.
    static func changes(_ members: [JSONValue.Member]) throws(FormatError) -> StorageChanges {
        let fields = try JSONFields(members, path: "")
        var changes = StorageChanges()
        func read<Entity: ListEntity>(_ kind: Entity.Type) throws(FormatError) {
            let keys = Keys(kind)
            changes[kind] = EntityChanges(
                upserts: try fields.list(keys.upserts, entity),
                deletions: try fields.list(keys.deletions, id))
            for base: Entity in try fields.list(keys.bases, entity) {
                changes[kind][base.id]?.before = base
            }
        }
        for kind in Kinds.all { try read(kind) }
        return changes
    }

    /// Returns the members of the single JSON object in `text`.
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

    /// Reads all fields of an entity. Throws if the name or the rank is missing, because Sheaf
    /// always writes both. Other missing fields get their defaults.
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
