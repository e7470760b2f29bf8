import SheafList

/// After any edits, a line is one line, and its caret is between characters.
enum LineProperties {
    private static let edits: [LineEditor.Edit] = [
        .backwardChar, .forwardChar, .backwardWord, .forwardWord, .beginningOfLine, .endOfLine,
        .backwardDeleteChar, .deleteChar, .backwardKillWord, .killWord, .unixWordRubout,
        .unixLineDiscard, .killLine, .yank,
    ]
    /// The control bytes that stand for the edits: all but those that end lines.
    private static let commands = (1...0x1f).map(UInt8.init).filter { !(0x0a...0x0d ~= $0) }

    /// Each costs the length of the line.
    private static let maxEdits = 400
    /// A kill and a few yanks multiply the line. Longer lines, in bytes, show nothing new.
    private static let longest = 10_000

    static func check(_ bytes: [UInt8]) throws {
        var editor = LineEditor()
        // The text before the kills in a row, which one yank brings back; nil if one of them took a
        // word, since the rest may have joined.
        var whole: String? = ""
        for part in split(bytes).prefix(maxEdits) {
            guard editor.text.utf8.count <= longest else { return }
            let old = editor
            let hasChanged = editor.apply(part)
            try expect(
                hasChanged != old.text.utf8.elementsEqual(editor.text.utf8),
                "\(part) says \(hasChanged) of \(old.text.debugDescription)")
            let (before, after) = (editor.beforeCaret, editor.afterCaret)
            try expectSame(String(before) + after, editor.text, "around the caret after \(part)")
            try expect(!editor.text.contains(where: \.isNewline), "two lines after \(part)")
            try expect(
                before.count + after.count == editor.text.count, "within a character: \(part)")
            switch part {
            case .killLine, .unixLineDiscard:
                guard let whole, hasChanged else { continue }
                var back = editor
                back.apply(.yank)
                try expectSame(back.text, whole, "yanked after \(part)")
            case .killWord, .backwardKillWord, .unixWordRubout: whole = nil
            default: whole = editor.text
            }
        }
    }

    /// Control bytes are edits, and the bytes between them are typed.
    private static func split(_ bytes: [UInt8]) -> [LineEditor.Edit] {
        var parts: [LineEditor.Edit] = []
        var rest = bytes[...]
        while let byte = rest.first {
            if let command = commands.firstIndex(of: byte) {
                parts.append(edits[command % edits.count])
                rest = rest.dropFirst()
            } else {
                let text = rest.prefix { !commands.contains($0) }
                parts.append(.insert(String(decoding: text, as: UTF8.self)))
                rest = rest.dropFirst(text.count)
            }
        }
        return parts
    }
}
