import Swidux

extension StorageMerge where Entity == Item {
    /// Two edits of one item: field by field, tags as a set.
    ///
    /// Where both changed one field differently, the edit here wins. A text that has to yield is
    /// appended to the note as `was: …`, so that nothing typed is lost; of places and of when
    /// something was done only one can be true. Without a base every field counts as changed by
    /// both, but the next of an item that repeats, as it was made, yields to the same one that is
    /// stored already. Merging either edit again with what came of it changes nothing.
    public static var items: StorageMerge {
        StorageMerge { base, mine, theirs in
            if mine == theirs { return Outcome(mine) }
            // Two processes have finished the item that it is the next of.
            if base == nil, mine.isUntouchedNext { return Outcome(theirs) }
            var item = mine
            var isConflict = false
            var lost: [String] = []
            for field in Item.fields {
                switch field.merge(&item, base: base, theirs: theirs) {
                case nil: break
                case .value: isConflict = true
                case .texts where field.name == "note":
                    isConflict = true
                    if theirs.hasNoteOnly(item.note) {
                        item.note = theirs.note
                    } else if !item.note.hasLines(theirs.note) {
                        lost.append(theirs.note)
                    }
                case .texts(let texts): lost += texts
                }
            }
            for text in lost { item.keep(text) }
            return Outcome(item, isConflict: isConflict || !lost.isEmpty)
        }
    }
}

extension StorageMerge where Entity == Item {
    /// The same, but where both changed one field, the later edit wins.
    public static var laterItems: StorageMerge {
        StorageMerge { base, mine, theirs in
            theirs.updatedAt > mine.updatedAt
                ? items(base: base, mine: theirs, theirs: mine)
                : items(base: base, mine: mine, theirs: theirs)
        }
    }
}

extension String {
    /// Whether `text` is among the lines, in one piece; breaks at its end do not count.
    public func hasLines(_ text: String) -> Bool {
        var wanted = text.lines[...]
        while wanted.last?.isEmpty == true { wanted.removeLast() }
        return wanted.isEmpty || lines.contains(wanted)
    }
}

extension Item.Extra {
    /// How a note tells it.
    public var words: String { "\(key): \(value)" }
}

extension Item {
    /// What a text that yielded to another begins with in the note.
    private static let keptMark = "was: "

    /// Appends `text` to the note, unless it is there already, in lines of its own: a merge may be
    /// repeated after a crash.
    public mutating func keep(_ text: String) {
        guard !text.isEmpty else { return }
        let line = Self.keptMark + text
        guard !note.hasLines(line) else { return }
        note += note.isEmpty || note.endsWithLineFeed ? line : "\n\(line)"
    }

    /// Whether the note is `text`, or that with nothing but what ``keep(_:)`` appended to it.
    public func hasNoteOnly(_ text: String) -> Bool {
        guard note.utf8.starts(with: text.utf8) else { return false }
        let rest = note.utf8.dropFirst(text.utf8.count)
        let isOnNewLine = text.isEmpty || text.endsWithLineFeed
        return rest.isEmpty
            || rest.starts(with: (isOnNewLine ? Self.keptMark : "\n" + Self.keptMark).utf8)
    }

    /// Whether the note has a text that yielded which that of `other` has not. O(length).
    public func keepsMore(than other: Item) -> Bool {
        guard note != other.note else { return false }
        let known = Set(other.note.lines)
        return note.lines.contains {
            $0.hasPrefix(Self.keptMark) && !known.contains($0)
        }
    }
}
