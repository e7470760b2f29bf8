import SheafList

extension ImportedItem {
    /// `old`, an item of the list, with what the file says of it. Fields that the file does not
    /// mention stay.
    ///
    /// Whichever was edited later wins. The file's fields do where it is as old as the item, which
    /// is then the edit of a hand, and where it is newer or says no time; the item's do where they
    /// are newer. A text that yields to another edit is appended to the note as `was: …`, as
    /// merging does it, so that none is replaced silently; doing it again adds nothing.
    ///
    /// - Parameter tags: the ids of ``tags``.
    func merged(into old: Item, tags: Set<Tag.ID>?, now: Timestamp) -> Item {
        if let updatedAt, updatedAt < old.updatedAt { return yielding(to: old, now: now) }
        var item = old
        var replaced: [String] = []
        for field in plainFields {
            replaced += field.texts(of: old, yieldingTo: draft)
            field.copy(from: draft, to: &item)
        }
        if let note, updatedAt == old.updatedAt || !old.hasNoteOnly(note) {
            if !note.hasLines(old.note) { replaced.append(old.note) }
            item.note = note
        }
        item.tags = tags ?? old.tags
        if done != nil { item.doneAt = doneAt(else: old.doneAt ?? updatedAt ?? now) }
        if updatedAt == old.updatedAt { return item }
        let hasMore = item.keep(replaced) || note.map { $0 != item.note } ?? false
        if let updatedAt {
            // What has more than the file says is a later edit, which the same file does not
            // replace.
            item.updatedAt = hasMore ? max(updatedAt.next, now) : updatedAt
        } else if !item.isSame(as: old) {
            item.touch(at: now)
        }
        return item
    }

    /// The fields that the file says, in their order, but for those that are not taken over as
    /// they are: the note, to which texts go that yield, the place, which is the list's own, and
    /// the time of the edit. Tags and whether it is done are told otherwise.
    private var plainFields: [Field<Item>] {
        Item.fields.filter { field in
            said.contains(field.name) && field.name != "note"
                && ![.minePlace, .greatest].contains(field.rule)
        }
    }

    /// `old`, which is newer, with the texts in its note that the file has for it.
    private func yielding(to old: Item, now: Timestamp) -> Item {
        var texts = plainFields.flatMap { $0.texts(of: draft, yieldingTo: old) }
        if let note, !old.note.hasLines(note) { texts.append(note) }
        var item = old
        if item.keep(texts) { item.touch(at: now) }
        return item
    }

    /// When the file says that it was done: `unknown` if it does not say when, nil if it is not.
    func doneAt(else unknown: Timestamp) -> Timestamp? {
        guard case .yes(let time) = done else { return nil }
        return time ?? unknown
    }
}

extension Item {
    /// Whether every byte of its texts is the same too, which is more than Swift's `==`.
    func isSame(as other: Item) -> Bool {
        self == other && Item.fields.allSatisfy { $0.isSame(in: self, as: other) }
    }

    /// Appends those of `texts` to the note that are not there yet, and returns whether there were
    /// any.
    fileprivate mutating func keep(_ texts: [String]) -> Bool {
        let before = note.utf8.count
        for text in texts { keep(text) }
        return note.utf8.count != before
    }
}
