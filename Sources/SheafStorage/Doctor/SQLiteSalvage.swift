import FoundationEssentials
import SheafFormats
import SheafList
import Swidux

/// Reads what can be read of a damaged database, row by row, around the pages that cannot.
///
/// A table is read from both ends; the gap between the first bad pages is halved until every row
/// that SQLite can reach has been read.
final class SQLiteSalvage {
    private let connection: SQLiteConnection
    /// How many rows are looked for one by one before the search ends: each costs some 10 µs.
    private var attempts = 300_000
    /// How many more bytes of text may be read from the file: rows that share pages could fill the
    /// memory.
    private var room: Int64

    init(_ connection: SQLiteConnection) throws {
        self.connection = connection
        // Rows may be read twice, upwards and downwards.
        room = 2 * (try connection.fileSize()) + 1_000_000
    }

    func run() throws -> Salvage {
        var salvage = Salvage()
        var tagIDs: [String: Tag.ID] = [:]
        var tagNames: [Tag.ID: String] = [:]
        try scan("tags") { (text, tag: Tag, row, _) in
            tagIDs[text] = tag.id
            tagNames[tag.id] = tag.name
            salvage.tags.append(row(tag))
        }
        let references = references()
        var seen: Set<String> = []
        let columns = try columns(of: "items")
        let known = Set(Item.fields.filter { columns.contains($0.column) }.map(\.name))
        // Those of a list without views are none. A row with anything invalid is no view: where the
        // first page is lost, another table may lie in the place of this one.
        if try !self.columns(of: "views").isEmpty {
            let known = Set(tagIDs.values)
            try scan("views") { (_, view: SavedView, row, isValid) in
                guard isValid else { return }
                salvage.views.append(row(view.withoutTag { !known.contains($0) }))
            }
        }
        try scan("items") { (text, item: Item, row, _) in
            seen.insert(text)
            var item = item
            item.tags = Set((references[text] ?? []).compactMap { tagIDs[$0] })
            let names = item.tags.compactMap { tagNames[$0] }
            _ = item.takeFormerExtras(tags: names) { !known.contains($0) }
            salvage.items.append(row(item))
        }
        salvage.lost = knownIDs().subtracting(seen).sorted()
        return salvage
    }

    /// Calls `body` with every entity of `table` that can be read, in no order: the text of its id,
    /// an entity with its fields, a function that makes a row of an entity, and whether all that
    /// was read is valid.
    private func scan<Entity: ListEntity>(
        _ table: String,
        _ body: (String, Entity, (Entity) -> Salvage.Row<Entity>, Bool) -> Void
    ) throws {
        let columns = EntityColumns(Entity.fields, present: try self.columns(of: table))
        try scan(table, "id, \(columns.names)") { row in
            let text = row.text(1)
            var entity = Entity(id: UUID(uuidString: text) ?? UUID.random())
            let invalid = columns.read(row, from: 2, into: &entity)
            let isMended = row.uuid(1) == nil
            let row = { (entity: Entity) in
                Salvage.Row(
                    entity: entity, rank: invalid.contains("rank") ? nil : entity.rank,
                    isMended: isMended)
            }
            body(text, entity, row, invalid.isEmpty && !isMended)
        }
    }

    private func columns(of table: String) throws -> Set<String> {
        let info = try connection.statement("PRAGMA main.table_info(\(table))")
        var names: Set<String> = []
        while try info.step() { names.insert(info.text(1)) }
        return names
    }

    // MARK: Tables with row numbers

    /// Calls `body` with every row of `table` that can be read, in no order.
    private func scan(
        _ table: String, _ columns: String, _ body: (SQLiteStatement) -> Void
    ) throws {
        try checkStored(table)
        try connection.limitWork()
        let up = try connection.statement(
            "SELECT rowid, \(columns) FROM \(table) NOT INDEXED"
                + " WHERE rowid BETWEEN ?1 AND ?2 ORDER BY rowid")
        let down = try connection.statement(
            "SELECT rowid, \(columns) FROM \(table) NOT INDEXED"
                + " WHERE rowid BETWEEN ?1 AND ?2 ORDER BY rowid DESC")
        var gaps = [(from: row("min", of: table) ?? 1, to: row("max", of: table) ?? 1 << 24)]
        while let gap = gaps.popLast(), gap.from <= gap.to, attempts > 0 {
            attempts -= 1
            var rest = gap
            guard case .stopped(let last) = run(up, gap, isUpwards: true, body) else { continue }
            if let last {
                guard last < gap.to else { continue }
                rest.from = last + 1
            }
            guard case .stopped(let first) = run(down, rest, isUpwards: false, body) else {
                continue
            }
            if let first {
                guard first > rest.from else { continue }
                rest.to = first - 1
            }
            guard rest.from < rest.to else { continue }
            // Row numbers may be any of 64 bits, so their distance may need more.
            let middle = (rest.from & rest.to) + (rest.from ^ rest.to) >> 1
            gaps.append((rest.from, middle))
            gaps.append((middle + 1, rest.to))
        }
    }

    /// Views and generated columns hold no stored rows, and may be endless.
    ///
    /// - Throws: `.foreign`.
    private func checkStored(_ table: String) throws {
        let isElsewhere = try connection.integer(
            "SELECT count(*) FROM sqlite_schema WHERE lower(name) = '\(table)' AND rootpage = 0")
        let columns = try connection.statement("PRAGMA main.table_xinfo(\(table))")
        var isStored = isElsewhere == 0
        while isStored, try columns.step() { isStored = columns.integer(6) == 0 }
        guard isStored else {
            throw StorageError(
                .foreign, at: connection.location,
                reason: "its \(table) are computed, not stored",
                advice: "'sheaf restore' lists backups.")
        }
    }

    /// The number of the first or last row, by the function `min` or `max`, or nil if it cannot be
    /// read.
    private func row(_ function: String, of table: String) -> Int64? {
        // An index also holds the numbers of its rows.
        for source in ["NOT INDEXED", table == "items" ? "INDEXED BY items_by_rank" : ""] {
            do {
                if let row = try connection.integer(
                    "SELECT \(function)(rowid) FROM \(table) \(source)")
                {
                    return row
                }
            } catch {
                continue
            }
        }
        return nil
    }

    /// How far a read through a gap came.
    private enum Reach {
        case end
        /// After the last row that was read, if any.
        case stopped(Int64?)
    }

    /// Reads the rows of `gap` upwards or downwards until one cannot be read. A cycle of pages
    /// shows as a row that is not after the one before it, or as more text than the file can hold.
    private func run(
        _ statement: SQLiteStatement, _ gap: (from: Int64, to: Int64), isUpwards: Bool,
        _ body: (SQLiteStatement) -> Void
    ) -> Reach {
        defer { statement.reset() }
        var last: Int64?
        do {
            try statement.bind(gap.from, at: 1)
            try statement.bind(gap.to, at: 2)
            while try statement.step() {
                let row = statement.integer(0)
                if let last, isUpwards ? row <= last : row >= last { return .stopped(last) }
                room -= Int64(
                    (1..<statement.columnCount).reduce(0) { $0 + statement.bytes($1).count })
                guard room >= 0 else { return .stopped(last) }
                body(statement)
                last = row
            }
            return .end
        } catch {
            return .stopped(last)
        }
    }

    // MARK: What indexes tell

    /// The tags of items by the texts of their ids, from the table and from its index, either of
    /// which may be damaged.
    private func references() -> [String: Set<String>] {
        var references: [String: Set<String>] = [:]
        for order in [
            "item_tags ORDER BY item_id, tag_id", "item_tags ORDER BY item_id DESC, tag_id DESC",
            "item_tags INDEXED BY item_tags_by_tag ORDER BY tag_id",
            "item_tags INDEXED BY item_tags_by_tag ORDER BY tag_id DESC",
        ] {
            each("SELECT item_id, tag_id FROM \(order)") { row in
                references[row.text(0), default: []].insert(row.text(1))
            }
        }
        return references
    }

    /// The ids of all items that an index knows.
    private func knownIDs() -> Set<String> {
        var ids: Set<String> = []
        for order in ["rank", "rank DESC"] {
            each("SELECT id FROM items INDEXED BY items_by_rank ORDER BY \(order)") { row in
                ids.insert(row.text(0))
            }
        }
        return ids
    }

    /// Calls `body` with rows until one cannot be read.
    private func each(_ sql: String, _ body: (SQLiteStatement) -> Void) {
        do {
            try connection.limitWork()
            let statement = try connection.statement(sql)
            while try statement.step() { body(statement) }
        } catch {
            return
        }
    }
}
