import FoundationEssentials
import SheafFormats
import SheafList

/// Ids for entries that a user added to a file by hand, without an id.
///
/// An id is computed from the name and the number of its earlier occurrences, so that reading the
/// file again gives the same ids. The first commit writes them to the file.
extension ImportedList {
    /// Returns the list with an id for every entity, and with every tag that an item names.
    func withIDs() -> ImportedList {
        var list = self
        var known = Set(list.tags.map { Tag.fold($0.name) })
        for name in list.items.lazy.compactMap(\.tags).joined()
        where known.insert(Tag.fold(name)).inserted {
            list.tags.append(ImportedTag(name: name))
        }
        var folded: Set<String> = []
        list.tags.removeAll { !folded.insert(Tag.fold($0.name)).inserted }
        for index in list.tags.indices where list.tags[index].id == nil {
            list.tags[index].id = Self.id(of: "tag", Tag.fold(list.tags[index].name), 0)
        }
        var counts: [String: Int] = [:]
        for index in list.items.indices where list.items[index].id == nil {
            let name = list.items[index].name
            list.items[index].id = Self.id(of: "item", name, counts[name, default: 0])
            counts[name, default: 0] += 1
        }
        counts = [:]
        for index in list.views.indices where list.views[index].id == nil {
            let name = list.views[index].name
            list.views[index].id = Self.id(of: "view", name, counts[name, default: 0])
            counts[name, default: 0] += 1
        }
        return list
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
