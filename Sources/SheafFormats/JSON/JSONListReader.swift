import FoundationEssentials
import Glibc
import SheafList

/// Reads the array that `list --format json` prints, and the JSON store form, item by item.
///
/// Users may have edited these texts: only `name` is required. If `done` and `doneAt` disagree,
/// `done` decides whether the item is done. Unknown keys of items are kept as extras. If the value
/// of an unknown key is not a string, the extra contains the JSON text of the value. Tags and views
/// cannot keep unknown keys: an import leaves them out, and a store with such keys is refused.
package struct JSONListReader {
    private var parsed = ParsedList()
    /// The last offset up to which lines were counted, and the line there.
    private var counted = (offset: 0, line: 1)
    private let use: Use
    /// True if the text identifies itself as a list of this program.
    private var isOurs = false

    /// The purpose for which a text is read.
    private enum Use {
        case importing
        /// Names of items and views may be empty.
        case opening
        /// In addition, entries may share an id. Members that cannot be read are left out.
        case salvaging
    }

    private init(_ use: Use = .importing) {
        self.use = use
    }

    /// The version of the store form that is written, and the newest that can be read.
    package static let version = FormatVersions.current.json

    /// Reads a file of either form, for an import.
    package static func read(_ data: Data) throws(FormatError) -> ImportedList {
        try parse(data).requireComplete()
    }

    /// Reads all valid tags and items, and reports the others.
    ///
    /// - Throws: ``FormatError`` if the text is not JSON, or not a list.
    package static func parse(_ data: Data) throws(FormatError) -> ParsedList {
        try parse(data, JSONListReader())
    }

    /// Reads all readable parts of a damaged list. ``ParsedList/errors`` contains the members of
    /// entries that were left out. Several entries may have the same id.
    ///
    /// - Throws: ``FormatError`` if the text is not JSON, or not a list.
    package static func salvage(_ data: Data) throws(FormatError) -> ParsedList {
        try parse(data, JSONListReader(.salvaging))
    }

    private static func parse(
        _ data: Data, _ reader: JSONListReader
    ) throws(FormatError) -> ParsedList {
        var reader = reader
        var scanner = JSONScanner(data)
        switch scanner.peek() {
        case UInt8(ascii: "["):
            try reader.readItems(&scanner, path: "")
            var order = TagOrder()
            for item in reader.parsed.list.items { order.add(item.tags ?? []) }
            reader.parsed.list.tags = order.tags
        case UInt8(ascii: "{"): try reader.readStore(&scanner)
        default: throw scanner.error("neither a list of items nor a store: '[' or '{' is missing")
        }
        try scanner.end()
        return reader.parsed
    }

    /// Reads a text in the store form, in which the names of items and views may be empty. An error
    /// in any other text is of kind ``FormatError/Kind/foreign``.
    package static func readStore(_ data: Data) throws(FormatError) -> ImportedList {
        var reader = JSONListReader(.opening)
        var scanner = JSONScanner(data)
        do throws(FormatError) {
            guard scanner.peek() == UInt8(ascii: "{") else {
                throw scanner.error("it does not begin with '{'")
            }
            try reader.readStore(&scanner)
            try scanner.end()
            return try reader.parsed.requireComplete()
        } catch {
            var error = error
            if !reader.isOurs { error.kind = .foreign }
            throw error
        }
    }

    private mutating func readStore(_ scanner: inout JSONScanner) throws(FormatError) {
        var seen: Set<String> = []
        let start = scanner.offset
        try scanner.eachMember { (scanner, key) throws(FormatError) in
            guard seen.insert(key).inserted else {
                throw scanner.error("appears twice", path: FormatError.path("", key: key))
            }
            try readMember(key, &scanner)
        }
        for key in ["format", "version", "items"] where !seen.contains(key) {
            throw scanner.error("the store has no '\(key)'", at: start)
        }
        guard let version = parsed.list.version, version < FormatVersions.namesRestored.json
        else { return }
        for index in parsed.list.items.indices { parsed.list.items[index].restoreName() }
    }

    private mutating func readMember(
        _ key: String, _ scanner: inout JSONScanner
    ) throws(FormatError) {
        _ = scanner.peek()
        let start = scanner.offset
        switch key {
        case "format":
            guard try scanner.value() == .string("sheaf") else {
                throw scanner.error("not a Sheaf list", at: start, path: key)
            }
            isOurs = true
            parsed.isStore = true
        case "version":
            guard case .number(let text) = try scanner.value(), let version = Int(text), version > 0
            else { throw scanner.error("not a version", at: start, path: key) }
            guard version <= Self.version else {
                var error = scanner.error(
                    "a newer version of the program wrote this", at: start, path: key)
                error.kind = .newer
                throw error
            }
            parsed.list.version = version
        case "id":
            guard case .string(let text) = try scanner.value(), let id = UUID(uuidString: text)
            else { throw scanner.error("not a UUID", at: start, path: key) }
            parsed.list.id = id
        case "tags":
            try readTags(&scanner)
        case "items":
            try readItems(&scanner, path: "items")
        default:
            if let kind = ImportedList.kinds.first(where: { $0.plural == key }) {
                try read(kind, &scanner)
            } else {
                parsed.list.others.append(Item.Extra(key: key, value: try scanner.value().json))
            }
        }
    }

    private mutating func readTags(_ scanner: inout JSONScanner) throws(FormatError) {
        var ids: Set<UUID> = []
        let use = use
        try eachObject(&scanner, path: "tags") { (list, fields) throws(FormatError) in
            let tag = try fields.tag()
            if use != .salvaging, let id = tag.id, !ids.insert(id).inserted {
                throw fields.error("another tag has this id", key: "id")
            }
            list.tags.append(tag)
        }
    }

    private mutating func read<Entity: ImportedKind>(
        _ kind: Entity.Type, _ scanner: inout JSONScanner
    ) throws(FormatError) {
        var ids: Set<UUID> = []
        let use = use
        try eachObject(&scanner, path: kind.plural) { (list, fields) throws(FormatError) in
            let entity: ImportedEntity<Entity> = try fields.entity()
            guard use != .importing || !entity.name.trimmed.isEmpty else {
                throw fields.error("is empty", key: "name")
            }
            if use != .salvaging, let id = entity.id, !ids.insert(id).inserted {
                throw fields.error("another \(kind.noun) has this id", key: "id")
            }
            list[kind].append(entity)
        }
    }

    private mutating func readItems(
        _ scanner: inout JSONScanner, path: String
    ) throws(FormatError) {
        var ids: Set<UUID> = []
        let use = use
        try eachObject(&scanner, path: path) { (list, fields) throws(FormatError) in
            var item = try fields.item()
            item.convertFormerExtras { !fields.hasMember($0) }
            guard use != .importing || !item.name.isEmpty else {
                throw fields.error("is empty", key: "name")
            }
            if use == .importing, item.done == nil, let key = fields.foreignDoneKey {
                throw fields.error(
                    "could mean that the item is done; add \"done\": true or false", key: key)
            }
            if use != .salvaging, let id = item.id, !ids.insert(id).inserted {
                throw fields.error("another item has this id", key: "id")
            }
            list.items.append(item)
        }
    }

    /// Calls `body` with the fields of every object in the array at the current position.
    private mutating func eachObject(
        _ scanner: inout JSONScanner, path: String,
        _ body: (inout ImportedList, inout JSONFields) throws(FormatError) -> Void
    ) throws(FormatError) {
        guard scanner.peek() == UInt8(ascii: "[") else {
            throw scanner.error("not an array", path: path)
        }
        var index = 0
        try scanner.eachElement { (scanner) throws(FormatError) in
            _ = scanner.peek()
            let start = scanner.offset
            let value = try scanner.value()
            let place = FormatError.path(path, index: index)
            index += 1
            var errors: [FormatError] = []
            var unread: [FormatError] = []
            var leftOut: [FormatError] = []
            do throws(FormatError) {
                guard case .object(let members) = value else {
                    throw FormatError(line: nil, path: place, reason: "not an object")
                }
                var fields = try JSONFields(
                    members, path: place, skipsErrors: use == .salvaging)
                try body(&parsed.list, &fields)
                (errors, unread, leftOut) = (fields.skipped, fields.unread, fields.leftOut)
                for key in fields.unknownKeys { parsed.unknownKeys[key, default: 0] += 1 }
            } catch {
                errors = [error]
            }
            guard !(errors + unread + leftOut).isEmpty else { return }
            // Counting from the start for each report would take hours if all items are bad.
            counted.line += scanner.bytes[counted.offset..<start].count { $0 == 0x0A }
            counted.offset = start
            func report(_ error: FormatError) -> FormatError {
                FormatError(line: counted.line, path: error.path, reason: error.reason)
            }
            parsed.errors += errors.map(report)
            parsed.unread += unread.map(report)
            // The next write of an open list would lose them.
            if use == .opening {
                parsed.errors += leftOut.map(report)
            } else {
                parsed.skippedText += leftOut.map(report)
            }
        }
    }
}
