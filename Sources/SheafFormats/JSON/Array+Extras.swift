import FoundationEssentials
import SheafList

extension [Item.Extra] {
    /// Extras in the form of the store's column: `[["key", "value"], …]`.
    package var json: String {
        guard !isEmpty else { return "[]" }
        let pairs = map { "[\(JSONText.quoted($0.key)), \(JSONText.quoted($0.value))]" }
        return "[\(pairs.joined(separator: ", "))]"
    }

    /// Parses a text like ``json``. An invalid one becomes a single extra with the key `extras` and
    /// the whole text.
    package init(json text: UnsafeBufferPointer<UInt8>) {
        // Almost every row has no extras.
        let isEmpty = text.isEmpty || text.elementsEqual("[]".utf8)
        self =
            isEmpty
            ? []
            : Self.pairs(text) ?? [
                Item.Extra(key: "extras", value: String(decoding: text, as: UTF8.self))
            ]
    }

    private static func pairs(_ text: UnsafeBufferPointer<UInt8>) -> [Item.Extra]? {
        var scanner = JSONScanner(Data(text))
        do {
            guard case .array(let elements) = try scanner.value() else { return nil }
            try scanner.end()
            var extras: [Item.Extra] = []
            for element in elements {
                guard case .array(let pair) = element, pair.count == 2,
                    case .string(let key) = pair[0], case .string(let value) = pair[1]
                else { return nil }
                extras.append(Item.Extra(key: key, value: value))
            }
            return extras
        } catch {
            return nil
        }
    }
}
