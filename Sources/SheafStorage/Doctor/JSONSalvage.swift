import FoundationEssentials
import SheafFormats
import SheafList
import Swidux

/// A reader of the undamaged parts of a damaged JSON list.
///
/// If the whole text is valid JSON, the entries are read one by one. Otherwise the lines are read,
/// because a list is written with one entry per line. A truncated line then costs only that line,
/// and all sides of a merge conflict are read. If no line is an entry, another program has written
/// the text, and every JSON object with a name is an entry.
struct JSONSalvage {
    private var list = ImportedList()
    /// The items in the common base of a merge conflict, with their lines. Git writes them in its
    /// `diff3` style.
    private var bases: [(item: ImportedItem, line: Int)] = []
    private var lost: [String] = []

    /// Reads the entries in `data`.
    ///
    /// - Parameter modified: the time for entries without a time.
    static func run(_ data: Data, modified: Timestamp) -> Salvage {
        var salvage = JSONSalvage()
        do {
            let parsed = try JSONListReader.salvage(data)
            // The damaged file's count of commits is not needed, because each file counts its own.
            let others = parsed.list.others.filter { $0.key != CommitCount.key }
            // Unknown members may come from a damaged section name or from a misplaced entry.
            if !parsed.skippedText.isEmpty || !others.isEmpty {
                var byLines = JSONSalvage()
                byLines.readLines(of: data)
                if byLines.list.entryCount >= parsed.list.entryCount {
                    return byLines.result(modified: modified)
                }
            }
            salvage.list = parsed.list
            let lost = parsed.errors + parsed.skippedText
            salvage.lost = lost.map { Self.words(for: $0) } + others.map(\.words)
        } catch {
            salvage.readLines(of: data)
            if salvage.list.entryCount == 0 {
                salvage = JSONSalvage()
                salvage.readObjects(of: data)
            }
        }
        return salvage.result(modified: modified)
    }

    // MARK: Lines

    /// The keys of the arrays in a list.
    private static let sections = Kinds.all.map { $0.plural }

    private static let conflictMarks = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"]

    /// The lines of a list that contain no entry, and the keys of such lines.
    private static let otherLines = ["", "{", "}", "[", "]", "]}"]
    private static let otherKeys = ["format", "version", "id", CommitCount.key]

    private mutating func readLines(of data: Data) {
        var section = Item.plural
        var conflictSection = section
        var isBase = false
        let lines = data.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            var text = line.drop { $0 == 0x20 || $0 == 0x09 }
            while let last = text.last, [0x20, 0x09, 0x0D, 0x2C].contains(last) {
                text = text.dropLast()
            }
            if let mark = Self.conflictMarks.first(where: { text.starts(with: $0.utf8) }) {
                // Every side of a conflict begins in the section in which the conflict begins.
                if mark == "<<<<<<<" { conflictSection = section }
                if mark != ">>>>>>>" { section = conflictSection }
                isBase = mark == "|||||||"
            } else if let other = Self.sections.first(where: text.isMember),
                text.last == UInt8(ascii: "[") || text.suffix(2).elementsEqual("[]".utf8)
            {
                section = other
            } else if text.first == UInt8(ascii: "{"), text.count > 1 {
                read(
                    text, line: index + 1, in: Self.kind(of: text, in: section), isBase: isBase)
            } else if !Self.otherLines.contains(where: { text.elementsEqual($0.utf8) }),
                !Self.otherKeys.contains(where: text.isMember)
            {
                lost.append("line \(index + 1)")
            }
        }
    }

    /// The maximum number of objects that cannot be read. Each can take O(n).
    private static let maxFaults = 1_000

    private mutating func readObjects(of data: Data) {
        var scanner = JSONScanner(data)
        let bytes = scanner.bytes
        var section = Item.plural
        var (place, line, faults) = (0, 1, 0)
        while faults < Self.maxFaults,
            let start = bytes[place...].firstIndex(of: UInt8(ascii: "{"))
        {
            let gap = String(decoding: bytes[place..<start], as: UTF8.self)
                .filter { !$0.isWhitespace }
            section = Self.sections.first { gap.hasSuffix("\"\($0)\":[") } ?? section
            line += bytes[place..<start].count { $0 == 0x0A }
            scanner.offset = start
            place = start + 1
            do {
                guard case .object(let members) = try scanner.value() else { continue }
                guard members.contains(where: { $0.key == "name" }) else { continue }
                let object = Data(bytes[start..<scanner.offset])
                read(object, line: line, in: Self.kind(of: object, in: section), isBase: false)
                place = scanner.offset
                line += bytes[start..<place].count { $0 == 0x0A }
            } catch {
                // The first object is the list, which contains the fault.
                if faults > 0 { lost.append("line \(line)") }
                faults += 1
            }
        }
        if faults == Self.maxFaults { lost.append("all after line \(line)") }
    }

    /// The beginnings of the members that only entries of one kind have, keyed by that kind's
    /// section.
    private static let ownMembers: [String: [Data]] = {
        func names(_ kind: (some ListEntity).Type) -> [String] { kind.fields.map(\.name) }
        let all = Kinds.all.flatMap { names($0) }
        let pairs = Kinds.all.map { kind in
            let own = names(kind).filter { name in all.count { $0 == name } == 1 }
            return (kind.plural, own.map { Data("\"\($0)\":".utf8) })
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }()

    /// Returns the section to which an entry belongs according to its members. The line that begins
    /// a section may be damaged, and lines may have been moved.
    private static func kind(of object: Data, in section: String) -> String {
        func count(_ section: String) -> Int {
            (ownMembers[section] ?? []).count { object.firstRange(of: $0) != nil }
        }
        guard count(section) == 0 else { return section }
        let best = sections.max { count($0) < count($1) }
        return best.flatMap { count($0) > 0 ? $0 : nil } ?? section
    }

    private mutating func read(_ object: Data, line: Int, in section: String, isBase: Bool) {
        do {
            let parsed = try Self.parse(object, in: section)
            if isBase {
                bases += parsed.list.items.map { ($0, line) }
            } else {
                list.tags += section == Tag.plural ? parsed.list.tags : []
                func add(_ kind: (some ImportedKind).Type) { list[kind] += parsed.list[kind] }
                for kind in ImportedList.kinds { add(kind) }
                list.items += parsed.list.items
            }
            for var error in parsed.errors + parsed.skippedText {
                error.line = line
                // The path counts entries within this line.
                error.path = error.path?.split(separator: ".").dropFirst().last.map(String.init)
                lost.append(error.path == nil ? "line \(line)" : Self.words(for: error))
            }
        } catch {
            lost.append("line \(line)")
        }
    }

    private static func words(for error: FormatError) -> String {
        let isCreation = error.path?.hasSuffix("createdAt") ?? false
        return "\(error)\(isCreation ? " (another time is used)" : "")"
    }

    private static func parse(_ object: Data, in section: String) throws -> ParsedList {
        let array = Data("[".utf8) + object + Data("]".utf8)
        guard section != Item.plural else { return try JSONListReader.salvage(array) }
        let head = "{\"format\": \"sheaf\", \"version\": \(JSONListReader.version), \"items\": [],"
        return try JSONListReader.salvage(
            Data("\(head) \"\(section)\": ".utf8) + array + Data("}".utf8))
    }

    // MARK: Entries

    /// Returns the entries that were read, in the order of the text. All versions of an entry have
    /// its id.
    private func result(modified: Timestamp) -> Salvage {
        var salvage = Salvage()
        salvage.lost = lost
        var colors: [String: TagColor] = [:]
        for tag in list.tags {
            guard let color = tag.color else { continue }
            let first = colors[Tag.fold(tag.name)] ?? color
            colors[Tag.fold(tag.name)] = first
            if first != color { salvage.lost.append("tag \(tag.name): color \(color)") }
        }
        let importer = Importer(now: modified)
        let plan = importer.plan(
            list.withoutIDs(), tags: [], lastRank: nil, existing: [])
        salvage[Tag.self] = plan.changes.tags.upserts.map { .init(entity: $0, rank: $0.rank) }
        func add(_ kind: (some ImportedKind).Type) {
            salvage[kind] = Self.rows(of: plan.changes[kind], ids: list[kind].map(\.id))
        }
        for kind in ImportedList.kinds { add(kind) }
        salvage[Item.self] = Self.rows(of: plan.changes.items, ids: list.items.map(\.id))
        let known = Set(list.items.compactMap(\.id))
        for (item, line) in bases where !(item.id.map(known.contains) ?? false) {
            salvage.lost.append("line \(line), which both sides of a conflict deleted")
        }
        let baseList = ImportedList(items: bases.map(\.item))
        salvage.bases =
            importer.plan(
                baseList, tags: plan.changes.tags.upserts, lastRank: nil, existing: []
            ).changes.items.upserts
        return salvage
    }

    /// Returns the entities that `changes` inserts, with their `ids` in the text.
    private static func rows<Entity: ListEntity>(
        of changes: EntityChanges<Entity>, ids: [UUID?]
    ) -> [Salvage.Row<Entity>] {
        zip(changes.upserts, ids).map { made, id in
            var entity = Entity(id: id ?? made.id)
            for field in Entity.fields { field.copy(from: made, to: &entity) }
            return Salvage.Row(entity: entity, rank: made.rank)
        }
    }
}

extension Data {
    /// Returns true if the data begins with the member `key` of a JSON object.
    fileprivate func isMember(_ key: String) -> Bool { starts(with: "\"\(key)\":".utf8) }
}

extension ImportedList {
    fileprivate var entryCount: Int { tags.count + views.count + items.count }

    /// Returns the list without the ids of its entities, because several versions of an entity may
    /// have one id. Tags keep their ids.
    fileprivate func withoutIDs() -> ImportedList {
        var list = self
        func clear(_ kind: (some ImportedKind).Type) {
            for index in list[kind].indices { list[kind][index].id = nil }
        }
        for kind in ImportedList.kinds { clear(kind) }
        for index in list.items.indices { list.items[index].id = nil }
        return list
    }
}
