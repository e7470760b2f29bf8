import SheafTestSupport
import Terminal

/// Text for a terminal is harmless, and its columns add up.
enum DisplayProperties {
    static func check(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        let glyphs = DisplayText.glyphs(of: text)
        try expect(glyphs.count == text.count, "not one glyph for each character")
        for glyph in glyphs {
            try expect(1...2 ~= glyph.columns, "\(glyph) takes \(glyph.columns) columns")
            try expect(!glyph.text.isEmpty, "an empty glyph")
            try expectHarmless(glyph.text)
        }
        let columns = glyphs.reduce(0) { $0 + $1.columns }
        try expect(DisplayText.width(of: text) == columns, "width of the text")
        try expect(DisplayText.width(of: Array(text)) == columns, "width of its characters")
        let sanitized = DisplayText.sanitized(text)
        try expectHarmless(sanitized)
        try expectSame(sanitized, glyphs.map(\.text).joined(), "glyphs and sanitized text")
        for limit in [0, 1, 2, columns / 2, columns - 1, columns, columns + 1] {
            try truncated(text, sanitized, columns: columns, limit: limit)
        }
    }

    private static func truncated(
        _ text: String, _ sanitized: String, columns: Int, limit: Int
    ) throws {
        let cut = DisplayText.truncated(text, to: limit)
        try expectHarmless(cut)
        if columns <= limit {
            try expectSame(cut, sanitized, "what fits is whole")
        } else if limit > 0 {
            let kept = cut.unicodeScalars.dropLast()
            try expect(cut.unicodeScalars.last == "…", "no ellipsis at \(limit)")
            try expect(
                sanitized.unicodeScalars.starts(with: kept), "\(limit): not the beginning")
        } else {
            try expect(cut.isEmpty, "something in no columns")
        }
        let count = DisplayText.count(of: text, within: limit)
        try expect(DisplayText.width(of: text.prefix(count)) <= max(0, limit), "\(limit): too many")
        try expect(
            count == text.count || DisplayText.width(of: text.prefix(count + 1)) > limit,
            "\(limit): too few")
    }

    static func expectHarmless(_ text: String) throws {
        if let scalar = text.unicodeScalars.first(where: HostileText.isHarmful) {
            throw Broken(description: "U+\(String(scalar.value, radix: 16)) is sent to a terminal")
        }
    }
}
