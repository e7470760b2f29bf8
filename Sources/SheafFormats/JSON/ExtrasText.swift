import FoundationEssentials
import SheafList

/// Extras in the form of the store's column: `[["key", "value"], …]`.
package enum ExtrasText {
    package static func text(_ extras: [Item.Extra]) -> String {
        guard !extras.isEmpty else { return "[]" }
        let pairs = extras.map { "[\(JSONText.quoted($0.key)), \(JSONText.quoted($0.value))]" }
        return "[\(pairs.joined(separator: ", "))]"
    }

    /// Parses `text`. If it is invalid, returns a single extra with the key `extras` and the whole
    /// text.
    package static func extras(_ text: UnsafeBufferPointer<UInt8>) -> [Item.Extra] {
        // Almost every row has no extras.
        if text.isEmpty || text.elementsEqual([UInt8(ascii: "["), UInt8(ascii: "]")]) { return [] }
        return pairs(text) ?? [
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
