import FoundationEssentials
import SheafFormats
import SheafList
import Swidux

/// A reader of the undamaged rows of a damaged database. It reads each table separately.
///
/// A table is read from both ends, and its rows may be out of order. If neither pass reaches its
/// end, the gap between the first bad pages is halved repeatedly until every row that SQLite can
/// reach has been read.
final class SQLiteSalvage {
    private let connection: SQLiteConnection
    /// The maximum number of bytes of text that a pass reads. Without it, pages that form a cycle,
    /// or rows that share pages, could fill the memory.
    private let limit: Int64
    /// The number of bytes that the current pass may still read.
    private var room: Int64
    private var lost: [String] = []

    init(_ connection: SQLiteConnection) throws {
        self.connection = connection
        limit = 2 * (try connection.fileSize()) + 1_000_000
        room = limit
    }

    func run() throws -> Salvage {
        var salvage = Salvage()
        var tags: [Salvage.Row<Tag>] = []
        var tagIDs: [String: Tag.ID] = [:]
        var tagNames: [Tag.ID: String] = [:]
        try scan("tags") { (text, tag: Tag, row, _) in
            tagIDs[text] = tag.id
            tagNames[tag.id] = tag.name
            tags.append(row(tag))
            return true
        }
        salvage[Tag.self] = tags
        let references = references()
        let columns = try columns(of: "items")
        let known = Set(Item.fields.filter { columns.contains($0.column) }.map(\.name))
        let knownTags = Set(tagIDs.values)
        // A list of an earlier version may lack the table. A row with an invalid value is skipped:
        // if the first page is lost, another table may be in the place of this one.
        func read<Entity: SmallEntity>(_ kind: Entity.Type) throws {
            guard try !self.columns(of: Entity.plural).isEmpty else { return }
            var rows: [Salvage.Row<Entity>] = []
            try scan(Entity.plural) { (_, entity: Entity, row, isValid) in
                guard isValid else { return false }
                rows.append(row(entity.withoutTag { !knownTags.contains($0) }))
                return true
            }
            salvage[kind] = rows
        }
        for kind in Kinds.small where kind != Tag.self { try read(kind) }
        var items: [Salvage.Row<Item>] = []
        try scan("items") { (text, item: Item, row, _) in
            var item = item
            item.tags = Set((references[text] ?? []).compactMap { tagIDs[$0] })
            let names = item.tags.compactMap { tagNames[$0] }
            _ = item.convertFormerExtras(tags: names) { !known.contains($0) }
            items.append(row(item))
            return true
        }
        salvage[Item.self] = items
        salvage.lost = lost
        return salvage
    }

    /// Calls `body` with every readable entity of `table`, in no particular order. The arguments
    /// are the text of its id, an entity with its fields, a function that makes a row of an entity,
    /// and true if all of its values are valid. Adds the rows for which `body` returns false to
    /// ``lost``, and the rows that only an index still has.
    private func scan<Entity: ListEntity>(
        _ table: String,
        _ body: (String, Entity, (Entity) -> Salvage.Row<Entity>, Bool) -> Bool
    ) throws {
        let columns = EntityColumns(Entity.fields, present: try self.columns(of: table))
        var taken: Set<String> = []
        var (ids, areAllKnown) = knownIDs(of: table)
        /// Rows with ids that no index has, with their row numbers.
        var odd: [(number: Int64, text: String, entity: Entity, invalid: [String])] = []
        func pass(_ text: String, _ entity: Entity, invalid: [String], isRepaired: Bool) {
            let row = { (entity: Entity) in
                Salvage.Row(
                    entity: entity, rank: invalid.contains("rank") ? nil : entity.rank,
                    isRepaired: isRepaired)
            }
            let isTaken = body(text, entity, row, invalid.isEmpty && !isRepaired)
            if isTaken { taken.insert(text) } else { ids.insert(text) }
        }
        func take(_ row: SQLiteStatement) {
            // The empty part of a page that was cut off reads as a row 0 without values.
            let isEmpty = (1..<row.columnCount).allSatisfy { row.isNull($0) }
            guard !isEmpty || row.integer(0) != 0 else { return }
            let text = row.text(1)
            let id = row.uuid(1)
            var entity = Entity(id: UUID(uuidString: text) ?? UUID.random())
            let invalid = columns.read(row, from: 2, into: &entity)
            if ids.contains(text) {
                pass(text, entity, invalid: invalid, isRepaired: id == nil)
            } else {
                odd.append((row.integer(0), text, entity, invalid))
            }
        }
        let isComplete = try scan(table, "id, \(columns.names)", take)
        let known = odd.isEmpty ? [:] : knownRows(of: table, ids.subtracting(taken))
        /// The former ids, taken from an index, of rows that got new ids.
        var renewed: Set<String> = []
        for row in odd {
            if let text = known[row.number]?.first(where: {
                !taken.contains($0) && Self.isNear($0, row.text)
            }), let id = Self.uuid(text) {
                pass(text, row.entity.with(id: id), invalid: row.invalid, isRepaired: false)
            } else {
                let isRepaired = Self.uuid(row.text) == nil
                pass(row.text, row.entity, invalid: row.invalid, isRepaired: isRepaired)
                if isRepaired, taken.contains(row.text) {
                    renewed.formUnion(known[row.number] ?? [])
                }
            }
        }
        try scanPages(table, "id, \(columns.names)", for: ids.subtracting(taken), take)
        lost += ids.subtracting(taken).subtracting(renewed).sorted().map {
            "\(table.dropLast()) \($0)"
        }
        if !isComplete, !areAllKnown { lost.append("rows of \(table) whose ids cannot be read") }
    }

    /// Calls `body` with the rows of `table` whose ids are in `ids`, from any page that holds them.
    /// An index names these rows, but no page of the table leads to them.
    private func scanPages(
        _ table: String, _ columns: String, for ids: Set<String>, _ body: (SQLiteStatement) -> Void
    ) throws {
        guard !ids.isEmpty else { return }
        let info = try connection.statement("PRAGMA main.table_info(\(table))")
        var names: [String] = []
        while try info.step() { names.append(info.text(1)) }
        guard let idPlace = names.firstIndex(of: "id") else { return }
        // A copied page may hold an older version of a row.
        let commitPlace = names.firstIndex(of: "commit_number")
        var rows: [String: (commit: Int64, values: [LeafPages.Value])] = [:]
        try LeafPages(of: connection).rows(columns: names.count) { values in
            guard idPlace < values.count, case .text(let bytes) = values[idPlace] else { return }
            let id = String(decoding: bytes, as: UTF8.self)
            guard ids.contains(id) else { return }
            var commit: Int64 = 0
            if let commitPlace, commitPlace < values.count,
                case .integer(let number) = values[commitPlace]
            {
                commit = number
            }
            if rows[id].map({ $0.commit < commit }) ?? true { rows[id] = (commit, values) }
        }
        let places = columns.split(separator: ", ").map { names.firstIndex(of: String($0)) }
        let parameters = places.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let statement = try connection.statement("SELECT 0, \(parameters)")
        for (_, values) in rows.values {
            for (index, place) in places.enumerated() {
                let value = place.flatMap { $0 < values.count ? values[$0] : nil } ?? .null
                switch value {
                case .integer(let number): try statement.bind(number, at: Int32(index + 1))
                case .text(let bytes): try statement.bind(utf8: bytes, at: Int32(index + 1))
                case .null, .other: try statement.bind(Int64?.none, at: Int32(index + 1))
                }
            }
            if try statement.step() { body(statement) }
            statement.reset()
        }
    }

    private func columns(of table: String) throws -> Set<String> {
        let info = try connection.statement("PRAGMA main.table_info(\(table))")
        var names: Set<String> = []
        while try info.step() { names.insert(info.text(1)) }
        return names
    }

    // MARK: Tables with row numbers

    /// The key of a row, which may be read more than once. Several damaged rows may have the same
    /// number.
    private struct RowKey: Hashable {
        var number: Int64
        var id: String
    }

    /// Calls `body` with every readable row of `table`, in no particular order.
    ///
    /// - Returns: true if the whole table was read.
    private func scan(
        _ table: String, _ columns: String, _ body: (SQLiteStatement) -> Void
    ) throws -> Bool {
        try checkStored(table)
        var seen: Set<RowKey> = []
        func read(_ row: SQLiteStatement) -> Bool {
            let isNew = seen.insert(RowKey(number: row.integer(0), id: row.text(1))).inserted
            if isNew { body(row) }
            return isNew
        }
        let all = "SELECT rowid, \(columns) FROM \(table) NOT INDEXED"
        for order in ["ASC", "DESC"] where each("\(all) ORDER BY rowid \(order)", { _ = read($0) })
        {
            return true
        }
        try beginWalk()
        let part = "\(all) WHERE rowid BETWEEN ?1 AND ?2 ORDER BY rowid"
        let (up, down) = (try connection.statement(part), try connection.statement("\(part) DESC"))
        var gaps = [(from: row("min", of: table) ?? 1, to: row("max", of: table) ?? 1 << 24)]
        // The maximum number of searches for single rows. Each takes about 10 µs.
        var attempts = 300_000
        while let gap = gaps.popLast(), gap.from <= gap.to, attempts > 0, room > 0 {
            attempts -= 1
            let (last, isUpComplete) = run(up, gap, isUpwards: true, read)
            let (first, isDownComplete) = run(down, gap, isUpwards: false, read)
            // Rows with wrong numbers may end both passes early.
            let areMet = last ?? .min >= first ?? .min
            if isUpComplete, isDownComplete, areMet { continue }
            let (from, to) = (last ?? gap.from, first ?? gap.to)
            guard from < to else { continue }
            // Row numbers can be any 64-bit number, so their difference may overflow.
            let middle = (from & to) + (from ^ to) >> 1
            gaps.append((middle + 1, to))
            gaps.append((from, middle))
        }
        return false
    }

    /// Throws if the table is a view or has generated columns. They have no stored rows, and could
    /// be endless.
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

    /// Returns the number of the first or last row, for the function `min` or `max`, or nil if it
    /// cannot be read.
    private func row(_ function: String, of table: String) -> Int64? {
        // An index also contains the row numbers. A number from a damaged page may be far off, and
        // the search then finds no rows.
        for source in Self.indexes(of: table).map({ "INDEXED BY \($0.name)" }) + ["NOT INDEXED"] {
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

    /// Reads the rows of `gap` upwards or downwards until one cannot be read.
    ///
    /// - Returns: the number of the last row but one, because the number of the last row may be
    ///   wrong, or nil if the numbers are out of order; and true if all rows were read.
    private func run(
        _ statement: SQLiteStatement, _ gap: (from: Int64, to: Int64), isUpwards: Bool,
        _ read: (SQLiteStatement) -> Bool
    ) -> (reached: Int64?, isComplete: Bool) {
        defer { statement.reset() }
        var reached: Int64?
        var last: Int64?
        var isOrdered = true
        // Pages that form a cycle have more rows than the gap has numbers.
        var rest = UInt64(bitPattern: gap.to &- gap.from)
        do {
            try statement.bind(gap.from, at: 1)
            try statement.bind(gap.to, at: 2)
            while try statement.step() {
                let number = statement.integer(0)
                if read(statement), !hasRoom(for: statement) { return (nil, false) }
                if let last {
                    isOrdered = isOrdered && (isUpwards ? number > last : number < last)
                    guard rest > 0 else { return (nil, false) }
                    rest -= 1
                }
                (reached, last) = (last, number)
            }
            return (last, true)
        } catch {
            return (isOrdered ? reached : nil, false)
        }
    }

    private func beginWalk() throws {
        try connection.limitWork()
        room = limit
    }

    /// Returns false if a pass has read more than the file can hold. Each row counts a few bytes
    /// even without text.
    private func hasRoom(for row: SQLiteStatement) -> Bool {
        room -= (0..<row.columnCount).reduce(8) { $0 + Int64(row.bytes($1).count) }
        return room > 0
    }

    // MARK: Data in indexes

    /// Returns the indexes of `table` that hold the ids of its rows, with their sort columns.
    private static func indexes(of table: String) -> [(name: String, column: String)] {
        [("sqlite_autoindex_\(table)_1", "id")]
            + (table == "items" ? [("items_by_rank", "rank")] : [])
    }

    /// Returns the tags of items by the texts of their ids. Reads both the table and its index,
    /// because either may be damaged.
    private func references() -> [String: Set<String>] {
        var references: [String: Set<String>] = [:]
        let areAll = all(
            "item_id, tag_id",
            of: [
                "item_tags ORDER BY item_id",
                "item_tags INDEXED BY item_tags_by_tag ORDER BY tag_id",
            ]
        ) { row in
            references[row.text(0), default: []].insert(row.text(1))
        }
        if !areAll { lost.append("tags of items") }
        return references
    }

    /// Returns the ids of the rows of `table` that an index has, and true if these are all ids.
    private func knownIDs(of table: String) -> (ids: Set<String>, areAll: Bool) {
        var ids: Set<String> = []
        let sources = Self.indexes(of: table).map {
            "\(table) INDEXED BY \($0.name) ORDER BY \($0.column)"
        }
        let areAll = all("id", of: sources) { ids.insert($0.text(0)) }
        return (ids, areAll)
    }

    /// Returns, for each row number, those of `ids` that the index of `table` has.
    private func knownRows(of table: String, _ ids: Set<String>) -> [Int64: [String]] {
        var known: [Int64: [String]] = [:]
        let index = Self.indexes(of: table)[0]
        let source = "\(table) INDEXED BY \(index.name) ORDER BY \(index.column)"
        _ = all("rowid, id", of: [source]) { row in
            let id = row.text(1)
            if ids.contains(id), known[row.integer(0)]?.contains(id) != true {
                known[row.integer(0), default: []].append(id)
            }
        }
        return known
    }

    private static func uuid(_ text: String) -> UUID? {
        var text = text
        return text.withUTF8 { UUID($0) }
    }

    /// Returns true if `id` and `other` may be one id with damaged bytes. An invalid byte has been
    /// read as one scalar.
    private static func isNear(_ id: String, _ other: String) -> Bool {
        let (scalars, others) = (id.unicodeScalars, other.unicodeScalars)
        return scalars.count == others.count && zip(scalars, others).count(where: !=) <= 4
    }

    /// Calls `body` with the readable rows of every source, reading from both ends.
    ///
    /// - Returns: true if one of the sources was read completely.
    private func all(
        _ columns: String, of sources: [String], _ body: (SQLiteStatement) -> Void
    ) -> Bool {
        var isComplete = false
        for source in sources {
            let sql = "SELECT \(columns) FROM \(source)"
            if each(sql, body) || each("\(sql) DESC", body) { isComplete = true }
        }
        return isComplete
    }

    /// Calls `body` with rows until one cannot be read. Returns true if all were read.
    private func each(_ sql: String, _ body: (SQLiteStatement) -> Void) -> Bool {
        do {
            try beginWalk()
            let statement = try connection.statement(sql)
            while try statement.step() {
                guard hasRoom(for: statement) else { return false }
                body(statement)
            }
            return true
        } catch {
            return false
        }
    }
}

extension ListEntity {
    /// Returns a copy of the entity with another id.
    fileprivate func with(id: UUID) -> Self {
        var entity = Self(id: id)
        for field in Self.fields { field.copy(from: self, to: &entity) }
        return entity
    }
}
