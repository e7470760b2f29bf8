import Swidux

/// An order of items. Items that compare equal are in manual order. Items without a value for the
/// sort come last in both directions.
package struct ItemOrder: Hashable, Sendable {
    package internal(set) var sort = ItemSort.manual
    var isReversed = false
    /// The places of the tags, if items are sorted by tag.
    package var tagPlaces: [Tag.ID: Int] = [:]
    /// The milliseconds from midnight UTC to the beginning of the user's today, if items are sorted
    /// by a time. The shift places days without a time among moments: exactly, or an hour off if
    /// daylight saving time differs on that day.
    var dayShift: Int64 = 0

    package static let manual = ItemOrder(sort: .manual)

    package init(
        sort: ItemSort, isReversed: Bool = false, tagPlaces: [Tag.ID: Int] = [:],
        dayShift: Int64 = 0
    ) {
        self.sort = sort
        self.isReversed = isReversed
        self.tagPlaces = tagPlaces
        self.dayShift = dayShift
    }

    /// Returns the number that determines an item's place, in ascending order, except in a sort by
    /// name.
    func number(of item: Item) -> UInt64 {
        UInt64(bitPattern: signedNumber(of: item)) ^ 1 << 63
    }

    /// Returns the number before the conversion to `UInt64`. In a sort by due day, done items come
    /// last, after open items without a due day. In a sort by completion time, items done at an
    /// unknown time come just before open items.
    private func signedNumber(of item: Item) -> Int64 {
        switch sort {
        case .manual, .match, .name: 0
        case .created: number(of: item.createdAt)
        case .changed: number(of: item.updatedAt)
        case .done: item.knownDoneAt.map(number) ?? (item.isDone ? .max - 1 : .max)
        case .tag: item.tags.lazy.compactMap { tagPlaces[$0] }.min().map(ascending) ?? .max
        case .due:
            item.isDone ? .max : item.due.map { ascending($0.sortNumber) } ?? .max - 1
        case .priority: item.priority.map { ascending(Int($0.rawValue)) } ?? .max
        }
    }

    private func ascending(_ number: Int) -> Int64 { Int64(isReversed ? ~number : number) }

    private func number(of time: Timestamp) -> Int64 {
        let number = time.isDay ? time.milliseconds &+ dayShift : time.milliseconds
        return isReversed ? number : ~number
    }
}

extension ItemOrder {
    /// - Parameters:
    ///   - tags: All tags of the list, in their order. Sorting by tag follows it.
    ///   - now: The present, for sorting by a time. It determines, with `calendar`, when days
    ///     without a time begin.
    package init(
        _ sort: ItemSort, isReversed: Bool = false, tags: [Tag] = [],
        now: Timestamp = .now, calendar: LocalCalendar = .system
    ) {
        let places = sort == .tag ? tags.enumerated().map { ($1.id, $0) } : []
        self.init(
            sort: sort, isReversed: isReversed,
            tagPlaces: Dictionary(places, uniquingKeysWith: { first, _ in first }),
            dayShift: sort.isTime ? calendar.shift(of: calendar.day(now)) : 0)
    }

    /// True if it is the order in which storage returns items.
    package var isManual: Bool { self == .manual }

    /// True if tags influence the place of an item, including through the query in an order of best
    /// matches.
    package var needsTags: Bool { sort == .tag || sort == .match }
}
