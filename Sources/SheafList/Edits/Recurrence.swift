/// The effect on the next occurrence of an item that the user marks done, or reopens.
package enum Recurrence: Hashable, Sendable {
    /// The next occurrence is added directly below the item.
    case added(Item)
    /// The list has the next occurrence already, and keeps it as it is.
    case known(Item)
    /// There is no next occurrence, because the calendar ends before its date.
    case ended
    /// The next occurrence, which no user has edited, is deleted.
    case removed(Item)

    /// Creates the effect for `item`, which has just been marked done or reopened. Returns `nil` if
    /// there is none.
    ///
    /// - Parameter stored: the item in the list with the id of the next occurrence.
    package init?(of item: Item, stored: Item?, at now: Timestamp, today: CalendarDay) {
        if !item.isDone {
            guard let stored, stored.isUntouchedNext else { return nil }
            self = .removed(stored)
        } else if item.repeat == nil {
            return nil
        } else if let stored {
            self = .known(stored)
        } else {
            self = item.next(today: today, now: now, rank: item.rank).map(Self.added) ?? .ended
        }
    }

    /// Returns the message that precedes the name of an item if only that item was marked done, or
    /// `nil` if there is none.
    package func message(today: CalendarDay) -> String? {
        switch self {
        case .added(let next):
            (next.due ?? next.scheduled).map { "Done, next on \($0.shortName(today: today))" }
        case .known(let next): "Done, with its next occurrence already \(next.whereabouts)"
        case .ended: "Done, with no next date up to the year 9999"
        case .removed: nil
        }
    }
}

extension [Recurrence] {
    /// The number of next occurrences to add.
    package var added: Int { count { if case .added = $0 { true } else { false } } }

    /// Returns the sentences about the items that one command marked, each with a space before it.
    ///
    /// - Parameter quoted: returns a name in quotation marks.
    package func sentences(quoted: (String) -> String) -> String {
        let known = compactMap { if case .known(let next) = $0 { next } else { nil } }
        let ended = count { $0 == .ended }
        var sentences = ""
        if added > 0 {
            sentences +=
                " Added \(added == 1 ? "the next occurrence" : "\(added) next occurrences")."
        }
        if let next = known.first {
            sentences +=
                known.count == 1
                ? " The next occurrence \(quoted(next.name)) is already \(next.whereabouts)."
                : " \(known.count) next occurrences are already in the list."
        }
        if ended > 0 {
            sentences +=
                " No next occurrence for \(ended): \(ended == 1 ? "its date" : "their dates") would"
                + " be after the year 9999."
        }
        return sentences
    }
}

extension Item {
    /// The state of a next occurrence that the list already has, as messages name it.
    fileprivate var whereabouts: String { isDone ? "done" : "in the list" }
}
