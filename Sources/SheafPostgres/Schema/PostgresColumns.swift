import FoundationEssentials
import SheafFormats
import SheafList

/// The columns of a table of entities: their names and types, and how to write and read them.
/// Everything is derived from the entity's fields.
struct PostgresColumns<Entity: Sendable>: Sendable {
    private let fields: [Field<Entity>]
    /// The text before the value of each field in JSON.
    private let keys: [[UInt8]]
    private let readers: [Reader]

    /// Sets a field to the value of a column, and returns true if that is valid.
    private typealias Reader =
        @Sendable (_ rows: PostgresResult, _ row: Int, _ column: Int, _ entity: inout Entity) ->
        Bool

    /// - Parameter present: The columns that the table has, or `nil` if it has all of them. Fields
    ///   without a column, in a table of an earlier version, have their defaults.
    init(_ fields: [Field<Entity>], present: Set<String>? = nil) {
        self.fields = fields.filter { present?.contains($0.column) ?? true }
        keys = self.fields.map { Array(",\"\($0.column)\":".utf8) }
        readers = self.fields.map(Self.reader(of:))
    }

    var names: [String] { fields.map(\.column) }
    var count: Int { fields.count }

    /// The name and the declaration of each column. Each has a default, so that it can be added to
    /// a table with rows.
    var declarations: [(name: String, type: String)] {
        fields.map { ($0.column, Self.type(of: $0)) }
    }

    /// The columns with their types, for reading rows from JSON.
    var record: [String] { fields.map { "\($0.column) \(Self.plainType(of: $0))" } }

    /// The SQL expression for the value of each column, from a row `r` in JSON. It leaves out tags
    /// that do not exist, so that readers need not check.
    var values: [String] {
        fields.map { field in
            switch field.value {
            case .tag:
                "(SELECT t.id FROM sheaf.tags t WHERE t.list_id = p_list AND t.id = r.\(field.column))"
            case .tags:
                """
                ARRAY(SELECT DISTINCT t FROM unnest(r.\(field.column)) t WHERE (\(PostgresSchema.isTag("t"))) IS TRUE)
                """
            default: "r.\(field.column)"
            }
        }
    }

    private static func plainType(of field: Field<Entity>) -> String {
        switch field.value {
        case .text, .word, .pairs: "text"
        case .time, .optionalTime: "bigint"
        case .flag: "boolean"
        case .tags: "uuid[]"
        case .tag: "uuid"
        }
    }

    private static func type(of field: Field<Entity>) -> String {
        let type = plainType(of: field)
        switch field.value {
        case .text: return "\(type) NOT NULL DEFAULT ''"
        case .word where field.column == "rank":
            return "\(type) COLLATE \"C\" NOT NULL CHECK (\(Self.isRank))"
        case .word, .optionalTime, .tag: return type
        case .pairs: return "\(type) NOT NULL DEFAULT '[]'"
        case .time: return "\(type) NOT NULL DEFAULT 0"
        case .flag: return "\(type) NOT NULL DEFAULT false"
        case .tags: return "\(type) NOT NULL DEFAULT '{}'"
        }
    }

    /// A condition that is true if `Rank` can read the value. With an invalid rank, no client could
    /// read the list. A rank consists of base-62 digits: an integer part, whose first digit
    /// determines its length, and a fraction that does not end in 0. The length is limited, because
    /// an index row is at most a third of a page.
    private static var isRank: String {
        """
        rank ~ '^[A-Za-z][0-9A-Za-z]+$' AND octet_length(rank) <= \(PostgresSchema.maxDigitsOfRank) AND octet_length(rank) >=
          CASE WHEN rank >= 'a' THEN ascii(rank) - 95 ELSE 92 - ascii(rank) END AND (right(rank, 1) <> '0'
            OR rank <> 'A' || repeat('0', 26) AND octet_length(rank) =
              CASE WHEN rank >= 'a' THEN ascii(rank) - 95 ELSE 92 - ascii(rank) END)
        """
    }

    // MARK: Writing

    /// Appends the members of `entity`, each preceded by a comma. Absent values, which are NULL in
    /// a table, are omitted.
    func append(_ entity: Entity, to json: inout [UInt8]) {
        for (field, key) in zip(fields, keys) {
            Self.append(field, as: key, of: entity, to: &json)
        }
    }

    private static func append(
        _ field: Field<Entity>, as key: [UInt8], of entity: Entity, to json: inout [UInt8]
    ) {
        func append(_ text: String?) {
            guard let text else { return }
            json += key
            JSONText.append(text.postgresText, to: &json)
        }
        func append(_ time: Timestamp?) {
            guard let time else { return }
            json += key
            json += "\(time.milliseconds)".utf8
        }
        switch field.value {
        case .text(let accessor): append(accessor.get(entity))
        case .word(let spelling): append(spelling.get(entity))
        case .time(let accessor): append(accessor.get(entity))
        case .optionalTime(let accessor): append(accessor.get(entity))
        case .flag(let accessor):
            json += key
            json += (accessor.get(entity) ? "true" : "false").utf8
        case .pairs(let accessor): append(accessor.get(entity).json)
        case .tag(let accessor): append(accessor.get(entity)?.uuidString)
        case .tags(let accessor):
            json += key
            json.append(ids: accessor.get(entity))
        }
    }

    // MARK: Reading

    /// Reads the columns of a row from `first` on into `entity`.
    ///
    /// - Returns: The columns with invalid values. Their fields keep the default.
    func read(
        _ rows: PostgresResult, _ row: Int, from first: Int, into entity: inout Entity
    ) -> [String] {
        var invalid: [String] = []
        for index in readers.indices where !readers[index](rows, row, first + index, &entity) {
            invalid.append(fields[index].column)
        }
        return invalid
    }

    private static func reader(of field: Field<Entity>) -> Reader {
        switch field.value {
        case .text(let accessor):
            let set = accessor.set
            return { rows, row, column, entity in
                set(&entity, rows.text(row, column))
                return true
            }
        case .word(let spelling):
            let read = spelling.read
            return { rows, row, column, entity in
                read(&entity, rows.isNull(row, column) ? nil : rows.text(row, column))
            }
        case .time(let accessor):
            let set = accessor.set
            return { rows, row, column, entity in
                set(&entity, Timestamp(milliseconds: rows.integer(row, column)))
                return true
            }
        case .optionalTime(let accessor):
            let set = accessor.set
            return { rows, row, column, entity in
                if !rows.isNull(row, column) {
                    set(&entity, Timestamp(milliseconds: rows.integer(row, column)))
                }
                return true
            }
        case .flag(let accessor):
            let set = accessor.set
            return { rows, row, column, entity in
                set(&entity, rows.flag(row, column))
                return true
            }
        case .pairs(let accessor):
            let set = accessor.set
            return { rows, row, column, entity in
                let bytes = rows.bytes(row, column)
                // Almost every row has no extras.
                if bytes.count > 2 {
                    var text = rows.text(row, column)
                    set(&entity, text.withUTF8 { [Item.Extra](json: $0) })
                }
                return true
            }
        case .tag(let accessor):
            let set = accessor.set
            return { rows, row, column, entity in
                set(&entity, rows.uuid(row, column))
                return true
            }
        case .tags(let accessor):
            let set = accessor.set
            return { rows, row, column, entity in
                let tags = rows.uuids(row, column)
                if !tags.isEmpty { set(&entity, Set(tags)) }
                return true
            }
        }
    }
}

extension [UInt8] {
    /// Appends `text` as a JSON string that PostgreSQL can store.
    mutating func append(text: String) {
        JSONText.append(text.postgresText, to: &self)
    }

    /// Appends a JSON array of strings.
    mutating func append(ids: some Sequence<UUID>) {
        append(UInt8(ascii: "["))
        for (index, id) in ids.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            append(id: id)
        }
        append(UInt8(ascii: "]"))
    }

    /// Appends `id` as a JSON string.
    mutating func append(id: UUID) {
        append(UInt8(ascii: "\""))
        id.withText { text in
            append(contentsOf: UnsafeRawBufferPointer(text))
        }
        append(UInt8(ascii: "\""))
    }
}
