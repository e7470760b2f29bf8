import Foundation
import SheafList

@testable import SheafFormats
@testable import SheafStorage

/// JSON that could be read is written so that it reads as the same.
enum JSONProperties {
    static func values(_ bytes: [UInt8]) throws {
        try text(String(decoding: bytes, as: UTF8.self))
        try bytes.withUnsafeBufferPointer { buffer in
            let extras = [Item.Extra](json: buffer)
            var text = extras.json
            let again = text.withUTF8 { [Item.Extra](json: $0) }
            try expect(again == extras, "extras: \(text)")
        }
        do {
            let value = try value(Array(bytes))
            try harmless(value.json)
            let again = try self.value(Array(value.json.utf8))
            try expectSame(again.json, value.json, "a value")
        } catch let error as FormatError {
            try DisplayProperties.expectHarmless(error.description)
        }
    }

    private static func text(_ text: String) throws {
        let quoted = JSONText.quoted(text)
        try harmless(quoted)
        guard case .string(let read) = try value(Array(quoted.utf8)) else {
            throw Broken(description: "no text: \(quoted)")
        }
        try expectSame(read, text, "a quoted text")
    }

    private static func value(_ bytes: [UInt8]) throws(FormatError) -> JSONValue {
        var scanner = JSONScanner(Data(bytes))
        let value = try scanner.value()
        try scanner.end()
        return value
    }

    /// Characters that a terminal could obey or that mislead. Joiners stay, because languages need
    /// them.
    private static func harmless(_ text: String) throws {
        for scalar in text.unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control
            let isBidi =
                [0x61c, 0x200e, 0x200f, 0x2028, 0x2029].contains(scalar.value)
                || 0x202a...0x202e ~= scalar.value || 0x2066...0x2069 ~= scalar.value
            try expect(!isControl && !isBidi, "U+\(String(scalar.value, radix: 16)) in JSON")
        }
    }

    /// Changes that a process showed and did not save.
    static func changes(_ bytes: [UInt8]) throws {
        do {
            let changes = try ChangesText.changes(ChangesText.object(Data(bytes)))
            let text = [0x7b] + ChangesText.members(of: changes) + [0x7d]
            let again = try ChangesText.changes(ChangesText.object(Data(text)))
            try expect(again == changes, String(decoding: text, as: UTF8.self))
        } catch let error as FormatError {
            try DisplayProperties.expectHarmless(error.description)
        }
    }
}
