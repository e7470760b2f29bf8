import FoundationEssentials
import SheafCore

/// The columns of a table of entities: what statements name, bind and read.
///
/// The id comes first, then the fields in the order in which they are declared, and last the number of the
/// commit that wrote the row. Sets of tags are rows of another table.
struct EntityColumns<Entity: Sendable>: Sendable {
    private let fields: [Field<Entity>]

    init(_ fields: [Field<Entity>]) {
        self.fields = fields.filter(\.isColumn)
    }

    private var columns: [String] { fields.map(\.column) }

    /// The columns of the fields, in order, for a SELECT.
    var names: String { columns.joined(separator: ", ") }

    var count: Int32 { Int32(fields.count) }

    /// Writes a row, whether there is one of its id or not. Parameters: the id, the fields, the number of the
    /// commit, and then `others`. ABORT, because the table may have been declared with another way out.
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
        for (index, field) in zip(first..., fields) {
            switch field.value {
            case .text(let accessor): try statement.bind(accessor.get(entity), at: index)
            case .word(let spelling): try statement.bind(spelling.get(entity), at: index)
            case .time(let accessor):
                try statement.bind(accessor.get(entity).milliseconds, at: index)
            case .optionalTime(let accessor):
                try statement.bind(accessor.get(entity)?.milliseconds, at: index)
            case .pairs(let accessor):
                try statement.bind(ExtrasText.text(accessor.get(entity)), at: index)
            case .tags: break
            }
        }
    }

    /// Reads the columns of `row` from `first` on into `entity`.
    ///
    /// - Returns: what is wrong with a column that cannot be understood, such as `not a rank`. Its field keeps
    ///   the default, and the others are read all the same.
    func read(_ row: SQLiteStatement, from first: Int32, into entity: inout Entity) -> String? {
        var problem: String?
        for (index, field) in zip(first..., fields) {
            switch field.value {
            case .text(let accessor): accessor.set(&entity, row.text(index))
            case .word(let spelling):
                if !spelling.set(&entity, row.text(index)), let noun = spelling.noun {
                    problem = "\(field.column) is not \(noun)"
                }
            case .time(let accessor):
                accessor.set(&entity, Timestamp(milliseconds: row.integer(index)))
            case .optionalTime(let accessor):
                accessor.set(
                    &entity,
                    row.isNull(index) ? nil : Timestamp(milliseconds: row.integer(index)))
            case .pairs(let accessor): accessor.set(&entity, ExtrasText.extras(row.bytes(index)))
            case .tags: break
            }
        }
        return problem
    }
}
