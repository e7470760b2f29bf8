import FoundationEssentials
import Glibc
import SheafFormats
import SheafList
import Swidux

/// Reads what can be read of a damaged JSON list.
///
/// If the whole text is JSON, its items are read one by one. Otherwise its lines are, because a
/// list is written with one item per line: a truncated line, or the marks of a merge conflict, cost
/// only their own lines. Of two lines with one id the one that was changed last is used.
enum JSONSalvage {
    static func run(_ data: Data) throws -> Salvage {
        do {
            let parsed = try JSONListReader.parse(data)
            return salvage(parsed.list, lost: parsed.bad.map(\.description))
        } catch {
            return readLines(of: data)
        }
    }

    private static func readLines(of data: Data) -> Salvage {
        var list = ImportedList()
        var lost: [String] = []
        var section = Section.items
        for (index, line) in data.split(separator: 0x0A, omittingEmptySubsequences: false)
            .enumerated()
        {
            var text = line.drop { $0 == 0x20 || $0 == 0x09 }
            while let last = text.last, [0x20, 0x09, 0x0D, 0x2C].contains(last) {
                text = text.dropLast()
            }
            for other in Section.allCases where text.starts(with: Data("\"\(other)\":".utf8)) {
                section = other
            }
            guard text.first == UInt8(ascii: "{"), text.count > 1 else { continue }
            do {
                let read = try parse(text, in: section)
                list.tags += read.tags
                list.views += read.views
                list.items += read.items
            } catch {
                lost.append("line \(index + 1)")
            }
        }
        return salvage(list, lost: lost)
    }

    /// The arrays of a list, by their keys.
    private enum Section: CaseIterable {
        case tags, views, items
    }

    private static func parse(_ object: Data, in section: Section) throws -> ImportedList {
        let array = Data("[".utf8) + object + Data("]".utf8)
        guard section != .items else { return try JSONListReader.read(array) }
        let head = "{\"format\": \"sheaf\", \"version\": \(JSONListReader.version), \"items\": [],"
        return try JSONListReader.read(
            Data("\(head) \"\(section)\": ".utf8) + array + Data("}".utf8))
    }

    private static func salvage(_ list: ImportedList, lost: [String]) -> Salvage {
        var salvage = Salvage()
        salvage.lost = lost
        var list = list
        var newest: [UUID: Int] = [:]
        var kept: [ImportedItem] = []
        for item in list.items {
            guard let id = item.id, let place = newest[id] else {
                if let id = item.id { newest[id] = kept.count }
                kept.append(item)
                continue
            }
            let known = kept[place].updatedAt?.milliseconds ?? .min
            if (item.updatedAt?.milliseconds ?? .min) > known { kept[place] = item }
        }
        list.items = kept
        let plan = Importer(now: .now).plan(list, tags: [], lastRank: nil, existing: [])
        // The order of the lines is the order of the list.
        salvage.tags = plan.changes.tags.upserts.map { .init(entity: $0, rank: $0.rank) }
        salvage.views = plan.changes.views.upserts.map { .init(entity: $0, rank: $0.rank) }
        salvage.items = plan.changes.items.upserts.map { .init(entity: $0, rank: $0.rank) }
        return salvage
    }
}
