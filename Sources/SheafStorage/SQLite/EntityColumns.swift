import FoundationEssentials
import SheafFormats
import SheafList

/// The columns of an entity table, for naming, binding and reading them in statements.
///
/// The id comes first, then the fields in the order of their declaration, and last the number of
/// the commit that wrote the row. Sets of tags are stored as rows of another table.
struct EntityColumns<Entity: Sendable>: Sendable {
    private let fields: [Field<Entity>]
    // Created once: switching over the field types for each row takes a tenth of the reading time.
    private let readers: [Reader]
    private let binders: [Binder]

    /// A function that sets a field to the value of a column and returns true if the value is
    /// valid.
    private typealias Reader =
        @Sendable (_ row: SQLiteStatement, _ column: Int32, _ entity: inout Entity) -> Bool
    private typealias Binder =
        @Sendable (_ entity: Entity, _ statement: SQLiteStatement, _ parameter: Int32) throws ->
        Void

    /// Creates the columns of `fields`.
    ///
    /// - Parameter present: the columns that the table has, or nil if it has all of them. A table
    ///   of an earlier version has fewer. Missing fields get their defaults.
    init(_ fields: [Field<Entity>], present: Set<String>? = nil) {
        self.fields = fields.filter { $0.isColumn && present?.contains($0.column) ?? true }
        readers = self.fields.map(Self.reader(of:))
        binders = self.fields.map(Self.binder(of:))
    }

    private var columns: [String] { fields.map(\.column) }

    /// The columns of the fields, in order, for a SELECT.
    var names: String { columns.joined(separator: ", ") }

    var count: Int32 { Int32(fields.count) }

    /// The columns that refer to a tag.
    var references: [String] {
        fields.filter { if case .tag = $0.value { true } else { false } }.map(\.column)
    }

    /// Returns the index of a field's column among the columns of the fields.
    func place(of column: String) -> Int32 {
        guard let place = columns.firstIndex(of: column) else {
            preconditionFailure("no field has the column \(column)")
        }
        return Int32(place)
    }

    /// Returns a statement that inserts a row or replaces the row with its id. Parameters: the id,
    /// the fields, the number of the commit, and then `others`. It says ABORT because the table may
    /// declare another conflict clause.
    func upsert(into table: String, others: [String] = []) -> String {
        let all = ["id"] + columns + ["commit_number"] + others
        let parameters = all.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let changes = all.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return """
            INSERT OR ABORT INTO \(table) (\(all.joined(separator: ", "))) VALUES (\(parameters))
            ON CONFLICT (id) DO UPDATE SET \(changes)
            """
    }

    /// Binds the fields of `entity` to the parameters from `first` on.
    func bind(_ entity: Entity, to statement: SQLiteStatement, from first: Int32) throws {
        var parameter = first
        for binder in binders {
            try binder(entity, statement, parameter)
            parameter += 1
        }
    }

    /// Reads the columns of `row`, starting at `first`, into `entity`.
    ///
    /// - Returns: the columns without a valid value. Their fields keep the default.
    func read(_ row: SQLiteStatement, from first: Int32, into entity: inout Entity) -> [String] {
        var invalid: [String] = []
        for index in readers.indices where !readers[index](row, first + Int32(index), &entity) {
            invalid.append(fields[index].column)
        }
        return invalid
    }

    private static func reader(of field: Field<Entity>) -> Reader {
        switch field.value {
        case .text(let accessor):
            let set = accessor.set
            return { row, column, entity in
                set(&entity, row.text(column))
                return true
            }
        case .word(let spelling):
            let read = spelling.read
            return { row, column, entity in
                read(&entity, row.isNull(column) ? nil : row.text(column))
            }
        case .time(let accessor):
            let set = accessor.set
            return { row, column, entity in
                set(&entity, Timestamp(milliseconds: row.integer(column)))
                return true
            }
        case .optionalTime(let accessor):
            let set = accessor.set
            return { row, column, entity in
                if !row.isNull(column) {
                    set(&entity, Timestamp(milliseconds: row.integer(column)))
                }
                return true
            }
        case .pairs(let accessor):
            let set = accessor.set
            return { row, column, entity in
                let bytes = row.bytes(column)
                // Nearly every row has no extras: `[]`.
                if bytes.count > 2 { set(&entity, [Item.Extra](json: bytes)) }
                return true
            }
        case .flag(let accessor):
            let set = accessor.set
            return { row, column, entity in
                if !row.isNull(column) { set(&entity, row.integer(column) != 0) }
                return !row.isNull(column) && (0...1).contains(row.integer(column))
            }
        case .tag(let accessor):
            let set = accessor.set
            return { row, column, entity in
                set(&entity, row.uuid(column))
                return row.isNull(column) || row.uuid(column) != nil
            }
        case .tags: return { _, _, _ in true }
        }
    }

    private static func binder(of field: Field<Entity>) -> Binder {
        switch field.value {
        case .text(let accessor):
            let get = accessor.get
            return { try $1.bind(get($0), at: $2) }
        case .word(let spelling):
            let get = spelling.get
            return { try $1.bind(get($0), at: $2) }
        case .time(let accessor):
            let get = accessor.get
            return { try $1.bind(get($0).milliseconds, at: $2) }
        case .optionalTime(let accessor):
            let get = accessor.get
            return { try $1.bind(get($0)?.milliseconds, at: $2) }
        case .pairs(let accessor):
            let get = accessor.get
            return { try $1.bind(get($0).json, at: $2) }
        case .flag(let accessor):
            let get = accessor.get
            return { try $1.bind(get($0) ? 1 : 0, at: $2) }
        case .tag(let accessor):
            let get = accessor.get
            return { try $1.bind(get($0).map { $0.uuidString.lowercased() }, at: $2) }
        case .tags: return { _, _, _ in }
        }
    }
}
