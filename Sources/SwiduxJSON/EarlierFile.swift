import FoundationEssentials

/// A JSON value in a ``JSONFile``. Migrations use it because a program has no types for the
/// entities of its earlier versions.
public enum KeptValue: Sendable, Hashable, Codable {
    /// Null.
    case null
    /// True or false.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A number that an `Int64` cannot hold.
    case number(Decimal)
    /// A string.
    case string(String)
    /// Values in order.
    case array([KeptValue])
    /// Values by their keys.
    case object([String: KeptValue])

    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Decimal.self) {
            self = .number(number)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let array = try? value.decode([KeptValue].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: KeptValue].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .integer(let integer): try container.encode(integer)
        case .number(let number): try container.encode(number)
        case .string(let string): try container.encode(string)
        case .array(let array): try container.encode(array)
        case .object(let object): try container.encode(object)
        }
    }
}

/// The stores of a ``JSONFile`` that an earlier version of the program wrote. A migration changes
/// them into the stores of this version.
///
/// ```swift
/// JSONFile(path, format: "todos", version: 3) { file in
///     if file.version < 2 { file.rename("tasks", to: "todos") }
///     file.transform("todos") { todo in todo["priority"] = todo["priority"] ?? .integer(0) }
///     file.drop("drafts")
/// }
/// ```
public struct EarlierFile: Sendable {
    /// The version of the entities in the file.
    public let version: Int
    /// The entities of each store, by its name.
    public var stores: [String: [KeptValue]]

    /// Removes a store and its entities.
    public mutating func drop(_ name: String) { stores[name] = nil }

    /// Renames a store, and replaces any store that has the new name. Does nothing if the file does
    /// not have the store.
    public mutating func rename(_ name: String, to newName: String) {
        guard let entities = stores.removeValue(forKey: name) else { return }
        stores[newName] = entities
    }

    /// Changes the properties of every entity of a store. Does nothing if the file does not have
    /// the store. O(entities).
    ///
    /// - Parameters:
    ///   - name: the name of the store in the file.
    ///   - body: changes the properties of one entity, by their JSON keys. If it throws, the store
    ///     stays as it was.
    public mutating func transform(
        _ name: String, _ body: (inout [String: KeptValue]) throws -> Void
    ) rethrows {
        stores[name] = try stores[name]?.map { entity in
            guard case .object(var properties) = entity else { return entity }
            try body(&properties)
            return .object(properties)
        }
    }
}
