import Swidux

extension StorageMerge where Entity == Item {
    /// A merge of two edits of one item: field by field, tags as a set.
    ///
    /// If both edits changed one field differently, the edit by this process wins. The text that
    /// yields is appended to the note as `was: …`, so that no typed text is lost. Places and
    /// completion times are not kept in this way, because only one can be true. Without a base,
    /// both count as having changed every field; but an unedited next occurrence yields to the one
    /// that is already stored. Merging either edit with the result again changes nothing.
    package static var items: StorageMerge {
        StorageMerge { base, mine, theirs in
            if mine == theirs { return (mine, false) }
            // Two processes have completed the item before this occurrence.
            if base == nil, mine.isUntouchedNext { return (theirs, false) }
            var item = mine
            var isConflict = false
            var lost: [String] = []
            for field in Item.fields {
                guard let texts = field.merge(&item, base: base, theirs: theirs) else { continue }
                guard !texts.isEmpty, field.name == "note" else {
                    isConflict = isConflict || texts.isEmpty
                    lost += texts
                    continue
                }
                isConflict = true
                if theirs.hasNoteOnly(item.note) {
                    item.note = theirs.note
                } else if !item.note.hasLines(theirs.note) {
                    lost.append(theirs.note)
                }
            }
            for text in lost { item.keep(text) }
            return (item, isConflict || !lost.isEmpty)
        }
    }
}

extension StorageMerge where Entity == Item {
    /// A merge of two edits of one item. If both changed one field, the later edit wins.
    package static var laterItems: StorageMerge {
        StorageMerge { base, mine, theirs in
            theirs.updatedAt > mine.updatedAt
                ? items(base: base, mine: theirs, theirs: mine)
                : items(base: base, mine: mine, theirs: theirs)
        }
    }
}

extension String {
    /// Returns true if the lines of `text` are consecutive lines of this text. Line breaks at the
    /// end of `text` are ignored.
    package func hasLines(_ text: String) -> Bool {
        var wanted = text.lines[...]
        while wanted.last?.isEmpty == true { wanted.removeLast() }
        return wanted.isEmpty || lines.contains(wanted)
    }
}

extension Item.Extra {
    /// The pair as a text in a note.
    package var words: String { "\(key): \(value)" }
}

extension Item {
    /// The prefix of a text that yielded in a merge and is kept in the note.
    private static let keptMark = "was: "

    /// Appends `text` to the note, on lines of its own. If the note already contains it, changes
    /// nothing, because a merge may be repeated after a crash.
    package mutating func keep(_ text: String) {
        guard !text.isEmpty else { return }
        let line = Self.keptMark + text
        guard !note.hasLines(line) else { return }
        note += note.isEmpty || note.endsWithLineFeed ? line : "\n\(line)"
    }

    /// Returns true if the note is `text`, with or without texts that ``keep(_:)`` appended to it.
    package func hasNoteOnly(_ text: String) -> Bool {
        guard note.utf8.starts(with: text.utf8) else { return false }
        let rest = note.utf8.dropFirst(text.utf8.count)
        let isOnNewLine = text.isEmpty || text.endsWithLineFeed
        return rest.isEmpty
            || rest.starts(with: (isOnNewLine ? Self.keptMark : "\n" + Self.keptMark).utf8)
    }

    /// Returns true if the note contains a text that yielded, and the note of `other` does not.
    /// O(length).
    package func keepsMore(than other: Item) -> Bool {
        guard note != other.note else { return false }
        let known = Set(other.note.lines)
        return note.lines.contains {
            $0.hasPrefix(Self.keptMark) && !known.contains($0)
        }
    }
}
