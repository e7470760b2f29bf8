/// One line of text with a caret, edited as in readline.
///
/// The caret is always between graphemes, so that it passes a letter and its combining marks in one
/// step, and one edit deletes them together. Text that is typed in pieces (a base, then its accent)
/// combines as it arrives. This is pure state, without a view or keys. An insertion examines only
/// the inserted text and the adjacent graphemes, and moves the rest of the line as bytes.
package struct LineEditor: Hashable, Sendable {
    package private(set) var text: String
    private var caretIndex: String.Index
    /// The parts of the text that were pasted.
    package private(set) var pasted = PastedParts()
    /// The text that ``Edit/yank`` inserts.
    package var killed = Killed()
    /// True if the last edit was a kill. The text of another kill is then joined to it.
    private var hasKilled = false
    /// True if a part of this line was ever killed. `^Y` then inserts killed text.
    package private(set) var hasEverKilled = false

    /// The text of the last consecutive kills, and the parts of it that were pasted.
    package struct Killed: Hashable, Sendable {
        package fileprivate(set) var text = ""
        fileprivate(set) var pasted = PastedParts()

        package init(text: String = "", pasted: PastedParts = PastedParts()) {
            self.text = text
            self.pasted = pasted
        }

        fileprivate mutating func add(_ other: Killed, before: Bool) {
            let offset = before ? 0 : text.utf8.count
            pasted.insert(other.pasted, count: other.text.utf8.count, at: offset)
            text = before ? other.text + text : text + other.text
        }
    }

    /// The edits of a line, with readline's names.
    package enum Edit: Hashable, Sendable {
        case insert(String)
        /// Inserts text from outside of the program.
        case paste(String)
        case backwardChar, forwardChar
        case backwardWord, forwardWord
        case beginningOfLine, endOfLine
        case backwardDeleteChar, deleteChar
        case backwardKillWord, killWord
        /// Kills back to white space, as `^W` does. `Alt-Backspace` also stops at punctuation.
        case unixWordRubout
        case unixLineDiscard, killLine
        case yank
    }

    /// Creates a line that holds `text`, with the caret at its end.
    package init(_ text: String = "") {
        self.text = text
        caretIndex = text.endIndex
    }

    package var isEmpty: Bool { text.isEmpty }

    /// The graphemes before the caret.
    package var beforeCaret: Substring { text[..<caretIndex] }

    /// The graphemes after the caret.
    package var afterCaret: Substring { text[caretIndex...] }

    /// Makes an edit and returns true if the text changed.
    @discardableResult
    package mutating func apply(_ edit: Edit) -> Bool {
        let goesOn = hasKilled
        hasKilled = false
        switch edit {
        case .insert(let inserted): return insert(inserted, pasted: PastedParts())
        case .paste(let inserted):
            return insert(inserted, pasted: nil)
        case .backwardChar: moveCaret(to: before(caretIndex))
        case .forwardChar: moveCaret(to: after(caretIndex))
        case .backwardWord: moveCaret(to: wordStart(before: caretIndex))
        case .forwardWord: moveCaret(to: wordEnd(after: caretIndex))
        case .beginningOfLine: moveCaret(to: text.startIndex)
        case .endOfLine: moveCaret(to: text.endIndex)
        case .backwardDeleteChar: return remove(before(caretIndex)..<caretIndex)
        case .deleteChar: return remove(caretIndex..<after(caretIndex))
        case .backwardKillWord:
            return kill(wordStart(before: caretIndex)..<caretIndex, continues: goesOn)
        case .killWord: return kill(caretIndex..<wordEnd(after: caretIndex), continues: goesOn)
        case .unixWordRubout:
            return kill(fieldStart(before: caretIndex)..<caretIndex, continues: goesOn)
        case .unixLineDiscard: return kill(text.startIndex..<caretIndex, continues: goesOn)
        case .killLine: return kill(caretIndex..<text.endIndex, continues: goesOn)
        case .yank: return insert(killed.text, pasted: killed.pasted)
        }
        return false
    }

    /// Inserts `inserted`, with each line break replaced by one space, so that the text stays one
    /// line.
    ///
    /// - Parameter pasted: the parts of `inserted` that were pasted, or nil for all of it.
    private mutating func insert(_ inserted: String, pasted parts: PastedParts?) -> Bool {
        guard !inserted.isEmpty else { return false }
        let line =
            inserted.contains(where: \.isNewline)
            ? String(inserted.map { $0.isNewline ? " " : $0 }) : inserted
        let offset = offset(of: caretIndex)
        text.insert(contentsOf: line, at: caretIndex)
        pasted.insert(
            parts ?? PastedParts(all: line.utf8.count), count: line.utf8.count, at: offset)
        placeCaret(at: offset + line.utf8.count)
        return true
    }

    /// Places the caret `offset` bytes into the text. If the character to its left has combined
    /// with the one to its right, as a combining mark does, the caret is placed after the whole
    /// grapheme.
    private mutating func placeCaret(at offset: Int) {
        caretIndex = text.utf8.index(text.startIndex, offsetBy: offset)
        guard caretIndex > text.startIndex, caretIndex < text.endIndex else { return }
        // The end of the grapheme that the scalar before the caret belongs to.
        caretIndex = text.index(after: text.unicodeScalars.index(before: caretIndex))
    }

    /// Returns the number of bytes before `index`. O(1).
    private func offset(of index: String.Index) -> Int {
        text.utf8.distance(from: text.startIndex, to: index)
    }

    private mutating func moveCaret(to index: String.Index) {
        caretIndex = index
    }

    private mutating func remove(_ range: Range<String.Index>) -> Bool {
        guard !range.isEmpty else { return false }
        let offset = offset(of: range.lowerBound)
        pasted.remove(offset..<self.offset(of: range.upperBound))
        text.removeSubrange(range)
        placeCaret(at: offset)
        return true
    }

    /// The whole line, as killed text.
    package var whole: Killed { Killed(text: text, pasted: pasted) }

    /// Kills `range`, which begins or ends at the caret. ``Edit/yank`` inserts it again.
    private mutating func kill(_ range: Range<String.Index>, continues: Bool) -> Bool {
        hasKilled = true
        guard !range.isEmpty else { return false }
        hasEverKilled = true
        if !continues { killed = Killed() }
        let taken = Killed(
            text: String(text[range]),
            pasted: pasted.parts(
                in: offset(of: range.lowerBound)..<offset(of: range.upperBound)))
        killed.add(taken, before: range.lowerBound < caretIndex)
        return remove(range)
    }

    private func before(_ index: String.Index) -> String.Index {
        index > text.startIndex ? text.index(before: index) : index
    }

    private func after(_ index: String.Index) -> String.Index {
        index < text.endIndex ? text.index(after: index) : index
    }

    private func wordStart(before index: String.Index) -> String.Index {
        back(while: \.isWordPart, from: back(while: { !$0.isWordPart }, from: index))
    }

    private func wordEnd(after index: String.Index) -> String.Index {
        var end = index
        while end < text.endIndex, !text[end].isWordPart { end = text.index(after: end) }
        while end < text.endIndex, text[end].isWordPart { end = text.index(after: end) }
        return end
    }

    private func fieldStart(before index: String.Index) -> String.Index {
        back(while: { !$0.isWhitespace }, from: back(while: \.isWhitespace, from: index))
    }

    private func back(
        while holds: (Character) -> Bool, from index: String.Index
    ) -> String.Index {
        var start = index
        while start > text.startIndex, holds(text[text.index(before: start)]) {
            start = text.index(before: start)
        }
        return start
    }
}

extension Character {
    fileprivate var isWordPart: Bool { isLetter || isNumber }
}
