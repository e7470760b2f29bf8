import FoundationEssentials
import Glibc
import SheafFormats
import SheafList
import Swidux

/// The text of a JSON store for a whole list.
extension WholeList {
    /// The number of items up to which writing the whole file for each change is fast enough.
    static let maxRecommendedItems = 10_000
    static let sizeAdvice = "SQLite is the better choice above 10,000 items"

    /// Reads the list in `data`.
    ///
    /// A user may have edited the text by hand. The order of the lines is the order of the list,
    /// and ranks that contradict it are replaced. An entry without an id gets one computed from its
    /// name, so that reading the file again gives the same id.
    ///
    /// - Parameter modified: the time for entries without one.
    /// - Throws: `StorageError` of `.corrupt`, `.foreign` or `.newer`.
    init(_ data: Data, at location: String, modified: Timestamp) throws {
        let imported: ImportedList
        do {
            imported = try JSONListReader.readStore(data)
        } catch {
            if let line = Self.conflictLine(in: data) {
                throw StorageError(
                    .corrupt, at: location,
                    reason: "the list has an unresolved merge conflict (line \(line))",
                    advice: "Resolve it in an editor; nothing was changed.")
            }
            throw Self.refusal(error, at: location)
        }
        let complete = imported.withIDs()
        let plan = Importer(now: modified).plan(
            complete, tags: [], lastRank: nil, existing: [])
        var rows = StorageChanges()
        rows.tags.upsert(Self.ranked(plan.changes.tags.upserts, as: complete.tags.map(\.rank)))
        func add(_ kind: (some ImportedKind).Type) {
            let ranks = complete[kind].map(\.rank)
            rows[kind].upsert(Self.ranked(plan.changes[kind].upserts, as: ranks))
        }
        for kind in ImportedList.kinds { add(kind) }
        rows.items.upsert(Self.ranked(plan.changes.items.upserts, as: complete.items.map(\.rank)))
        self.init(rows, id: imported.id, others: imported.others)
        if let version = imported.version, version < JSONListReader.version {
            earlierVersion = version
        }
    }

    private static func ranked<Entity: Ranked>(
        _ entities: [Entity], as ranks: [Rank?]
    ) -> [Entity] where Entity.ID == UUID {
        guard entities.count == ranks.count else { return entities }
        let order = Rank.ascending(zip(ranks, entities).map { (rank: $0, id: $1.id) })
        return zip(entities, order).map { entity, rank in
            var entity = entity
            entity.rank = rank
            return entity
        }
    }

    /// Returns the line, counted from 1, on which a version control system began to mark a
    /// conflict, or nil.
    private static func conflictLine(in data: Data) -> Int? {
        let marker = Data("<<<<<<< ".utf8)
        return data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .firstIndex { $0.starts(with: marker) }
            .map { $0 + 1 }
    }

    private static func refusal(_ error: FormatError, at location: String) -> StorageError {
        switch error.kind {
        case .foreign:
            StorageError(
                .foreign, at: location, reason: "this is not a list (\(error))",
                advice: "To read another program's file, import it.")
        case .newer:
            StorageError(
                .newer, at: location, reason: "a newer version of the program wrote this list",
                advice: "Update the program to open it.")
        case .malformed:
            StorageError(
                .corrupt, at: location, reason: "the list is damaged (\(error))",
                advice: "Correct that line, or restore a backup.")
        }
    }

    /// Returns the bytes of the file. Equal lists give equal bytes. O(n).
    func text() throws -> [UInt8] {
        var bytes: [UInt8] = []
        var writer = ListWriter(
            .jsonStore, id: id, tags: tags.values, rows: smallRows, hasRanks: true, others: others
        ) { bytes += $0 }
        try writer.write(items)
        try writer.finish()
        return bytes
    }
}
