import SheafList

extension ImportedItem {
    /// Returns `old`, an item of the list, merged with the values from the file. Fields that the
    /// file does not contain stay.
    ///
    /// The later edit wins. The file's fields win if the file's time is newer or absent, or equal
    /// to the item's, because then the user has edited the file. The item's fields win if the
    /// item's time is newer. A text of the item that the file replaces is appended to the note as
    /// `was: …`, as in a merge, so that no text of the list is lost silently. Repeating the import
    /// appends nothing again.
    ///
    /// - Parameters:
    ///   - tags: The ids of ``tags``.
    ///   - calendar: The calendar that compares days without a time to moments.
    func merged(
        into old: Item, tags: Set<Tag.ID>?, now: Timestamp, calendar: LocalCalendar = .system
    ) -> Item {
        if isOlder(than: old, calendar) { return old }
        var item = old
        var replaced: [String] = []
        for field in plainFields {
            replaced += field.texts(of: old, overriddenBy: draft)
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
            // An item with additional text is a later edit, which importing the same file again
            // does not replace.
            item.updatedAt = hasMore ? max(updatedAt.next, now) : updatedAt
        } else if !item.isSame(as: old) {
            item.touch(at: now)
        }
        return item
    }

    /// Returns true if the file has a time, and the item of the list was edited after it.
    func isOlder(than item: Item, _ calendar: LocalCalendar) -> Bool {
        updatedAt.map { calendar.moment($0) < calendar.moment(item.updatedAt) } ?? false
    }

    /// The fields in the file that are copied without special treatment, in their order. Exceptions
    /// are the note, which receives replaced texts; the position, which the list determines; and
    /// the time of the edit. Tags and the done state are stored elsewhere.
    private var plainFields: [Field<Item>] {
        Item.fields.filter { field in
            setFields.contains(field.name) && field.name != "note"
                && ![.minePosition, .maximum].contains(field.rule)
        }
    }

    /// Returns the completion time in the file, `unknown` if the item is done at an unknown time,
    /// and `nil` if it is not done.
    func doneAt(else unknown: Timestamp) -> Timestamp? {
        guard case .yes(let time) = done else { return nil }
        return time ?? unknown
    }
}

extension Item {
    /// Returns true if every byte of the texts is equal too, which Swift's `==` does not check.
    func isSame(as other: Item) -> Bool {
        self == other && Item.fields.allSatisfy { $0.isSame(in: self, as: other) }
    }

    /// Appends those of `texts` that the note does not contain yet. Returns true if there were any.
    fileprivate mutating func keep(_ texts: [String]) -> Bool {
        let before = note.utf8.count
        for text in texts { keep(text) }
        return note.utf8.count != before
    }
}
