import FoundationEssentials
import SheafFormats
import SheafList

/// Ids for entries that a user added to a file by hand, without an id.
///
/// An id is computed from the name, so that reading the file again gives the same ids. Among
/// entries of one name, it is computed from their whole content: if the user adds another one, no
/// id moves from one of them to another. The first commit writes the ids to the file.
extension ImportedList {
    /// Returns the list with an id for every entity, and with every tag that an item or view names.
    func withIDs() -> ImportedList {
        var list = self
        var known = Set(list.tags.map { Tag.fold($0.name) })
        func names<Entity: ImportedKind>(_ kind: Entity.Type) -> [String] {
            list[kind].flatMap { $0.tags.sorted { $0.key < $1.key }.map(\.value) }
        }
        let named =
            list.items.compactMap(\.tags).joined() + ImportedList.kinds.flatMap { names($0) }
        for name in named
        where known.insert(Tag.fold(name)).inserted {
            list.tags.append(ImportedTag(name: name))
        }
        var folded: Set<String> = []
        list.tags.removeAll { !folded.insert(Tag.fold($0.name)).inserted }
        for index in list.tags.indices where list.tags[index].id == nil {
            list.tags[index].id = Self.id(of: "tag", Tag.fold(list.tags[index].name), 0)
        }
        Self.fill(&list.items, \ImportedItem.id, of: Item.noun, name: \.name, content: \.content)
        func add<Entity: ImportedKind>(_ kind: Entity.Type) {
            Self.fill(
                &list[kind], \ImportedEntity<Entity>.id, of: kind.noun, name: \.name,
                content: \.content)
        }
        for kind in ImportedList.kinds { add(kind) }
        return list
    }

    private static func fill<Entry>(
        _ entries: inout [Entry], _ entryID: WritableKeyPath<Entry, UUID?>, of kind: String,
        name: KeyPath<Entry, String>, content: KeyPath<Entry, String>
    ) {
        let unnamed = entries.indices.filter { entries[$0][keyPath: entryID] == nil }
        let sameName = Dictionary(grouping: unnamed) { entries[$0][keyPath: name] }
        var counts: [String: Int] = [:]
        for index in unnamed {
            let name = entries[index][keyPath: name]
            let isOnly = sameName[name]?.count == 1
            let text = isOnly ? name : entries[index][keyPath: content]
            entries[index][keyPath: entryID] = id(of: kind, text, counts[text, default: 0])
            counts[text, default: 0] += 1
        }
    }

    /// Returns a UUID of version 8 (RFC 9562, section 5.8), made of two stable hashes with
    /// different initial values.
    private static func id(of kind: String, _ name: String, _ occurrence: Int) -> UUID {
        let text = "\(kind)\u{0}\(occurrence)\u{0}\(name)"
        let high = text.stableHash()
        let low = text.stableHash(from: high &+ 0x9e37_79b9_7f4a_7c15)
        var bytes = withUnsafeBytes(of: (high.bigEndian, low.bigEndian), Array.init)
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
